"""Claims as lines of a page: a new page written whole, or one line put among its neighbours in order of time.

Claims are written in authoring form, their sources at their end; `brain.tree` numbers them when a page is finished.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from brain.dream.lead import last_day
from brain.tree import frontmatter
from brain.tree.cites import number_sources
from brain.tree.claims import Claim, ClaimKind
from brain.tree.edit import Statement, statement_line
from brain.tree.layout import page_path
from brain.tree.page import ORDER, TAIL, Page, parse
from brain.tree.splice import ensure_section, insert_line, with_lines
from brain.types import Qualifier

HEADS = {
    "project": ("Status", "Goals", "Plans", "Facts", "Decisions", "Timeline", "Lessons", "Corrections", "Preferences"),
    "entity": ("Facts", "Relationship", "Decisions", "Workflows", "Interactions", "Corrections", "Preferences"),
    "concept": ("Definition", "How it works", "Facts", "Decisions", "Plans", "Timeline", "Preferences", "Applies to"),
    "learning": ("Works", "Fails", "Corrections", "When to apply"),
}
"""Heads by page type in the order they stand in: those of format §4.3, and ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One claim to be written: its place, its words and sources, the day that orders it among its neighbours.

    `said` is the day it was said, `subject` whom it is about, `value` what a newer line with this label would replace.
    """

    head: str
    text: str
    uris: tuple[str, ...] = ()
    group: str | None = None
    label: str | None = None
    qualifier: Qualifier | None = None
    when: str = ""
    said: str = ""
    subject: str = ""
    value: str | None = None
    weight: float = 0.5

    def render(self) -> str:
        said = statement_line(self.text, self.label, self.qualifier.value if self.qualifier else None, ())
        return " ".join((f"- {said}", *(f"[cite:{uri}]" for uri in self.uris)))


def write_new(meta: dict[str, frontmatter.Value], lead: Sequence[Statement], lines: Sequence[Line]) -> Page:
    """A page from nothing: the lead, then the lines under their heads and groups; sources in authoring form."""
    said = [
        " ".join((statement_line(one.text, None, one.qualifier, ()), *(f"[cite:{uri}]" for uri in one.uris)))
        for one in lead
    ]
    body = [f"# {meta['title']}", "", " ".join(said)]
    heads: dict[str, dict[str | None, list[Line]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        heads[line.head][line.group].append(line)
    order = HEADS[str(meta["type"])]
    for head in sorted(heads, key=lambda head: _rank(head, order)):
        body += ["", f"## {head}"]
        groups = heads[head]
        for group in sorted(groups, key=lambda group: group or ""):
            if group:
                body += [*([""] if body[-1] != f"## {head}" else []), f"### {group}"]
            body += [line.render() for line in groups[group]]
    text = frontmatter.render(meta, ORDER) + "\n".join(body) + "\n"
    return parse(text, page_path(str(meta["id"])))


def insert(page: Page, line: Line) -> Page:
    """Put a claim under its head and group, after the claims of an earlier or the same day; the rest stays as it is."""
    return _put(page, line.head, line.group, line.when, [line.render()])


def shift(page: Page, claim: Claim, head: str) -> Page:
    """Move a claim under another head, its line unchanged; a head left without claims goes."""
    when, raw, old = claim_days(page)[claim.line], list(page.lines[claim.line - 1 : claim.end]), claim.section
    page = with_lines(page, [*page.lines[: claim.line - 1], *page.lines[claim.end :]])
    section = page.section(old)
    if (
        section is not None
        and not section.claims
        and not any(line.strip() for line in page.lines[section.line : section.end])
    ):
        page = with_lines(page, [*page.lines[: section.line - 1], *page.lines[section.end :]])
    return _put(page, head, None, when, raw)


def _put(page: Page, head: str, group: str | None, when: str, new: Sequence[str]) -> Page:
    section = page.section(head)
    if section is None:
        page = _with_head(page, head)
        section = page.section(head)
        assert section is not None
    parts = [h for h in page.headings if h.level == 3 and section.line < h.line <= section.end]
    names = [None, *(part.text.casefold() for part in parts)]
    wanted = group.casefold() if group else None
    if wanted not in names:
        at = _last_words(page, section.line, section.end)
        return _insert_at(page, at, ["", f"### {group}", *new])
    index = names.index(wanted)
    first = parts[index - 1].line if index else section.line
    last = parts[index].line - 1 if index < len(parts) else section.end
    days = claim_days(page)
    mine = [claim for claim in section.claims if first < claim.line <= last and claim.kind is ClaimKind.ITEM]
    before = [claim for claim in mine if days[claim.line] <= when]
    if before:
        return _insert_at(page, before[-1].end, new)
    if mine:
        return _insert_at(page, mine[0].line - 1, new)
    if index == 0 and not parts:
        return _insert_at(page, section.line, new) if section.claims else insert_line(page, head, "\n".join(new))
    return _insert_at(page, first, new)


def finish(page: Page, glosses: dict[str, str]) -> Page:
    """Number the sources of the lines that were put in."""
    return number_sources(page, glosses=glosses)


def claim_days(page: Page) -> dict[int, str]:
    """The day of each claim by file line: the last it names, else the one its sources' glosses begin with."""
    known = page.references
    days: dict[int, str] = {}
    for claim in page.claims:
        glosses = [last_day(known[n].gloss[:10]) for n in claim.cites if n in known]
        days[claim.line] = last_day(claim.text) or max(glosses, default="")
    return days


def body_claims(page: Page) -> list[Claim]:
    """The claims a page stands on: not its lead, not its tail sections."""
    return [claim for section in page.sections if not section.is_tail for claim in section.claims]


def _with_head(page: Page, head: str) -> Page:
    """The page with an empty section of this name, in the order of its type."""
    order = HEADS.get(page.type, ())
    later = next((s for s in page.sections if _rank(s.heading, order) > _rank(head, order)), None)
    if later is None or head in TAIL:
        return ensure_section(page, head)[0]
    return _insert_at(page, later.line - 1, [f"## {head}", ""])


def _insert_at(page: Page, after: int, new: Sequence[str]) -> Page:
    """New lines after a file line; a heading that follows keeps one empty line before it."""
    rest = page.lines[after:]
    gap = [""] if rest and rest[0].startswith("#") and new[-1] else []
    return with_lines(page, [*page.lines[:after], *new, *gap, *rest])


def _last_words(page: Page, first: int, last: int) -> int:
    while last > first and not page.lines[last - 1].strip():
        last -= 1
    return last


def _rank(head: str, order: Sequence[str]) -> int:
    if head in TAIL:
        return 100 + TAIL.index(head)
    return order.index(head) if head in order else len(order)


def said_days(page: Page) -> dict[int, str]:
    """The day each claim was last said, by file line, read off the glosses of its sources."""
    known = page.references
    return {
        claim.line: max((last_day(known[n].gloss[:10]) for n in claim.cites if n in known), default="")
        for claim in page.claims
    }
