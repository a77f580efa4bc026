"""The catalogue as columns: what scoring needs of every document, as arrays, at one generation of the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.embedding import pending, stores
from brain.corpus.search.vectors import Vectors
from brain.types import Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_DAY = -1
_TURNS = """SELECT id, session, speaker, role, day, size, dated, about_first, about_last, surface FROM docs
            WHERE surface = 'turn' ORDER BY session, first"""
_WIKI = """SELECT id, session, speaker, role, day, size, dated, about_first, about_last, surface FROM docs
           WHERE surface <> 'turn' ORDER BY path, id"""
_UNITS = """SELECT units.doc, vectors.row FROM units JOIN vectors ON vectors.embedder = ? AND vectors.hash = units.hash
            ORDER BY units.doc"""
_CITED = """SELECT cites.doc, max(turns.day) FROM docs JOIN cites ON cites.doc = docs.id JOIN docs AS turns
            ON turns.surface = 'turn' AND turns.session = cites.session AND turns.first = cites.first
            WHERE docs.surface = 'page' GROUP BY cites.doc"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Documents as parallel arrays. Turns lie by session and turn, the wiki by path and line.

    `speaker` and `role` index the lists of names in the View; `day` is the ordinal of a date, NO_DAY without one;
    `said` is the day its words were said (of a page's claim: that of the turns it cites), `about_first` and
    `about_last` are the days it speaks of.
    `unit_row` holds the rows of all vectors by place, `unit_first` where those of a document begin in it, `unit_count`
    how many it has; `unit_place` is whose each row is, `by_row` sorts them by row. `starts` is where each
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

        numbers = self.unit_row[self.by_row]
        first = np.searchsorted(numbers, rows, side="left")
        count = np.minimum(np.searchsorted(numbers, rows, side="right") - first, most)
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
            unit_place=self.unit_place, by_row=self.by_row,
            sorted_ids=ids[order], places=order,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything a search reads besides words and texts, as of one generation.

    `embedder` is whose vectors there are; `pending` texts have none yet. `newest` is the day of the newest document.
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


SURFACES = tuple(Surface)


def load(catalogue: Catalogue, folder: Path, embedder: str = "") -> View:
    """Read the columns in one snapshot of the catalogue; `folder` is the index folder, where the vectors are.

    `embedder` is whose vectors are wanted.
    """
    names, roles, sessions = _Names(), _Names(), _Names()
    with catalogue.snapshot():
        generation = catalogue.get("generation", "0")
        store = stores(catalogue).get(embedder)
        units = _units(catalogue, embedder) if store else None
        turns = _columns(catalogue, _TURNS, units, names, roles, sessions)
        wiki = _columns(catalogue, _WIKI, units, names, roles, sessions)
        cited = catalogue.rows(_CITED)
        languages = catalogue.languages()
        waiting = pending(catalogue, embedder)
    if cited:
        days = {int(str(doc)): date.fromisoformat(str(day)).toordinal() for doc, day in cited if day}
        wiki.said[:] = _said_of_pages(wiki, days)
    there = store is not None and store.rows > 0 and store.file(folder).exists()
    return View(
        generation=generation,
        turns=turns,
        wiki=wiki,
        speakers=tuple(names),
        roles=tuple(roles),
        sessions=tuple(sessions),
        languages=languages or ("en",),
        vectors=Vectors(store.file(folder), store.rows, store.dimensions) if store and there else None,
        embedder=embedder,
        pending=waiting,
        newest=max((int(columns.day.max(initial=NO_DAY)) for columns in (turns, wiki)), default=NO_DAY),
    )


class _Names(dict[str, int]):
    def number(self, name: object) -> int:
        return -1 if name is None else self.setdefault(str(name), len(self))


class _Days(dict[str, int]):
    """Days as ordinals; there are far fewer of them than documents."""

    def __missing__(self, day: str | None) -> int:
        self[day or ""] = found = date.fromisoformat(day).toordinal() if day else NO_DAY
        return found


_Units = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def _units(catalogue: Catalogue, embedder: str) -> _Units:
    """Documents and the rows of their passages, side by side."""
    import numpy as np

    docs, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for piece in catalogue.stream(_UNITS, values=(embedder,)):
        pairs = np.array(piece, np.int64)
        docs.append(pairs[:, 0])
        rows.append(pairs[:, 1])
    return np.concatenate(docs), np.concatenate(rows)


def _columns(
    catalogue: Catalogue, sql: str, units: _Units | None, names: _Names, roles: _Names, sessions: _Names
) -> Columns:
    import numpy as np

    days = _Days()
    kinds = {surface.value: at for at, surface in enumerate(SURFACES)}
    blocks = [np.zeros((0, 10), np.int64)]
    for piece in catalogue.stream(sql):
        numbers = [
            (
                doc, sessions.number(session), names.number(speaker), roles.number(role), days[day or ""], size, dated,
                first or NO_DAY, last or NO_DAY, kinds[surface],
            )
            for doc, session, speaker, role, day, size, dated, first, last, surface in piece
        ]  # fmt: skip
        blocks.append(np.array(numbers, np.int64))
    table = np.concatenate(blocks)
    ids = np.ascontiguousarray(table[:, 0])
    session = table[:, 1].astype(np.int32)
    places = np.argsort(ids, kind="stable")
    sorted_ids = ids[places]
    unit_doc, unit_row = units or (np.zeros(0, np.int64), np.zeros(0, np.int64))
    at = np.minimum(np.searchsorted(sorted_ids, unit_doc), max(len(ids) - 1, 0))
    mine = sorted_ids[at] == unit_doc if len(ids) else np.zeros(len(unit_doc), bool)
    unit_at = places[at[mine]] if len(ids) else np.zeros(0, np.int64)
    order = np.argsort(unit_at, kind="stable")
    unit_count = np.bincount(unit_at, minlength=len(ids)).astype(np.int32)
    day = table[:, 4].astype(np.int32)
    return Columns(
        ids=ids,
        session=session,
        starts=_starts(session),
        speaker=table[:, 2].astype(np.int32),
        role=table[:, 3].astype(np.int32),
        day=day,
        said=day.copy(),
        about_first=table[:, 7].astype(np.int32),
        about_last=table[:, 8].astype(np.int32),
        size=table[:, 5].astype(np.float32),
        dated=table[:, 6].astype(np.bool_),
        surface=table[:, 9].astype(np.int32),
        unit_row=unit_row[mine][order].astype(np.int32),
        unit_first=(np.cumsum(unit_count) - unit_count).astype(np.int32),
        unit_count=unit_count,
        unit_place=unit_at[order].astype(np.int32),
        by_row=np.argsort(unit_row[mine][order], kind="stable").astype(np.int32),
        sorted_ids=sorted_ids,
        places=places,
    )


def _said_of_pages(wiki: Columns, days: dict[int, int]) -> NDArray[np.int32]:
    """A page's own day is that of its last change: what a claim says was said on the day of the turns it cites."""
    import numpy as np

    page = SURFACES.index(Surface.PAGE)
    rows = zip(wiki.ids.tolist(), wiki.surface.tolist(), wiki.day.tolist(), strict=True)
    return np.array([days.get(doc, NO_DAY) if kind == page else day for doc, kind, day in rows], np.int32)


def _starts(session: NDArray[np.int32]) -> NDArray[np.int64]:
    import numpy as np

    return np.flatnonzero(np.diff(session, prepend=-2)) if len(session) else np.zeros(0, np.int64)
