"""Wiki pages (format §3–5) as read: frontmatter, lead, sections, claims, references; the lines stay the truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypeVar

from brain.errors import FormatError
from brain.tree import frontmatter, markdown
from brain.tree.claims import Claim, ClaimKind, read_block
from brain.tree.ids import parse_day, parse_time
from brain.tree.markdown import HIDDEN, Marker, Wikilink

T = TypeVar("T")

ORDER = (
    "id", "type", "title", "description", "status", "created_at", "updated_at", "updated_by", "next_cite", "language",
    "aliases", "tags", "entity_kind", "stale_after", "verified", "superseded_by", "pinned", "sensitivity",
)  # fmt: skip
LISTS = frozenset({"aliases", "tags", "verified"})
TAIL = ("Open questions", "History", "See also", "Changelog", "References")
HEADS = {
    "project": ("Status", "Goals", "Facts", "Decisions", "Timeline", "Preferences"),
    "entity": ("Facts", "Relationship", "Interactions", "Preferences"),
    "concept": ("Definition", "How it works", "Applies to"),
    "learning": ("Works", "Fails", "Corrections", "When to apply"),
}
"""Suggested heads by page type, in the order they stand in."""
UNCITED = frozenset({"Open questions", "See also", "Changelog", "References"})
"""Sections whose units need no cite."""


class Status(StrEnum):
    ACTIVE = "active"
    DORMANT = "dormant"
    DONE = "done"
    SUPERSEDED = "superseded"


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
class Page:
    """A page as parsed. `lines` are the file's lines and the only truth; all else is read from them."""

    path: str
    lines: tuple[str, ...]
    meta: Mapping[str, frontmatter.Value]
    body_line: int
    masked: tuple[str, ...]
    headings: tuple[Heading, ...] = ()
    lead: tuple[Claim, ...] = ()
    sections: tuple[Section, ...] = ()
    definitions: tuple[Reference, ...] = ()
    stray: tuple[tuple[int, str], ...] = ()
    """Lines under References that are no definition, with their numbers."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def id(self) -> str:
        return self.get("id")

    @property
    def type(self) -> str:
        return self.get("type")

    @property
    def title(self) -> str:
        return self.get("title")

    @property
    def description(self) -> str:
        return self.get("description")

    @property
    def status(self) -> str:
        return self.get("status") or "active"

    @property
    def language(self) -> str:
        return self.get("language")

    @property
    def entity_kind(self) -> str:
        return self.get("entity_kind")

    @property
    def sensitivity(self) -> str:
        return self.get("sensitivity") or "normal"

    @property
    def aliases(self) -> tuple[str, ...]:
        return self.get_list("aliases")

    @property
    def tags(self) -> tuple[str, ...]:
        return self.get_list("tags")

    @property
    def pinned(self) -> bool:
        return self.get("pinned") == "true"

    @property
    def superseded_by(self) -> str | None:
        return self.get("superseded_by") or None

    @property
    def created_at(self) -> datetime | None:
        return _typed(parse_time, self.get("created_at"))

    @property
    def updated_at(self) -> datetime | None:
        return _typed(parse_time, self.get("updated_at"))

    @property
    def stale_after(self) -> date | None:
        return _typed(parse_day, self.get("stale_after"))

    @property
    def next_cite(self) -> int:
        """One above the highest number ever used; never below what the page itself shows."""
        said = self.get("next_cite")
        seen = max([0, *(d.number for d in self.definitions), *self.cites()])
        return max(int(said) if said.isascii() and said.isdigit() else 1, seen + 1)

    @property
    def h1(self) -> str | None:
        return next((h.text for h in self.headings if h.level == 1), None)

    @property
    def lead_text(self) -> str:
        """The prose between the H1 and the first section, as Markdown."""
        first = next((h.line for h in self.headings if h.level == 1), self.body_line - 1)
        last = self.sections[0].line - 1 if self.sections else len(self.lines)
        return "\n".join(self.lines[first:last]).strip()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every unit of the page in order: lead, then sections."""
        return (*self.lead, *(c for s in self.sections for c in s.claims))

    @property
    def references(self) -> dict[int, Reference]:
        """Definitions by number; of two with one number the first counts."""
        found: dict[int, Reference] = {}
        for definition in self.definitions:
            found.setdefault(definition.number, definition)
        return found

    @property
    def numbers(self) -> dict[str, int]:
        """Numbers by URI."""
        return {d.uri: d.number for d in reversed(self.definitions)}

    def get(self, key: str) -> str:
        """A scalar of the frontmatter, empty when it is not there or is a list."""
        value = self.meta.get(key, "")
        return value if isinstance(value, str) else ""

    def get_list(self, key: str) -> tuple[str, ...]:
        """A list of the frontmatter; a scalar counts as a list of one."""
        value = self.meta.get(key, [])
        return ((value,) if value else ()) if isinstance(value, str) else tuple(value)

    def section(self, heading: str) -> Section | None:
        wanted = heading.casefold()
        return next((s for s in self.sections if s.heading.casefold() == wanted), None)

    def uris(self, claim: Claim) -> list[str]:
        """The sources behind a claim, in the order it cites them; a number without definition gives nothing."""
        known = self.references
        return [known[n].uri for n in claim.cites if n in known] + list(claim.sources)

    def cites(self) -> set[int]:
        """Every number used in the body, definitions not counted."""
        return {m.number for m in self.markers() if m.number is not None}

    def markers(self) -> list[Marker]:
        """Every citation marker of the body outside code and definitions; `line` is the file line."""
        return [
            markdown.marker(match, number)
            for number, hidden in self._edge_lines()
            if "[cite:" in hidden
            for match in markdown.unescaped(markdown.CITE, hidden)
        ]

    def _edge_lines(self) -> list[tuple[int, str]]:
        """Lines that can hold edges: the masked body without definitions, with file line numbers."""
        skip = {d.line for d in self.definitions}
        numbered = enumerate(self.masked, start=self.body_line)
        return [(n, hidden) for n, hidden in numbered if "[" in hidden and n not in skip]


