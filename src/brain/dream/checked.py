"""What a check of a run's proposal found: problems with a way out, claims that are gone, turns nothing cites yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brain.sync.manifest import Why
from brain.text import clip
from brain.tree.ids import turns_text
from brain.types import Problem, Severity

SHOWN_GAPS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Input turns `first`..`last` of a session that no claim, note or summary cites. Worth a look; not a fault."""

    session: str
    first: int
    last: int
    text: str
    weight: int = 0
    """How much the turns hold: names, numbers and long words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A claim of the base that is gone or altered. `id` names it in report.md; `why` is None until someone says so."""

    id: str
    path: str
    text: str
    why: Why | None = None
    to: str | None = None
    by: str = "program"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """`verified` counts the new claims whose turns hold them, of all that were tested."""

    problems: tuple[Problem, ...] = ()
    gaps: tuple[Gap, ...] = ()
    removed: tuple[Removed, ...] = ()
    verified: int = 0
    tested: int = 0

    @property
    def broken(self) -> tuple[Problem, ...]:
        """The problems that block sync."""
        return tuple(problem for problem in self.problems if problem.severity is Severity.E)

    @property
    def ok(self) -> bool:
        return not self.broken

    def lines(self) -> Iterator[str]:
        """One problem a line, `path:line rule message → way out`; what blocks comes first."""
        for problem in sorted(self.problems, key=lambda p: (p.severity is not Severity.E, p.path, p.line, p.rule)):
            yield said(problem)
        shown = sorted(sorted(range(len(self.gaps)), key=lambda n: -self.gaps[n].weight)[:SHOWN_GAPS])
        if self.gaps:
            more = f", the {len(shown)} that hold most" if len(shown) < len(self.gaps) else ""
            yield f"possible gaps: {len(self.gaps)} places that no claim, note or summary cites{more}"
        for gap in (self.gaps[n] for n in shown):
            yield f"  {gap.session[:8]} {turns_text(gap.first, gap.last)} {clip(gap.text, 110)}"
        blocking = len(self.broken)
        refused = self.tested - self.verified
        yield (
            f"{blocking} to fix, {len(self.problems) - blocking} to consider; "
            f"{self.tested} new claims verified, {refused or 'none'} of them refused"
        )


def said(problem: Problem) -> str:
    """`knowledge/entities/x.md:12 CIT007 E what is wrong → what to do`."""
    fix = problem.fix or ""
    message = problem.message.removesuffix(f"; {fix}") if fix else problem.message
    place = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return f"{place} {problem.rule} {problem.severity.value} {message}" + (f" → {fix}" if fix else "")
