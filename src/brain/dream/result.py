"""What a run did, for people and programs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from brain.sync.manifest import Manifest
from brain.sync.publish import SyncResult
from brain.types import Expected, Problem, Severity, Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamResult:
    """What a run did. `noop`: there was nothing to do, or nothing came of it; `dropped` counts statements by reason.

    `stopped` says what ended it before its work was done ("budget"), `spent` what calls of models took, `expected`
    what a dry run thinks they will; `notes` tell of outside sources that could not be read or used. `refused` are the
    problems for which something was given back, `conflicts` counts lines that memory had changed meanwhile.
    """

    run_id: str = ""
    applied: bool = False
    noop: bool = False
    commit: str | None = None
    engine: str = ""
    sessions: int = 0
    turns: int = 0
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    added: int = 0
    retired: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    left_for_later: int = 0
    conflicts: int = 0
    stopped: str = ""
    spent: Spent | None = None
    expected: tuple[Expected, ...] = ()
    refused: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    def with_sync(self, result: SyncResult, manifest: Manifest, *, noop: bool) -> DreamResult:
        """With what came of it on main."""
        behind = {session for one in result.conflicts for session in one.sessions}
        return replace(
            self,
            applied=result.applied,
            noop=noop,
            commit=result.commit,
            problems=result.problems,
            conflicts=len(result.conflicts),
            left_for_later=self.left_for_later + sum(one.id in behind for one in manifest.inputs.sessions),
        )

    @property
    def unsupported(self) -> int:
        """Statements that their own turns did not carry."""
        return sum(n for why, n in self.dropped.items() if why.startswith(("unsupported", "partial", "contradicted")))

    @property
    def exit_code(self) -> int:
        return 1 if self.failed or any(problem.severity is Severity.E for problem in self.problems) else 0
