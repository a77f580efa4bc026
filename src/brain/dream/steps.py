"""A workflow as an ordered account: its steps told once, without the intent to tell them and without a second count.

"(1) Walk the route; (2) mark the plan"     the recap, kept when the steps were not told one by one
"First Mara walks the route."               a step, told
"A route passes when nothing scores < 2."   the rule
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBERED = re.compile(r"\((\d{1,2})\)|^(\d{1,2})[.)] ")
_RULE = re.compile(r"\b(?:passes|fails|counts|is done|is over|is valid) (?:only )?(?:when|if|once|as soon as)\b")
_INTENT = re.compile(r"\b(?:wants?|needs?|would like) to (?:write down|dictate|keep|save|record|note)\b", re.IGNORECASE)
_QUOTE = re.compile(r"^[^\"“«「:]{1,40} ?: ?[\"“«「]")
LEAST_TOLD = 0.5
"""The share of a recap's steps that must have been told one by one for the recap to be left out."""


def is_recap(text: str) -> bool:
    """Whether a text counts steps: "(1) …; (2) …"."""
    return _NUMBERED.search(text) is not None


def numbered(texts: Sequence[str]) -> list[int]:
    """The numbers of the steps that recaps count."""
    return [int(match[1] or match[2]) for text in texts for match in _NUMBERED.finditer(text)]


def is_intent(text: str) -> bool:
    """Whether a text only says that the steps are going to be told."""
    return _INTENT.search(text) is not None


def steps_in(texts: Sequence[str]) -> list[str]:
    """The texts that tell a step: neither recap nor rule, intent or remark."""
    return [t for t in texts if not (is_recap(t) or is_intent(t) or _RULE.search(t) or _QUOTE.match(t))]


def rule_of(texts: Sequence[str]) -> str | None:
    """The text that says when the whole counts as done or passed."""
    return next((text for text in texts if _RULE.search(text)), None)


def told_once(texts: Sequence[str], known: Sequence[str] = ()) -> list[bool]:
    """For each text of a workflow whether it belongs in the account, given what the page (`known`) tells already."""
    every = [*known, *texts]
    most = max(numbered(every), default=0)
    told = len(steps_in(every)) >= LEAST_TOLD * most
    return [not (is_intent(text) or (is_recap(text) and told)) for text in texts]
