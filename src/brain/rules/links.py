# ruff: noqa: E501 — examples and messages read better unwrapped
"""LNK: context edges lead to pages that exist, in the one form of the format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from brain.rules.context import Context
from brain.rules.graph import Graph
from brain.rules.rule import Found, graph_rule, page_rule
from brain.tree import markdown
from brain.tree.markdown import Wikilink
from brain.tree.page import Page, links

_OPENING = re.compile(r"\[\[")
_WEB = re.compile(r"\]\(\s*<?(?P<a>[^)\s>]*)|<(?P<b>(?:https?|mailto):[^>\s]+)>")
_PLAIN_SOURCE = re.compile(r"(?:session|pplx|connector|file)://\S+")
_OUTSIDE = ("notes/", "sessions/", "../notes/", "../sessions/", "../../sessions/", "../../notes/")


def misplaced(target: str) -> str | None:
    """What is wrong with the form of a target, seen alone."""
    if target.startswith(_OUTSIDE):
        return None  # LNK005
    if target.endswith(".md"):
        return "has a file ending"
    if target.startswith("knowledge/"):
        return "has a path prefix"
    if target.startswith((".", "/", "~")) or "../" in target:
        return "is a relative or absolute path"
    return None


@graph_rule("LNK001")
def resolves(check: Context) -> Iterator[Found]:
    """Every wikilink leads to an existing page (†).

    Bad:
        ## Facts
        - The host is [[entities/sora-city-lab]]. [cite:1]
    Good:
        ## Facts
        - The host is met by [[entities/nadia]]. [cite:1]
    """
    graph = check.graph
    for facts in graph.pages.values():
        for link in facts.links:
            if not link.valid or misplaced(link.target) or link.target.startswith(_OUTSIDE):
                continue
            if graph.resolve(link.target) is None and link.target not in check.base_graph.pages:
                nearest = graph.nearest(link.target)
                fix = (
                    f"[[{nearest}]] is the nearest, or write the name without a link"
                    if nearest
                    else "write the name without a link"
                )
                yield Found(f"[[{link.target}]] leads to no page", path=facts.path, line=link.line, fix=fix)


@page_rule("LNK002")
def link_form(shown: Page, check: Context) -> Iterator[Found]:
    """A wikilink is `[[<page id>]]`, with `#Heading` and `|label` if wanted; no `.md`, path prefix or `../`.

    Bad:
        ## Facts
        - The host is met by [[../entities/nadia.md]]. [cite:1]
    Good:
        ## Facts
        - The host is met by [[entities/nadia|Nadia]]. [cite:1]
    """
    matched = {(link.line, link.start) for link in links(shown)}
    for link in links(shown):
        wrong = misplaced(link.target)
        if (
            wrong is None
            and not link.valid
            and not link.target.startswith(_OUTSIDE)
            and check.graph.resolve(link.target) is None
        ):
            wrong = "is no page id"
        if wrong:
            nearest = check.graph.nearest(link.target)
            yield Found(
                f"the target {link.target!r} {wrong}",
                line=link.line,
                fix=f"[[{nearest}]]" if nearest else "write [[entities/<slug>]]",
            )
    for number, hidden in enumerate(shown.masked, start=shown.body_line):
        if "[[" in hidden:
            for match in markdown.unescaped(_OPENING, hidden):
                if (number, match.start()) not in matched and (number, match.start() + 1) not in matched:
                    yield Found("`[[` that opens no wikilink", line=number, fix="write [[<page id>]] or \\[\\[")


@page_rule("LNK003", "A")
def canonical_target(shown: Page, check: Context) -> Iterator[Found]:
    """A bare slug, a title or alias, and a superseded page are rewritten to the id that stands for them. `brain fmt` does it.

    Bad:
        ## Facts
        - The host is met by [[Nadia]]. [cite:1]
    Good:
        ## Facts
        - The host is met by [[entities/nadia]]. [cite:1]
    """
    for link in links(shown):
        new = rewritten(link, check.graph)
        if new:
            yield Found(f"[[{link.target}]] is written {new}", line=link.line, fix=new)


def rewritten(link: Wikilink, graph: Graph) -> str | None:
    """The link with its canonical target, None when it has it or leads nowhere."""
    found = None if misplaced(link.target) else graph.resolve(link.target)
    if found is None:
        return None
    final = graph.final(found)
    if final == link.target:
        return None
    label = link.label or (link.target if not link.valid else None)
    heading = f"#{link.heading}" if link.heading else ""
    return f"[[{final}{heading}|{label}]]" if label else f"[[{final}{heading}]]"


@page_rule("LNK004", "W")
def measured_links(shown: Page, check: Context) -> Iterator[Found]:
    """A page does not link to itself, nor to one page more than three times.

    Bad:
        ## Facts
        - The host is part of [[projects/sprint]]. [cite:1]
    Good:
        ## Facts
        - The host is met by [[entities/nadia]]. [cite:1]
    """
    counts: Counter[str] = Counter()
    for link in links(shown):
        if link.target == shown.id:
            yield Found("the page links to itself", line=link.line, fix="write the name without a link")
        counts[link.target] += 1
        if counts[link.target] == 4 and link.target != shown.id:
            yield Found(
                f"[[{link.target}]] stands more than three times", line=link.line, fix="link the first mention only"
            )


@page_rule("LNK005")
def sources_are_cited(shown: Page, check: Context) -> Iterator[Found]:
    """Notes, sessions, files and web addresses are evidence: cited, not linked.

    Bad:
        ## Facts
        - The host answered in [the chat](../../sessions/index.md). [cite:1]
    Good:
        ## Facts
        - The host answered in the chat. [cite:1]
    """
    fix = "cite it: [cite:session://<id>#t3], or save the web page as an artifact and cite file://artifacts/…"
    for link in links(shown):
        if link.target.startswith(_OUTSIDE):
            yield Found(f"[[{link.target}]] is no page", line=link.line, fix=fix)
    defined = {d.line for d in shown.definitions}
    for number, hidden in enumerate(shown.masked, start=shown.body_line):
        if number in defined:
            continue
        for match in markdown.unescaped(_WEB, hidden):
            if not dangerous(match["a"] or match["b"] or ""):
                yield Found("a Markdown link", line=number, fix=fix)
        bare = _PLAIN_SOURCE.search(markdown.CITE.sub(lambda m: " " * len(m[0]), hidden))
        if bare and not any(number == line for line, _ in shown.stray):
            yield Found(
                "a source URI in the text", line=number, fix="write it as [cite:session://…#t3]; brain fmt numbers it"
            )


def dangerous(target: str) -> bool:
    """Targets that SEC003 answers for."""
    lower = target.strip().lower()
    return lower.startswith(("javascript:", "data:", "vbscript:")) or (lower.startswith("http") and "?" in lower)


@graph_rule("LNK006", "W")
def no_orphan(check: Context) -> Iterator[Found]:
    """A page links to another or is linked from one (†).

    Bad:
        === knowledge/concepts/paving.md
        # Paving
    Good:
        === knowledge/concepts/paving.md
        # Paving
        ## See also
        - [[projects/sprint]] — where it was tested
    """
    graph = check.graph
    if len(graph.pages) < 3:
        return
    for facts in graph.pages.values():
        outward = [link for link in facts.links if graph.resolve(link.target) not in (None, facts.id)]
        inward = [source for source, _ in graph.inbound.get(facts.id, ()) if source != facts.id]
        if not outward and not inward and not facts.superseded_by and facts.readable:
            yield Found(
                "no page links here and this one links to none",
                path=facts.path,
                line=1,
                fix="add a line under See also, here or there",
            )


@graph_rule("LNK007")
def nothing_dangles(check: Context) -> Iterator[Found]:
    """Deleting or renaming a page leaves no link to it behind (†).

    Bad:
        === gone knowledge/entities/nadia.md
    Good:
        === gone knowledge/entities/nadia.md
        === knowledge/projects/sprint.md
        A field sprint that tests wayfinding prototypes with partners. [cite:1]
        ## See also
        - [[concepts/wayfinding]] — method used on site
        === knowledge/concepts/wayfinding.md
        # Wayfinding
        ## See also
        - [[projects/sprint]] — where it is used
    """
    graph = check.graph
    for facts in graph.pages.values():
        for link in facts.links:
            if link.target in check.base_graph.pages and graph.resolve(link.target) is None:
                yield Found(
                    f"[[{link.target}]] was removed and is still linked", path=facts.path, line=link.line,
                    fix="unlink it, or leave a redirect page with superseded_by",
                )  # fmt: skip
