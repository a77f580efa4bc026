# ruff: noqa: E501 — examples and messages read better unwrapped
"""CIT: evidence edges: markers, their definitions, and numbers that never change their meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain.errors import FormatError
from brain.rules.context import Context, parse_uri
from brain.rules.rule import Found, page_rule
from brain.tree import markdown, uri
from brain.tree.claims import Claim, ClaimKind
from brain.tree.page import UNCITED, Page
from brain.types import Severity

_LOOKALIKE = re.compile(r"\[\s*(?:cite|source|ref)\s*[: ]\s*[^\]\n]*\]|\[\^[0-9]+\]", re.I)
_TOUCHING = re.compile(r"\](?=\[cite:)")
_OUTSIDE = re.compile(r" {0,3}\[cite:[0-9]+\]:\s")


@page_rule("CIT001")
def marker_form(shown: Page, check: Context) -> Iterator[Found]:
    """A marker is `[cite:N]`, N from 1 without leading zero; a definition is `[cite:N]: <URI> "<gloss>"` under References.

    Bad:
        ## Facts
        - The host is Sora City Lab. [cite:01]
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
    """
    known = set()
    for mark in shown.markers():
        known.add((mark.line, mark.start))
        if mark.sources:
            yield Found("a source that has no number yet", line=mark.line, fix="run brain fmt")
        elif mark.number is None:
            yield Found(
                f"{mark.raw} is no marker",
                line=mark.line,
                fix="write [cite:N], or [cite:session://…#t3] and run brain fmt",
            )
    defined = {d.line for d in shown.definitions}
    for number, hidden in enumerate(shown.masked, start=shown.body_line):
        if number in defined or "[" not in hidden:
            continue
        if _OUTSIDE.match(hidden):
            yield Found(
                "a definition outside References", line=number, fix="move it under ## References, the last section"
            )
            continue
        for match in markdown.unescaped(_LOOKALIKE, hidden):
            if (number, match.start()) not in known and not markdown.CITE.fullmatch(match[0]):
                yield Found(f"{match[0]} is no marker", line=number, fix="write [cite:N]")
    for number, line in shown.stray:
        if not _OUTSIDE.match(line):
            yield Found(
                "a line under References that is no definition", line=number, fix='[cite:N]: session://<id>#t3 "gloss"'
            )


@page_rule("CIT002", "E/A")
def defined_and_used(shown: Page, check: Context) -> Iterator[Found]:
    """Every marker has its definition, every definition its marker (unused ones are removed by `brain fmt`).

    Bad:
        next_cite: 8
        ## Facts
        - The host is Sora City Lab. [cite:7]
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
    """
    known = shown.references
    for mark in shown.markers():
        if mark.number is not None and mark.number not in known:
            yield Found(
                f"{mark.raw} has no definition",
                line=mark.line,
                fix=f"add `[cite:{mark.number}]: <URI>` under References",
            )
    used = shown.cites()
    for number, reference in known.items():
        if number not in used:
            yield Found(
                f"[cite:{number}] is defined and not used",
                line=reference.line,
                fix="run brain fmt",
                severity=Severity.A,
            )


@page_rule("CIT003", "E/A")
def one_number_one_source(shown: Page, check: Context) -> Iterator[Found]:
    """No number and no URI is defined twice; definitions ascend (their order is set by `brain fmt`).

    Bad:
        ## Facts
        - The host is Sora City Lab. [cite:1]
        - The host has a ramp. [cite:2]
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
        - The host has a ramp. [cite:2]
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    """
    numbers: set[int] = set()
    sources: dict[str, int] = {}
    last = 0
    for reference in shown.definitions:
        if reference.number in numbers:
            yield Found(
                f"[cite:{reference.number}] is defined twice",
                line=reference.line,
                fix=f"give one the number {shown.next_cite}",
            )
        elif reference.number < last:
            yield Found("definitions do not ascend", line=reference.line, fix="run brain fmt", severity=Severity.A)
        first = sources.setdefault(reference.uri, reference.number)
        if first != reference.number:
            yield Found(
                f"the source is already [cite:{first}]",
                line=reference.line,
                fix=f"use [cite:{first}] and remove this line",
            )
        numbers.add(reference.number)
        last = max(last, reference.number)


@page_rule("CIT004")
def numbers_only_grow(shown: Page, check: Context) -> Iterator[Found]:
    """`next_cite` is above every number, never falls, and a number once used up is not given to another source.

    Bad:
        next_cite: 2
    Good:
        next_cite: 9
    """
    from brain.rules.frontmatter import key_line

    said = shown.get("next_cite")
    line = key_line(shown.text, "next_cite")
    if not (said.isascii() and said.isdigit()):
        return
    top = max([0, *(d.number for d in shown.definitions), *shown.cites()])
    if int(said) <= top:
        yield Found(f"next_cite {said} is not above {top}", line=line, fix=f"next_cite: {shown.next_cite}")
    before = check.base_page(shown.path)
    if before is None:
        return
    if int(said) < before.next_cite and int(said) > top:
        yield Found(
            f"next_cite fell from {before.next_cite} to {said}", line=line, fix=f"next_cite: {before.next_cite}"
        )
    for reference in shown.definitions:
        if reference.number < before.next_cite and reference.number not in before.references:
            yield Found(
                f"[cite:{reference.number}] was used up before",
                line=reference.line,
                fix=f"give it the number {shown.next_cite}",
            )


@page_rule("CIT005")
def number_keeps_source(shown: Page, check: Context) -> Iterator[Found]:
    """An existing number keeps its URI; turns may widen or narrow within the same session.

    Bad:
        === base knowledge/projects/sprint.md
        === knowledge/projects/sprint.md
        ## References
        [cite:1]: session://7b0c2a11-5b0f-5d3e-9a51-0d6f3f1c2b4a#t1
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    Good:
        === base knowledge/projects/sprint.md
        === knowledge/projects/sprint.md
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3-t4
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    """
    before = check.base_page(shown.path)
    if before is None:
        return
    for number, reference in shown.references.items():
        old = before.references.get(number)
        if old and old.uri != reference.uri and not _same_source(old.uri, reference.uri):
            yield Found(
                f"[cite:{number}] was {old.uri}",
                line=reference.line,
                fix=f"keep it, and give the new source the number {shown.next_cite}",
            )


def _same_source(a: str, b: str) -> bool:
    x, y = parse_uri(a), parse_uri(b)
    if isinstance(x, uri.SessionUri) and isinstance(y, uri.SessionUri):
        return x.session == y.session
    return x is not None and x == y


@page_rule("CIT006", "E/A")
def allowed_source(shown: Page, check: Context) -> Iterator[Found]:
    """A source is a session, a file under a named root or a pinned snapshot of an allowed connector, in canonical form.

    Bad:
        ## References
        [cite:1]: https://example.org/brochure
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    Good:
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    """
    for reference in shown.definitions:
        try:
            source = uri.parse(reference.uri)
        except FormatError as error:
            yield Found(
                error.reason, line=reference.line, fix="save web pages as artifacts and cite file://artifacts/…"
            )
            continue
        if wrong := not_allowed(source, check):
            yield Found(wrong, line=reference.line, fix="name it in .brain/config.toml, or cite another source")
        elif str(source) != reference.uri:
            yield Found(
                f"the canonical form is {source}", line=reference.line, fix="run brain fmt", severity=Severity.A
            )


def not_allowed(source: uri.SourceUri, check: Context) -> str | None:
    """Why a source is outside what the config allows."""
    if isinstance(source, uri.FileUri) and source.root != "artifacts" and source.root not in check.config.roots:
        return f"the root {source.root!r} is not in config.roots"
    if isinstance(source, uri.ConnectorUri) and source.name not in check.config.connectors:
        return f"the connector {source.name!r} is not in config.connectors"
    return None


@page_rule("CIT007")
def claims_are_cited(shown: Page, check: Context) -> Iterator[Found]:
    """Every list item, table row and sentence of the lead cites a source, but for Open questions, See also and Changelog.

    Bad:
        ## Facts
        - The host is Sora City Lab.
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
    """
    if shown.superseded_by:
        return
    for claim in shown.claims:
        if claim.section not in UNCITED and not claim.is_cited and not claim.malformed:
            yield Found(
                "the claim has no cite",
                line=claim.line,
                fix="add [cite:session://<id>#t3] and run brain fmt, or remove the claim",
            )


@page_rule("CIT008", "A")
def markers_last(shown: Page, check: Context) -> Iterator[Found]:
    """Markers stand at the end of their unit, one space between them. `brain fmt` moves them there.

    Bad:
        ## Facts
        - The host is Sora City Lab. [cite:1][cite:2]
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1] [cite:2]
    """
    defined = {d.line for d in shown.definitions}
    seen: set[int] = set()
    for number, hidden in enumerate(shown.masked, start=shown.body_line):
        if number not in defined and _TOUCHING.search(hidden):
            seen.add(number)
            yield Found("markers touch: CommonMark reads one link", line=number, fix="run brain fmt")
    for claim in shown.claims:
        if claim.line not in seen and is_scattered(claim):
            yield Found("a marker stands before the end of the claim", line=claim.line, fix="run brain fmt")


def is_scattered(claim: Claim) -> bool:
    """Whether cites or qualifiers stand inside the words of an item or row, or before its full stop."""
    if claim.kind not in (ClaimKind.ITEM, ClaimKind.ROW):
        return False
    hidden = markdown.mask_inline(claim.text)
    if any(True for _ in markdown.unescaped(markdown.CITE, hidden)):
        return True
    return claim.is_cited and re.search(r"\]\s*[.!?…。]+\s*\|?\s*$", claim.raw) is not None


@page_rule("CIT009", "W")
def narrow_cites(shown: Page, check: Context) -> Iterator[Found]:
    """A cite names the turns: not a whole session, not more than 12 turns, and five cites are enough for one claim.

    Bad:
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    Good:
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    """
    for reference in shown.definitions:
        source = parse_uri(reference.uri)
        if isinstance(source, uri.SessionUri):
            if not source.ranges:
                yield Found("the cite is a whole session", line=reference.line, fix="name the turns, #t3-t5")
            elif len(source.turns()) > 12:
                yield Found(
                    f"the cite spans {len(source.turns())} turns", line=reference.line, fix="name the turns that say it"
                )
    for claim in shown.claims:
        if len(claim.cites) > 5:
            yield Found(
                f"the claim has {len(claim.cites)} cites", line=claim.line, fix="keep the five best, or split the claim"
            )
