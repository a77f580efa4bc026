"""Rules judge the proposed tree; what fails is taken out, claim by claim, until the rest is clean.

A run is never lost to one bad line: a claim that breaks a rule goes, a page that cannot stand returns to what it was,
links to a page that went become plain words. What was taken out is counted by rule.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable
from dataclasses import replace

from brain.dream.lead import DESCRIPTION
from brain.dream.neighbourhood import meaning
from brain.dream.ruling import Rules
from brain.errors import BrainError
from brain.sync.publish import new_problems
from brain.sync.staging import Staging
from brain.text import clip, one_line
from brain.tree import edit, markdown, page, summary
from brain.tree.claims import Claim, ClaimKind
from brain.tree.layout import FileClass, classify, page_path
from brain.tree.page import Page
from brain.types import Problem, Severity

ROUNDS = 4
_DANGLING = frozenset({"LNK001", "LNK007"})
_HUMAN = "STG005"
"""A person's line was altered: no claim is to blame, so the page returns to what it was."""

_UNNUMBERED = 0
FEW_WORDS = 60
LEFT_OUT = "Left out: the words of this session break a rule of memory; its turns are in the transcript."
_OF_SESSION = re.compile(r"of session ([0-9a-f-]{36})")


def repair(
    staging: Staging, rules: Rules, *, settle: Callable[[], object] = lambda: None
) -> tuple[list[Problem], Counter[str]]:
    """Take out what breaks a rule; returns the problems that are left and what was taken out, by rule.

    `settle` is called after each round of mending: it brings the manifest after the files.
    """
    taken: Counter[str] = Counter()
    problems: list[Problem] = []
    for number in range(ROUNDS + 1):
        changes = {path: text.encode() if text is not None else None for path, text in staging.changes().items()}
        problems = new_problems(rules, staging.base, changes, staging.manifest)
        broken = [problem for problem in problems if problem.severity is Severity.E]
        if not broken or number == ROUNDS:
            break
        taken += mend(staging, broken, last=number == ROUNDS - 1)
        settle()
    return problems, taken


def mend(staging: Staging, broken: Iterable[Problem], *, last: bool = False) -> Counter[str]:
    """One round: what these problems blame is taken out; what was, by rule. `last` gives whole files back."""
    taken: Counter[str] = Counter()
    by_path: dict[str, list[Problem]] = {}
    for problem in broken:
        by_path.setdefault(problem.path, []).append(problem)
    _skip(staging, [problem for problems in by_path.values() for problem in problems])
    for path in sorted(by_path):
        taken.update(problem.rule for problem in by_path[path])
        _mend(staging, path, by_path[path], last=last)
    return taken


def _skip(staging: Staging, problems: Iterable[Problem]) -> None:
    """Say of sessions whose turns could not be taken in that they were skipped, and why (STG006)."""
    ids = {match[1] for p in problems if p.rule == "STG006" and (match := _OF_SESSION.search(p.message))}
    inputs = staging.manifest.inputs
    sessions = tuple(
        replace(one, skipped="rules refused what was made of it") if one.id in ids else one for one in inputs.sessions
    )
    staging.manifest = replace(staging.manifest, inputs=replace(inputs, sessions=sessions))


def _mend(staging: Staging, path: str, problems: list[Problem], *, last: bool) -> None:
    kind = classify(path)
    if path not in staging:
        return
    text = staging.read(path)
    if any(problem.rule == _HUMAN for problem in problems):
        staging.restore(path)
        return
    if not last and kind is FileClass.PAGE:
        mended = page_without(text, path, problems, staging)
    elif not last and kind is FileClass.NOTE:
        mended = _lines_without(text, (problem.line for problem in problems))
    elif not last and kind is FileClass.SUMMARY:
        mended = _summary_without(text, path, problems)
    else:
        mended = None
    if mended is None or mended == text:
        staging.restore(path)
    else:
        staging.write(path, mended)


def page_without(text: str, path: str, problems: Iterable[Problem], there: Container[str]) -> str | None:
    """The page without the claims that broke a rule; None when what broke is not a claim, or nothing would be left.

    `there` are the paths that links may lead to.
    """
    try:
        found = page.parse(text, path)
        lines = list(found.lines)
        claims = []
        for problem in problems:
            if problem.rule in _DANGLING and problem.line:
                lines[problem.line - 1] = markdown.rewrite_links(
                    lines[problem.line - 1],
                    lambda link: None if page_path(link.target) in there else link.label or link.target,
                )
                continue
            blamed = _blamed(found, problem.line)
            if not blamed:
                return None
            claims += [claim for claim in blamed if claim not in claims]
        if lines != list(found.lines):
            return "\n".join(lines)
        before = found
        if any(claim.kind is ClaimKind.LEAD for claim in claims):
            found = plain_lead(found, [claim for claim in claims if claim.kind is not ClaimKind.LEAD])
        for claim in claims:
            if claim.kind is not ClaimKind.LEAD:
                found = edit.remove_claim(found, claim)
        if not any(not section.is_tail for section in found.sections):
            return None
        return plain_description(found, before, claims).text
    except (BrainError, StopIteration):
        return None


def _blamed(found: Page, line: int) -> list[Claim]:
    """The claim that stands there, or, where a source stands, those that rest on it."""
    source = next((one.number for one in found.definitions if one.line == line), None)
    return [c for c in found.claims if c.line <= line <= c.end or (source is not None and source in c.cites)]


def plain_lead(found: Page, broken: list[Claim]) -> Page:
    """The page with its first sound claim as its lead."""
    first = next(c for s in found.sections if not s.is_tail for c in s.claims if c not in broken and c.is_cited)
    qualifier = first.qualifiers or None
    return edit.set_lead(found, [edit.Statement(text=first.text, qualifier=qualifier, uris=found.uris(first))])


def plain_description(found: Page, before: Page, gone: Iterable[Claim]) -> Page:
    """The page with its first claim as its description, when that says what only the claims that went said."""
    names = (before.title, *before.aliases)
    left = [claim for claim in found.claims if claim.is_cited]
    held = frozenset[str]().union(*(meaning(claim.words, names) for claim in left))
    lost = frozenset[str]().union(*(meaning(claim.words, names) for claim in gone)) - held
    if not left or not meaning(found.description, names) & lost:
        return found
    words = one_line(left[0].words).rstrip(".")
    said = words if len(words) >= DESCRIPTION[0] else f"{found.title}: {words}"
    return edit.set_description(found, clip(said, DESCRIPTION[1])) if len(said) >= DESCRIPTION[0] else found


def _summary_without(text: str, path: str, problems: Iterable[Problem]) -> str | None:
    """A summary that breaks no rule: its first words under a plain title, or, when those are to blame, none of them.

    A summary is never given up: without it its session would stay pending for ever.
    """
    try:
        whole = summary.parse(text, path)
    except BrainError:
        return None
    day = f" of {whole.started_at.date().isoformat()}" if whole.started_at else ""
    first = next((n for n, line in enumerate(text.split("\n"), start=1) if line == "## Summary"), 0)
    blamed = any(problem.line > first for problem in problems) or not whole.bullets
    words = LEFT_OUT if blamed else " ".join(whole.summary.split()[:FEW_WORDS])
    return summary.render(replace(whole, title=f"Session{day}", summary=words, bullets={}, topics=()))


def _lines_without(text: str, numbers: Iterable[int]) -> str | None:
    gone = set(numbers)
    if _UNNUMBERED in gone:
        return None
    return "\n".join(line for number, line in enumerate(text.split("\n"), start=1) if number not in gone)
