"""Vectors kept by the text they are of, shared by every brain a benchmark makes: each passage is embedded once, ever.

    >>> embedder = Kept(open_embedder(), cache_folder() / "vectors.sqlite")                   # doctest: +SKIP
    >>> SearchIndex(root, embedder=embedder).embed()                                          # doctest: +SKIP

One SQLite file, safe to share between processes and to delete. Rows are half floats, as the index stores them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from brain.corpus.search.documents import unit_hash
from brain.corpus.search.meaning import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ASKED = 500  # hashes in one question to SQLite
_WRITTEN = 64  # texts embedded between two commits, so that a killed run loses a second or two


class Kept:
    """An embedder that looks in the cache first; what it makes goes there. Same id, same vectors."""

    def __init__(self, inner: Embedder, file: Path) -> None:
        self.inner = inner
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._db = sqlite3.connect(file, timeout=60, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS vectors (model TEXT, hash BLOB, row BLOB NOT NULL, PRIMARY KEY (model, hash))"
            " WITHOUT ROWID"
        )

    @property
    def id(self) -> str:
        return self.inner.id

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        names = [unit_hash(text) for text in texts]
        known = self.known(names)
        missing = list({name: text for name, text in zip(names, texts, strict=True) if name not in known}.items())
        for at in range(0, len(missing), _WRITTEN):
            some = missing[at : at + _WRITTEN]
            rows = self.inner.embed([text for _, text in some]).astype(np.float16)
            made = {name: row.tobytes() for (name, _), row in zip(some, rows, strict=True)}
            self.keep(made)
            known |= made
        flat = np.frombuffer(b"".join(known[name] for name in names), np.float16)
        return flat.reshape(len(texts), self.dimensions).astype(np.float32)

    def known(self, names: Sequence[bytes]) -> dict[bytes, bytes]:
        """The rows that are here, by the hash of their text."""
        found: dict[bytes, bytes] = {}
        for at in range(0, len(names), _ASKED):
            some = names[at : at + _ASKED]
            marks = ",".join("?" * len(some))
            sql = f"SELECT hash, row FROM vectors WHERE model = ? AND hash IN ({marks})"
            found.update(self._db.execute(sql, (self.id, *some)))
        return found

    def keep(self, rows: dict[bytes, bytes]) -> None:
        """Add rows of half floats, by the hash of their text; all of them or none."""
        self._db.execute("BEGIN IMMEDIATE")
        values = [(self.id, name, row) for name, row in rows.items()]
        self._db.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", values)
        self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()
