"""One English sentence that tells two things becomes two; labels and asides before a statement are cut."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re

from brain.distil.gazetteer import NOT_NAMES
from brain.distil.sentences import word_count

_NAME = r"[A-ZÀ-Þ][\w’'&-]*(?:\s(?:(?:of|de|the|&)\s)?[A-ZÀ-Þ][\w’'&-]*){0,3}"
_VERB = (
    r"(?:is|was|has|had|will|can|leads?|went|came|said|told|took|made|left|got|won|gave|built|wrote|[a-z]{2,}(?:s|ed))"
)
_TWO = re.compile(
    rf"^(?P<a>(?P<n1>{_NAME})\s{_VERB}\s[^,;]{{4,140}}),\s+(?:and\s+|while\s+|but\s+)?(?P<b>(?P<n2>{_NAME})\s{_VERB}\s[^;]{{4,140}})$"
)
_GAPPED = re.compile(
    rf"^(?P<what>(?:[Mm]y|[Oo]ur|[Tt]he)\s(?:[\w-]+\s){{1,3}}?)(?P<p>at|in|for|with)\s(?P<x>{_NAME})\s(?P<is>is|was)\s(?P<a>{_NAME}),?\s+and\s(?P<p2>at|in|for|with)\s(?P<y>{_NAME})\s(?:it's|it is|it was)\s(?P<b>{_NAME})[.!]?$"
)
_LABEL = re.compile(rf"^[A-Z]?[\w'’ -]{{2,40}}:\s+(?={_NAME}\s{_VERB}\b)")
_GOAL = re.compile(
    r"^(?P<what>(?:The|My|Our)\s(?:goal|aim|plan|idea|point|purpose))(?:\s[\w ]{2,30})?:\s+(?P<verb>find|make|get|build|show|test|let|give|help|have|keep|write|learn|reach|ship|publish|launch|reduce|cut|see|use)\b"
)
_ASIDE = re.compile(
    r"^(?:please\s+)?(?:remember|note|keep in mind|don't forget|mind)\s(?:that|this)(?:\sone)?(?:\sfor\s\w+(?:\s\w+)?)?[,:;]\s+",
    re.IGNORECASE,
)


def parts(sentence: str) -> list[str]:
    """The statements in a sentence: "Ana leads the design, Bo builds the app" → both; most sentences are one."""
    if "," not in sentence and ":" not in sentence:
        return [sentence]
    sentence = _ASIDE.sub("", sentence)
    if m := _GAPPED.match(sentence):
        what = m["what"]
        return [f"{what}{m['p']} {m['x']} {m['is']} {m['a']}.", f"{what}{m['p2']} {m['y']} {m['is']} {m['b']}."]
    if goal := _GOAL.match(sentence):
        sentence = f"{goal['what']} is to {goal['verb']}{sentence[goal.end() :]}"
    elif (label := _LABEL.match(sentence)) and _real(sentence[label.end() :]):
        sentence = sentence[label.end() :]
    m = _TWO.match(sentence)
    if (
        m
        and _real(m["n1"])
        and _real(m["n2"])
        and m["n1"] != m["n2"]
        and min(word_count(m["a"]), word_count(m["b"])) >= 4
    ):
        return [f"{m['a']}.", m["b"]]
    return [sentence]


def _real(name: str) -> bool:
    return name.split(" ")[0] not in NOT_NAMES
