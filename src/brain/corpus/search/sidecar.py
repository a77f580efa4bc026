"""Arrays in a file beside the catalogue: derived from it, stamped, and checked whole before a number is believed.

One line (a checksum of all that follows, and JSON: the stamp, what lies where), then the arrays one after another. A
file that is missing, cut, garbled or of another layout is simply not there; it is replaced whole or not at all, and
nothing is lost without it but time.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

LAYOUT = 1  # raise it when the meaning of arrays changes: older files are then made anew
_LONGEST_HEAD = 64 << 20
_ALIGNED = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Sidecar:
    """What a file holds: the state of the catalogue it was made at, lists of names, and arrays by name."""

    stamp: Mapping[str, str]
    names: Mapping[str, Sequence[str]]
    arrays: Mapping[str, NDArray[Any]]


def read(file: Path) -> Sidecar | None:
    """What the file holds; None when there is no such file or it is not what was written. The arrays are read-only."""
    import numpy as np

    try:
        with file.open("rb") as data:
            checksum, _, line = data.readline(_LONGEST_HEAD).partition(b" ")
            body = np.fromfile(data, np.uint8)
        if zlib.crc32(body.data, zlib.crc32(line)) != int(checksum, 16):
            return None
        head = json.loads(line)
        if head["layout"] != LAYOUT:
            return None
        body.flags.writeable = False
        arrays = {
            name: body[start : start + size].view(kind).reshape(shape)
            for name, (kind, shape, start, size) in head["arrays"].items()
        }
        return Sidecar(stamp=head["stamp"], names=head["names"], arrays=arrays)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def stamp_of(file: Path) -> Mapping[str, str] | None:
    """The stamp alone, for a writer to tell whether the file is worth writing again."""
    try:
        with file.open("rb") as data:
            found = json.loads(data.readline(_LONGEST_HEAD).partition(b" ")[2])
        return {str(key): str(value) for key, value in found["stamp"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write(file: Path, sidecar: Sidecar) -> None:
    """Replace the file. Without room for it there is none, which costs the next reader time and nothing else."""
    import numpy as np

    described, parts, at = {}, [], 0
    for name, array in sidecar.arrays.items():
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        gap = np.zeros(-len(flat) % _ALIGNED, np.uint8)
        described[name] = (array.dtype.str, array.shape, at, len(flat))
        parts += [flat, gap]
        at += len(flat) + len(gap)
    head = {"layout": LAYOUT, "stamp": dict(sidecar.stamp), "names": dict(sidecar.names), "arrays": described}
    line = json.dumps(head).encode() + b"\n"
    checksum = zlib.crc32(line)
    for part in parts:
        checksum = zlib.crc32(part.data, checksum)
    fresh = file.with_name(f".tmp-{file.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(b"%08x " % checksum + line)
            for part in parts:
                out.write(part.data)
        fresh.replace(file)
    except OSError:
        with suppress(OSError):
            fresh.unlink()
        with suppress(OSError):
            file.unlink()  # an old one must not stay where its successor found no room: what was deleted is in it
