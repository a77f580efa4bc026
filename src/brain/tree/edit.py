"""Editing a page claim by claim (format §4.9): each function gives a new page whose other lines are byte-identical."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from brain.errors import NotFound
from brain.text import clip, one_line
from brain.tree import frontmatter, markdown
from brain.tree.cites import cite, drop_unused, markers
from brain.tree.claims import Claim, ClaimKind
from brain.tree.ids import format_day, format_time
from brain.tree.layout import page_path, page_type
from brain.tree.page import ORDER, Page, Section, Status, parse
from brain.tree.splice import insert_line, replace_lines, set_meta, with_lines

__all__ = [
    "Statement", "add_changelog", "add_cites", "add_claim", "add_see_also", "find_claim", "new_page", "remove_claim",
    "replace_claim", "retire_claim", "set_description", "set_lead", "set_meta", "set_status", "set_title",
]  # fmt: skip

HISTORY_LINES = 12
CHANGELOG_LINES = 8
Glosses = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A claim to be written. `text` is Markdown: words of a turn go through `markdown.escape` first."""

    text: str
    label: str | None = None
    qualifier: str | Sequence[str] | None = None
    uris: Sequence[str] = ()


def new_page(
    *,
    id: str,
    title: str,
    description: str,
    language: str,
    status: str = "active",
    entity_kind: str | None = None,
    aliases: Sequence[str] = (),
    tags: Sequence[str] = (),
    now: datetime | None = None,
    updated_by: str | None = None,
) -> Page:
    """A page with frontmatter and H1 only. Without `now` the times are left to sync."""
    name = one_line(title)
    values: dict[str, frontmatter.Value] = {
        "id": id,
        "type": page_type(id) or "",
        "title": name,
        "description": one_line(description),
        "status": status,
        "next_cite": "1",
        "language": language,
    }
    if now:
        values["created_at"] = values["updated_at"] = format_time(now)
    if updated_by:
        values["updated_by"] = updated_by
    if aliases:
        values["aliases"] = [one_line(a) for a in aliases]
    if tags:
        values["tags"] = list(tags)
    if entity_kind:
        values["entity_kind"] = entity_kind
    return parse(frontmatter.render(values, ORDER) + f"# {name}\n", page_path(id))


def set_description(page: Page, description: str) -> Page:
    return set_meta(page, "description", one_line(description))


def set_status(page: Page, status: Status | str, superseded_by: str | None = None) -> Page:
    """Status and, for superseded pages, the page that took its place."""
    return set_meta(set_meta(page, "status", str(status)), "superseded_by", superseded_by)


def set_title(page: Page, title: str) -> Page:
    """Frontmatter and H1 together."""
    page = set_meta(page, "title", one_line(title))
    at = next((h.line for h in page.headings if h.level == 1), None)
    if at is None:
        return with_lines(
            page, [*page.lines[: page.body_line - 1], f"# {one_line(title)}", *page.lines[page.body_line - 1 :]]
        )
    return replace_lines(page, at, at, [f"# {one_line(title)}"])


def set_lead(
    page: Page, statements: str | Iterable[Statement], uris: Sequence[str] = (), glosses: Glosses | None = None
) -> Page:
    """Write the lead anew as one paragraph: of statements with their own sources, or of one text with `uris`."""
    said = []
    for statement in [Statement(text=statements, uris=uris)] if isinstance(statements, str) else statements:
        page, text = _write(page, statement, glosses)
        said.append(text)
    new = " ".join(said)
    if new == page.lead_text:
        return page
    after = next((h.line for h in page.headings if h.level == 1), page.body_line - 1)
    until = page.sections[0].line - 1 if page.sections else len(page.lines)
    lines = list(page.lines)
    lines[after:until] = ["", new, ""]
    return drop_unused(with_lines(page, lines))


