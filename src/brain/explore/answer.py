"""What `ask` gives back: statements with their evidence, or plainly nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from brain.text import clip, one_line
from brain.types import Spent, Surface


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Turns behind a statement, resolved. `text` is what they say; `speaker` a name, or the role when there is none."""

    uri: str
    day: date | None
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """What was so before, as the page's History has it."""

    text: str
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing memory says, word for word. `day` is the day of its newest evidence, None when the source has none.

    `qualifier` says who stands behind it (`assistant`, `external`, …), None = the user. `relevance` is 0 to about 2:
    the share of the question's words it holds, by weight, plus the likeness of meaning.
    """

    text: str
    surface: Surface
    path: str
    line: int
    title: str
    day: date | None
    relevance: float
    qualifier: str | None = None
    speaker: str | None = None
    cites: tuple[Citation, ...] = ()
    superseded: tuple[Superseded, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Statements, newest first. `found` is False when memory holds nothing that speaks to the question.

    `nearest` then is what came closest, for a reader who wants to look; `remark` says what could not be done, or did
    not hold. `engine` is who answered; a model also says what is `missing`, and `spent` is what it took. `opened` are
    the sources and files that an agent opened on the way, as far as its calls were seen; `nowhere` are citations of its
    last reply that led nowhere.
    """

    question: str
    found: bool
    statements: tuple[Statement, ...] = ()
    nearest: tuple[Statement, ...] = ()
    remark: str | None = None
    engine: str = "extractive"
    missing: str = ""
    spent: Spent | None = None
    opened: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """For a person: each statement with its source under it."""
        if not self.found:
            yield "Memory has nothing on this."
            for near in self.nearest:
                yield f"  nearest: {clip(one_line(near.text), 120)} ({near.path}:{near.line})"
        for statement in self.statements:
            yield from _statement_lines(statement)
        if self.missing:
            yield f"Missing: {self.missing}"
        if self.remark:
            yield f"({self.remark})"


def _statement_lines(statement: Statement) -> Iterator[str]:
    said = f"{statement.speaker}: " if statement.speaker else ""
    by = f" [{statement.qualifier}]" if statement.qualifier else ""
    yield f"- {said}{one_line(statement.text)}{by}"
    place = f"{statement.path}:{statement.line}" if statement.line else statement.path
    yield f"  {place}" + (f" · {statement.day}" if statement.day else "")
    for cite in statement.cites:
        if statement.surface is Surface.TURN:
            yield f"    {cite.uri}"  # its words are the statement's own
            continue
        when = f"{cite.day} · " if cite.day else ""
        who = f"{cite.speaker}: " if cite.speaker else ""
        yield f"    {cite.uri} — {when}{who}{clip(one_line(cite.text), 160)}"
    for old in statement.superseded:
        yield f"    before: {one_line(old.text)}"
