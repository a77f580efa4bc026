# ruff: noqa: E501 — examples and messages read better unwrapped
"""STR: what a page is made of, and how much of it there may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain.rules.context import Context
from brain.rules.rule import Found, page_rule
from brain.text import count_words, est_tokens
from brain.tree import markdown
from brain.tree.claims import ClaimKind
from brain.tree.page import TAIL, Page
from brain.types import Severity

_HTML = re.compile(r"<(?:/?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?|!--.*|![A-Z].*|\?.*)>")
_IMAGE = re.compile(r"!\[")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SENTENCE_END = re.compile(r"(\S*?)([.!?…]+)[\"”»')\]]*\s+(?=[\"“«(\[]?(\S))|[。！？]+[」』”)]*\s*(?=\S)")
_STATE = re.compile(
    r"\b(?:current|currently|original|old|new|latest|final|draft|unapproved|approved|deprecated|obsolete|former|previous|updated|temp|v[0-9]+"
    r"|actuel|ancien|aktuell|alt|neu|actual|antiguo|текущ\w+|стар\w+|поточн\w+)\b",
    re.I,
)
_TOO_FEW = 2


def sentences_in(text: str) -> int:
    """Sentences of a lead; abbreviations and initials (a short word before the stop) do not end one."""
    said = markdown.plain(text)
    count = 1 if said else 0
    for match in _SENTENCE_END.finditer(said):
        word = match[1]
        if word is None or ((len(word) > 3 or word[-1:].isdigit()) and not (match[3].islower() or match[3].isdigit())):
            count += 1
    return count


@page_rule("STR001")
def title_and_lead(shown: Page, check: Context) -> Iterator[Found]:
    """One H1 that equals the title, then a lead of one to three sentences, then the sections.

    Bad:
        # Another sprint
    Good:
        # Sprint
    """
    tops = [h for h in shown.headings if h.level == 1]
    if not tops:
        yield Found("there is no H1", line=shown.body_line, fix=f"# {shown.title}")
        return
    if len(tops) > 1:
        yield Found("there is more than one H1", line=tops[1].line, fix="make it ## or remove it")
    if tops[0].text != shown.title:
        yield Found(
            f"the H1 {tops[0].text!r} is not the title {shown.title!r}", line=tops[0].line, fix=f"# {shown.title}"
        )
    if shown.sections and shown.sections[0].line < tops[0].line:
        yield Found("a section stands before the H1", line=shown.sections[0].line, fix="put the H1 and the lead first")
    if shown.superseded_by:
        return
    count = sentences_in(shown.lead_text)
    if any(c.kind is not ClaimKind.LEAD for c in shown.lead):
        yield Found("the lead is a list or table", line=shown.lead[0].line, fix="write it as one to three sentences")
    elif count == 0:
        yield Found(
            "there is no lead", line=tops[0].line, fix="say in one to three sentences what it is and how it stands"
        )
    elif count > 3:
        yield Found(
            f"the lead has {count} sentences, more than three", line=tops[0].line + 2, fix="move the rest into sections"
        )


@page_rule("STR002")
def tail_in_order(shown: Page, check: Context) -> Iterator[Found]:
    """Tail sections stand in their order, none twice, References last; only they follow the first of them.

    Bad:
        ## Facts
        - The host is Sora City Lab. [cite:1]
        ## Facts
        - The host has a ramp. [cite:1]
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3 "2026-06-21 · user names hosts"
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3 "2026-06-21 · user names hosts"
    """
    order = {name: place for place, name in enumerate(TAIL)}
    seen: set[str] = set()
    last = -1
    folded = {name.casefold(): name for name in TAIL}
    for section in shown.sections:
        if section.heading.casefold() in seen:
            yield Found(f"the section {section.heading!r} stands twice", line=section.line, fix="merge the two")
        seen.add(section.heading.casefold())
        place = order.get(section.heading, -1)
        if place < 0 and section.heading.casefold() in folded:
            right = folded[section.heading.casefold()]
            yield Found(f"{section.heading!r} is written {right!r}", line=section.line, fix=f"## {right}")
        elif place < last:
            where = "before the tail sections" if place < 0 else f"before {TAIL[last]!r}"
            yield Found(
                f"the section {section.heading!r} belongs {where}",
                line=section.line,
                fix=f"order: …, {', '.join(TAIL)}",
            )
        last = max(last, place)
    if not shown.superseded_by and "references" not in seen:
        yield Found(
            "the section References is missing",
            line=len(shown.lines),
            fix="run brain fmt after writing [cite:session://…#t3]",
        )


@page_rule("STR003")
def plain_markdown(shown: Page, check: Context) -> Iterator[Found]:
    """No heading below H3, no HTML, image or embed, no code fence left open.

    Bad:
        ## Facts
        - The host is <b>Sora</b> City Lab. [cite:1]
    Good:
        ## Facts
        - The host is `<b>Sora</b>` City Lab. [cite:1]
    """
    for heading in shown.headings:
        if heading.level > 3:
            yield Found(f"a heading of level {heading.level}", line=heading.line, fix="use ## and ###")
    for number, hidden in enumerate(shown.masked, start=shown.body_line):
        if "<" in hidden and any(True for _ in markdown.unescaped(_HTML, hidden)):
            yield Found("HTML", line=number, fix="write it as plain Markdown, or in `code`")
        if "![" in hidden and any(True for _ in markdown.unescaped(_IMAGE, hidden)):
            yield Found(
                "an image or embed", line=number, fix="describe it in words with ^[image] and cite where it was shown"
            )
    opened = _open_fence(shown)
    if opened:
        yield Found("a code fence is not closed", line=opened, fix="add a closing ```")


def _open_fence(shown: Page) -> int:
    fence, at = "", 0
    for number, line in enumerate(shown.lines[shown.body_line - 1 :], start=shown.body_line):
        match = _FENCE.match(line)
        if match and not fence:
            fence, at = match[1], number
        elif match and match[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return at if fence else 0


def body_without_references(shown: Page) -> str:
    """The body as §4.8 counts it."""
    refs = next((s for s in shown.sections if s.heading == "References"), None)
    return "\n".join(shown.lines[shown.body_line - 1 : (refs.line - 1 if refs else len(shown.lines))])


@page_rule("STR004", "W/E")
def size(shown: Page, check: Context) -> Iterator[Found]:
    """Without References a page has up to 600 words and 25 claims (W above); never over 1,500 words, 60 claims, 2,500 tokens.

    Bad:
        ## Facts
        - The host is Sora City Lab. [cite:1]
        × 30
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
    """
    limits, body = check.config.limits, body_without_references(shown)
    words, claims, tokens = count_words(markdown.CITE.sub("", body)), len(shown.claims), est_tokens(body)
    fix = "split by subject, or condense what is said twice"
    for count, soft, hard, unit in (
        (words, limits.soft_words, limits.hard_words, "words"),
        (claims, limits.soft_claims, limits.hard_claims, "claims"),
        (tokens, limits.hard_tokens, limits.hard_tokens, "tokens"),
    ):
        if count > hard:
            yield Found(
                f"the page has {count} {unit}, more than {hard}", line=shown.body_line, fix=fix, severity=Severity.E
            )
        elif count > soft:
            yield Found(
                f"the page has {count} {unit}, more than {soft}", line=shown.body_line, fix=fix, severity=Severity.W
            )


@page_rule("STR005", "W")
def full_sections(shown: Page, check: Context) -> Iterator[Found]:
    """Each section holds a claim, a claim has up to 60 words, Changelog 8 lines, History 12.

    Bad:
        ## Goals
    Good:
        ## Goals
        - Test wayfinding prototypes with partners. [cite:1]
    """
    for section in shown.sections:
        if section.heading == "References":
            continue
        top = [c for c in section.claims if c.depth <= 1]
        limit = {"Changelog": 8, "History": 12}.get(section.heading)
        if not section.claims:
            yield Found(f"the section {section.heading!r} is empty", line=section.line, fix="remove it")
        elif limit and len(top) > limit:
            yield Found(
                f"{section.heading} has {len(top)} lines, more than {limit}",
                line=section.line,
                fix="drop the oldest; git keeps them",
            )
    for claim in shown.claims:
        words = count_words(claim.words)
        if words > check.config.limits.claim_words:
            yield Found(
                f"the claim has {words} words, more than {check.config.limits.claim_words}",
                line=claim.line,
                fix="one fact a claim",
            )


@page_rule("STR006", "W")
def about_a_thing(shown: Page, check: Context) -> Iterator[Found]:
    """A page is about a thing, not a state of it: no "current", "old" or "v2" in title and slug, more than one claim.

    Bad:
        title: Sprint (original)
        # Sprint (original)
    Good:
        title: Sprint
        # Sprint
    """
    if shown.superseded_by:
        return
    for name in (shown.title, shown.id.rpartition("/")[2].replace("-", " ")):
        if match := _STATE.search(name):
            yield Found(
                f"{match[0]!r} is a state, not part of a name",
                line=1,
                fix="keep one page for the thing; put states in Status and History",
            )
            break
    stated = [c for c in shown.claims if c.section not in ("See also", "Changelog")]
    if len(stated) < _TOO_FEW:
        yield Found(
            "the page holds one claim only",
            line=shown.body_line,
            fix="move it to the page of its subject, or to a note",
        )
