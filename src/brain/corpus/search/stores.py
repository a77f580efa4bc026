"""Whose vectors a catalogue has: one file of rows an embedder, and which of them searches compare with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from brain.corpus.search.catalogue import Catalogue

_COUNT = """
SELECT count(DISTINCT units.hash) FROM units LEFT JOIN vectors ON vectors.embedder = ? AND vectors.hash = units.hash
WHERE vectors.hash IS NULL
"""


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
