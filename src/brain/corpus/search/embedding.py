"""Filling in the vectors: batch by batch, most useful surfaces first, from wherever the last run stopped."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from brain.corpus.search.catalogue import Catalogue, said_plainly, writing
from brain.corpus.search.meaning import Embedder
from brain.corpus.search.vectors import write_rows, zero_rows

BATCH = 16  # texts between two commits: a fraction of a second, so an import never waits long for its turn

_PENDING = """
SELECT units.hash, units.doc, units.part FROM units JOIN docs ON docs.id = units.doc
LEFT JOIN vectors ON vectors.hash = units.hash WHERE vectors.hash IS NULL
ORDER BY CASE docs.surface WHEN 'page' THEN 0 WHEN 'note' THEN 1 WHEN 'summary' THEN 2 ELSE
         CASE docs.role WHEN 'user' THEN 3 WHEN 'assistant' THEN 4 ELSE 5 END END, docs.id DESC, units.part
LIMIT 2000
"""
_COUNT = """
SELECT count(DISTINCT units.hash) FROM units LEFT JOIN vectors ON vectors.hash = units.hash
WHERE vectors.hash IS NULL
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """How far the vectors are: texts done by this run, and how many are left."""

    done: int
    left: int


def vectors_file(folder: Path, embedder: str) -> Path:
    """The file of rows for an embedder's id."""
    return folder / f"vectors-{re.sub(r'[^A-Za-z0-9.-]+', '-', embedder)}.f16"


def pending(catalogue: Catalogue) -> int:
    """How many different texts have no vector yet."""
    count = catalogue.rows(_COUNT)[0][0]
    return count if isinstance(count, int) else 0


def embed(
    folder: Path,
    embedder: Embedder,
    *,
    seconds: float | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Embedded:
    """Embed what is pending until all is done or `seconds` have passed; one batch is made in any case.

    Safe to kill at any moment and to run again. Raises DiskFull.
    """
    until = None if seconds is None else time.monotonic() + seconds
    catalogue = Catalogue(folder / "catalogue.sqlite")
    done = 0
    with closing(catalogue), said_plainly():
        total = pending(catalogue)
        late = False
        while not late and (batch := _batch(catalogue)):
            for start in range(0, len(batch), BATCH):
                done += _write(catalogue, folder, embedder, batch[start : start + BATCH])
                if progress:
                    progress(min(done, total), total, "meaning")
                late = until is not None and time.monotonic() >= until
                if late:
                    break
        return Embedded(done=done, left=pending(catalogue))


def _batch(catalogue: Catalogue) -> list[tuple[bytes, str]]:
    rows = catalogue.rows(_PENDING)
    texts = catalogue.documents([int(str(doc)) for _, doc, _ in rows])
    found: dict[bytes, str] = {}
    for digest, doc, part in rows:
        document = texts.get(int(str(doc)))
        passages = document.passages() if document else []
        if isinstance(digest, bytes) and isinstance(part, int) and part < len(passages):
            found.setdefault(digest, passages[part])
    return list(found.items())


def _write(catalogue: Catalogue, folder: Path, embedder: Embedder, batch: list[tuple[bytes, str]]) -> int:
    vectors = embedder.embed([text for _, text in batch])
    file = vectors_file(folder, embedder.id)
    with writing(folder), catalogue.change():
        if catalogue.get("embedder") != embedder.id:
            catalogue.execute("DELETE FROM vectors")
            catalogue.set("embedder", embedder.id)
            catalogue.set("dimensions", embedder.dimensions)
            catalogue.set("rows", 0)
        known = {digest for (digest,) in catalogue.rows(_known(len(batch)), [digest for digest, _ in batch])}
        new = [at for at, (digest, _) in enumerate(batch) if digest not in known]
        start = int(catalogue.get("rows", "0"))
        if new:
            write_rows(file, start, vectors[new])
        for row, at in enumerate(new, start=start):
            catalogue.execute("INSERT INTO vectors VALUES (?, ?)", (batch[at][0], row))
        catalogue.set("rows", start + len(new))
        catalogue.set("generation", int(catalogue.get("generation", "0")) + 1)
    return len(new)


def _known(count: int) -> str:
    return f"SELECT hash FROM vectors WHERE hash IN ({','.join('?' * count)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Vectors of an index that is being replaced: whose they are, and the row of each text."""

    meta: tuple[tuple[str, str], ...]
    rows: tuple[tuple[bytes, int], ...]


def kept_vectors(file: Path) -> Kept | None:
    """What of another version's catalogue is worth hours of work: a vector depends on its text alone."""
    try:
        old = sqlite3.connect(file)
        try:
            names = ("embedder", "dimensions", "rows")
            meta = tuple(old.execute("SELECT key, value FROM meta WHERE key IN (?, ?, ?)", names))
            rows = tuple(old.execute("SELECT hash, row FROM vectors"))
        finally:
            old.close()
    except sqlite3.DatabaseError:
        return None
    return Kept(meta=meta, rows=rows) if len(meta) == len(names) else None


def give_back(catalogue: Catalogue, kept: Kept) -> None:
    """Put kept vectors into a new catalogue; those that no document wants are erased by the next sweep."""
    with catalogue.change():
        for key, value in kept.meta:
            catalogue.set(key, value)
        for digest, row in kept.rows:
            catalogue.execute("INSERT INTO vectors VALUES (?, ?)", (digest, row))


def forget_cut(catalogue: Catalogue, folder: Path) -> bool:
    """Forget every vector when their file is missing or shorter than the catalogue says; they are then made again."""
    rows, dimensions = int(catalogue.get("rows", "0")), int(catalogue.get("dimensions", "384"))
    file = vectors_file(folder, catalogue.get("embedder"))
    if not rows or (file.exists() and file.stat().st_size >= rows * dimensions * 2):
        return False
    with catalogue.change():
        catalogue.execute("DELETE FROM vectors")
        catalogue.set("rows", 0)
        catalogue.set("generation", int(catalogue.get("generation", "0")) + 1)
    return True


def drop_unused(catalogue: Catalogue, folder: Path) -> None:
    """Erase the vectors of texts that no document holds any more. The caller holds the writer's lock."""
    rows = catalogue.rows("SELECT row, hash FROM vectors WHERE hash NOT IN (SELECT hash FROM units)")
    if rows:
        numbers = [row for row, _ in rows if isinstance(row, int)]
        zero_rows(vectors_file(folder, catalogue.get("embedder")), numbers, int(catalogue.get("dimensions", "384")))
        with catalogue.change():
            for row, _ in rows:
                catalogue.execute("DELETE FROM vectors WHERE row = ?", (row,))
            catalogue.set("generation", int(catalogue.get("generation", "0")) + 1)
