"""Where vectors live: rows of half floats in one file, scanned exactly up to a size, by sign bits and a rescore above.

A row is written and synced before the catalogue says it exists, so a reader never sees half of one and a killed run
leaves nothing but bytes that the next run writes over. The sign bits are kept beside it, in a file that may be deleted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from brain.corpus.search import sidecar
from brain.corpus.search.sidecar import Sidecar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT = 60_000  # rows up to which every vector is compared, in about 15 ms; nothing is estimated then
USUAL = 384  # dimensions for which EXACT holds; of longer vectors fewer are compared one by one
RESCORED = 1_000  # above it: the rows whose sign bits are nearest get their true score
BLOCK = 32_768
MEAN_HOLDS = 2  # times the rows that the mean of sign bits was taken of, up to which it serves


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


def zero_rows(file: Path, numbers: Sequence[int], dimensions: int) -> None:
    """Overwrite rows whose text is gone, and what was derived of them."""
    import numpy as np

    if not file.exists():
        return
    with file.open("r+b") as out:
        for number in numbers:
            out.seek(number * dimensions * 2)
            out.write(bytes(dimensions * 2))
        out.flush()
        os.fsync(out.fileno())
    if (kept := sidecar.read(signs_file(file))) is not None:
        bits = kept.arrays["bits"].copy()
        held = np.array([number for number in numbers if number < int(kept.stamp["rows"])], np.int64)
        bits[held // BLOCK, :, held % BLOCK] = _packed(-kept.arrays["mean"][None, :])[:, 0]
        sidecar.write(signs_file(file), replace(kept, arrays={**kept.arrays, "bits": bits}))


def signs_file(file: Path) -> Path:
    """Where the sign bits of a file of rows are kept."""
    return file.with_suffix(".signs.bin")


def keep_signs(file: Path, count: int, dimensions: int, stamp: Mapping[str, str]) -> None:
    """Write the sign bits of as many rows, when they are of use and those on disk lack more than a few of them.

    The caller holds the writer's lock. `stamp` tells one file of rows from another that took its place.
    """
    if count * dimensions <= EXACT * USUAL or not file.exists():
        return
    kept = _kept_signs(file, count, stamp)
    if kept is None or count - int(kept.stamp["rows"]) > count // 50:
        bits, mean, sampled = _signs(file, count, dimensions, kept)
        full = {**stamp, "rows": str(count), "sampled": str(sampled)}
        sidecar.write(signs_file(file), Sidecar(stamp=full, names={}, arrays={"bits": bits, "mean": mean}))


def _kept_signs(file: Path, count: int, stamp: Mapping[str, str]) -> Sidecar | None:
    kept = sidecar.read(signs_file(file))
    if kept is None or any(kept.stamp.get(key) != value for key, value in stamp.items()):
        return None
    fits = int(kept.stamp["rows"]) <= count <= MEAN_HOLDS * int(kept.stamp["sampled"])
    return kept if fits else None


def _signs(
    file: Path, count: int, dimensions: int, kept: Sidecar | None
) -> tuple[NDArray[np.uint64], NDArray[np.float32], int]:
    """Sign bits of the mean-centred rows, a block of rows at a time, 64 bits of every row side by side; their mean, and
    of how many rows it is. A model's vectors share a direction that says nothing.
    """
    import numpy as np

    if kept is not None and int(kept.stamp["rows"]) == count:
        return kept.arrays["bits"], kept.arrays["mean"], int(kept.stamp["sampled"])
    blocks = -(-count // BLOCK)
    bits = np.zeros((blocks, -(-dimensions // 64), BLOCK), np.uint64)
    first, sampled = 0, count
    if kept is not None:
        first, sampled = int(kept.stamp["rows"]) // BLOCK, int(kept.stamp["sampled"])
        mean = kept.arrays["mean"]
        bits[:first] = kept.arrays["bits"][:first]
    else:
        sample = [_some(file, at, 100, dimensions) for at in range(0, count, max(100, count // 200))]
        mean = np.concatenate(sample).mean(axis=0)
    for block in range(first, blocks):
        some = _some(file, block * BLOCK, min(BLOCK, count - block * BLOCK), dimensions) - mean
        bits[block, :, : len(some)] = _packed(some)
    return bits, mean, sampled


def _some(file: Path, start: int, many: int, dimensions: int) -> NDArray[np.float32]:
    """Rows of the file side by side, read into memory: mapped, they would count as this process's own."""
    import numpy as np

    rows = np.fromfile(file, np.float16, many * dimensions, offset=start * dimensions * 2)
    return rows.reshape(-1, dimensions).astype(np.float32)


def _packed(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    import numpy as np

    signs = np.packbits(rows > 0, axis=1)
    whole = np.zeros((len(rows), -(-rows.shape[1] // 64) * 8), np.uint8)
    whole[:, : signs.shape[1]] = signs
    return np.ascontiguousarray(whole.view(np.uint64).T)


@dataclass(frozen=True, slots=True)
class Likeness:
    """The cosine of every row with a query. `near` are the rows whose score is exact, None = all of them."""

    scores: NDArray[np.float32]
    near: NDArray[np.int64] | None = None


@dataclass(slots=True)
class Vectors:
    """The rows as the catalogue knew them at one moment, opened for reading."""

    file: Path
    count: int
    dimensions: int
    stamp: Mapping[str, str] = field(default_factory=dict)
    _rows: NDArray[np.float32] | None = field(default=None, init=False)
    _mapped: NDArray[np.float16] | None = field(default=None, init=False)
    _bits: NDArray[np.uint64] | None = field(default=None, init=False)
    _mean: NDArray[np.float32] | None = field(default=None, init=False)

    def likeness(self, query: NDArray[np.float32]) -> Likeness:
        """How like each row is to a unit vector. Above EXACT rows the far ones get the estimate of their sign bits."""
        import numpy as np

        if self.count * self.dimensions <= EXACT * USUAL:
            if self._rows is None:
                self._rows = np.fromfile(self.file, np.float16, self.count * self.dimensions).astype(np.float32)
                self._rows = self._rows.reshape(self.count, self.dimensions)
            return Likeness(self._rows @ query)
        if self._bits is None or self._mean is None:
            kept = _kept_signs(self.file, self.count, self.stamp)
            self._bits, self._mean, _ = _signs(self.file, self.count, self.dimensions, kept)
        wanted = _packed((query - self._mean)[None, :])[:, 0]
        apart = np.empty(self.count, np.uint16)
        for block, some in enumerate(self._bits):  # a block's bits and counts stay in the cache
            count = apart[block * BLOCK : (block + 1) * BLOCK]
            many = len(count)
            count[:] = np.bitwise_count(some[0, :many] ^ wanted[0])
            for word in range(1, len(some)):
                count += np.bitwise_count(some[word, :many] ^ wanted[word])
        near = np.sort(_nearest(apart, RESCORED, self.dimensions))
        exact = self._read(near) @ query
        slope, offset = _line(apart[near].astype(np.float64), exact)
        scores = (offset + slope * np.arange(self.dimensions + 1)).astype(np.float32)[apart]
        scores[near] = exact
        return Likeness(scores, near)

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Some rows as they are."""
        return self._read(numbers) if self._rows is None else self._rows[numbers]

    def _read(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Some rows, from the file: the system keeps what is asked for often, for every process at once."""
        import numpy as np

        mapped = self._mapped
        if mapped is None:
            mapped = np.memmap(self.file, np.float16, "r", shape=(self.count, self.dimensions))
            self._mapped = mapped if os.name != "nt" else None  # Windows removes no file that is mapped
        return np.asarray(mapped[numbers], np.float32)


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
