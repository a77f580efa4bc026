"""Filling in the vectors: batch by batch, most useful surfaces first, from wherever the last run stopped.

A brain may hold vectors of two embedders while one takes the other's place: the old ones serve until the new ones are
complete, then they and their file are deleted.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from brain.corpus.search import columns
from brain.corpus.search.catalogue import Catalogue, said_plainly, writing
from brain.corpus.search.columns import NO_ROW, SURFACES, Table
from brain.corpus.search.meaning import Embedder
from brain.corpus.search.stores import Store, serving, stores
from brain.corpus.search.vectors import signs_file, write_rows, zero_rows
from brain.errors import IndexBroken
from brain.types import Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 16  # texts between two commits: a fraction of a second, so an import never waits long for its turn

_FIRST = {Surface.PAGE: 0, Surface.NOTE: 1, Surface.SUMMARY: 2}
AHEAD = 2_000  # texts that are chosen at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """How far the vectors are: texts done by this run, and how many are left."""

    done: int
    left: int


def embed(
    folder: Path,
    embedder: Embedder,
    *,
    spec: str = "",
    seconds: float | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    halted: Callable[[], bool] = lambda: False,
) -> Embedded:
    """Embed what is pending until all is done, `seconds` have passed or it is `halted`; one batch is made in any case.

    Safe to kill at any moment and to run again. Raises DiskFull, EmbedderUnavailable.
    """
    until = None if seconds is None else time.monotonic() + seconds
    size = getattr(embedder, "batch", BATCH)  # a server is asked for many at once
    catalogue = Catalogue(folder / "catalogue.sqlite")
    done = 0
    with closing(catalogue), said_plainly():
        seen = _tables(catalogue, folder, embedder.id, None)
        total = columns.waiting(seen.values())
        late = False
        while not late and (batch := _batch(catalogue, seen)):
            for start in range(0, len(batch), size):
                done += _write(catalogue, folder, embedder, spec, batch[start : start + size])
                if progress:
                    progress(min(done, total), total, "meaning")
                late = halted() or (until is not None and time.monotonic() >= until)
                if late:
                    break
            seen = _tables(catalogue, folder, embedder.id, seen)
        left = columns.waiting(seen.values())
        if not left and set(stores(catalogue)) - {embedder.id}:
            _take_over(catalogue, folder, embedder.id)
        return Embedded(done=done, left=left)


def _tables(
    catalogue: Catalogue, folder: Path, embedder: str, before: Mapping[str, Table] | None
) -> Mapping[str, Table]:
    with catalogue.snapshot():
        return columns.tables(catalogue, folder, stores(catalogue).get(embedder), before)


def _batch(catalogue: Catalogue, seen: Mapping[str, Table]) -> list[tuple[bytes, str]]:
    """The next texts, each with its hash."""
    wanted = _next_passages(seen.values(), AHEAD)
    texts = catalogue.documents([doc for doc, _ in wanted])
    hashes = catalogue.unit_hashes([doc for doc, _ in wanted])
    found: dict[bytes, str] = {}
    for doc, part in wanted:
        passages = texts[doc].passages() if doc in texts else []
        if part < len(passages) and (doc, part) in hashes:
            found.setdefault(hashes[doc, part], passages[part])
    return list(found.items())


def _next_passages(made: Iterable[Table], most: int) -> list[tuple[int, int]]:
    """The passages to embed next, as (document, part): pages, notes, summaries, then what users said, newest first."""
    import numpy as np

    found = [np.zeros((4, 0), np.int64)]
    for table in made:
        count = table.arrays["unit_count"]
        lacking = np.flatnonzero(table.arrays["unit_row"] == NO_ROW)
        place = np.repeat(np.arange(len(table)), count)[lacking]
        ids, part = table.arrays["id"][place], lacking - (np.cumsum(count) - count)[place]
        tier = _tiers(table)[place]
        for level in np.unique(tier):  # of a million only the first are sorted
            mine = np.flatnonzero(tier == level)
            if len(mine) > 2 * most:
                mine = mine[np.argpartition(-ids[mine], most)[: most + 1]]
            found.append(np.stack([tier[mine], -ids[mine], part[mine], ids[mine]]).astype(np.int64))
    level, newest, part, ids = np.concatenate(found, axis=1)
    order = np.lexsort((part, newest, level))[:most]
    return list(zip(ids[order].tolist(), part[order].tolist(), strict=True))


def _tiers(table: Table) -> NDArray[np.int64]:
    import numpy as np

    surfaces = np.array([_FIRST.get(surface, len(_FIRST)) for surface in SURFACES], np.int64)
    roles = np.array([*({"user": 0, "assistant": 1}.get(role, 2) for role in table.names["roles"]), 2], np.int64)
    tier = surfaces[table.arrays["surface"]]
    return np.asarray(np.where(tier == len(_FIRST), tier + roles[table.arrays["role"]], tier), np.int64)


def _write(catalogue: Catalogue, folder: Path, embedder: Embedder, spec: str, batch: list[tuple[bytes, str]]) -> int:
    vectors = embedder.embed([text for _, text in batch])
    if not folder.exists():
        raise IndexBroken("the search index is gone", hint="brain reindex")
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
