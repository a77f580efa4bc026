"""When an owner's page is full, its largest area of life moves to a page of its own, claims, sources and all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from brain.dream.draft import Line, body_claims, claim_days, said_days
from brain.dream.topics import AREA_ORDER
from brain.rules import claim_sha
from brain.sync.manifest import RemovedClaim, Why
from brain.tree import edit, markdown
from brain.tree.claims import Claim
from brain.tree.page import Page
from brain.tree.splice import with_lines
from brain.types import Qualifier

FULL = 0.8
LEAST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A page without one of its areas, the claims taken out, and where they go (`to` is a path)."""

    page: Page
    area: str
    lines: tuple[Line, ...]
    removed: tuple[RemovedClaim, ...]
    sources: dict[str, str]
    to: str = ""


def largest_area(page: Page) -> tuple[str, list[Claim]] | None:
    """The area under "Facts" with most claims, None when none has LEAST of them."""
    section = page.section("Facts")
    heads = [h for h in page.headings if section and h.level == 3 and section.line < h.line <= section.end]
    found: list[tuple[int, str, list[Claim]]] = []
    for at, head in enumerate(heads):
        end = heads[at + 1].line if at + 1 < len(heads) else (section.end + 1 if section else 0)
        claims = [c for c in (section.claims if section else ()) if head.line < c.line < end and not c.label]
        if head.text in AREA_ORDER and len(claims) >= LEAST:
            found.append((len(claims), head.text, claims))
    if not found:
        return None
    _, area, claims = max(found, key=lambda one: (one[0], one[1]))
    return area, claims


def is_full(page: Page, most: int) -> bool:
    return len(body_claims(page)) >= FULL * most


def move(page: Page, area: str, claims: list[Claim], to: str, head_of: Callable[[str], str] | None = None) -> Moved:
    """Take these claims off a page, as lines for another; `head_of` gives the head of each there."""
    days, said = claim_days(page), said_days(page)
    known = page.references
    lines = tuple(
        Line(
            head=head_of(markdown.plain(claim.text)) if head_of else "Timeline" if days[claim.line] else "Facts",
            text=markdown.escape(markdown.plain(claim.text)),
            uris=tuple(page.uris(claim)),
            qualifier=Qualifier(claim.qualifiers[0]) if claim.qualifiers else None,
            when=days[claim.line],
            said=said[claim.line],
            weight=0.8,
        )
        for claim in claims
    )
    removed = tuple(RemovedClaim(text_sha=claim_sha(claim), why=Why.MOVED, to=to) for claim in claims)
    sources = {known[n].uri: known[n].gloss for claim in claims for n in claim.cites if n in known}
    for claim in claims:
        page = edit.remove_claim(page, claim)
    page = without_empty_head(page, area)
    return Moved(page=page, area=area, lines=lines, removed=removed, sources=sources, to=to)


def without_empty_head(page: Page, area: str) -> Page:
    """The page without a head under which nothing is left."""
    lines = list(page.lines)
    for at, line in enumerate(lines):
        if line in (f"### {area}", f"## {area}"):
            rest = next((text for text in lines[at + 1 :] if text.strip()), "#")
            if rest.startswith("#"):
                gap = 1 if at + 1 < len(lines) and not lines[at + 1].strip() else 0
                del lines[at : at + 1 + gap]
                break
    return with_lines(page, lines)
