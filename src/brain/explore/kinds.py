"""What kind of answer a question wants, and whether a statement is of that kind."""

from __future__ import annotations

import re
from enum import StrEnum


class Kind(StrEnum):
    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how many"
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
_ANSWERS = {
    Kind.WHEN: re.compile(
        r"\d{4}|\b\d{1,2}(?:st|nd|rd|th)?\b|\b(?:yesterday|today|tomorrow|ago|(?:last|next|this) \w+|week|month|year"
        r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)",
        re.IGNORECASE,
    ),
    Kind.WHERE: re.compile(
        r"\b(?:in|at|from|near|to|à|en|dans|chez|nach|bei) (?:the )?[A-ZÀ-Þ]|[市県区省]|\bв [А-ЯІЇЄ]|在"
    ),
    Kind.WHO: re.compile(r"(?<![.!?] )(?<!^)\b[A-ZÀ-Þ][a-zà-ÿ]+|\b(?:my|our|his|her|their) \w+"),
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
    return Kind.OTHER


def fits(kind: Kind, statement: str) -> bool:
    """Whether a statement holds something of the kind asked for."""
    pattern = _ANSWERS.get(kind)
    return pattern is None or pattern.search(statement) is not None


def wants_several(question: str) -> bool:
    """Whether one statement is unlikely to be the whole answer."""
    return _LIST.search(question) is not None
