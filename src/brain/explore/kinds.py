"""What kind of answer a question wants, and whether a statement is of that kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import StrEnum


class Kind(StrEnum):
    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how many"
    NAME = "which"  # of organisations, projects, tools …: something with a name of its own
    OTHER = "other"


_ASKS = {
    Kind.HOW_MANY: r"\bhow (?:many|much|long|old|often)\b|\bcombien\b|\bwie ?viele?\b|\bcuánt|скільки|сколько|多少|何人"
    r"|いくつ",
    Kind.WHEN: r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bquand\b|\bwann\b|\bcuándo\b|коли|когда"
    r"|什么时候|いつ",
    Kind.WHERE: r"\bwhere\b|\b(?:what|which) (?:city|country|town|place|state|address|street)\b|\boù\b|\bwo\b|\bdónde\b"
    r"|\bде\b|\bгде\b|哪里|どこ",
    Kind.WHO: r"\bwho(?:m|se)?\b|\b(?:what|which) (?:person|people|colleague|friend)s?\b|\bqui\b|\bwer\b|\bquién"
    r"|\bхто\b|\bкто\b|谁|誰",
}
_NAMED = re.compile(
    r"\b(?:what|which) (?:\w+ )?(?:organi[sz]ations?|compan(?:y|ies)|partners?|hosts?|vendors?|suppliers?|clients?"
    r"|projects?|tools?|products?|apps?|books?|movies?|films?|songs?|bands?|restaurants?|hotels?|universit(?:y|ies)|schools?|labs?)\b",
    re.IGNORECASE,
)
_ANSWERS = {
    Kind.WHEN: re.compile(
        r"\d{4}|\b\d{1,2}(?:st|nd|rd|th)?\b|\b(?:yesterday|today|tomorrow|ago|(?:last|next|this) \w+|week|month|year"
        r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)",
        re.IGNORECASE,
    ),
    Kind.WHERE: re.compile(
        r"\b(?:in|at|from|near|to|à|en|dans|chez|nach|bei) (?:the )?[A-ZÀ-Þ]|[市県区省]|\bв [А-ЯІЇЄ]|在"
    ),
    Kind.HOW_MANY: re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|couple|several|once|twice|both)\b",
        re.IGNORECASE,
    ),
}
_LIST = re.compile(
    r"\b(?:what|which|who|where|name|list)\b.*\b(?:are|were|have|do|did|all|and|has|does)\b|\b(?:activities|kinds?|types?|ways"
    r"|places|books|things)\b",
    re.IGNORECASE,
)


def kind_of(question: str) -> Kind:
    """What the question asks for."""
    for kind, words in _ASKS.items():
        if re.search(words, question, re.IGNORECASE):
            return kind
    return Kind.NAME if _NAMED.search(question) else Kind.OTHER


_NAME = re.compile(
    r"[^\W\d_a-zà-ÿа-яіїєґ][\w'’-]*(?: (?:(?:of|de|du|von|van|und|and|the|&) )?[A-ZÀ-ÞА-ЯІЇЄҐ][\w'’-]*)*"
)
_PAGES = {
    "org": r"organi[sz]ations?|compan(?:y|ies)|partners?|hosts?|vendors?|suppliers?|clients?|labs?|universit(?:y|ies)",
    "person": r"persons?|people|colleagues?|friends?|contacts?",
    "place": r"cit(?:y|ies)|countr(?:y|ies)|towns?|places?",
    "project": r"projects?",
    "tool": r"tools?|apps?",
}
_OPENS = re.compile(r"(?:^|[.!?:—–«“\"(]\s*)$")


def page_kind(question: str) -> str | None:
    """The kind of page that a question asks for by name: `org`, `person`, `place`, `project`, `tool`."""
    for kind, pattern in _PAGES.items():
        if re.search(
            rf"\b(?:what|which|who)\b.*\b(?:{pattern})\b|\bwho(?:m|se)?\b"
            if kind == "person"
            else rf"\b(?:what|which) (?:\w+ )?(?:{pattern})\b",
            question,
            re.IGNORECASE,
        ):
            return kind
    return None


def fits(kind: Kind, statement: str, question: str = "", names: Collection[str] = ()) -> bool:
    """Whether a statement holds something of the kind asked for.

    A name must be one of `names` (things of that kind that memory has pages on), or at least one that the question does
    not hold.
    """
    if names_one(statement, question, names):
        return True
    if kind in {Kind.WHO, Kind.NAME}:
        return any(_new_names(statement, question.casefold()))
    pattern = _ANSWERS.get(kind)
    return pattern is None or pattern.search(statement) is not None


def answers_named(statement: str, question: str, names: Collection[str] = ()) -> frozenset[str]:
    """The names a statement answers with: those of `names` in it, else the proper names that the question lacks."""
    folded, asked = statement.casefold(), question.casefold()
    known = frozenset(name for name in names if name.casefold() in folded and name.casefold() not in asked)
    return known or frozenset(_new_names(statement, asked))


def _new_names(statement: str, question: str) -> Iterator[str]:
    for match in _NAME.finditer(statement):
        words = [word for word in match.group().split() if word.casefold().removesuffix("'s") not in question]
        opens = _OPENS.search(statement[: match.start()]) is not None
        if words and (not opens or len(match.group().split()) > 1) and len(words[0]) > 1:
            yield " ".join(words)


def names_one(statement: str, question: str, names: Collection[str]) -> bool:
    """Whether a statement names one of `names` that the question does not."""
    folded, asked = statement.casefold(), question.casefold()
    return any(name.casefold() in folded and name.casefold() not in asked for name in names)


def wants_several(question: str) -> bool:
    """Whether one statement is unlikely to be the whole answer."""
    return _LIST.search(question) is not None
