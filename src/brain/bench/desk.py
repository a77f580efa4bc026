"""Where a question is answered: the brain of an arm, opened as of the day the question is asked.

>>> with desk(kept, state, arm, embedder) as here:                                      # doctest: +SKIP
...     Extractive().answer(here, asked)
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from brain.bench.accounts import UNDATED, Account, State
from brain.bench.arms import Arm
from brain.bench.asked import Asked
from brain.bench.brains import FINDING, code_hash
from brain.bench.changes import applied
from brain.bench.filling import Kept
from brain.bench.variant import INDEX, without
from brain.brain import Brain
from brain.config import FILE, Config
from brain.corpus.search.meaning import Embedder


class Clock:
    """What a brain takes for now: the time of the question that is being asked."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A brain to answer from, and the arm it is of. `evening` is when its last session had come in."""

    arm: Arm
    account: Account
    brain: Brain
    clock: Clock
    evening: datetime

    def at(self, asked: Asked) -> None:
        """Make it the time of a question."""
        self.clock.now = asked.asked_at or self.evening


def evening(account: Account, state: State) -> datetime:
    last = max((account.inputs[at].when for at in state.inputs), default=UNDATED)
    return last + timedelta(days=1)


def root_of(kept: Kept, account: Account, state: State, arm: Arm) -> Path:
    """The brain of an arm: the one that was filled, or a copy of it without what is off."""
    root = kept.root(state)
    if not arm.off:
        return root
    return without(root, arm.off, root.with_name(f"{root.name}-no-{'-'.join(arm.off)}"), evening(account, state))


@contextmanager
def desk(root: Path, account: Account, state: State, arm: Arm, embedder: Embedder | None) -> Iterator[Desk]:
    """Open the brain of an arm with its index whole, words and vectors."""
    clock = Clock(evening(account, state))
    index_is_ours(root)
    config = applied(Config.load(root), (root / FILE).read_text("utf-8"), arm.settings)
    own = any(key.startswith("search.") for key in arm.settings)  # then another embedder may be meant
    with Brain(root, config, clock=clock, embedder=None if own else embedder) as brain:
        brain.reindex(vectors=True)
        yield Desk(arm=arm, account=account, brain=brain, clock=clock, evening=clock.now)


def index_is_ours(root: Path) -> None:
    """An index that other code made is made anew."""
    mark = root / ".brain" / "index" / "bench.txt"
    code = code_hash(FINDING)
    if not mark.exists() or mark.read_text("utf-8") != code:
        shutil.rmtree(root / INDEX, ignore_errors=True)
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(code, "utf-8")
