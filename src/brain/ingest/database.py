"""Other programs' SQLite databases: read from a copy, so that nothing is locked, changed or left beside them."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from brain.ingest.raw import Skips

MAGIC = b"SQLite format 3\x00"


@contextmanager
def copied(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a private copy, as of what the program has committed. Raises sqlite3.Error, OSError.

    A copy taken while the program writes can be torn; it is then taken again.
    """
    with tempfile.TemporaryDirectory(prefix="brain-") as folder:
        for attempt in (1, 2, 3):
            copy = Path(folder) / f"{attempt}.db"
            shutil.copyfile(path, copy)
            for log in ("-wal", "-journal"):  # what is not in the file yet, and what a write in progress is undone by
                if path.with_name(path.name + log).is_file():
                    shutil.copyfile(path.with_name(path.name + log), copy.with_name(copy.name + log))
            with closing(sqlite3.connect(copy)) as db:
                db.text_factory = _text
                try:
                    db.execute("SELECT count(*) FROM sqlite_master").fetchone()
                except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                    if attempt == 3:
                        raise sqlite3.DatabaseError(str(error)) from error
                    continue
                try:
                    yield db
                except UnicodeDecodeError as error:  # what SQLite says of a damaged file may itself be damaged
                    raise sqlite3.DatabaseError(str(error)) from error
                return


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def tables(db: sqlite3.Connection) -> dict[str, frozenset[str]]:
    """The columns of each table, in small letters: SQLite takes `Id` for `id`, and so must who asks for it."""
    names = [str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        name: frozenset(str(row[1]).lower() for row in db.execute(f'PRAGMA table_info("{name}")')) for name in names
    }


def json_object(value: Any, place: str, skips: Skips) -> dict[str, Any] | None:
    """The JSON object in a value of a row; anything else is counted, with its place."""
    try:
        item = json.loads(value, strict=False)
    except (TypeError, ValueError, RecursionError):
        item = None
    if isinstance(item, dict):
        return item
    skips.damage("row is not a JSON object", place)
    return None


def state(path: Path) -> tuple[int, int]:
    """(size, time of change) of a database with its log: what is new may lie in the log alone."""
    own = path.stat()
    log = path.with_name(path.name + "-wal")
    if not log.is_file():
        return own.st_size, own.st_mtime_ns
    beside = log.stat()
    return own.st_size + beside.st_size, max(own.st_mtime_ns, beside.st_mtime_ns)
