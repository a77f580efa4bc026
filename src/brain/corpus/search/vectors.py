"""Where vectors live: rows of half floats in one file, scanned exactly up to a size, by sign bits and a rescore above.

A row is written and synced before the catalogue says it exists, so a reader never sees half of one and a killed run
leaves nothing but bytes that the next run writes over.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT = 60_000  # rows up to which every vector is compared, in about 15 ms; nothing is estimated then
USUAL = 384  # dimensions for which EXACT holds; of longer vectors fewer are compared one by one
RESCORED = 1_000  # above it: the rows whose sign bits are nearest get their true score
BLOCK = 32_768
OFTEN = 10  # searches of one process after which the rows are worth holding in memory
HELD = 1_000_000_000  # bytes of them at most


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


@dataclass(frozen=True, slots=True)
class Likeness:
    """The cosine of every row with a query. `near` are the rows whose score is exact, None = all of them."""

    scores: NDArray[np.float32]
    near: NDArray[np.int64] | None = None


@dataclass(slots=True, weakref_slot=True)
class Vectors:
    """The rows as the catalogue knew them at one moment, opened for reading."""

    file: Path
    count: int
    dimensions: int
    _rows: NDArray[np.float32] | None = field(default=None, init=False)
    _held: NDArray[np.float16] | None = field(default=None, init=False)
    _handle: int = field(default=-1, init=False)
    _asked: int = field(default=0, init=False)
    _bits: NDArray[np.uint64] | None = field(default=None, init=False)
    _mean: NDArray[np.float32] | None = field(default=None, init=False)

    def likeness(self, query: NDArray[np.float32]) -> Likeness:
        """How like each row is to a unit vector. Above EXACT rows the far ones get the estimate of their sign bits."""
        import numpy as np

        if self.count * self.dimensions <= EXACT * USUAL:
            if self._rows is None:
                self._rows = np.asarray(self._map(), np.float32)
            return Likeness(self._rows @ query)
        bits, mean = self._signs()
        wanted = self._packed((query - mean)[None, :])[:, 0]
        apart = np.empty(self.count, np.uint16)
        for at in range(0, self.count, BLOCK):  # a block's bits and counts stay in the cache
            some = bits[:, at : at + BLOCK]
            count = apart[at : at + BLOCK]
            count[:] = np.bitwise_count(some[0] ^ wanted[0])
            for word in range(1, len(bits)):
                count += np.bitwise_count(some[word] ^ wanted[word])
        near = np.sort(_nearest(apart, RESCORED, self.dimensions))
        exact = self._read(near) @ query
        slope, offset = _line(apart[near].astype(np.float64), exact)
        scores = (offset + slope * np.arange(self.dimensions + 1)).astype(np.float32)[apart]
        scores[near] = exact
        return Likeness(scores, near)

    def _map(self) -> NDArray[np.float16]:
        import numpy as np

        if self.count == 0:
            return np.zeros((0, self.dimensions), np.float16)
        return np.memmap(self.file, np.float16, "r", shape=(self.count, self.dimensions))

    def _read(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Some rows: from the file, and for one who asks often from memory."""
        import numpy as np

        self._asked += 1
        if self._held is None and self._asked > OFTEN and 2 * self.count * self.dimensions <= HELD:
            self._held = np.fromfile(self.file, np.float16, self.count * self.dimensions).reshape(self.count, -1)
        if self._held is not None:
            return np.asarray(self._held[numbers], np.float32)
        if self._handle < 0:
            self._handle = os.open(self.file, os.O_RDONLY)
            weakref.finalize(self, os.close, self._handle)
        width = 2 * self.dimensions
        data = b"".join([os.pread(self._handle, width, number * width) for number in numbers.tolist()])
        return np.frombuffer(data, np.float16).reshape(-1, self.dimensions).astype(np.float32)

    def _signs(self) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
        """Sign bits of the mean-centred rows, 64 of every row side by side: a model's vectors share a direction that
        says nothing."""
        import numpy as np

        if self._bits is None or self._mean is None:
            rows = self._map()
            sample = np.asarray(rows[:: max(1, self.count // 20_000)], np.float32)
            self._mean = sample.mean(axis=0)
            self._bits = np.empty((-(-self.dimensions // 64), self.count), np.uint64)
            for at in range(0, self.count, BLOCK):
                self._bits[:, at : at + BLOCK] = self._packed(
                    np.asarray(rows[at : at + BLOCK], np.float32) - self._mean
                )
        return self._bits, self._mean

    def _packed(self, rows: NDArray[np.float32]) -> NDArray[np.uint64]:
        import numpy as np

        signs = np.packbits(rows > 0, axis=1)
        whole = np.zeros((len(rows), -(-self.dimensions // 64) * 8), np.uint8)
        whole[:, : signs.shape[1]] = signs
        return np.ascontiguousarray(whole.view(np.uint64).T)


def _nearest(apart: NDArray[np.uint16], most: int, dimensions: int) -> NDArray[np.int64]:
    """The rows that are least far apart, at least `most`, at most twice as many: by counting, since values are few."""
    import numpy as np

    counts = np.bincount(apart, minlength=dimensions + 1)
    limit = int(np.searchsorted(np.cumsum(counts), most))
    return np.flatnonzero(apart <= limit)[: 2 * most]


def _line(x: NDArray[np.float64], y: NDArray[np.float32]) -> tuple[float, float]:
    """Slope and offset of the least squares line."""
    spread = float(((x - x.mean()) ** 2).sum())
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread if spread else 0.0
    return slope, float(y.mean() - slope * x.mean())
