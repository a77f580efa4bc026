"""What a detector returns, and how it walks from anchor to anchor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def present(text: str, words: Iterable[str]) -> list[str]:
    """The words that a text holds at all, in their order: most texts hold none, and are then done with."""
    if text.isascii():
        return [word for word in words if word in text]
    letters = frozenset(text)  # what is not ASCII need not be looked for in most texts
    return [word for word in words if (word.isascii() or letters.issuperset(word)) and word in text]
