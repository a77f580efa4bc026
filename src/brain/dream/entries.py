"""Between facts and pages: placements as lines, lines and claims as the lead sees them, frontmatter and glosses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from brain.dream.draft import Line, body_claims, claim_days
from brain.dream.lead import Lead, Said, Theme, last_day
from brain.dream.likeness import same
from brain.dream.place import Placement
from brain.dream.standing import themes_in
from brain.dream.subjects import ENTITY_KINDS, Head, type_of
from brain.dream.worth import worth
from brain.tree import frontmatter, markdown
from brain.tree.page import Page
from brain.types import Fact


def in_order(placements: Sequence[Placement]) -> list[Placement]:
    """As they were said."""
    return sorted(
        placements, key=lambda p: (p.fact.day.isoformat() if p.fact.day else "", p.fact.session, p.fact.first_turn)
    )


def line_of(placement: Placement) -> Line:
    fact = placement.fact
    return Line(
        head=placement.head,
        text=markdown.escape(placement.text),
        uris=(placement.uri,),
        group=placement.group,
        label=placement.label,
        qualifier=fact.qualifier,
        when=placement.when.isoformat() if placement.when else "",
        said=fact.day.isoformat() if fact.day else "",
        subject=fact.about[0].name if fact.about else "",
        value=fact.value,
        weight=worth(placement.fact),
    )


def said_of(line: Line) -> Said:
    return Said(
        head=line.head,
        text=markdown.plain(line.text),
        label=line.label,
        when=last_day(line.text) or line.said,
        uris=line.uris,
        qualified=line.qualifier is not None,
    )


def said_on(page: Page, lead: Sequence[Said] = ()) -> list[Said]:
    """What a page says: its claims, and those sentences of its lead (`lead`) that stand nowhere else."""
    said = _body_of(page, claim_days(page))
    return said + [one for one in lead if not any(same(one.text, other.text) for other in said)]


def lead_alone(page: Page) -> list[Said]:
    """The sentences of a page's lead that its claims do not hold."""
    days = claim_days(page)
    said = _body_of(page, days)
    return [
        Said(head="Facts", text=text, when=days[claim.line], uris=tuple(page.uris(claim)))
        for claim in page.lead
        if not claim.qualifiers
        for text in (markdown.plain(claim.text),)
        if not any(same(text, other.text) for other in said)
    ]


def _body_of(page: Page, days: dict[int, str]) -> list[Said]:
    return [
        Said(
            head=claim.section,
            text=markdown.plain(claim.text),
            label=claim.label,
            when=days[claim.line],
            uris=tuple(page.uris(claim)),
            qualified=bool(claim.qualifiers),
        )
        for claim in body_claims(page)
    ]


def themes_on(page: Page) -> list[Theme]:
    """The topics that a page's lead names already, with their sources: they stay as they are."""
    titles = themes_in(markdown.plain(page.lead_text))
    sources = page.uris(page.lead[0]) if page.lead else []
    return [Theme(title=title, uri=uri) for title, uri in zip(titles, sources, strict=False)]


def frontmatter_of(
    head: Head, lead: Lead, placements: Sequence[Placement], language: str
) -> dict[str, frontmatter.Value]:
    kind = type_of(head.kind)
    meta: dict[str, frontmatter.Value] = {
        "id": head.id,
        "type": kind,
        "title": head.title,
        "description": lead.description,
        "status": "active",
        "next_cite": "1",
        "language": spoken([placement.fact for placement in placements], language),
    }
    if kind == "entity":
        meta["entity_kind"] = head.kind if head.kind in ENTITY_KINDS else "other"
    if head.aliases:
        meta["aliases"] = sorted(set(head.aliases) - {head.title})[:10]
    return {key: value for key, value in meta.items() if value != []}


def glosses(placements: Sequence[Placement]) -> dict[str, str]:
    return {placement.uri: gloss(placement.fact) for placement in placements}


def gloss(fact: Fact) -> str:
    """What stands beside a source: the day it was said, and who said it."""
    parts = [fact.day.isoformat() if fact.day else "", fact.speaker or ""]
    return " · ".join(part for part in parts if part)


def spoken(facts: Iterable[Fact], otherwise: str) -> str:
    """The language most of these statements are in, by their length; `otherwise` when none has three fifths of it."""
    sizes: Counter[str] = Counter()
    for fact in facts:
        sizes[fact.language] += len(fact.text)
    most = max(sizes, key=lambda language: (sizes[language], language), default=otherwise)
    return most if sizes[most] * 5 >= sizes.total() * 3 else otherwise


def are_twins(one: Placement, other: Placement) -> bool:
    """Whether two placements say the same; values of one attribute are compared by what replaces what."""
    return not (one.label and one.label == other.label) and same(one.text, other.text)
