"""The catalogue as columns: what scoring needs of every document, as arrays, at one generation of the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from brain.corpus.search import columns
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.columns import NO_DAY, NO_ROW, SURFACES, Table
from brain.corpus.search.stores import rows_mark, stores
from brain.corpus.search.vectors import Vectors, keep_signs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Documents as parallel arrays. Turns lie by session and turn, the wiki by path and line.

    `speaker` and `role` index the lists of names in the View; `day` is the ordinal of a date, NO_DAY without one;
    `said` is the day its words were said (of a page's claim: that of the turns it cites), `about_first` and
    `about_last` are the days it speaks of.
    `unit_row` holds the rows of all vectors by place, `unit_first` where those of a document begin in it, `unit_count`
    how many it has; `unit_place` is whose each row is, `by_row` sorts them by row, `sorted_rows` is what that gives.
    `starts` is where each
    session begins.
    """

    ids: NDArray[np.int64]
    session: NDArray[np.int32]
    starts: NDArray[np.int64]
    speaker: NDArray[np.int32]
    role: NDArray[np.int32]
    day: NDArray[np.int32]
    said: NDArray[np.int32]
    about_first: NDArray[np.int32]
    about_last: NDArray[np.int32]
    size: NDArray[np.float32]
    dated: NDArray[np.bool_]
    surface: NDArray[np.int32]
    unit_row: NDArray[np.int32]
    unit_first: NDArray[np.int32]
    unit_count: NDArray[np.int32]
    unit_place: NDArray[np.int32]
    by_row: NDArray[np.int32]
    sorted_rows: NDArray[np.int32]
    sorted_ids: NDArray[np.int64]
    places: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    def dense(self, ids: Sequence[int], values: Sequence[float]) -> NDArray[np.float32]:
        """Values by id as an array over all documents; ids that are not (or no longer) here are dropped."""
        import numpy as np

        out = np.zeros(len(self), np.float32)
        if len(self) and ids:
            wanted = np.asarray(ids, np.int64)
            at = np.minimum(np.searchsorted(self.sorted_ids, wanted), len(self) - 1)
            here = self.sorted_ids[at] == wanted
            out[self.places[at[here]]] = np.asarray(values, np.float32)[here]
        return out

    def places_of(self, ids: Sequence[int]) -> NDArray[np.int64]:
        """Where documents lie, in the order asked; ids that are not here are dropped."""
        import numpy as np

        if not len(self) or not len(ids):
            return np.zeros(0, np.int64)
        wanted = np.asarray(ids, np.int64)
        at = np.minimum(np.searchsorted(self.sorted_ids, wanted), len(self) - 1)
        return np.asarray(self.places[at[self.sorted_ids[at] == wanted]], np.int64)

    def places_of_rows(self, rows: NDArray[np.int64], most: int = 20) -> NDArray[np.int64]:
        """Whose the vectors in some rows are, in the order asked; of a text that many say, `most` of them."""
        import numpy as np

        wanted = rows.astype(np.int32)  # of the type of what is searched, which would be copied whole otherwise
        first = np.searchsorted(self.sorted_rows, wanted, side="left")
        count = np.minimum(np.searchsorted(self.sorted_rows, wanted, side="right") - first, most)
        at = np.repeat(first - np.append(0, np.cumsum(count)[:-1]), count) + np.arange(int(count.sum()))
        return np.asarray(self.unit_place[self.by_row[at]], np.int64)

    def best_of_units(self, rows: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """A score of each row to the best score of each document, and which documents have a vector at all."""
        import numpy as np

        has = self.unit_count > 0
        out = np.zeros(len(self), np.float32)
        for part in range(int(self.unit_count.max(initial=0))):
            there = np.flatnonzero(self.unit_count > part)
            scores = rows[self.unit_row[self.unit_first[there] + part]]
            out[there] = scores if part == 0 else np.maximum(out[there], scores)
        return out, has

    def sessions_of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of every turn of the sessions that these places lie in, ascending."""
        import numpy as np

        at = np.unique(np.searchsorted(self.starts, places, side="right") - 1)
        ends = np.append(self.starts[1:], len(self))
        lengths = ends[at] - self.starts[at]
        shift = np.repeat(self.starts[at] - np.append(0, np.cumsum(lengths)[:-1]), lengths)
        return np.asarray(np.arange(int(lengths.sum())) + shift, np.int64)

    def take(self, places: NDArray[np.int64]) -> Columns:
        """Some of the documents, whole sessions of them."""
        import numpy as np

        ids, session = self.ids[places], self.session[places]
        order = np.argsort(ids, kind="stable")
        return Columns(
            ids=ids, session=session, starts=_starts(session), speaker=self.speaker[places], role=self.role[places],
            day=self.day[places], said=self.said[places], about_first=self.about_first[places],
            about_last=self.about_last[places], size=self.size[places], dated=self.dated[places],
            surface=self.surface[places],
            unit_row=self.unit_row, unit_first=self.unit_first[places], unit_count=self.unit_count[places],
            unit_place=self.unit_place, by_row=self.by_row, sorted_rows=self.sorted_rows,
            sorted_ids=ids[order], places=order,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything a search reads besides words and texts, as of one generation.

    `embedder` is whose vectors there are; `pending` texts have none yet. `newest` is the day of the newest document.
    `tables` are what the next one goes on from.
    """

    generation: str
    turns: Columns
    wiki: Columns
    speakers: tuple[str, ...]
    roles: tuple[str, ...]
    sessions: tuple[str, ...]
    languages: tuple[str, ...]
    vectors: Vectors | None
    embedder: str
    pending: int
    newest: int = NO_DAY
    tables: Mapping[str, Table] = field(default_factory=dict)

    def lacks_vectors_alone(self, catalogue: Catalogue) -> bool:
        """Whether only vectors were added to the catalogue since."""
        return all(columns.same_documents(table, catalogue) for table in self.tables.values())


def load(catalogue: Catalogue, folder: Path, embedder: str = "", before: View | None = None) -> View:
    """Read the columns in one snapshot of the catalogue; `folder` is the index folder, where they and vectors are kept.

    `embedder` is whose vectors are wanted; `before` is what was read the last time, to go on from.
    """
    with catalogue.snapshot():
        generation, mark = catalogue.get("generation", "0"), rows_mark(catalogue)
        store = stores(catalogue).get(embedder)
        tables = columns.tables(catalogue, folder, store, before.tables if before else None)
    turns, wiki = tables["turns"], tables["wiki"]
    names = {name: tuple(dict.fromkeys((*turns.names[name], *wiki.names[name]))) for name in turns.names}
    there = store is not None and store.rows > 0 and store.file(folder).exists()
    first, second = _columns(turns, names), _columns(wiki, names)
    return View(
        generation=generation,
        turns=first,
        wiki=second,
        speakers=names["speakers"],
        roles=names["roles"],
        sessions=names["sessions"],
        languages=_languages(tables.values(), names["languages"]) or ("en",),
        vectors=Vectors(store.file(folder), store.rows, store.dimensions, mark) if store and there else None,
        embedder=embedder,
        pending=columns.waiting(tables.values()),
        newest=max((int(one.day.max(initial=NO_DAY)) for one in (first, second)), default=NO_DAY),
        tables=tables,
    )


def keep(catalogue: Catalogue, folder: Path, embedder: str, seen: View | None = None) -> None:
    """Write down what makes the next opening quick, as far as it is not there: columns, and sign bits of vectors.

    The caller holds the writer's lock. `seen` is used when it is of the present state.
    """
    with catalogue.snapshot():
        store = stores(catalogue).get(embedder)
        if kinds := columns.behind(catalogue, folder, store):
            fresh = seen if seen is not None and seen.generation == catalogue.get("generation", "0") else None
            fits = fresh is not None and fresh.embedder == embedder
            made = fresh.tables if fresh is not None and fits else columns.tables(catalogue, folder, store)
            columns.keep(folder, made, kinds)
    if store is not None and store.rows:
        keep_signs(store.file(folder), store.rows, store.dimensions, rows_mark(catalogue))


def _columns(table: Table, names: Mapping[str, tuple[str, ...]]) -> Columns:
    """A table as it is searched: numbers of names as in the view, and passages that have a vector."""
    import numpy as np

    held = table.arrays
    ids, session, count = held["id"], table.numbered("sessions", names), held["unit_count"]
    rows, place = held["unit_row"], np.repeat(np.arange(len(ids), dtype=np.int32), count)
    if not (has := rows != NO_ROW).all():
        rows, place = rows[has], place[has]
        count = np.bincount(place, minlength=len(ids)).astype(np.int32)
    order, by_row = np.argsort(ids, kind="stable"), np.argsort(rows, kind="stable").astype(np.int32)
    return Columns(
        ids=ids, session=session, starts=_starts(session),
        speaker=table.numbered("speakers", names), role=table.numbered("roles", names),
        day=held["day"], said=held.get("said", held["day"]),
        about_first=held["about_first"], about_last=held["about_last"],
        size=held["size"], dated=held["dated"], surface=held["surface"],
        unit_row=rows, unit_first=(np.cumsum(count, dtype=np.int32) - count), unit_count=count, unit_place=place,
        by_row=by_row, sorted_rows=rows[by_row].astype(np.int32),
        sorted_ids=ids[order], places=order,
    )  # fmt: skip


def _languages(tables: Iterable[Table], names: tuple[str, ...]) -> tuple[str, ...]:
    """Languages of the documents, the most used first; those of a handful among thousands are left out."""
    count: Counter[str] = Counter()
    for table in tables:
        count.update(table.counted("languages"))
    total = count.total()
    return tuple(name for name in sorted(names, key=lambda one: (-count[one], one)) if count[name] * 100 >= total)


def _starts(session: NDArray[np.int32]) -> NDArray[np.int64]:
    import numpy as np

    return np.flatnonzero(np.diff(session, prepend=-2)) if len(session) else np.zeros(0, np.int64)


__all__ = ["NO_DAY", "SURFACES", "Columns", "View", "keep", "load"]
