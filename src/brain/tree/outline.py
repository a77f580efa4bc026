"""The outline of a page's body: headings, sections, claims and definitions, read line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from brain.tree.claims import Claim, ClaimKind, read_block
from brain.tree.markdown import HIDDEN

TAIL = ("Open questions", "History", "See also", "Changelog", "References")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What `[cite:N]` stands for. `line` is the file line of its definition."""

    number: int
    uri: str
    gloss: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """An H2 section, its H3 parts included. Lines are file lines, both ends included."""

    heading: str
    line: int
    end: int
    claims: tuple[Claim, ...] = ()

    @property
    def is_tail(self) -> bool:
        return self.heading in TAIL


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What `read` finds. `stray` are lines under References that are no definition, with their numbers."""

    headings: tuple[Heading, ...]
    lead: tuple[Claim, ...]
    sections: tuple[Section, ...]
    definitions: tuple[Reference, ...]
    stray: tuple[tuple[int, str], ...]


def read(lines: tuple[str, ...], masked: tuple[str, ...], first: int) -> Outline:
    """`lines` are those of the file, `masked` those of the body, whose first has the number `first`."""
    body = _Body(lines, masked, first)
    body.read()
    last = len(lines) - 1 if lines and not lines[-1] else len(lines)
    ends = [heading.line - 1 for heading, _ in body.sections[1:]] + [last]
    return Outline(
        headings=tuple(body.headings),
        lead=tuple(body.lead),
        sections=tuple(
            Section(heading=h.text, line=h.line, end=end, claims=tuple(claims))
            for (h, claims), end in zip(body.sections, ends, strict=False)
        ),
        definitions=tuple(body.definitions),
        stray=tuple(body.stray),
    )


HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)", re.ASCII)
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
DEFINITION = re.compile(r' {0,3}\[cite:([1-9][0-9]{0,3})\]:[ \t]*(\S+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*$', re.ASCII)


@dataclass(slots=True)
class _Open:
    """A block being read: file lines `first` to `last`."""

    kind: ClaimKind
    first: int
    last: int
    depth: int = 0


class _Body:
    """Reads the body line by line into headings, sections and claims."""

    def __init__(self, lines: tuple[str, ...], masked: tuple[str, ...], first: int) -> None:
        self.lines = lines
        self.masked = masked
        self.first = first
        self.headings: list[Heading] = []
        self.sections: list[tuple[Heading, list[Claim]]] = []
        self.lead: list[Claim] = []
        self.definitions: list[Reference] = []
        self.stray: list[tuple[int, str]] = []
        self.open: _Open | None = None
        self.indents: list[int] = []
        self.heading = ""
        self.group: str | None = None
        self.blank = True

    def read(self) -> None:
        skip = False
        for number, hidden in enumerate(self.masked, start=self.first):
            if skip:
                skip = False
            elif not hidden.strip():
                if self.open and self.open.kind is not ClaimKind.ITEM:
                    self.flush()
                self.blank = True
                continue
            elif "#" in hidden and (match := HEADING.match(hidden)):
                self.flush()
                self.on_heading(match, number)
            elif self.heading == "References":
                self.on_definition(number)
            else:
                after = self.masked[number + 1 - self.first] if number + 1 - self.first < len(self.masked) else ""
                skip = self.on_line(hidden, after, number)
            self.blank = False
        self.flush()

    def on_heading(self, match: re.Match[str], number: int) -> None:
        a, b = match.span(2)
        text = self.lines[number - 1][a:b].strip() if a >= 0 else ""
        heading = Heading(level=len(match.group(1)), text=text, line=number)
        self.headings.append(heading)
        self.indents = []
        if heading.level == 2:
            self.sections.append((heading, []))
            self.heading, self.group = text, None
        elif heading.level == 3:
            self.group = text

    def on_definition(self, number: int) -> None:
        line = self.lines[number - 1]
        if match := DEFINITION.match(line):
            gloss = re.sub(r"\\(.)", r"\1", match.group(3) or "")
            self.definitions.append(Reference(number=int(match.group(1)), uri=match.group(2), gloss=gloss, line=number))
        else:
            self.stray.append((number, line))

    def on_line(self, hidden: str, after: str, number: int) -> bool:
        """One line of a block; True when the next line is a table's delimiter row and belongs to this one."""
        if (match := _ITEM.match(hidden)) and not _RULE.match(hidden):
            self.flush()
            self.open = _Open(ClaimKind.ITEM, number, number, self.depth(len(match.group(1).expandtabs(4))))
        elif self.open and self.open.kind is ClaimKind.ITEM and (not self.blank or hidden[:1] in " \t"):
            self.open.last = number
        elif hidden.lstrip().startswith("|"):
            self.flush()
            if "-" in after and "|" in after and _DELIMITER.match(after):
                return True
            self.open = _Open(ClaimKind.ROW, number, number)
            self.flush()
        elif _RULE.match(hidden):
            self.flush()
        elif self.open and self.open.kind is not ClaimKind.ITEM:
            self.open.last = number
        else:
            self.flush()
            self.indents = []
            self.open = _Open(ClaimKind.PROSE if self.sections else ClaimKind.LEAD, number, number)
        return False

    def depth(self, indent: int) -> int:
        while self.indents and indent < self.indents[-1] + 2:
            self.indents.pop()
        self.indents.append(indent)
        return len(self.indents)

    def flush(self) -> None:
        block, self.open = self.open, None
        if block is None:
            return
        raw = self.lines[block.first - 1 : block.last]
        hidden = self.masked[block.first - self.first : block.last - self.first + 1]
        if not any(part.strip(HIDDEN + " \t") for part in hidden):
            return  # code alone
        heading = self.sections[-1][0].text if self.sections else ""
        claims = read_block(
            block.kind, raw, hidden, line=block.first, depth=block.depth, section=heading, group=self.group
        )
        (self.sections[-1][1] if self.sections else self.lead).extend(claims)
