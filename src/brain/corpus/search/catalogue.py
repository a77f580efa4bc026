"""What is indexed, in one SQLite file: files by hash, documents and their text, what they cite, where vectors are.

WAL mode: a reader sees the last committed state and never waits for the writer. One writer at a time, kept by a lock
that the operating system drops when its holder dies, however it dies.
"""

from __future__ import annotations

import errno
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from brain.corpus.search.documents import Document
from brain.corpus.search.when import Span
from brain.errors import IndexBroken, LockHeld
from brain.types import Surface

SCHEMA = "5"  # raise it when tables, documents or terms change: the index is then rebuilt from the files, and says so

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, hash TEXT NOT NULL, problem TEXT)
    WITHOUT ROWID;
CREATE TABLE docs (
    id INTEGER PRIMARY KEY, surface TEXT NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, session TEXT,
    first INTEGER, last INTEGER, day TEXT, speaker TEXT, role TEXT, size INTEGER NOT NULL, dated INTEGER NOT NULL,
    language TEXT NOT NULL, hash BLOB NOT NULL, uri TEXT NOT NULL, title TEXT NOT NULL, heading TEXT NOT NULL,
    context TEXT NOT NULL, qualifier TEXT, about_first INTEGER, about_last INTEGER, text TEXT NOT NULL);
CREATE INDEX docs_path ON docs (path);
CREATE INDEX docs_turn ON docs (session, first, speaker, role, day, size, dated, about_first, about_last)
    WHERE surface = 'turn';
