"""Wiki pages (format §3–5) as read: frontmatter, lead, sections, claims, references; the lines stay the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from brain.errors import FormatError
from brain.tree import frontmatter, markdown, outline
from brain.tree.claims import Claim
from brain.tree.ids import parse_day, parse_time
from brain.tree.markdown import Marker, Wikilink
from brain.tree.outline import TAIL, Heading, Outline, Reference, Section

__all__ = [
    "HEADS", "LISTS", "ORDER", "TAIL", "UNCITED", "Heading", "Page", "Reference", "Section", "Status", "link_targets",
    "links", "parse", "references", "render",
]  # fmt: skip

T = TypeVar("T")

ORDER = (
    "id", "type", "title", "description", "status", "created_at", "updated_at", "updated_by", "next_cite", "language",
    "aliases", "tags", "entity_kind", "stale_after", "verified", "superseded_by", "pinned", "sensitivity",
)  # fmt: skip
LISTS = frozenset({"aliases", "tags", "verified"})
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


@dataclass(frozen=True, kw_only=True)  # no slots: what is read from the text is read once, when it is asked for
class Page:
    """A page as parsed. The file's text is the only truth; all else is read from it."""

    path: str
    text: str
    meta: Mapping[str, frontmatter.Value]
    body_line: int

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The file's lines; the last is empty when the file ends with a newline."""
        return tuple(self.text.split("\n"))

    @cached_property
    def masked(self) -> tuple[str, ...]:
        """The body's lines with code hidden; the first is file line `body_line`."""
        return tuple(markdown.mask("\n".join(self.lines[self.body_line - 1 :])).split("\n"))

    @cached_property
    def outline(self) -> Outline:
        return outline.read(self.lines, self.masked, self.body_line)

    @property
    def headings(self) -> tuple[Heading, ...]:
        return self.outline.headings

    @property
    def lead(self) -> tuple[Claim, ...]:
        return self.outline.lead

    @property
    def sections(self) -> tuple[Section, ...]:
        return self.outline.sections

    @property
    def definitions(self) -> tuple[Reference, ...]:
        return self.outline.definitions

    @property
    def stray(self) -> tuple[tuple[int, str], ...]:
        return self.outline.stray

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
            for number, hidden in self.edge_lines()
            if "[cite:" in hidden
            for match in markdown.unescaped(markdown.CITE, hidden)
        ]

    def edge_lines(self) -> list[tuple[int, str]]:
        """Lines that can hold edges: the masked body without title and definitions, with file line numbers."""
        found = []
        in_references = False
        for number, hidden in enumerate(self.masked, start=self.body_line):
            if "#" in hidden[:4] and (heading := outline.HEADING.match(hidden)):
                level = len(heading.group(1))
                if level == 1:
                    continue
                if level == 2:
                    in_references = heading.group(2) == "References"
            if "[" in hidden and not (in_references and outline.DEFINITION.match(self.lines[number - 1])):
                found.append((number, hidden))
        return found


def parse(text: str, path: str = "") -> Page:
    """Read a page. Raises FormatError when the frontmatter does not read; a body never fails (rules judge it)."""
    meta, _, first = frontmatter.parse(text, path)
    return Page(path=path, text=text, meta=meta, body_line=first)


def render(page: Page) -> str:
    """The file's text: byte for byte what was parsed, or what editing made of it."""
    return page.text


def links(page: Page) -> list[Wikilink]:
    """The page's wikilinks outside code, `line` as file line."""
    found = []
    for number, hidden in page.edge_lines():
        if "[[" in hidden:
            found += [
                Wikilink(target=w.target, label=w.label, heading=w.heading, line=number, start=w.start, end=w.end)
                for w in markdown.links_in(page.lines[number - 1], hidden)
            ]
    return found


def link_targets(page: Page) -> set[str]:
    """What the page links to, as written: the cheap way, for whole trees."""
    return {
        match.group(1).strip()
        for _, hidden in page.edge_lines()
        if "[[" in hidden
        for match in markdown.unescaped(markdown.LINK, hidden)
    }


def references(page: Page) -> dict[int, Reference]:
    return page.references


def _typed(read: Callable[[str], T], s: str) -> T | None:
    if not s:
        return None
    try:
        return read(s)
    except FormatError:
        return None