def add_claim(
    page: Page,
    section: str,
    text: str,
    *,
    label: str | None = None,
    qualifier: str | Sequence[str] | None = None,
    uris: Sequence[str] = (),
    glosses: Glosses | None = None,
    group: str | None = None,
    before: Claim | None = None,
) -> Page:
    """Add one list item to a section (made when missing): last, or first in History and Changelog.

    `group` is an H3 head in that section (made when missing, after the others); `before` an item to stand in front of.
    Sources get their numbers here: the one they have on this page, else the next free one. History keeps 12 lines.
    """
    page, line = _write(page, Statement(text=text, label=label, qualifier=qualifier, uris=uris), glosses)
    if before is not None:
        at = find_claim(page, before)
        first = page.lines[at.line - 1]
        indent = first[: len(first) - len(first.lstrip())]
        return _trimmed(replace_lines(page, at.line, at.line, [f"{indent}- {line}", first]), section)
    return _trimmed(insert_line(page, section, f"- {line}", group), section)


def replace_claim(
    page: Page,
    claim: Claim,
    text: str,
    *,
    label: str | None = None,
    qualifier: str | Sequence[str] | None = None,
    uris: Sequence[str] = (),
    glosses: Glosses | None = None,
) -> Page:
    """Write a claim anew in its place; sources that nothing uses any more lose their definitions."""
    page, line = _write(page, Statement(text=text, label=label, qualifier=qualifier, uris=uris), glosses)
    return drop_unused(_put(page, find_claim(page, claim), line))


def add_cites(page: Page, claim: Claim, uris: Sequence[str], glosses: Glosses | None = None) -> Page:
    """More evidence for a claim that stays as it is; sources it has already are not added twice."""
    page, numbers = cite(page, uris, glosses)
    claim = find_claim(page, claim)
    new = [n for n in numbers if n not in claim.cites]
    if not new:
        return page
    lines = list(page.lines)
    if claim.kind in {ClaimKind.LEAD, ClaimKind.PROSE}:
        return _put(page, claim, f"{claim.raw} {markers(new)}")
    last = lines[claim.end - 1].rstrip()
    bar = " |" if claim.kind is ClaimKind.ROW and last.endswith("|") else ""
    lines[claim.end - 1] = f"{last.removesuffix('|').rstrip() if bar else last} {markers(new)}{bar}"
    return with_lines(page, lines)


def remove_claim(page: Page, claim: Claim) -> Page:
    """Take a claim away; items under it move up one level, an emptied section goes."""
    return drop_unused(_put(page, find_claim(page, claim), None))


def retire_claim(
    page: Page,
    claim: Claim,
    line: str,
    *,
    uris: Sequence[str] = (),
    qualifier: str | Sequence[str] | None = None,
    glosses: Glosses | None = None,
) -> Page:
    """Move a claim to History as `line` ("Kyoto stay was planned for September; moved to October on 2026-07-30.").

    The line carries the old claim's cites and those of `uris`, the evidence of the change. A unit of the lead is not
    moved: write the lead anew with `set_lead`.
    """
    old = find_claim(page, claim)
    page = _put(page, old, None)
    sources = [*(page.references[n].uri for n in old.cites if n in page.references), *uris]
    page = add_claim(page, "History", line, qualifier=qualifier, uris=sources, glosses=glosses)
    return drop_unused(page)


def add_see_also(page: Page, target: str, why: str | None = None) -> Page:
    """A line under See also, unless the page is listed there."""
    section = page.section("See also")
    listed = {w.target for c in section.claims for w in markdown.links_in(c.text)} if section else set()
    if target in listed or target == page.id:
        return page
    return insert_line(page, "See also", f"- [[{target}]] — {one_line(why)}" if why else f"- [[{target}]]")


def add_changelog(page: Page, day: date, run_id: str, what: str) -> Page:
    """`- 2026-08-06 · 01K2A9QX · added host meeting dates`, newest first, 8 lines kept."""
    line = f"- {format_day(day)} · {run_id[:8]} · {clip(one_line(what), 100)}"
    return _trimmed(insert_line(page, "Changelog", line), "Changelog")


