"""A file that only grew: what was read before is known by its hash, so its end alone is read, from a little before it.

The turns of that little before must be the last ones that were seen, one by one, and none of the new ones may be an old
one come back. Where that does not hold, or the format cannot tell, the file is read whole, as if nothing were known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Protocol, runtime_checkable

from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.seen import SIZE, Watch

BEFORE = 1 << 20  # bytes before the end of what was read that are read again
LARGEST = 64 << 20  # bytes a file may have grown by; more is read whole
AGREE = 8  # turns in a row that must be the last ones seen

_CHUNK = 1 << 20


@runtime_checkable
class ReadsOn(Protocol):
    """A format whose files are appended to, line by line."""

    def read_on(self, path: Path, skips: Skips, since: int) -> RawSession | None:
        """The one session of the file from some lines before byte `since`; None when its end alone does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """A file as it was when it was read whole the last time, and its sessions."""

    size: int
    content: bytes
    sessions: tuple[str, ...]


def grown_hash(path: Path, before: Before) -> bytes | None:
    """The hash of a file that begins with what it was before, ended by a line end; None when it does not."""
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        left, last = before.size, b""
        while left and (chunk := file.read(min(left, _CHUNK))):
            digest.update(chunk)
            left -= len(chunk)
            last = chunk
        if left or not last.endswith(b"\n") or digest.digest() != before.content:
            return None
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.digest()


def behind(turns: Iterable[RawTurn], seen: bytes, watch: Watch) -> list[RawTurn] | None:
    """The turns behind those seen; None when the last ones seen are not among them, or an old one came back."""
    read = list(turns)
    digests = [watch.digest(turn) for turn in read]
    known = [seen[at : at + SIZE] for at in range(0, len(seen), SIZE)]
    last = known[-AGREE:]
    end = next((at for at in range(len(read), len(last) - 1, -1) if digests[at - len(last) : at] == last), None)
    if not last or end is None or not set(known).isdisjoint(digests[end:]):
        return None
    watch.digests += seen + b"".join(digests[end:])
    return read[end:]
