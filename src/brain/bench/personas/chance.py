"""Chance that is the same for the same names: every choice of the generator hangs on a seed and on what it is for."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar
from uuid import UUID

T = TypeVar("T")


class Chance:
    """Draws that hang on the names given and on nothing else: `Chance(7, "p03", "cadence")`."""

    def __init__(self, *names: object) -> None:
        self._digest = sha256("/".join(map(str, names)).encode()).digest()
        self._random = Random(int.from_bytes(self._digest[:8], "big"))

    def pick(self, options: Sequence[T]) -> T:
        return options[self._random.randrange(len(options))]

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """So many different ones, or all there are, in the order drawn."""
        return self.shuffled(options)[:count]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        mixed = list(options)
        for at in range(len(mixed) - 1, 0, -1):
            other = self._random.randrange(at + 1)
            mixed[at], mixed[other] = mixed[other], mixed[at]
        return mixed

    def number(self, low: int, high: int) -> int:
        """From low to high, both included."""
        return low + self._random.randrange(high - low + 1)

    def share(self) -> float:
        return self._random.random()

    def happens(self, share: float) -> bool:
        return self._random.random() < share

    def uuid(self) -> str:
        return str(UUID(int=self._random.getrandbits(128), version=4))

    def hex(self, digits: int) -> str:
        return f"{self._random.getrandbits(4 * digits):0{digits}x}"


class Deck:
    """Cards drawn one after another, all before any comes again."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._left: dict[object, list[object]] = {}

    def draw(self, name: object, cards: Sequence[T]) -> T:
        left = self._left.get(name)
        if not left:
            left = self._left[name] = list(self._chance.shuffled(range(len(cards))))
        at = left.pop()
        assert isinstance(at, int)
        return cards[at % len(cards)]
