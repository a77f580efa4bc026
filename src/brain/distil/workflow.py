"""Workflows explained: which method a talk is about, which sentences are its steps, and the list a user calls right."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re

from brain.distil.sentences import word_count
from brain.distil.speech import BlockKind, blocks
from brain.types import Subject, SubjectKind

LASTS = 14
"""Turns after which a method that was named no longer governs what is said."""

_NOUN = r"(?P<t>(?!it\b|that\b|this\b|them\b|things\b|so\b|what\b)[\w'’-]+(?:\s(?!because\b|so\b|and\b|but\b|in\b|on\b|at\b|for\b|from\b|with\b|to\b|by\b|when\b|every\b|is\b|as\b|goes\b|works\b)[\w'’-]+){0,3})"
_NAMED = (
    re.compile(
        rf"\b(?:how|the way)\s+(?:I|we)\s+(?:usually\s+|always\s+|normally\s+)?(?:run|do|make|handle|prepare|organi[sz]e|review|release|deploy|write|plan|conduct|process|test|cook|bake|publish|onboard|triage|archive|clean|check)\s+(?:an?\s|the\s|my\s|our\s)?{_NOUN}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:the|my|our)\s+{_NOUN}\s+(?:goes|works)\s+like\s+this\b", re.IGNORECASE),
    re.compile(rf"\b(?:my|our)\s+{_NOUN}\s+(?:process|workflow|routine|checklist|procedure|ritual)\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:steps|process|workflow|checklist|procedure)\s+(?:for|of)\s+(?:an?\s|the\s|my\s|our\s)?{_NOUN}",
        re.IGNORECASE,
    ),
)
_CUE = re.compile(r"\b(?:how|way|like this|process|workflow|routine|checklist|procedure|ritual|steps)\b", re.IGNORECASE)
_STEP = re.compile(
    r"\b(?:first|then|next|after|afterwards|before|finally|last|each|every|always|never|must|until|once|when|step|pass(?:es)?|fails?|score|at least|within|followed by|start|end)\b",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    r"\b(?:list|that|this|it|method|steps?|order)(?:'s|'re| is| are| looks?) (?:now )?(?:right|correct|good|perfect|complete|exactly)\b|^(?:yes|exactly|perfect|correct|right)[,.! ]*$",
    re.IGNORECASE,
)


def method_named(text: str) -> Subject | None:
    """The method that a turn sets out to explain ("how I run a wayfinding audit"), as a concept."""
    if not _CUE.search(text[:2000]):
        return None
    for pattern in _NAMED:
        if m := pattern.search(text[:2000]):
            name = m["t"].strip(" '’-")
            if len(name) > 3:
                return Subject(name=name[:1].upper() + name[1:], kind=SubjectKind.CONCEPT)
    return None


def is_step(sentence: str) -> bool:
    return _STEP.search(sentence) is not None


def confirms_list(sentences: list[str]) -> bool:
    """Whether a user calls the list just given right."""
    return any(_RIGHT.search(s) for s in sentences[:3])


def numbered(text: str) -> list[str]:
    """The numbered steps of a turn, [] when there are fewer than three."""
    steps = [b.text.rstrip(" .;") for b in blocks(text) if b.kind is BlockKind.ITEM and b.marker]
    return steps if len(steps) >= 3 else []


def step_texts(method: str, steps: list[str], room: int = 24) -> list[str]:
    """`Wayfinding audit: (1) …; (2) …` within the word limit, in as many statements as that takes."""
    texts: list[str] = []
    start = 0
    while start < len(steps):
        end, words = start, word_count(method)
        while end < len(steps) and (end == start or words + word_count(steps[end]) + 1 <= room):
            words += word_count(steps[end]) + 1
            end += 1
        joined = "; ".join(f"({start + i + 1}) {s}" for i, s in enumerate(steps[start:end]))
        texts.append(f"{method}: {joined}.")
        start = end
    return texts
