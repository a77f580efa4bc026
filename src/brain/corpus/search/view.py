"""The catalogue as columns: what scoring needs of every document, as arrays, at one generation of the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.embedding import pending, vectors_file
from brain.corpus.search.vectors import Vectors
from brain.types import Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_DAY = -1
_TURNS = """SELECT id, session, speaker, role, day, size, dated, path FROM docs WHERE surface = 'turn'
            ORDER BY session, first"""
_WIKI = """SELECT id, session, speaker, role, day, size, dated, path, surface FROM docs WHERE surface <> 'turn'
           ORDER BY path, id"""
_UNITS = """SELECT units.doc, vectors.row FROM units JOIN vectors ON vectors.hash = units.hash ORDER BY units.doc"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Documents as parallel arrays. Turns lie by session and turn, the wiki by path and line.

    `speaker` and `role` index the lists of names in the View; `day` is the ordinal of a date, NO_DAY without one.
    `unit_row` holds the rows of all vectors by place, `unit_first` where those of a document begin in it, `unit_count`
    how many it has; `unit_place` is whose each row is. `starts` is where each session begins.
    """

    ids: NDArray[np.int64]
    session: NDArray[np.int32]
    starts: NDArray[np.int64]
    speaker: NDArray[np.int32]
    role: NDArray[np.int32]
    day: NDArray[np.int32]
    size: NDArray[np.float32]
    dated: NDArray[np.bool_]
    surface: NDArray[np.int32]
    unit_row: NDArray[np.int64]
    unit_first: NDArray[np.int64]
    unit_count: NDArray[np.int32]
    unit_place: NDArray[np.int64]
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
            day=self.day[places], size=self.size[places], dated=self.dated[places], surface=self.surface[places],
            unit_row=self.unit_row, unit_first=self.unit_first[places], unit_count=self.unit_count[places],
            unit_place=self.unit_place,
            sorted_ids=ids[order], places=order,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything a search reads besides words and texts, as of one generation.

    `embedder` is whose vectors there are; `pending` texts have none yet.
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


SURFACES = tuple(Surface)


def load(catalogue: Catalogue, folder: Path) -> View:
    """Read the columns in one snapshot of the catalogue; `folder` is the index folder, where the vectors are."""
    with catalogue.snapshot():
        generation = catalogue.get("generation", "0")
        turns, wiki, units = catalogue.rows(_TURNS), catalogue.rows(_WIKI), catalogue.rows(_UNITS)
        languages = catalogue.languages()
        rows = int(catalogue.get("rows", "0"))
        embedder, dimensions = catalogue.get("embedder"), int(catalogue.get("dimensions", "384"))
        waiting = pending(catalogue)
    vectors = vectors_file(folder, embedder)
    names = _Names()
    roles = _Names()
    sessions = _Names()
    return View(
        generation=generation,
        turns=_columns(turns, units, names, roles, sessions),
        wiki=_columns(wiki, units, names, roles, sessions),
        speakers=tuple(names),
        roles=tuple(roles),
        sessions=tuple(sessions),
        languages=languages or ("en",),
        vectors=Vectors(vectors, rows, dimensions) if rows and vectors.exists() else None,
        embedder=embedder,
        pending=waiting,
    )


class _Names(dict[str, int]):
    def number(self, name: object) -> int:
        return -1 if name is None else self.setdefault(str(name), len(self))


def _columns(rows: list[Any], units: list[Any], names: _Names, roles: _Names, sessions: _Names) -> Columns:
    import numpy as np

    ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    session = np.fromiter((sessions.number(row[1]) for row in rows), np.int32, len(rows))
    places = np.argsort(ids, kind="stable")
    sorted_ids = ids[places]
    unit_doc = np.fromiter((unit[0] for unit in units), np.int64, len(units))
    unit_row = np.fromiter((unit[1] for unit in units), np.int64, len(units))
    at = np.minimum(np.searchsorted(sorted_ids, unit_doc), max(len(ids) - 1, 0))
    mine = sorted_ids[at] == unit_doc if len(ids) else np.zeros(len(unit_doc), bool)
    unit_at = places[at[mine]] if len(ids) else np.zeros(0, np.int64)
    order = np.argsort(unit_at, kind="stable")
    unit_count = np.bincount(unit_at, minlength=len(ids)).astype(np.int32)
    return Columns(
        ids=ids,
        session=session,
        starts=_starts(session),
        speaker=np.fromiter((names.number(row[2]) for row in rows), np.int32, len(rows)),
        role=np.fromiter((roles.number(row[3]) for row in rows), np.int32, len(rows)),
        day=np.fromiter(
            (date.fromisoformat(row[4]).toordinal() if row[4] else NO_DAY for row in rows), np.int32, len(rows)
        ),
        size=np.fromiter((row[5] for row in rows), np.float32, len(rows)),
        dated=np.fromiter((row[6] for row in rows), np.bool_, len(rows)),
        surface=np.fromiter(
            (SURFACES.index(Surface(row[8])) if len(row) > 8 else -1 for row in rows), np.int32, len(rows)
        ),
        unit_row=unit_row[mine][order],
        unit_first=np.cumsum(unit_count) - unit_count,
        unit_count=unit_count,
        unit_place=unit_at[order],
        sorted_ids=sorted_ids,
        places=places,
    )


def _starts(session: NDArray[np.int32]) -> NDArray[np.int64]:
    import numpy as np

    return np.flatnonzero(np.diff(session, prepend=-2)) if len(session) else np.zeros(0, np.int64)
