"""What an engine of the Dream is: it gets a desk (what is known, new facts, staging) and proposes changes to pages.

The engine is never trusted: rules, verification and sync decide over whatever it leaves in staging. The extractive
engine is `pages.Extractive`; model, command and by-hand engines fill the same Protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from brain.config import Config
from brain.dream.checked import Checked
from brain.dream.orient import Orientation
from brain.dream.pages import Written
from brain.dream.past import Past
from brain.dream.subjects import Directory
from brain.dream.undertakings import Vocabulary
from brain.rules.evidence import Evidence
from brain.sync.manifest import Op
from brain.tree.files import Tree
from brain.types import Fact


class Stage(Protocol):
    """The proposed tree of a run, to read and to write."""

    def read(self, path: str) -> str: ...
    def write(self, path: str, text: str) -> None: ...
    def delete(self, path: str) -> None: ...
    def __contains__(self, path: object) -> bool: ...


class Probed(Protocol):
    """Sources from outside, as an engine that works without a model uses them: once its own pages are written."""

    def written(self, desk: Desk) -> Iterable[Written]:
        """Pages with what the sources say of their subjects, and what confirms the run's new claims."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """All an engine works with: what the run knows, the trees, and the facts of the new turns.

    `owners` are names by page id, `vocabulary` the words of each session in order of time, `allowance` how many
    tokens the pages may grow by, None = no limit, `human` the lines of a file that a person changed last.

    An engine that works in the tree finds all of it as files: `folder` is the run's, with `tree/`, `BRIEFING.md` and
    `report.md`; `corpus` the memory folder with the transcripts, to read only. `check` says what would be refused now,
    as often as it is asked; `changed` whether the tree or the report differ from what it found; `leave` gives a
    session back to the next run, with the reason.
    """

    run_id: str
    now: datetime
    config: Config
    orientation: Orientation
    base: Tree
    stage: Stage
    evidence: Evidence
    facts: tuple[Fact, ...]
    owners: dict[str, str]
    directory: Directory
    past: Past
    vocabulary: Sequence[tuple[str, Vocabulary]] = ()
    allowance: int | None = None
    human: Callable[[str], frozenset[str]] = lambda _: frozenset()
    folder: Path | None = None
    corpus: Path | None = None
    check: Callable[[], Checked] = Checked
    changed: Callable[[], bool] = bool
    leave: Callable[[str, str], None] = lambda session, reason: None
    probe: Probed | None = None


@dataclass(slots=True)
class Update:
    """What an engine did: an operation a file, what it left out by reason, and the project pages by session.

    `attached`: whether the facts of the new turns were attached to subjects, so that no later run looks at them again.
    `failed` are sessions that could not be taken in, with the reason; `stopped` says why it ended before its work did
    (budget, error).
    """

    ops: list[Op] = field(default_factory=list)
    added: int = 0
    retired: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    projects: dict[str, list[str]] = field(default_factory=dict)
    attached: bool = True
    failed: dict[str, str] = field(default_factory=dict)
    stopped: str = ""

    def drop(self, reason: str, number: int = 1) -> None:
        self.dropped[reason] = self.dropped.get(reason, 0) + number

    def join(self, other: Update) -> None:
        """Add what a later round did."""
        self.ops += other.ops
        self.added += other.added
        self.retired += other.retired
        for reason, number in other.dropped.items():
            self.drop(reason, number)
        self.failed |= other.failed
        self.stopped = other.stopped or self.stopped
        for session, pages in other.projects.items():
            known = self.projects.setdefault(session, [])
            known += [page for page in pages if page not in known]


class Dreamer(Protocol):
    """An engine of phases three and four: attach facts to subjects, update the wiki in staging.

    `in_tree` engines work in a whole work tree (`desk.folder`), with notes and summaries of the new turns already in
    it; what they did is read from the real difference, so that their `Update` needs no `ops`. The others write through
    `desk.stage` and name their operations. `rounds` is how often `revise` is asked at most, never more than two.
    """

    name: str
    version: str
    model: str | None
    in_tree: bool
    rounds: int

    def update(self, desk: Desk) -> Update: ...

    def revise(self, desk: Desk, checked: Checked) -> Update:
        """Mend what the check found; what still fails after the last round reverts to the base, claim by claim."""
        ...
