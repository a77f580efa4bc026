"""The wiki as a map: subjects that have two pages, pages nothing leads to, links that lead nowhere, the index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from brain.bench.quality.measure import Measure, bad, good
from brain.bench.quality.tree import Wiki
from brain.text import normal_name, words
from brain.tree.layout import KNOWLEDGE_INDEX
from brain.tree.page import Page, links

SAME = 0.6
LEAST = 4
"""Two pages are one subject when this share of the claims of the smaller one, LEAST at least, is on the other too."""
_SMALL = frozenset({"the", "a", "an", "of"})


def measures(wiki: Wiki) -> list[Measure]:
    pages = [one for one in wiki.pages if not one.superseded_by]
    public = [one.id for one in pages if one.sensitivity != "restricted"]
    inward = wiki.graph.inbound
    outward = {one.id: {wiki.graph.resolve(link.target) for link in links(one)} - {None, one.id} for one in pages}
    unled = [one.id for one in pages if not any(source != one.id for source, _ in inward.get(one.id, ()))]
    every = [(one.id, link.target) for one in wiki.pages for link in links(one)]
    dead = (f"{page}: [[{target}]]" for page, target in every if wiki.graph.resolve(target) is None)
    listed = _listed(wiki)
    missing = [name for name in public if name not in listed]
    return [
        bad("duplicate subjects", sorted(duplicates(pages)), len(pages)),
        bad("orphan pages", (name for name in unled if not outward[name]) if len(pages) > 1 else (), len(pages)),
        bad("pages no page leads to", unled if len(pages) > 1 else (), len(pages)),
        bad("dead links", dead, len(every)),
        good("pages in the index", len(public) - len(missing), len(public), missing),
        bad("lines of the index without a page", sorted(listed - {one.id for one in wiki.pages}), len(listed)),
    ]


def duplicates(pages: list[Page]) -> set[str]:
    """Pairs of pages about one thing: they share a name, whatever order and number its words have, or most claims."""
    found: dict[tuple[str, str], str] = {}
    by_name: dict[frozenset[str], set[str]] = defaultdict(set)
    for one in pages:
        for name in (one.title, *one.aliases):
            by_name[_name(name)].add(one.id)
    for key, ids in by_name.items():
        first, *others = sorted(ids)
        for other in others if key else ():
            found[first, other] = f"name {' '.join(sorted(key))!r}"
    said = {one.id: frozenset(normal_name(claim.words) for claim in one.claims if claim.is_cited) for one in pages}
    for first, other in _pairs(sorted(said)):
        least = min(len(said[first]), len(said[other]))
        if least >= LEAST and len(said[first] & said[other]) >= SAME * least:
            found.setdefault((first, other), "the same claims")
    return {f"{first} and {other}: {why}" for (first, other), why in found.items()}


def _name(name: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in words(normal_name(name)) if word not in _SMALL)


def _pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    return ((first, other) for at, first in enumerate(names) for other in names[at + 1 :])


def _listed(wiki: Wiki) -> set[str]:
    """The pages that the compact index gives a line."""
    if KNOWLEDGE_INDEX not in wiki.tree:
        return set()
    lines = wiki.tree.read(KNOWLEDGE_INDEX).splitlines()
    heads = (line.removeprefix("- ").partition(" — ")[0].strip(" [`*]") for line in lines if " — " in line)
    return {head for head in heads if "/" in head and " " not in head}
