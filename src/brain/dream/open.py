"""An open run: a whole work tree to edit with any tool, checked as often as one likes, closed by one commit or none.

    run = OpenRun.open(git, config, now=now, agent=Agent(name="by-hand", version="1"), trigger="by-hand")
    …edit run.tree, say in run.report what was taken away and why…
    run.check()      what would be refused, with the way out
    run.close()      check again, give back what fails, publish

The run is found again by its id in another process, until it is closed or aborted.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from brain.config import Config
from brain.distil import Distiller
from brain.dream.checked import Checked
from brain.dream.engine import Desk
from brain.dream.orient import Orientation
from brain.git import Git
from brain.sync.manifest import Agent
from brain.sync.staging import Staging

if TYPE_CHECKING:
    from brain.dream.run import DreamResult

Progress = Callable[[int, int, str], None]


class OpenRun:
    """A Dream run whose author works in a folder. `orientation` says what it is about."""

    def __init__(self, git: Git, staging: Staging, config: Config, orientation: Orientation, now: datetime) -> None:
        self.git = git
        self.staging = staging
        self.config = config
        self.orientation = orientation
        self.now = now

    @property
    def id(self) -> str:
        return self.staging.manifest.run_id

    @property
    def folder(self) -> Path:
        """The run's folder: `tree/`, `BRIEFING.md`, `report.md`, `manifest.json`."""
        return self.staging.path

    @property
    def tree(self) -> Path:
        """The proposed state, every tracked file of memory; the only place to write in but `report`."""
        return self.staging.work

    @property
    def briefing(self) -> Path:
        return self.folder / "BRIEFING.md"

    @property
    def report(self) -> Path:
        """Where the author says what a program cannot see: why a claim went, which session gave nothing, page notes."""
        return self.folder / "report.md"

    @classmethod
    def open(
        cls,
        git: Git,
        config: Config,
        *,
        now: datetime,
        agent: Agent,
        trigger: str,
        sessions: frozenset[str] | None = None,
        max_sessions: int | None = None,
        distiller: Distiller | None = None,
        by_hand: bool = False,
        progress: Progress | None = None,
    ) -> OpenRun | None:
        """Distil what is pending and open a run over it; None when nothing is. Raises UsageError when one is open."""
        raise NotImplementedError

    @classmethod
    def find(cls, git: Git, config: Config, run_id: str | None, *, now: datetime) -> OpenRun:
        """The open run of that id, or the only one there is. Raises NotFound."""
        raise NotImplementedError

    def desk(self) -> Desk:
        """What an engine works with."""
        raise NotImplementedError

    def leave(self, session: str, reason: str) -> None:
        """Give a session back: its turns stay to be attached by the next run."""
        raise NotImplementedError

    def check(self) -> Checked:
        """Number sources, compute what changed, run the rules, test every new claim against its turns."""
        raise NotImplementedError

    def close(self) -> DreamResult:
        """Check once more, give back what fails claim by claim, publish what stands."""
        raise NotImplementedError

    def abort(self) -> None:
        """Drop the run. Nothing of it is left and its sessions stay pending."""
        raise NotImplementedError
