# ruff: noqa: E501 — examples and messages read better unwrapped
"""GIT: a commit says what it is, for people in its subject and for programs in its trailers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from brain.rules.context import Context
from brain.rules.rule import Found, run_rule
from brain.tree.layout import FileClass

KINDS = ("dream", "ingest", "note", "forget", "human", "restore", "import", "migrate", "fix")
MANDATORY = ("Dream-Run", "Sessions", "Checks", "Brain-Format")
COMMITTER = "brain-sync"
_SUBJECT = re.compile(r"(?P<kind>[a-z]+): (?P<what>\S.*)")
_TRAILER = re.compile(r"(?P<key>[A-Z][A-Za-z-]+): (?P<value>.+)")
_PAGES = re.compile(r"\+([0-9]+) ~([0-9]+) [-−]([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitDraft:
    """A commit about to be made; author and committer as `Name <mail>`."""

    message: str
    author: str = "Brain Dream <dream@brain.invalid>"
    committer: str = "brain-sync <sync@brain.invalid>"


def trailers(message: str) -> dict[str, str]:
    """The trailers of a message: `Key: value` lines of its last paragraph."""
    last = message.strip().rpartition("\n\n")[2]
    return {m["key"]: m["value"] for line in last.split("\n") if (m := _TRAILER.fullmatch(line.strip()))}


@run_rule("GIT001")
def commit_form(check: Context) -> Iterator[Found]:
    """`<kind>: <up to 60 characters>`, up to ten bullets, the trailers of its kind; page counts match; brain-sync commits.

    Bad:
        === commit
        dream: attach what Nadia said

        Dream-Run: 01K2A9QX000000000000000000
        Pages: +1 ~0 -0
        Brain-Format: 1
    Good:
        === commit
        dream: attach what Nadia said

        Dream-Run: 01K2A9QX000000000000000000
        Sessions: 1eaf53d4-09e0-5823-bb96-c8662f582708 t1-t10
        Pages: +0 ~0 -0
        Checks: det=0E/0W sem=2/2
        Brain-Format: 1
    """
    commit = check.commit
    if commit is None:
        return
    subject, _, rest = commit.message.partition("\n")
    match = _SUBJECT.fullmatch(subject)
    if match is None or match["kind"] not in KINDS:
        yield Found(
            f"the subject {subject!r} does not open with a kind", fix=f"`<kind>: …`, kind one of {', '.join(KINDS)}"
        )
        return
    if len(match["what"]) > 60:
        yield Found(
            f"the subject has {len(match['what'])} characters after its kind, more than 60",
            line=1,
            fix="move the rest to bullets",
        )
    bullets = [line for line in rest.split("\n") if line.startswith(("- ", "* "))]
    if len(bullets) > 10:
        yield Found(
            f"the body has {len(bullets)} bullets, more than 10", fix="say what matters, the diff says the rest"
        )
    if not commit.committer.startswith(f"{COMMITTER} "):
        yield Found(f"the committer is {commit.committer!r}, not {COMMITTER}", fix="publish through sync")
    given = trailers(commit.message)
    if match["kind"] == "dream":
        for key in MANDATORY:
            if key not in given:
                yield Found(f"the trailer {key} is missing", fix=f"add `{key}: …`")
        if not commit.author.startswith("Brain Dream "):
            yield Found(f"the author of a dream commit is {commit.author!r}", fix="Brain Dream <dream@brain.invalid>")
    if "Pages" in given:
        yield from _counts(check, given["Pages"])


def _counts(check: Context, said: str) -> Iterator[Found]:
    match = _PAGES.fullmatch(said)
    pages = [p for p in check.of_class(FileClass.PAGE) if check.differs(p)]
    real = (
        sum(p not in check.base for p in pages),
        sum(p in check.base for p in pages),
        len(check.removed(FileClass.PAGE)),
    )
    if match is None or tuple(int(n) for n in match.groups()) != real:
        yield Found(
            f"the trailer Pages says {said!r}, the diff +{real[0]} ~{real[1]} -{real[2]}",
            fix=f"Pages: +{real[0]} ~{real[1]} -{real[2]}",
        )
