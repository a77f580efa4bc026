"""What a detector returns, and how it walks from anchor to anchor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """`text[start:end]` is a secret of this kind."""

    kind: str
    start: int
    end: int


def occurrences(text: str, anchor: str) -> Iterator[int]:
    """Positions of `anchor` in `text`, left to right, without overlap."""
    at = text.find(anchor)
    while at >= 0:
        yield at
        at = text.find(anchor, at + len(anchor))
