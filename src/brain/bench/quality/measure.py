"""A measure: how many of how many, with a few examples; measures of several brains add up.

>>> Measure(name="dead links", count=1, of=8, bad=True) + Measure(name="dead links", count=0, of=2, bad=True)
Measure(name='dead links', count=1, of=10, bad=True, examples=())
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

EXAMPLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """`count` of `of` things; `bad` says that none is best, else all are. `examples` say what the few are."""

    name: str
    count: int
    of: int
    bad: bool = False
    examples: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """None where there was nothing to look at."""
        return self.count / self.of if self.of else None

    @property
    def flaws(self) -> int:
        """How many are not as they should be."""
        return self.count if self.bad else self.of - self.count

    def __add__(self, other: Measure) -> Measure:
        return Measure(
            name=self.name,
            count=self.count + other.count,
            of=self.of + other.of,
            bad=self.bad,
            examples=(*self.examples, *other.examples)[:EXAMPLES],
        )


def good(name: str, count: int, of: int, flaws: Iterable[str] = ()) -> Measure:
    """All is best."""
    return Measure(name=name, count=count, of=of, examples=tuple(flaws)[:EXAMPLES])


def bad(name: str, flaws: Iterable[str], of: int) -> Measure:
    """None is best; one example each."""
    found = tuple(flaws)
    return Measure(name=name, count=len(found), of=of, bad=True, examples=found[:EXAMPLES])


def added(every: Iterable[Iterable[Measure]]) -> tuple[Measure, ...]:
    """Measures of the same name as one, in the order they come up."""
    total: dict[str, Measure] = {}
    for some in every:
        for one in some:
            total[one.name] = total[one.name] + one if one.name in total else one
    return tuple(total.values())
