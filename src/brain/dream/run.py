"""One Dream run from start to end: orient, summarise, attach, update, check, sync.

orient      what counts and what there is to do                             (orient.py)
summarise   notes and a summary for every session with new turns            (distil)
attach      facts to subjects, subjects to pages                            (attach.py, by the engine)
update      the wiki, in staging                                            (pages.py, by the engine)
check       rules and verification; an engine may mend what they found      (looking.py)
repair      what still fails is taken out, or goes back to what it was      (repair.py)
sync        one commit on main, or none                                     (sync.py)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.distil import Distiller
from brain.dream.batches import batches, joined, since
from brain.dream.engine import Dreamer, Update
from brain.dream.extractive import Extractive
from brain.dream.open import At, OpenRun, Progress, look_around
from brain.dream.orient import Orientation
from brain.dream.probe import Probe
from brain.dream.result import DreamResult
from brain.dream.skill import skill_sha256
from brain.dream.verification import Verifier
from brain.errors import BudgetExceeded
from brain.git import Git
from brain.sync.manifest import Agent
from brain.sync.publish import catch_up
from brain.types import Spent

__all__ = ["DreamResult", "distil", "dream"]

Say = Callable[[str], None]

MOST_ROUNDS = 2
"""How often an engine may mend what a check found (format §15)."""


def dream(
    root: Path,
    config: Config,
    *,
    now: datetime,
    engine: Dreamer | None = None,
    distiller: Distiller | None = None,
    verifier: Verifier | None = None,
    verbose: Say | None = None,
    progress: Progress | None = None,
    sessions: frozenset[str] | None = None,
    max_sessions: int | None = None,
    trigger: str = "command",
    dry_run: bool = False,
    run_id: str | None = None,
    spent: Callable[[], Spent] | None = None,
) -> DreamResult:
    """Run the Dream over the sessions with pending turns; one commit, or none when nothing is pending.

    More than the engine takes in at once (`batch_tokens`) is taken in batches, each a run with its own commit.

    `engine` is the extractive one unless given. `verbose` gets the orientation line by line. `sessions` narrows the run
    to some session ids, `max_sessions` to the oldest that are pending. `run_id` is made unless given; `spent` says at
    the end what calls of models took. When no session is pending but an outside source says something new of a page,
    that alone is a run, done without a model. Raises LockHeld, SyncConflict, GitError.
    """
    dreamer = engine or Extractive()
    with Git(root) as git:
        if not dry_run:
            catch_up(git, config=config, now=now)
        with Probe.open(git, config, now=now) as probe:
            lines = probe.lines()
            at = look_around(git, config, sessions=sessions, max_sessions=max_sessions, connectors=lines)
            for line in at[1].lines():
                (verbose or _quiet)(line)
            news = not (dry_run or at[1].work or sessions) and probe.has_news(at[0])
            if dry_run or not (at[1].work or news):
                return replace(_untouched(dreamer, at[1]), notes=probe.notes(worked=False))
            nights = _Nights(
                git=git, config=config, now=now, dreamer=Extractive() if news else dreamer, distiller=distiller,
                verifier=verifier, progress=progress, spent=spent, probe=probe,
            )  # fmt: skip
            size = int(getattr(dreamer, "batch_tokens", 0))
            groups = batches(at[1], root, size) if size else []
            if len(groups) < 2:
                return replace(nights.one(at, trigger, run_id, news=news), notes=probe.notes())
            return replace(joined(nights.each(groups, trigger, run_id)), notes=probe.notes())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Nights:
    """What the runs of one command have in common."""

    git: Git
    config: Config
    now: datetime
    dreamer: Dreamer
    distiller: Distiller | None
    verifier: Verifier | None
    progress: Progress | None
    spent: Callable[[], Spent] | None
    probe: Probe

    def one(self, at: At, trigger: str, run_id: str | None = None, *, news: bool = False) -> DreamResult:
        """One run over the sessions of an orientation; with `news`, over what outside sources say alone."""
        run = OpenRun.open(
            self.git, self.config, now=self.now, agent=_agent(self.dreamer), trigger=trigger, distiller=self.distiller,
            at=at, in_tree=self.dreamer.in_tree, run_id=run_id, progress=self.progress, news=news,
        )  # fmt: skip
        if run is None:
            return _untouched(self.dreamer, at[1])
        try:
            update = _worked(run, self.dreamer, self.verifier, self.probe)
            return run.close(update, verifier=self.verifier, spent=self.spent)
        except BaseException:
            run.abort()
            raise

    def each(self, groups: list[frozenset[str]], trigger: str, run_id: str | None) -> Iterator[DreamResult]:
        """Run after run, each on what the one before it published, until one was stopped."""
        for number, group in enumerate(groups, start=1):
            catch_up(self.git, config=self.config, now=self.now)
            at = look_around(self.git, self.config, sessions=group, connectors=self.probe.lines())
            this = replace(self, spent=since(self.spent)) if self.spent else self
            result = this.one(at, f"{trigger}, batch {number} of {len(groups)}", run_id if number == 1 else None)
            if result.stopped:
                left = sum(map(len, groups[number:]))
                yield replace(result, left_for_later=result.left_for_later + left)
                return
            yield result


def _worked(run: OpenRun, dreamer: Dreamer, verifier: Verifier | None, probe: Probe) -> Update:
    """What the engine did, with what it mended in up to two rounds."""
    desk = replace(run.desk(probe), check=lambda: run.check(verifier))
    try:
        update = dreamer.update(desk)
        for _ in range(min(dreamer.rounds, MOST_ROUNDS)):
            checked = run.check(verifier)
            if checked.ok or update.stopped:
                break
            update.join(dreamer.revise(desk, checked))
    except BudgetExceeded as error:  # what stands is checked and kept, the rest stays pending
        return Update(stopped=error.stop_reason, attached=dreamer.in_tree)
    return update


def distil(
    root: Path,
    config: Config,
    *,
    now: datetime,
    distiller: Distiller | None = None,
    verbose: Say | None = None,
    progress: Progress | None = None,
    sessions: frozenset[str] | None = None,
    dry_run: bool = False,
    run_id: str | None = None,
    spent: Callable[[], Spent] | None = None,
) -> DreamResult:
    """Only summarise: notes and summaries of sessions with new turns; their facts stay to be attached by a dream."""
    with Git(root) as git:
        if not dry_run:
            catch_up(git, config=config, now=now)
        commit, found = look_around(git, config, sessions=sessions)
        found = replace(found, work=tuple(work for work in found.work if work.summarises))
        for line in found.lines():
            (verbose or _quiet)(line)
        if dry_run or not found.work:
            return _untouched(Extractive(), found)
        run = OpenRun.open(
            git, config, now=now, agent=_agent(Extractive()), trigger="distil", distiller=distiller,
            at=(commit, found), in_tree=False, run_id=run_id, progress=progress,
        )  # fmt: skip
        if run is None:
            return _untouched(Extractive(), found)
        try:
            return run.close(Update(attached=False), spent=spent)
        except BaseException:
            run.abort()
            raise


def _untouched(dreamer: Dreamer, found: Orientation) -> DreamResult:
    """The result of a run that only looked."""
    start = DreamResult(engine=dreamer.name, left_for_later=found.left_for_later)
    if not found.work:
        return replace(start, noop=True)
    return replace(start, sessions=len(found.work), turns=sum(work.turns for work in found.work))


def _agent(dreamer: Dreamer) -> Agent:
    skill = skill_sha256() if dreamer.in_tree else None
    return Agent(name=dreamer.name, version=dreamer.version, model=dreamer.model, skill_sha256=skill)


def _quiet(_: str) -> None:
    pass
