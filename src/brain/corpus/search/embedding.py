"""Filling in the vectors: batch by batch, most useful surfaces first, from wherever the last run stopped.

A brain may hold vectors of two embedders while one takes the other's place: the old ones serve until the new ones are
complete, then they and their file are deleted.
"""

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
from brain.corpus.search.vectors import signs_file, write_rows, zero_rows

BATCH = 16  # texts between two commits: a fraction of a second, so an import never waits long for its turn

_PENDING = """
SELECT units.hash, units.doc, units.part FROM units JOIN docs ON docs.id = units.doc
LEFT JOIN vectors ON vectors.embedder = ? AND vectors.hash = units.hash WHERE vectors.hash IS NULL
ORDER BY CASE docs.surface WHEN 'page' THEN 0 WHEN 'note' THEN 1 WHEN 'summary' THEN 2 ELSE
         CASE docs.role WHEN 'user' THEN 3 WHEN 'assistant' THEN 4 ELSE 5 END END, docs.id DESC, units.part
LIMIT 2000
"""
_COUNT = """
SELECT count(DISTINCT units.hash) FROM units LEFT JOIN vectors ON vectors.embedder = ? AND vectors.hash = units.hash
WHERE vectors.hash IS NULL
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """How far the vectors are: texts done by this run, and how many are left."""

    done: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The vectors of one embedder. `spec` is how it is opened again, empty when only its owner can."""

    id: str
    dimensions: int
    rows: int
    spec: str = ""

    def file(self, folder: Path) -> Path:
        return vectors_file(folder, self.id)


def vectors_file(folder: Path, embedder: str) -> Path:
    """The file of rows for an embedder's id."""
    return folder / f"vectors-{re.sub(r'[^A-Za-z0-9.-]+', '-', embedder)}.f16"


def stores(catalogue: Catalogue) -> dict[str, Store]:
    """Whose vectors there are, by id."""
    rows = catalogue.rows("SELECT id, dimensions, rows, spec FROM embedders ORDER BY id")
    return {
        str(id): Store(id=str(id), dimensions=int(str(dimensions)), rows=int(str(count)), spec=str(spec))
        for id, dimensions, count, spec in rows
    }


def rows_mark(catalogue: Catalogue) -> dict[str, str]:
    """What tells the rows of a file from others that were in its place: nothing derived of those is of use."""
    return {"born": catalogue.get("born"), "lost": catalogue.get("vectors:lost", "0")}


def serving(catalogue: Catalogue) -> Store | None:
    """The vectors that searches compare with: complete ones, or the only ones there are."""
    return stores(catalogue).get(catalogue.get("serving"))


def pending(catalogue: Catalogue, embedder: str) -> int:
    """How many different texts have no vector of an embedder yet."""
    count = catalogue.rows(_COUNT, (embedder,))[0][0]
    return count if isinstance(count, int) else 0


def counted(catalogue: Catalogue, embedder: str) -> int:
    """How many texts have a vector of an embedder."""
    count = catalogue.rows("SELECT count(*) FROM vectors WHERE embedder = ?", (embedder,))[0][0]
    return count if isinstance(count, int) else 0


