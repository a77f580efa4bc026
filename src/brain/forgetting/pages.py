"""Pages after a deletion: claims on barred sources go, and lines that only told of them; the rest stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from brain.dream.neighbourhood import meaning
from brain.dream.repair import plain_description, plain_lead
from brain.errors import BrainError
from brain.forgetting.reach import Reach
from brain.tree import edit, markdown, page
from brain.tree.cites import drop_unused
from brain.tree.claims import Claim, ClaimKind
from brain.tree.layout import page_id, page_path
from brain.tree.page import Page
from brain.tree.splice import replace_lines, set_meta

Supports = Callable[[Page, Claim, Sequence[str]], bool]
"""Whether what may still be cited bears a claim alone: (page, claim, sources left)."""

TOLD = ("Changelog", "See also", "Open questions")
"""Sections whose lines may tell of a claim without citing its sources."""


@dataclass(slots=True)
class Edited:
    """New text by path (None: the page goes), and the words of every claim that went."""

    files: dict[str, str | None] = field(default_factory=dict)
    claims: list[str] = field(default_factory=list)

    @property
    def deleted(self) -> list[str]:
        return [path for path, text in self.files.items() if text is None]


def without(pages: Mapping[str, str], reach: Reach, supports: Supports) -> Edited:
    """Every page that a deletion changes. A page that does not read goes when it holds a term, and stays otherwise."""
    done = Edited()
    for path, text in sorted(pages.items()):
        try:
            before = page.parse(text, path)
            after = _page(before, reach, supports, done.claims)
        except BrainError:
            if reach.says(text):
                done.files[path] = None
            continue
        if after is None:
            done.claims += [claim.words for claim in before.claims if claim.is_cited]
            done.files[path] = None
        elif after.text != text:
            done.files[path] = after.text
    gone = {id for path in done.deleted if (id := page_id(path))}
    for path, text in sorted(pages.items()) if gone else ():
        now = done.files.get(path, text)
        if now is not None and (plain := unlinked(now, path, gone)) != now:
            done.files[path] = plain
    return done


def _page(before: Page, reach: Reach, supports: Supports, told: list[str]) -> Page | None:
    if before.id in reach.subjects or reach.says(before.title) or reach.names(before.path):
        return None
    gone, narrowed = _sorted_out(before, reach, supports)
    now = _with_aliases(before, reach)
    if not gone and not narrowed:
        return now
    if not any(c.is_cited and c not in gone for s in before.sections if not s.is_tail for c in s.claims):
        return None
    for claim, sources in narrowed:
        now = edit.replace_claim(
            now, claim, claim.text, label=claim.label, qualifier=claim.qualifiers or None, uris=sources
        )
    if all(claim in gone for claim in before.lead):
        now = plain_lead(now, [found for claim in gone if (found := _found(now, claim)) is not None])
    for claim in gone:
        if claim.kind is not ClaimKind.LEAD or len(before.lead) > sum(one in gone for one in before.lead):
            now = edit.remove_claim(now, claim)
    told += [claim.words for claim in gone]
    now = _without_tales(now, gone)
    now = plain_description(now, before, gone)
    return None if reach.says(now.description) else drop_unused(now)


def _sorted_out(
    before: Page, reach: Reach, supports: Supports
) -> tuple[list[Claim], list[tuple[Claim, tuple[str, ...]]]]:
    """The claims that go, and those that stay on fewer sources."""
    gone: list[Claim] = []
    narrowed: list[tuple[Claim, tuple[str, ...]]] = []
    for claim in before.claims:
        sources = before.uris(claim)
        left = tuple(kept for source in sources if (kept := reach.left(source)))
        if reach.says(claim.words) or reach.speaks_of(claim.words, sources):
            gone.append(claim)
        elif not sources or list(left) == list(sources):
            continue
        elif left and supports(before, claim, left):
            narrowed.append((claim, left))
        else:
            gone.append(claim)
    return gone, narrowed


def _found(now: Page, claim: Claim) -> Claim | None:
    try:
        return edit.find_claim(now, claim)
    except BrainError:
        return None


def _with_aliases(now: Page, reach: Reach) -> Page:
    """Without the aliases that hold a term; the lines of the frontmatter that stay are not touched."""
    kept = [alias for alias in now.aliases if not reach.says(alias)]
    return now if len(kept) == len(now.aliases) else set_meta(now, "aliases", kept)


def _without_tales(now: Page, gone: Iterable[Claim]) -> Page:
    """Without the uncited lines that say what only the claims that went said."""
    names = (now.title, *now.aliases)
    held = frozenset[str]().union(*(meaning(claim.words, names) for claim in now.claims if claim.is_cited))
    lost = frozenset[str]().union(*(meaning(claim.words, names) for claim in gone)) - held
    lines = [
        claim
        for section in now.sections
        if section.heading in TOLD
        for claim in section.claims
        if not claim.is_cited and meaning(claim.words, names) & lost
    ]
    for claim in sorted(lines, key=lambda one: -one.line):
        now = replace_lines(now, claim.line, claim.end, [])
    return now


def unlinked(text: str, path: str, gone: Set[str]) -> str:
    """A page without links to those that went: their lines under See also go, other links become plain words."""
    shown = page.parse(text, path)
    section = shown.section("See also")
    dropped = {
        claim.line
        for claim in (section.claims if section else ())
        if any(link.target in gone for link in markdown.links_in(claim.text))
    }
    lines = [
        markdown.rewrite_links(line, lambda link: None if link.target not in gone else link.label or _name(link.target))
        for number, line in enumerate(shown.lines, start=1)
        if number not in dropped
    ]
    return "\n".join(lines)


def _name(target: str) -> str:
    return page_path(target).rpartition("/")[2].removesuffix(".md").replace("-", " ")
