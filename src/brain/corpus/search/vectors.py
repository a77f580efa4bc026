"""Where vectors live: rows of half floats in one file, scanned exactly up to a size, by sign bits and a rescore above.

A row is written and synced before the catalogue says it exists, so a reader never sees half of one and a killed run
leaves nothing but bytes that the next run writes over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT = 60_000  # rows up to which every vector is compared, in about 15 ms; nothing is estimated then
RESCORED = 2_000  # above it: the rows whose sign bits are nearest get their true score


def write_rows(file: Path, start: int, rows: NDArray[np.float32]) -> None:
    """Put rows at `start`, durably."""
    import numpy as np

    data = rows.astype(np.float16).tobytes()
    width = rows.shape[1] * 2
    with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as out:
        out.seek(start * width)
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def zero_rows(file: Path, numbers: Iterable[int], dimensions: int) -> None:
    """Overwrite rows whose text is gone."""
    if not file.exists():
        return
    with file.open("r+b") as out:
        for number in numbers:
            out.seek(number * dimensions * 2)
            out.write(bytes(dimensions * 2))
        out.flush()
        os.fsync(out.fileno())


@dataclass(slots=True)
class Vectors:
    """The rows as the catalogue knew them at one moment, opened for reading."""

    file: Path
    count: int
    dimensions: int
    _rows: NDArray[np.float32] | None = field(default=None, init=False)
    _bits: NDArray[np.uint64] | None = field(default=None, init=False)
    _mean: NDArray[np.float32] | None = field(default=None, init=False)

    def likeness(self, query: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_] | None]:
        """Cosine of every row with a unit vector. The second value marks the rows whose score is exact, None = all.

        Above EXACT rows, the others get the estimate that their sign bits give.
        """
        import numpy as np

        if self.count <= EXACT:
            if self._rows is None:
                self._rows = np.asarray(self._map(), np.float32)
            return self._rows @ query, None
        bits, mean = self._signs()
        wanted = np.packbits(query - mean > 0).view(np.uint64)
        apart = np.bitwise_count(bits ^ wanted).sum(axis=1, dtype=np.uint16)
        near = np.argpartition(apart, RESCORED)[:RESCORED]
        exact = np.asarray(self._map()[near], np.float32) @ query
        slope, offset = np.polyfit(apart[near].astype(np.float64), exact, 1)
        scores = (apart * np.float32(slope) + np.float32(offset)).astype(np.float32)
        scores[near] = exact
        known = np.zeros(self.count, bool)
        known[near] = True
        return scores, known

    def _map(self) -> NDArray[np.float16]:
        import numpy as np

        if self.count == 0:
            return np.zeros((0, self.dimensions), np.float16)
        return np.memmap(self.file, np.float16, "r", shape=(self.count, self.dimensions))

    def _signs(self) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
        """Sign bits of the mean-centred rows: MiniLM's vectors share a direction that says nothing."""
        import numpy as np

        if self._bits is None or self._mean is None:
            rows = self._map()
            sample = np.asarray(rows[:: max(1, self.count // 20_000)], np.float32)
            self._mean = sample.mean(axis=0)
            bits = [
                np.packbits(np.asarray(rows[at : at + 65_536], np.float32) - self._mean > 0, axis=1)
                for at in range(0, self.count, 65_536)
            ]
            self._bits = np.concatenate(bits).view(np.uint64)
        return self._bits, self._mean
