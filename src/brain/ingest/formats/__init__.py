"""Transcript formats: one file a format, found by looking at content, never by trusting a name.

Adding a format is adding a module here that has a `FORMAT`; nothing else names it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

from brain.ingest.raw import RawFile, RawSession, RawTurn, Skips
from brain.ingest.source import Head

__all__ = ["Format", "Head", "RawFile", "RawSession", "RawTurn", "Skips", "find_format", "formats", "state_of"]


class Format(Protocol):
    """How one tool writes its transcripts. `name` is what transcripts carry as their source; the rest is for people and

    stands in docs/formats.md: `title`, `where` the tool keeps them, what a session is `known_by`, whose `times` there
    are, what is `kept`, and what is `dropped` and (in parentheses) why.

    A format may have two things more: `binary = True` when it reads databases, and `state(path)`, (size, time of
    change in ns), when a session is read from more files than the one that stands for it.
    """

    name: str
    title: str
    where: str
    known_by: str
    times: str
    kept: str
    dropped: str

    def detect(self, head: Head) -> int:
        """How surely a file with this head is of this format: 0 no, 100 nothing else could be."""

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        """The sessions in the file, streamed. One bad item is counted in `skips` and never fails the rest."""


@cache
def formats() -> tuple[Format, ...]:
    """Every format in this folder, by name."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        one = getattr(importlib.import_module(f"{__name__}.{module.name}"), "FORMAT", None)
        if one is not None:
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.name))


def state_of(form: Format, path: Path) -> tuple[int, int]:
    """(size, time of change in ns) by which a file of this format is known to be unchanged. Raises OSError."""
    own = getattr(form, "state", None)
    if own is not None:
        size, changed = own(path)
        return int(size), int(changed)
    here = path.stat()
    return here.st_size, here.st_mtime_ns


def find_format(head: Head) -> Format | None:
    """The format that is surest about this head; None when none recognises it."""
    if not head.size:
        return None
    readers = [one for one in formats() if not head.binary or getattr(one, "binary", False)]
    score, best = max(((_score(one, head), one) for one in readers), key=lambda pair: pair[0])
    return best if score > 0 else None


def _score(one: Format, head: Head) -> int:
    """A format that cannot make sense of a head is not surer than nothing; the others still look at it."""
    try:
        return one.detect(head)
    except (TypeError, ValueError, AttributeError, KeyError, IndexError, RecursionError):
        return 0