def find_claim(page: Page, claim: Claim) -> Claim:
    """The claim as it stands on this page now, whatever lines moved since it was read. Raises NotFound."""
    words = claim.raw.split()  # an item that moved up a level is still the same
    alike = (c for c in page.claims if c.section == claim.section and c.kind is claim.kind)
    same = [c for c in alike if c.raw == claim.raw or c.raw.split() == words]
    if not same:
        raise NotFound(f"no claim {clip(claim.text, 60)!r} under {claim.section or 'lead'!r} of {page.id or page.path}")
    return min(same, key=lambda c: abs(c.line - claim.line))


def statement_line(text: str, label: str | None, qualifier: str | Sequence[str] | None, numbers: Iterable[int]) -> str:
    """`**Label** — text ^[qualifier] [cite:1]`, one line, no bullet."""
    qualifiers = (qualifier,) if isinstance(qualifier, str) else tuple(qualifier or ())
    name = one_line(re.sub(r"[*\\`\[\]]", "", label or ""))
    parts = [f"**{name}** —" if name else "", one_line(text), *(f"^[{q}]" for q in qualifiers), markers(numbers)]
    return " ".join(part for part in parts if part)


def _write(page: Page, statement: Statement, glosses: Glosses | None) -> tuple[Page, str]:
    page, numbers = cite(page, statement.uris, glosses)
    return page, statement_line(statement.text, statement.label, statement.qualifier, numbers)


def _put(page: Page, claim: Claim, line: str | None) -> Page:
    """Replace the lines of a claim by one, or none."""
    if claim.kind in {ClaimKind.LEAD, ClaimKind.PROSE}:
        return _put_prose(page, claim, line)
    first = page.lines[claim.line - 1]
    if line is not None:
        bullet = re.match(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+", first)
        head, tail = ("| ", " |") if claim.kind is ClaimKind.ROW else (bullet.group() if bullet else "- ", "")
        return replace_lines(page, claim.line, claim.end, [head + line + tail])
    indent = len(first) - len(first.lstrip())
    children, last = [], claim.end
    for below in _below(page, claim):
        block = page.lines[below.line - 1 : below.end]
        step = len(block[0]) - len(block[0].lstrip()) - indent
        children += [part[min(step, len(part) - len(part.lstrip())) :] for part in block]
        last = below.end
    return replace_lines(page, claim.line, last, children)


def _put_prose(page: Page, claim: Claim, line: str | None) -> Page:
    block = "\n".join(page.lines[claim.line - 1 : claim.end])
    words = re.compile(r"\s+".join(map(re.escape, claim.raw.split())))
    match = words.search(block)
    if match is None:
        raise NotFound(f"no claim {clip(claim.text, 60)!r} on {page.id or page.path}")
    rest = f"{block[: match.start()].rstrip(' ')} {line or ''} {block[match.end() :].lstrip(' ')}".strip(" ")
    rest = re.sub(r" +\n", "\n", rest) if line is None else rest
    return replace_lines(page, claim.line, claim.end, rest.split("\n") if rest.strip() else [])


def _below(page: Page, claim: Claim) -> list[Claim]:
    """The items nested under an item."""
    section = next((s for s in page.sections if s.line < claim.line <= s.end), None)
    units = section.claims if section else page.lead
    found: list[Claim] = []
    end = claim.end
    for other in units:
        if other.line <= claim.line:
            continue
        if other.kind is not ClaimKind.ITEM or other.depth <= claim.depth or other.line != end + 1:
            break
        found.append(other)
        end = other.end
    return found


def _trimmed(page: Page, heading: str) -> Page:
    limit = {"History": HISTORY_LINES, "Changelog": CHANGELOG_LINES}.get(heading)
    section = page.section(heading)
    if limit is None or section is None:
        return page
    extra = [c for c in section.claims if c.depth == 1][limit:]
    for claim in reversed(extra):
        page = replace_lines(page, claim.line, _end(section, claim), [])
    return drop_unused(page) if extra else page


def _end(section: Section, claim: Claim) -> int:
    """The last line of an item with all that is nested under it."""
    following = [c.line for c in section.claims if c.line > claim.line and c.depth <= claim.depth]
    nested = [c.end for c in section.claims if c.line >= claim.line and (not following or c.line < following[0])]
    return max(nested)