def parse(text: str, path: str = "") -> Page:
    """Read a page. Raises FormatError when the frontmatter does not read; a body never fails (rules judge it)."""
    meta, body, first = frontmatter.parse(text, path)
    lines = tuple(text.split("\n"))
    masked = tuple(markdown.mask(body).split("\n"))
    outline = _outline(lines, masked, first)
    return Page(path=path, lines=lines, meta=meta, body_line=first, masked=masked, **outline)


def render(page: Page) -> str:
    """The file's text: byte for byte what was parsed, or what editing made of it."""
    return page.text


def links(page: Page) -> list[Wikilink]:
    """The page's wikilinks outside code, `line` as file line."""
    found = []
    for number, hidden in page._edge_lines():
        if "[[" in hidden:
            found += [
                Wikilink(target=w.target, label=w.label, heading=w.heading, line=number, start=w.start, end=w.end)
                for w in markdown.links_in(page.lines[number - 1], hidden)
            ]
    return found


def references(page: Page) -> dict[int, Reference]:
    return page.references


# --- reading the body --------------------------------------------------------------------------------------------

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)", re.ASCII)
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_DEFINITION = re.compile(r' {0,3}\[cite:([1-9][0-9]{0,3})\]:[ \t]*(\S+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*$', re.ASCII)


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
            elif "#" in hidden and (match := _HEADING.match(hidden)):
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
        if match := _DEFINITION.match(line):
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


def _outline(lines: tuple[str, ...], masked: tuple[str, ...], first: int) -> dict[str, Any]:
    body = _Body(lines, masked, first)
    body.read()
    last = len(lines) - 1 if lines and not lines[-1] else len(lines)
    ends = [heading.line - 1 for heading, _ in body.sections[1:]] + [last]
    return {
        "headings": tuple(body.headings),
        "lead": tuple(body.lead),
        "sections": tuple(
            Section(heading=h.text, line=h.line, end=end, claims=tuple(claims))
            for (h, claims), end in zip(body.sections, ends, strict=False)
        ),
        "definitions": tuple(body.definitions),
        "stray": tuple(body.stray),
    }


def _typed(read: Callable[[str], T], s: str) -> T | None:
    if not s:
        return None
    try:
        return read(s)
    except FormatError:
        return None
