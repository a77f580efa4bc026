"""`report.md` of a run: what its author did that a program cannot see, one line each, and why.

    - 3fa91c02 stale: the grant was paid out, t14
    - 1eaf53d4 nothing: small talk about the weather
    - 1eaf53d4 later: too long for this run
    - merge entities/wei into entities/wei-zhang: the same person
    - projects/harbour-survey: deadline moved to July

The first word is the id that `brain dream check` printed for a claim, the first eight of a session's id, an operation,
or a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from brain.sync.manifest import Operation, Why
from brain.text import clip, one_line
from brain.types import Problem, Severity

NAME = "report.md"
NOTE = 100
_LINE = re.compile(r"- (?P<what>[^:\n]{3,160}?):\s*(?P<reason>\S.*)$")
_PAGE = r"(?:entities|concepts|projects|learnings)/[a-z0-9-]+"
_CLAIM = re.compile(rf"(?P<id>[0-9a-f]{{8}})\s+(?P<why>[a-z]+)(?:\s+(?:to|in|into|on)\s+(?P<to>{_PAGE}))?")
_WHOLE = re.compile(rf"(?P<op>delete|merge|rename)\s+(?P<page>{_PAGE})(?:\s+(?:to|into|in)\s+(?P<to>{_PAGE}))?")
_WHY = {
    **{why.value: why for why in Why if why is not Why.FORGOTTEN},
    "wrong": Why.CONTRADICTED,
    "reworded": Why.DUPLICATE,
    "merged": Why.DUPLICATE,
}
WAYS = ", ".join(_WHY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a claim went, in the author's words."""

    why: Why
    words: str
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A page that goes as a whole."""

    op: Operation
    to: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`claims` by the eight digits of their id, `nothing` and `later` by a session's eight, `notes` by page id."""

    claims: dict[str, Reason] = field(default_factory=dict)
    nothing: dict[str, str] = field(default_factory=dict)
    later: dict[str, str] = field(default_factory=dict)
    pages: dict[str, Whole] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def parse(text: str) -> Report:
    """Read a report; lines that do not begin with `- ` are for people."""
    found = Report()
    problems = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("- ") and (wrong := _take(found, line.rstrip())):
            problems.append(_problem(number, wrong))
    return Report(
        claims=found.claims,
        nothing=found.nothing,
        later=found.later,
        pages=found.pages,
        notes=found.notes,
        problems=tuple(problems),
    )


def _take(found: Report, line: str) -> str | None:
    """Enter one line; what is wrong with it, else None."""
    match = _LINE.match(line)
    if match is None:
        return "the line has no reason after a colon"
    what, reason = match["what"].strip().strip("`"), one_line(match["reason"])
    if whole := _WHOLE.fullmatch(what):
        op = Operation(whole["op"])
        if op is not Operation.DELETE and whole["to"] is None:
            return f"{op.value} without the page it goes to"
        found.pages[whole["page"]] = Whole(op=op, to=whole["to"], reason=reason)
    elif re.fullmatch(_PAGE, what):
        found.notes[what] = clip(reason, NOTE)
    elif claim := _CLAIM.fullmatch(what):
        if claim["why"] in ("nothing", "later"):
            (found.nothing if claim["why"] == "nothing" else found.later)[claim["id"]] = reason
        elif claim["why"] in _WHY:
            found.claims[claim["id"]] = Reason(why=_WHY[claim["why"]], words=reason, to=claim["to"])
        else:
            return f"{claim['why']!r} is no reason"
    else:
        return f"{clip(what, 60)!r} names no claim, session or page"
    return None


def _problem(line: int, message: str) -> Problem:
    return Problem(
        rule="STG001",
        severity=Severity.E,
        path=NAME,
        line=line,
        message=message,
        fix=f"- <claim id> <{WAYS}>: why; - <session> nothing|later: why; - merge <page> into <page>: why",
    )


def blank(run_id: str) -> str:
    """The report a run begins with."""
    return "\n".join(_blank(run_id))


def _blank(run_id: str) -> Iterator[str]:
    yield f"# Report of run {run_id}"
    yield ""
    yield 'One line each, beginning with "- "; all other lines are for people. `brain dream check` reads it.'
    yield ""
    yield "    - <claim id that check printed> stale: why it is gone"
    yield "    - <first 8 of a session id> nothing: why no page cites it"
    yield "    - <first 8 of a session id> later: leave it to the next run"
    yield "    - merge <page id> into <page id>: why"
    yield "    - <page id>: what changed, for the log"
    yield ""
