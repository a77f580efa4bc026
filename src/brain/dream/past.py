"""What an engine may ask of earlier runs: notes by name, what pages cite and say. `memory.Memory` answers by grep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from brain.types import Fact


class Past(Protocol):
    """The published tree, asked for little at a time, so that a run costs what its new turns cost."""

    def recall(self, names: Sequence[str]) -> list[Fact]:
        """Earlier notes that hold any of these names or words, as facts without subjects."""
        ...

    def cited(self, fact: Fact) -> bool:
        """Whether some page says this already, on the strength of these turns."""
        ...

    def labelled(self, labels: Sequence[str]) -> dict[str, list[str]]:
        """Page ids by bold label, for those labels that stand on a page."""
        ...

    def body(self, page: str) -> str:
        """The text of a page, "" when there is none."""
        ...

    def saying(self, parts: Sequence[str]) -> dict[str, list[str]]:
        """Page ids by part of a word, in any case, for those parts that stand on a page."""
        ...
