"""Drift: the same history dreamed in many small steps and in one; how much of either wiki stands in the other.

A wiki that depends on when one dreamed has little in common with itself. Claims are compared by their words, sources by
the turns they name, pages by their ids.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from brain.bench.accounts import Account, State
from brain.bench.filling import Filling, fill
from brain.bench.quality.measure import Measure, good
from brain.bench.quality.tree import Wiki
from brain.errors import FormatError
from brain.text import normal_name
from brain.tree import uri

STEPS = 30


def in_steps(account: Account, state: State, steps: int) -> Account:
    """The account up to a state, with as many dreams on the way, each after about as many inputs as the others."""
    order = sorted(state.inputs, key=lambda at: (account.inputs[at].when, at))
    ends = sorted({round(len(order) * step / steps) for step in range(1, steps + 1)} - {0})
    states = tuple(State(inputs=frozenset(order[:end]), questions=()) for end in ends)
    return replace(account, states=states)


def both(account: Account, state: State, folder: Path, how: Filling, steps: int) -> tuple[Path, Path]:
    """The brains that small steps and one big step make, filled in `folder`."""
    once = replace(how, every=0)
    roots = []
    for many in (in_steps(account, state, steps), in_steps(account, state, 1)):
        kept = fill(many, folder, once)
        roots.append(kept.root(many.states[-1]))
    return roots[0], roots[1]


def measures(small: Wiki, big: Wiki) -> list[Measure]:
    """Both ways: of what small steps gave, what one step gave too, and the other way round."""
    found = []
    for what, of in (("claims", _claims), ("cited sources", _sources), ("pages", _pages)):
        one, other = of(small), of(big)
        found.append(good(f"{what} of small steps in one big step", len(one & other), len(one), sorted(one - other)))
        found.append(good(f"{what} of one big step in small steps", len(one & other), len(other), sorted(other - one)))
    return found


def _claims(wiki: Wiki) -> frozenset[str]:
    return frozenset(normal_name(one.words) for one in wiki.stated)


def _sources(wiki: Wiki) -> frozenset[str]:
    return frozenset(_undated(one) for stated in wiki.stated for one in stated.uris)


def _pages(wiki: Wiki) -> frozenset[str]:
    return frozenset(one.id for one in wiki.pages)


def _undated(source: str) -> str:
    """A source whenever it was read: the day a record was first seen is the day of a dream."""
    try:
        read = uri.parse(source)
    except FormatError:
        return source
    return f"connector://{read.name}/{read.sha}" if isinstance(read, uri.ConnectorUri) else source