CREATE INDEX docs_language ON docs (language);
CREATE INDEX docs_surface ON docs (surface);
CREATE TABLE cites (doc INTEGER NOT NULL, session TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE INDEX cites_doc ON cites (doc);
CREATE INDEX cites_session ON cites (session);
CREATE TABLE members (doc INTEGER NOT NULL, project TEXT NOT NULL, PRIMARY KEY (doc, project)) WITHOUT ROWID;
CREATE INDEX members_project ON members (project);
CREATE TABLE units (doc INTEGER NOT NULL, part INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (doc, part))
    WITHOUT ROWID;
CREATE INDEX units_hash ON units (hash);
CREATE TABLE embedders (id TEXT PRIMARY KEY, dimensions INTEGER NOT NULL, rows INTEGER NOT NULL, spec TEXT NOT NULL)
    WITHOUT ROWID;
CREATE TABLE vectors (embedder TEXT NOT NULL, hash BLOB NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (embedder, hash))
    WITHOUT ROWID;
CREATE INDEX vectors_row ON vectors (embedder, row);
"""
_COLUMNS = (
    "id, path, surface, line, uri, title, text, heading, context, language, day, session, first, last, speaker, role,"
    " dated, qualifier, about_first, about_last"
)


class DiskFull(IndexBroken):
    """There was no room for the index; what was indexed before still answers."""


class Damaged(IndexBroken):
    """A file of the index is not what was written; the index can be built anew from the files."""


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def said_plainly() -> Iterator[None]:
    """What SQLite, the word index and the system raise about the index, as DiskFull or Damaged."""
    try:
        yield
    except (sqlite3.Error, OSError, ValueError) as error:
        said = str(error)
        full = isinstance(error, OSError) and error.errno in _FULL
        if full or any(words in said for words in ("is full", "No space left", "File too large", "disk I/O error")):
            message = f"no room on the disk for the search index ({said})"
            raise DiskFull(message, hint="make room, then run the command again") from error
        if "locked" in said:
            raise LockHeld("another process is writing the search index", hint="try again in a moment") from error
        if isinstance(error, sqlite3.Error):
            raise Damaged(f"the search catalogue is damaged: {said}", hint="brain reindex") from error
        raise


class OldSchema(Exception):
    """The file was written by another version of Brain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """How a file looked when it was indexed; `hash` is empty while its documents are being changed."""

    size: int
    mtime: int
    hash: str


class Catalogue:
    """One open connection. `writable` makes the file when it is missing."""

    def __init__(self, file: Path, *, writable: bool = False) -> None:
        if writable:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not file.exists():
            raise IndexBroken("there is no search index here yet", hint="brain reindex")
        try:
            self._db = sqlite3.connect(file, timeout=30, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, not just unlinked
            if writable:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
            self._open_schema(writable)
        except sqlite3.DatabaseError as error:
            with said_plainly():
                raise error

    def _open_schema(self, writable: bool) -> None:
        empty = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if empty and writable:
            with self.change():
                for statement in _TABLES.split(";"):
                    self._db.execute(statement)
                self.set("schema", SCHEMA)
                self.set("born", secrets.token_hex(16))  # by which what is derived from it knows it
        elif empty or self.get("schema") != SCHEMA:
            raise OldSchema

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """All of it or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:  # SQLite may have rolled back by itself
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Reads inside see one committed state."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    # -- values by name

    def get(self, key: str, default: str = "") -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else default

    def set(self, key: str, value: str | int) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, str(value)))

    def count_up(self, key: str) -> None:
        """A number that is another one from now on."""
        self.set(key, int(self.get(key, "0")) + 1)

    # -- files

    def files(self) -> dict[str, FileState]:
        rows = self._db.execute("SELECT path, size, mtime, hash FROM files")
        return {path: FileState(size=size, mtime=mtime, hash=digest) for path, size, mtime, digest in rows}

    def put_file(self, path: str, state: FileState, problem: str | None = None) -> None:
        values = (path, state.size, state.mtime, state.hash, problem)
        self._db.execute("INSERT OR REPLACE INTO files VALUES (?,?,?,?,?)", values)

    def problems(self) -> list[tuple[str, str]]:
        """Files that do not follow their format, with the reason."""
        return self._db.execute("SELECT path, problem FROM files WHERE problem IS NOT NULL ORDER BY path").fetchall()

    def drop_file(self, path: str) -> None:
        self._db.execute("DELETE FROM files WHERE path = ?", (path,))

    def mark_stale(self, paths: Iterable[str]) -> None:
        """Before their documents change: a crash from here on leaves them to be read again."""
        self._db.executemany("UPDATE files SET hash = '' WHERE path = ?", ((path,) for path in paths))

    # -- documents

    def identities(self, path: str) -> list[tuple[int, bytes, int]]:
        """(id, hash, line) of a file's documents."""
        return self._db.execute("SELECT id, hash, line FROM docs WHERE path = ? ORDER BY id", (path,)).fetchall()

    def last_turn(self, path: str) -> int:
        """The number of the last turn indexed of a transcript, 0 when none is."""
        found = self._db.execute("SELECT max(last) FROM docs WHERE path = ?", (path,)).fetchone()[0]
        return int(found or 0)

    def add(self, doc: int, document: Document, digest: bytes, units: Sequence[bytes]) -> None:
        d = document
        self._db.execute(
            f"INSERT INTO docs VALUES ({','.join('?' * 22)})",
            (doc, d.surface.value, d.path, d.line, d.session, d.first, d.last, d.day.isoformat() if d.day else None,
             d.speaker, d.role, len(d.text), d.dated, d.language, digest, d.uri, d.title, d.heading, d.context,
             d.qualifier, _ordinal(d.about.first if d.about else None), _ordinal(d.about.last if d.about else None),
             d.text),
        )  # fmt: skip
        self._db.executemany(
            "INSERT INTO members VALUES (?,?)", ((doc, project) for project in dict.fromkeys(d.projects))
        )
        self._db.executemany("INSERT INTO cites VALUES (?,?,?,?)", ((doc, *cite) for cite in d.cites))
        self._db.executemany("INSERT INTO units VALUES (?,?,?)", ((doc, at, unit) for at, unit in enumerate(units)))

    def move(self, doc: int, line: int) -> None:
        self._db.execute("UPDATE docs SET line = ? WHERE id = ?", (line, doc))

    def remove(self, ids: Sequence[int]) -> None:
        if ids:
            self.set("removed", "1")  # there may be vectors that no document has any more
        for table, column in (("docs", "id"), ("cites", "doc"), ("members", "doc"), ("units", "doc")):
            self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", ((doc,) for doc in ids))

    def clear(self) -> None:
        """Forget every file and document; vectors stay, keyed by the text they are of."""
        self.set("removed", "1")
        for table in ("files", "docs", "cites", "members", "units"):
            self._db.execute(f"DELETE FROM {table}")

    def documents(self, ids: Sequence[int]) -> dict[int, Document]:
        """Documents by id, without what they cite; ids that are gone are left out."""
        found: dict[int, Document] = {}
        for start in range(0, len(ids), 500):
            some = ids[start : start + 500]
            marks = ",".join("?" * len(some))
            rows = self._db.execute(f"SELECT {_COLUMNS} FROM docs WHERE id IN ({marks})", [int(doc) for doc in some])
            found.update((row[0], _document(row)) for row in rows)
        return found

    def unit_hashes(self, ids: Sequence[int]) -> dict[tuple[int, int], bytes]:
        """The hash of each passage of some documents, by (document, part)."""
        found: dict[tuple[int, int], bytes] = {}
        for start in range(0, len(ids), 500):
            some = [int(doc) for doc in ids[start : start + 500]]
            sql = f"SELECT doc, part, hash FROM units WHERE doc IN ({','.join('?' * len(some))})"
            found.update(((doc, part), digest) for doc, part, digest in self._db.execute(sql, some))
        return found

    def each(self, surfaces: Sequence[Surface]) -> Iterator[tuple[int, Document]]:
        """Every document of some surfaces, by id, as a stream."""
        marks = ",".join("?" * len(surfaces))
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM docs WHERE surface IN ({marks}) ORDER BY id", [s.value for s in surfaces]
        )
        return ((row[0], _document(row)) for row in rows)

    def cited_turns(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """(document, turn document) for every indexed turn that some documents cite.

        CROSS JOIN keeps SQLite from reading every turn there is first.
        """
        marks = ",".join("?" * len(ids))
        return self._db.execute(
            "SELECT cites.doc, docs.id FROM cites CROSS JOIN docs"
            " ON docs.surface = 'turn' AND docs.session = cites.session"
            f" AND docs.first BETWEEN cites.first AND cites.last WHERE cites.doc IN ({marks})",
            [int(doc) for doc in ids],
        ).fetchall()

    def members(self, project: str) -> tuple[list[int], list[str]]:
        """What belongs to a project: the documents of its pages and of pages that link to it, and the sessions whose
        summary names it or that its own page cites."""
        docs = self._db.execute(
            "SELECT docs.id FROM docs WHERE docs.path IN (SELECT named.path FROM members JOIN docs AS named"
            " ON named.id = members.doc WHERE members.project = ? AND named.surface = 'page')",
            (project,),
        ).fetchall()
        sessions = self._db.execute(
            "SELECT docs.session FROM members JOIN docs ON docs.id = members.doc WHERE members.project = :id"
            " AND docs.surface = 'summary' UNION SELECT cites.session FROM cites JOIN docs ON docs.id = cites.doc"
            " WHERE docs.surface = 'page' AND docs.uri = :id",
            {"id": project},
        ).fetchall()
        return [doc for (doc,) in docs], sorted(session for (session,) in sessions if session)

    def stream(self, sql: str, values: Sequence[object] = (), size: int = 20_000) -> Iterator[list[tuple[Any, ...]]]:
        """The answer to a SELECT in pieces: a large brain's columns do not lie in memory twice."""
        cursor = self._db.execute(sql, values)
        while rows := cursor.fetchmany(size):
            yield rows

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """The answer to a SELECT of the caller's own."""
        return self._db.execute(sql, values).fetchall()

    def execute(self, sql: str, values: Sequence[object] = ()) -> None:
        self._db.execute(sql, values)

    def counts(self) -> dict[Surface, int]:
        rows = self._db.execute("SELECT surface, count(*) FROM docs GROUP BY surface").fetchall()
        return {Surface(surface): count for surface, count in sorted(rows)}

    def languages(self) -> tuple[str, ...]:
        """Languages of the documents, the most used first; those of a handful among thousands are left out."""
        rows = self._db.execute("SELECT language, count(*) AS n FROM docs GROUP BY language ORDER BY n DESC, language")
        counted = rows.fetchall()
        total = sum(n for _, n in counted)
        return tuple(language for language, n in counted if n * 100 >= total)


def _document(row: Sequence[object]) -> Document:
    _, path, surface, line, uri, title, text, heading, context, language, *rest = row
    day, session, first, last, speaker, role, dated, qualifier, about_first, about_last = rest
    about = Span(_day(about_first), _day(about_last)) if about_first or about_last else None
    return Document(
        path=str(path), surface=Surface(str(surface)), line=int(str(line)), uri=str(uri), title=str(title),
        text=str(text), heading=str(heading), context=str(context), language=str(language),
        day=date.fromisoformat(str(day)) if day else None, session=_text(session), first=_number(first),
        last=_number(last), speaker=_text(speaker), role=_text(role), dated=bool(dated), qualifier=_text(qualifier),
        about=about,
    )  # fmt: skip


def _ordinal(day: date | None) -> int | None:
    return day.toordinal() if day else None


def _day(value: object) -> date | None:
    return date.fromordinal(value) if isinstance(value, int) else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


@contextmanager
def writing(folder: Path, *, wait: float = 30.0) -> Iterator[None]:
    """Be the one writer of an index folder. Raises LockHeld after `wait` seconds.

    An exclusive transaction on a file of its own: SQLite's lock is released when the process dies.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = sqlite3.connect(folder / "writer.lock", timeout=wait, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise LockHeld("another process is updating the search index", hint="try again in a moment") from error
    try:
        yield
    finally:
        lock.execute("ROLLBACK")
        lock.close()
