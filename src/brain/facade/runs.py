"""Dream runs by hand: opened, looked at, closed or dropped, by any person or agent with an editor or a shell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from brain.config import run_from_environment
from brain.errors import NotFound, UsageError
from brain.facade.core import Progress
from brain.facade.reading import Reading
from brain.git import Git
from brain.sync.manifest import Agent
from brain.sync.staging import run_of
from brain.tree.ids import RUN, new_run_id

if TYPE_CHECKING:  # loaded when it is used: most commands only read
    from brain.dream.checked import Checked
    from brain.dream.open import OpenRun
    from brain.dream.result import DreamResult
    from brain.engines import Engines

BY_HAND, VERSION = "by-hand", "0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An open run, and where everything of it is. `skill` is what to follow."""

    run_id: str
    folder: Path
    tree: Path
    briefing: Path
    report: Path
    sessions: int
    turns: int
    skill: str


class Runs:
    """The verbs of a run by hand; `run` is its id, else the one this process works in, else the only one open."""

    def __init__(self, core: Reading) -> None:
        self._core = core

    def open(
        self,
        *,
        by: str | None = None,
        sessions: frozenset[str] | None = None,
        max_sessions: int | None = None,
        progress: Progress | None = None,
    ) -> Opened | None:
        """Distil what is pending and open a run over it; None when nothing is pending.

        `by` names who or what will write, for the record. Raises UsageError when a run by hand is open.
        """
        from brain.dream.open import OpenRun
        from brain.dream.skill import skill, skill_sha256

        core, now = self._core, self._core._clock()
        run_id = new_run_id(now)
        agent = Agent(name=BY_HAND, version=VERSION, model=by, skill_sha256=skill_sha256())
        with core._git() as git:
            run = OpenRun.open(
                git, core.config, now=now, agent=agent, trigger=BY_HAND, sessions=sessions, max_sessions=max_sessions,
                distiller=self._engines(run_id).distiller(), by_hand=True, run_id=run_id, progress=progress,
            )  # fmt: skip
            if run is None:
                return None
            return Opened(
                run_id=run.id,
                folder=run.folder,
                tree=run.tree,
                briefing=run.briefing,
                report=run.report,
                sessions=run.start.sessions,
                turns=run.start.turns,
                skill=skill(),
            )

    def named(self, starts: Iterable[str]) -> frozenset[str]:
        """Session ids by their first digits. Raises NotFound for one that no session, or more than one, begins with."""
        known = [row.id for row in self._core.sessions()]
        found = set()
        for start in starts:
            fits = [id for id in known if id.startswith(start)]
            if len(fits) != 1:
                raise NotFound(f"{len(fits)} sessions begin with {start!r}", hint="brain session list")
            found.add(fits[0])
        return frozenset(found)

    def check(self, run: str | None = None, *, override: bool = False, verify: bool = False) -> Checked:
        """What would be refused, with the way out; sources are numbered and frontmatter is filled on the way.

        `verify` has the model that plays the verifier judge what code leaves open; closing does so in any case.
        """
        with self._core._git() as git:
            found = self._find(git, run)
            return found.check(self._engines(found.id).verifier() if verify else None, override=override)

    def close(self, run: str | None = None, *, override: bool = False, progress: Progress | None = None) -> DreamResult:
        """Check once more, give back what fails, publish what stands. Raises UsageError, LockHeld, SyncConflict."""
        with self._core._git() as git:
            found = self._find(git, run)
            _mine(found)
            engines = self._engines(found.id)
            spent = engines.ledger
            result = found.close(verifier=engines.verifier(), override=override, spent=lambda: spent.totals)
        self._core._follow(result.applied, progress)
        self._core._say_spent(spent)
        return result

    def abort(self, run: str | None = None) -> str:
        """Drop the run; its id."""
        with self._core._git() as git:
            found = self._find(git, run)
            _mine(found)
            found.abort()
            return found.id

    def _engines(self, run_id: str) -> Engines:
        """Who distils and verifies, as the settings say; the author is whoever opened the run."""
        from brain.engines import engines_for

        return engines_for(self._core.config, self._core._ledger(run_id))

    def _find(self, git: Git, run: str | None) -> OpenRun:
        from brain.dream.open import OpenRun

        named = run or run_from_environment() or run_of(Path.cwd())
        if named is not None and run is None and not RUN.fullmatch(named):
            named = None
        return OpenRun.find(git, self._core.config, named, now=self._core._clock())


def _mine(run: OpenRun) -> None:
    if not run.by_hand:
        raise UsageError(
            f"run {run.id} belongs to a running command", hint="end your work; it is checked and closed by itself"
        )
