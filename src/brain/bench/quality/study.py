"""Measuring wikis: one brain as it is, or every account of a data set, filled as in use.

    >>> measured = of_brain(root)                                                           # doctest: +SKIP
    >>> measured["dead links"].count                                                        # doctest: +SKIP
    0

What a brain alone shows is measured on both. What needs to know more (planted updates, deletions, the same history in
other steps) only accounts have.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from brain.bench.ablation import each
from brain.bench.accounts import Account
from brain.bench.brains import code_hash
from brain.bench.filling import Filling, fill
from brain.bench.loading import Source
from brain.bench.plan import Dataset
from brain.bench.quality import cited, drift, growth, linked, residue, speakers, updates
from brain.bench.quality.measure import Measure
from brain.bench.quality.record import Measured, Quality
from brain.bench.quality.tree import Wiki
from brain.bench.study import cache_place
from brain.config import cache_home

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which accounts, filled how; `steps` dreams are held against one (0 = not), `forget` says whether to forget."""

    source: Source
    every: int = 7
    engine: str = "extractive"
    steps: int = drift.STEPS
    forget: bool = True
    processes: int = 2

    @property
    def filling(self) -> Filling:
        return Filling(every=self.every, engine=self.engine)

    def json(self) -> dict[str, object]:
        """For a record. No place on this machine is in it."""
        return {
            "dataset": self.source.dataset.value,
            "part": self.source.part.value,
            "limit": self.source.limit,
            "every": self.every,
            "engine": self.engine,
            "steps": self.steps,
            "forget": self.forget,
        }


def of_brain(root: Path) -> Quality:
    """One brain, read only. Raises NotABrain, ConfigError."""
    began, started = time.monotonic(), datetime.now(UTC)
    wiki = Wiki(root)
    measured = Measured(account="", growth=growth.growth(growth.points(root)), measures=as_it_is(wiki))
    return _record({}, {}, [measured], started, began)


def of_accounts(plan: Plan, *, cache: Path | None = None, progress: Progress | None = None) -> Quality:
    """Every account of a data set. Raises NotFound, FormatError, ConfigError."""
    began, started = time.monotonic(), datetime.now(UTC)
    names = plan.source.names()
    found: dict[str, Measured] = {}
    for name, one in each(partial(of_account, plan, cache or cache_home() / "bench"), names, plan.processes):
        if progress:
            progress(len(found), len(names), name)
        found[name] = one
    if progress:
        progress(len(names), len(names), "")
    return _record(plan.json(), plan.source.files(), [found[name] for name in names], started, began)


def of_account(plan: Plan, cache: Path, name: str) -> Measured:
    """One account: filled, or found in the cache, then measured at its last state."""
    account = plan.source.account(name)
    kept = fill(account, cache_place(cache)[0], plan.filling)
    state = account.states[-1]
    root = kept.root(state)
    wiki = Wiki(root)
    home = plan.source.data / name if plan.source.dataset is Dataset.PERSONAS else None
    measures = list(as_it_is(wiki))
    if planted := updates.planted(home, state.questions):
        measures += updates.measures(wiki, planted)
    if plan.forget and residue.deletions(state.questions):
        measures += residue.measures(account, state, root, plan.engine)
    if plan.steps:
        measures += _drift(plan, account)
    if plan.source.licensed:
        measures = [replace(one, examples=()) for one in measures]
    return Measured(
        account=name,
        growth=growth.growth(growth.points(root)),
        measures=tuple(measures),
        remarks=tuple(kept.filled.remarks),
    )


def as_it_is(wiki: Wiki) -> tuple[Measure, ...]:
    """What a tree alone shows."""
    return (*cited.measures(wiki), *speakers.measures(wiki), *linked.measures(wiki))


def _drift(plan: Plan, account: Account) -> list[Measure]:
    with TemporaryDirectory(prefix="brain-drift-") as folder:
        small, big = drift.both(account, account.states[-1], Path(folder), plan.filling, plan.steps)
        return drift.measures(Wiki(small), Wiki(big))


def _record(
    plan: dict[str, object], files: dict[str, str], found: Sequence[Measured], started: datetime, began: float
) -> Quality:
    return Quality(
        brain=version("brain"),
        plan=plan,
        files=files,
        code={"filling": Filling().code, "measuring": code_hash(("bench/quality", "bench/judging", "rules", "tree"))},
        accounts=tuple(found),
        started=started.replace(microsecond=0).isoformat().replace("+00:00", "Z"),
        seconds=round(time.monotonic() - began, 1),
    )
