"""What a statement teaches: something tried that worked or did not, as against how an audit or an exam ended."""

from __future__ import annotations

import re

from brain.types import Fact, FactKind

LESSONS = frozenset({FactKind.CORRECTION, FactKind.WORKED, FactKind.FAILED})
HEAD = "Lessons"
"""Where a page holds lessons on its subject that are too few for a page of their own."""

_RESULT = re.compile(
    r"\bfailed (?:the|an?|his|her|their|its) (?:\w+ )?(?:audit|exam|test|inspection|interview|review|check|quiz)\b",
    re.IGNORECASE,
)
_WORKED = re.compile(r"\b(?:worked|works|did the trick|fixed it|solved it)\b", re.IGNORECASE)
_FAILED = re.compile(
    r"\b(?:fail(?:s|ed)?|broke|breaks|crash(?:es|ed)?|(?:does|did|do|could|can|would) ?(?:not|n['’]t)|cannot|lost)\b",
    re.IGNORECASE,
)


def is_lesson(fact: Fact) -> bool:
    """Whether a fact teaches something: what was tried and worked or did not. How an audit ended is a result."""
    if fact.qualifier is not None or _RESULT.search(fact.text):
        return False
    return fact.kind in LESSONS or (fact.kind is FactKind.EVENT and _WORKED.search(fact.text.split(",")[0]) is not None)


def head_of(text: str) -> str:
    """Works or Fails, by the first part of a lesson."""
    return "Fails" if _FAILED.search(re.split(r"[,;]", text)[0]) else "Works"


def held(page: str) -> int:
    """How many lessons stand on a page."""
    lines = page.partition(f"\n## {HEAD}\n")[2].split("\n## ", 1)[0].split("\n")
    return sum(line.startswith("- ") for line in lines)
