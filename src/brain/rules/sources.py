# ruff: noqa: E501 — examples and messages read better unwrapped
"""SRC: what is cited exists, and holds what the claim says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from brain.rules import missing
from brain.rules.context import Context, parse_uri, qualifier
from brain.rules.rule import Found, page_rule, path_rule
from brain.rules.wording import plain, quotes
from brain.text import count_words
from brain.tree import uri
from brain.tree.layout import FileClass, classify
from brain.tree.page import UNCITED, Page
from brain.tree.sessions import SessionState
from brain.types import Qualifier, Severity

_UNTESTED = UNCITED | {"History"}


def cited(path: str, check: Context) -> Iterator[tuple[int, uri.SourceUri]]:
    """Every source that a page or note file cites, with its line."""
    kind = classify(path)
    if kind is FileClass.PAGE and (shown := check.page(path)):
        for reference in shown.definitions:
            if source := parse_uri(reference.uri):
                yield reference.line, source
    elif kind is FileClass.NOTE and (notes := check.note(path)):
        for snippet in notes.snippets:
            if source := parse_uri(snippet.uri):
                yield snippet.line, source


@path_rule("SRC001")
def session_exists(path: str, check: Context) -> Iterator[Found]:
    """A cited session is in sessions/index.jsonl, not deleted, and has the cited turns.

    Bad:
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t99
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    Good:
        ## References
        [cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    """
    for line, source in cited(path, check):
        if not isinstance(source, uri.SessionUri):
            continue
        row = check.evidence.row(source.session)
        if row is None:
            yield Found(f"no session {source.session!r}", line=line, fix="look it up in sessions/index.jsonl")
        elif row.state is SessionState.DELETED:
            yield Found(f"the session {source.session!r} was deleted", line=line, fix="remove what rests on it alone")
        elif source.ranges and source.ranges[-1][1] > row.turns:
            yield Found(
                f"t{source.ranges[-1][1]} is beyond the {row.turns} turns of the session",
                line=line,
                fix=f"cite t1 to t{row.turns}",
            )


@path_rule("SRC002")
def file_exists(path: str, check: Context) -> Iterator[Found]:
    """A cited file is in its root, holds the cited lines, and has the hash it is cited with.

    Bad:
        ## References
        [cite:1]: file://artifacts/1eaf53d4-09e0-5823-bb96-c8662f582708/missing.txt
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    Good:
        ## References
        [cite:1]: file://artifacts/1eaf53d4-09e0-5823-bb96-c8662f582708/venue.txt#L1-L2
        [cite:2]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5
    """
    for line, source in cited(path, check):
        if not isinstance(source, uri.FileUri):
            continue
        data = check.evidence.file(source)
        if data is None:
            yield Found(f"no file {source.path!r} under {source.root!r}", line=line, fix="cite the turn that showed it")
        elif source.anchor and source.anchor.startswith("L"):
            last = int(re.findall(r"[0-9]+", source.anchor)[-1])
            have = data.count(b"\n") + (0 if data.endswith(b"\n") else 1)
            if last > have:
                yield Found(f"line {last} is beyond the {have} lines of the file", line=line, fix=f"cite L1 to L{have}")
        elif source.anchor and source.anchor.startswith("sha256=") and sha256(data).hexdigest() != source.anchor[7:]:
            yield Found(
                "the file is not the one that was cited: its hash differs",
                line=line,
                fix="cite the turn that showed it",
            )


@path_rule("SRC003")
def snapshot_exists(path: str, check: Context) -> Iterator[Found]:
    """A cited connector record has its snapshot in sessions/artifacts/connectors/.

    Bad:
        ## Facts
        - The host meeting is in the calendar. ^[external] [cite:session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5] [cite:connector://calendar?at=2026-08-06T07:40:11Z&sha=00000000000000ff]
    Good:
        ## Facts
        - The host meeting is in the calendar. ^[external] [cite:connector://calendar?at=2026-08-06T07:40:11Z&sha=9f2c41d07ab3e655]
    """
    for line, source in cited(path, check):
        if isinstance(source, uri.ConnectorUri) and check.evidence.file(source) is None:
            yield Found(
                f"no snapshot {source.sha!r} of {source.name!r}",
                line=line,
                fix="fetch it again and cite the new snapshot",
            )


@page_rule("SRC004", "W/E")
def evidence_holds_it(shown: Page, check: Context) -> Iterator[Found]:
    """Quotes, numbers, dates and names of a new claim occur in its evidence; addresses, phone numbers and codes must (E).

    Bad:
        ## Facts
        - The host is Harbour Collective. [cite:1]
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
    """
    if shown.superseded_by:
        return
    names = check.names(shown)
    for claim in check.new_claims(shown):
        if claim.section in _UNTESTED or qualifier(claim) is Qualifier.INFERRED:
            continue
        found = check.sources(shown, claim)
        turns = check.turns(found)
        if not turns:
            continue
        people = [p for s in found if isinstance(s, uri.SessionUri) for p in check.evidence.people(s.session)]
        short = {q for q in quotes(plain(claim.raw)) if count_words(q) < 4}
        for lack in missing.missing(claim.raw, turns, owners=(*check.owners, *people), subjects=names):
            if lack.kind == "quote" and lack.text in short:
                continue
            yield Found(
                f"the cited turns do not hold the {lack.kind} {lack.text!r}", line=claim.line,
                fix="cite the turn that says it, or correct the claim",
                severity=Severity.E if lack.kind == "code" else Severity.W,
            )  # fmt: skip