def embed(
    folder: Path,
    embedder: Embedder,
    *,
    spec: str = "",
    seconds: float | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Embedded:
    """Embed what is pending until all is done or `seconds` have passed; one batch is made in any case.

    Safe to kill at any moment and to run again. Raises DiskFull, EmbedderUnavailable.
    """
    until = None if seconds is None else time.monotonic() + seconds
    size = getattr(embedder, "batch", BATCH)  # a server is asked for many at once
    catalogue = Catalogue(folder / "catalogue.sqlite")
    done = 0
    with closing(catalogue), said_plainly():
        total = pending(catalogue, embedder.id)
        late = False
        while not late and (batch := _batch(catalogue, embedder.id)):
            for start in range(0, len(batch), size):
                done += _write(catalogue, folder, embedder, spec, batch[start : start + size])
                if progress:
                    progress(min(done, total), total, "meaning")
                late = until is not None and time.monotonic() >= until
                if late:
                    break
        left = pending(catalogue, embedder.id)
        if not left and set(stores(catalogue)) - {embedder.id}:
            _take_over(catalogue, folder, embedder.id)
        return Embedded(done=done, left=left)


def _batch(catalogue: Catalogue, embedder: str) -> list[tuple[bytes, str]]:
    rows = catalogue.rows(_PENDING, (embedder,))
    texts = catalogue.documents([int(str(doc)) for _, doc, _ in rows])
    found: dict[bytes, str] = {}
    for digest, doc, part in rows:
        document = texts.get(int(str(doc)))
        passages = document.passages() if document else []
        if isinstance(digest, bytes) and isinstance(part, int) and part < len(passages):
            found.setdefault(digest, passages[part])
    return list(found.items())


def _write(catalogue: Catalogue, folder: Path, embedder: Embedder, spec: str, batch: list[tuple[bytes, str]]) -> int:
    vectors = embedder.embed([text for _, text in batch])
    with writing(folder), catalogue.change():
        store = stores(catalogue).get(embedder.id)
        if store is None or store.dimensions != vectors.shape[1]:  # a model of that name that is another one now
            catalogue.execute("DELETE FROM vectors WHERE embedder = ?", (embedder.id,))
            catalogue.count_up("vectors:lost")
            store = Store(id=embedder.id, dimensions=vectors.shape[1], rows=0, spec=spec)
        if not serving(catalogue):
            catalogue.set("serving", embedder.id)
        known = {digest for (digest,) in catalogue.rows(_known(len(batch)), (store.id, *(name for name, _ in batch)))}
        held = {digest for (digest,) in catalogue.rows(_held(len(batch)), [name for name, _ in batch])}
        new = [at for at, (digest, _) in enumerate(batch) if digest in held and digest not in known]
        if new:
            write_rows(store.file(folder), store.rows, vectors[new])
        for row, at in enumerate(new, start=store.rows):
            catalogue.execute("INSERT INTO vectors VALUES (?, ?, ?)", (store.id, batch[at][0], row))
        _put(catalogue, store, store.rows + len(new))
        catalogue.count_up("generation")
    return len(new)


def _put(catalogue: Catalogue, store: Store, rows: int) -> None:
    values = (store.id, store.dimensions, rows, store.spec)
    catalogue.execute("INSERT OR REPLACE INTO embedders VALUES (?, ?, ?, ?)", values)


def _known(count: int) -> str:
    return f"SELECT hash FROM vectors WHERE embedder = ? AND hash IN ({','.join('?' * count)})"


def _held(count: int) -> str:
    """Texts that are still there: one may be deleted while its vector is made."""
    return f"SELECT DISTINCT hash FROM units WHERE hash IN ({','.join('?' * count)})"


def _take_over(catalogue: Catalogue, folder: Path, embedder: str) -> None:
    """From now on these vectors serve; those of any other embedder are gone."""
    with writing(folder):
        gone = [store for id, store in stores(catalogue).items() if id != embedder]
        with catalogue.change():
            catalogue.set("serving", embedder)
            for store in gone:
                catalogue.execute("DELETE FROM vectors WHERE embedder = ?", (store.id,))
                catalogue.execute("DELETE FROM embedders WHERE id = ?", (store.id,))
            catalogue.count_up("vectors:lost")
            catalogue.count_up("generation")
        for store in gone:
            store.file(folder).unlink(missing_ok=True)
            signs_file(store.file(folder)).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Vectors of an index that is being replaced: whose they are, who serves, and the row of each text."""

    stores: tuple[tuple[object, ...], ...]
    serving: str
    rows: tuple[tuple[object, ...], ...]


def kept_vectors(file: Path) -> Kept | None:
    """What of another version's catalogue is worth hours of work: a vector depends on its text alone."""
    try:
        with closing(sqlite3.connect(file)) as old:
            of = tuple(old.execute("SELECT id, dimensions, rows, spec FROM embedders"))
            named = old.execute("SELECT value FROM meta WHERE key = 'serving'").fetchone()
            rows = tuple(old.execute("SELECT embedder, hash, row FROM vectors"))
    except sqlite3.DatabaseError:
        return None
    return Kept(stores=of, serving=named[0], rows=rows) if of and named else None


def give_back(catalogue: Catalogue, kept: Kept) -> None:
    """Put kept vectors into a new catalogue; those that no document wants are erased by the next sweep."""
    with catalogue.change():
        catalogue.set("serving", kept.serving)
        catalogue.set("removed", "1")
        for values in kept.stores:
            catalogue.execute("INSERT INTO embedders VALUES (?, ?, ?, ?)", values)
        for values in kept.rows:
            catalogue.execute("INSERT INTO vectors VALUES (?, ?, ?)", values)


def forget_cut(catalogue: Catalogue, folder: Path) -> bool:
    """Forget the vectors whose file is missing or shorter than the catalogue says; they are then made again."""

    def is_cut(store: Store) -> bool:
        file = store.file(folder)
        return store.rows > 0 and not (file.exists() and file.stat().st_size >= store.rows * store.dimensions * 2)

    cut = [store for store in stores(catalogue).values() if is_cut(store)]
    if cut:
        with catalogue.change():
            for store in cut:
                catalogue.execute("DELETE FROM vectors WHERE embedder = ?", (store.id,))
                catalogue.execute("DELETE FROM embedders WHERE id = ?", (store.id,))
            catalogue.count_up("vectors:lost")
            catalogue.count_up("generation")
    return bool(cut)


def drop_unused(catalogue: Catalogue, folder: Path) -> None:
    """Erase the vectors of texts that no document holds any more, if any were removed. The caller holds the writer's
    lock."""
    if catalogue.get("removed") != "1":
        return
    for store in stores(catalogue).values():
        rows = catalogue.rows(
            "SELECT row, hash FROM vectors WHERE embedder = ? AND hash NOT IN (SELECT hash FROM units)", (store.id,)
        )
        if rows:
            zero_rows(store.file(folder), [row for row, _ in rows if isinstance(row, int)], store.dimensions)
            with catalogue.change():
                for _, digest in rows:
                    catalogue.execute("DELETE FROM vectors WHERE embedder = ? AND hash = ?", (store.id, digest))
                catalogue.count_up("generation")
    catalogue.set("removed", "")
