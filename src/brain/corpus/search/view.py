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
    `unit_at` and `unit_row` pair a document's place with the rows of its vectors, by place; `starts` is where each
    session begins.
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
    unit_at: NDArray[np.int64]
    unit_row: NDArray[np.int64]
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

        out = np.zeros(len(self), np.float32)
        has = np.zeros(len(self), bool)
        if len(self.unit_at):
            starts = np.flatnonzero(np.r_[True, np.diff(self.unit_at) > 0])
            places = self.unit_at[starts]
            out[places] = np.maximum.reduceat(rows[self.unit_row], starts)
            has[places] = True
        return out, has


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
    if len(ids):
        at = np.minimum(np.searchsorted(sorted_ids, unit_doc), len(ids) - 1)
        mine = sorted_ids[at] == unit_doc
        unit_at, unit_row = places[at[mine]], unit_row[mine]
        order = np.argsort(unit_at, kind="stable")
        unit_at, unit_row = unit_at[order], unit_row[order]
    else:
        unit_at, unit_row = np.zeros(0, np.int64), np.zeros(0, np.int64)
    return Columns(
        ids=ids,
        session=session,
        starts=np.flatnonzero(np.r_[True, np.diff(session) != 0]) if len(rows) else np.zeros(0, np.int64),
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
        unit_at=unit_at,
        unit_row=unit_row,
        sorted_ids=sorted_ids,
        places=places,
    )
