"""When a newer value takes the place of an older one: same page, same subject, same attribute, another value.

The bold label of a claim is its attribute (with its subject's name before it where the page is about something else),
so "Ana: works on" is never closed by news of Ben (T08). What is replaced moves to History with both sources.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from brain.dream.draft import Line
from brain.dream.likeness import overlap
from brain.text import count_words, normal_name, words
from brain.tree import markdown
from brain.tree.claims import Claim

HISTORY_WORDS = 58
ALIKE = 0.5
"""The share of content words from which two statements are taken to be about the same."""

_CORRECTING = re.compile(r"\s*\((?:correcting|←) [\"“](?P<wrong>.+?)[\"”]\)$")
_ENDED_TOGETHER = (frozenset({"works on", "works at", "job", "team"}), frozenset({"lives in", "location"}))
"""Attributes that the same news may end: "Ben left Kyoto Lab" ends what he works on there as well as where."""

_NAME = re.compile(r"\b[^\W\d_a-z]\w*(?:[ -][^\W\d_a-z]\w*)*|[぀-ヿ㐀-鿿]{2,}")


class Standing(StrEnum):
    """What a labelled line is to the page: news, the value it has already, or older than what the page says."""

    NEW = "new"
    SAME = "same"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A line that a later one of the same batch replaced."""

    old: Line
    new: Line


def among(lines: Sequence[Line]) -> tuple[list[Line], list[Past]]:
    """Of lines in the order they were said, those that stand at the end, and what was replaced on the way."""
    current: list[Line] = []
    past: list[Past] = []
    for line in lines:
        if match := _CORRECTING.search(line.text):
            wrong = markdown.plain(match["wrong"])
            mended = next((old for old in current if overlap(wrong, markdown.plain(old.text)) >= ALIKE), None)
            if mended is not None:
                current.remove(mended)
                past.append(Past(old=mended, new=line))
        at = next((at for at, other in enumerate(current) if other.label and _same_attribute(line, other.label)), None)
        if at is None:
            current.append(line)
        elif says_same(line, current[at].text):
            continue
        elif not line.value and not closes(line, current[at].text):
            current.append(line)
        else:
            past.append(Past(old=current[at], new=line))
            current[at] = line
    return current, past


def against(line: Line, claims: Sequence[Claim], said: Mapping[int, str]) -> Claim | Standing:
    """The claim of a page that this line replaces, or what the line is to the page. `said` gives claims' days."""
    if line.label is None:
        return Standing.NEW
    for claim in claims:
        if claim.label is None or not _same_attribute(line, markdown.plain(claim.label)):
            continue
        text = markdown.plain(claim.text)
        if says_same(line, text):
            return Standing.SAME
        if line.said and said.get(claim.line, "") > line.said:
            return Standing.STALE
        if line.value or closes(line, text):
            return claim
    return Standing.NEW


def _same_attribute(line: Line, label: str) -> bool:
    """Whether a claim's label names what this line is news of."""
    if line.label is None:
        return False
    new, old = normal_name(line.label), normal_name(label)
    if new == old:
        return True
    subject, _, attribute = new.rpartition(": ")
    other_subject, _, other = old.rpartition(": ")
    return not line.value and subject == other_subject and any({attribute, other} <= group for group in _ENDED_TOGETHER)


def put_right(line: Line, claims: Sequence[Claim]) -> Claim | None:
    """The claim that a correction corrects: the one most like the words it quotes as wrong."""
    match = _CORRECTING.search(line.text)
    wrong = markdown.plain(match["wrong"]) if match else ""
    ranked = [(overlap(wrong, markdown.plain(claim.text)), claim) for claim in claims] if wrong else []
    best = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= ALIKE else None


def without_wrong(text: str) -> str:
    """A correction's own words, without the wrong ones it quotes."""
    return _CORRECTING.sub("", text).strip()


def says_same(line: Line, text: str) -> bool:
    """Whether a text already gives the value of this line."""
    return bool(line.value) and f" {' '.join(words(line.value or ''))} " in f" {' '.join(words(text))} "


def closes(line: Line, text: str) -> bool:
    """Whether a line without a value ("Ben left Kyoto") ends what this text says: both name the same thing."""
    subject = set(words(line.subject))
    named = {normal_name(name) for name in _NAME.findall(markdown.plain(line.text))}
    old = {normal_name(name) for name in _NAME.findall(text)}
    return any(name for name in named & old if not set(words(name)) <= subject)


def history_line(old: str, line: Line, language: str = "en", how: str = "replaced") -> str:
    """What History says of a replaced claim: it, the day the news was told, and the news."""
    was = old.rstrip(" .。")
    new = markdown.plain(line.text)
    if count_words(f"{was} {new}") > HISTORY_WORDS - 3 and line.value:
        new = f"{line.value}."
    joint = (
        f"; {how}" + (f" on {line.said}" if line.said else "") + ": "
        if language.startswith("en")
        else f" → {line.said} "
    )
    return markdown.escape(f"{was}{joint}{new}")
