"""What imports remember so that the next is quick: files seen, how sessions begin. Derived; may be deleted any time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from brain.errors import LockHeld
from brain.ingest.tail import Before
from brain.tree.files import make_folder

READER = 1
"""Raise when the formats read more than before: files that were done are then read again."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
  path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, hash BLOB, reader INTEGER, sessions TEXT
);
CREATE TABLE IF NOT EXISTS heads (session TEXT PRIMARY KEY, source TEXT, mark BLOB);
CREATE INDEX IF NOT EXISTS heads_mark ON heads (mark);
CREATE TABLE IF NOT EXISTS transcripts (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER);
CREATE TABLE IF NOT EXISTS seen (session TEXT PRIMARY KEY, reader INTEGER, turns INTEGER, digests BLOB);
CREATE INDEX IF NOT EXISTS seen_begin ON seen (substr(digests, 1, 8));
"""


class Ledger:
    """An SQLite file. A broken one is thrown away and begun again."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        if path is not None:
            make_folder(path.parent)
        try:
            self._db = self._open()
        except sqlite3.DatabaseError:
            if path is not None:
                for suffix in ("", "-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
            self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path or ":memory:", isolation_level=None, timeout=5)
        db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + _SCHEMA)
        db.execute("SELECT count(*) FROM files")
        return db

    def close(self) -> None:
        self._db.close()

    def sessions_of(self, path: Path, size: int, mtime: int, *, alone: bool = True) -> list[str] | None:
        """The sessions a file gave when it was last read, if it has not changed since; None when it must be read.

        `alone` False: size and time are those of several files, of which this one's hash says nothing.
        """
        row = self._db.execute(
            "SELECT size, mtime, hash, reader, sessions FROM files WHERE path = ?", (_key(path),)
        ).fetchone()
        if row is None or row[3] != READER or row[0] != size:
            return None
        if row[1] != mtime:
            if not alone or row[2] != content_hash(path):
                return None
            self._db.execute("UPDATE files SET mtime = ? WHERE path = ?", (mtime, _key(path)))
        return list(json.loads(row[4]))

    def before(self, path: Path) -> Before | None:
        """A file as it was when it was last read whole; None when it never was, or not by this version."""
        query = "SELECT size, hash, sessions FROM files WHERE path = ? AND reader = ?"
        row = self._db.execute(query, (_key(path), READER)).fetchone()
        return Before(size=row[0], content=row[1], sessions=tuple(json.loads(row[2]))) if row else None

    def done(self, path: Path, size: int, mtime: int, content: bytes, sessions: list[str]) -> None:
        """A file was read whole and what it gave is published."""
        values = (_key(path), size, mtime, content, READER, json.dumps(sessions))
        self._db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", values)

    def head(self, session: str, source: str, mark: bytes) -> None:
        self._db.execute("INSERT OR REPLACE INTO heads VALUES (?, ?, ?)", (session, source, mark))

    def begins_like(self, source: str, mark: bytes) -> list[str]:
        """Sessions whose first turn has this mark."""
        query = "SELECT session FROM heads WHERE mark = ? AND source = ? ORDER BY session"
        return [str(row[0]) for row in self._db.execute(query, (mark, source))]

    def heads(self) -> set[str]:
        return {str(row[0]) for row in self._db.execute("SELECT session FROM heads")}

    def settled(self, path: str, size: int, mtime: int) -> bool:
        """Was this transcript in this state when its row was last published?"""
        row = self._db.execute("SELECT size, mtime FROM transcripts WHERE path = ?", (path,)).fetchone()
        return row is not None and tuple(row) == (size, mtime)

    def settle(self, path: str, size: int, mtime: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?)", (path, size, mtime))

    def unsettle(self, paths: Iterable[str]) -> None:
        """Forget the names of transcripts, so that the file does not hold them in any corner."""
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.executemany("DELETE FROM transcripts WHERE path = ?", [(path,) for path in paths])
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def seen(self, session: str, turns: int) -> bytes:
        """Digests of the raw turns a session had when it was stored with `turns` turns; b"" when unknown."""
        query = "SELECT digests FROM seen WHERE session = ? AND turns = ? AND reader = ?"
        row = self._db.execute(query, (session, turns, READER)).fetchone()
        return bytes(row[0]) if row else b""

    def seen_from(self, digest: bytes) -> list[tuple[str, bytes]]:
        """Sessions whose first raw turn has this digest, with all their digests."""
        query = "SELECT session, digests FROM seen WHERE substr(digests, 1, 8) = ? ORDER BY session"
        return [(str(row[0]), bytes(row[1])) for row in self._db.execute(query, (digest,))]

    def saw(self, session: str, turns: int, digests: bytes) -> None:
        self._db.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?)", (session, READER, turns, digests))

    def forget(self, gone: Callable[[str], bool]) -> None:
        """Drop what is known of files, transcripts and sources alike, by their paths, and overwrite it on disk.

        A source that is still there is read again by the next import.
        """
        self._db.execute("PRAGMA secure_delete = ON")
        for table in ("files", "transcripts"):
            paths = [str(row[0]) for row in self._db.execute(f"SELECT path FROM {table}")]
            away = [(path,) for path in paths if gone(path)]
            self._db.executemany(f"DELETE FROM {table} WHERE path = ?", away)
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def together(self) -> Iterator[None]:
        """Writes in here land at once or not at all."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


@contextmanager
def one_import(folder: Path) -> Iterator[None]:
    """Only one import writes into a brain at a time; the lock dies with its process. Raises LockHeld."""
    make_folder(folder)
    db = sqlite3.connect(folder / "imports.lock", isolation_level=None, timeout=0.2)
    try:
        try:
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise LockHeld(
                "another import is running in this brain", hint="wait for it to end, then run this again"
            ) from error
        yield
    finally:
        with suppress(sqlite3.Error):
            db.close()


def content_hash(path: Path) -> bytes:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.digest()


def _key(path: Path) -> str:
    return blake2b(str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
