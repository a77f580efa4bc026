"""Being the only one at something in a brain: a lock that dies with its process, on any system."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from brain.tree.files import make_folder

FOLDER = Path(".brain/index/capture")
"""Where capture keeps what it needs between two calls. Deleted, it costs an index given twice and a look too many."""

WATCH, WORKER = "watch", "worker"
"""Locks: of who watches, and of who takes what hooks left."""


@contextmanager
def alone(root: Path, name: str, *, wait: float = 0.0) -> Iterator[bool]:
    """Hold the lock `name` of the brain at `root` during the block; False when another has it after `wait` seconds."""
    make_folder(root / FOLDER)
    with closing(sqlite3.connect(root / FOLDER / f"{name}.lock", timeout=wait, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY":
                raise
            yield False
            return
        yield True


def taken(root: Path, name: str) -> bool:
    """Whether another process holds the lock now; in a folder that cannot be written, nobody does."""
    if not (root / FOLDER / f"{name}.lock").exists():
        return False
    with suppress(sqlite3.Error, OSError), alone(root, name) as mine:
        return not mine
    return False
