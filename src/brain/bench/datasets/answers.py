"""Of which kind an answer is, where a data set gives only words: read off the words, so that it is compared by value.

>>> [kind_of(one).value for one in ("3", "two weeks", "8 May 2023", "2022", "kayak, tent", "the red one", None)]
['number', 'number', 'date', 'date', 'list', 'text', 'none']
"""

from __future__ import annotations

import re

from brain.bench.asked import Kind

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    rf"(?:(?:19|20)\d\d|(?:the )?(?:\w+ (?:before|after|of) )?"
    rf"(?:(?:\w+day,? )?\d{{1,2}}(?:st|nd|rd|th)? (?:of )?)?{_MONTH},?"
    rf"(?: \d{{1,2}}(?:st|nd|rd|th)?,?)?(?: (?:19|20)\d\d)?|(?:19|20)\d\d-\d\d(?:-\d\d)?)\.?",
    re.IGNORECASE,
)
_COUNT = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice"
_NUMBER = re.compile(rf"[$€£]?(?:\d[\d,.]*|{_COUNT})(?:%|[a-z]{{1,3}})?(?: [a-z]+){{0,2}}\.?", re.IGNORECASE)
_ITEM = 5  # words


def kind_of(answer: str | None) -> Kind:
    """How an answer is compared."""
    if answer is None:
        return Kind.NONE
    text = answer.strip()
    if _DATE.fullmatch(text):
        return Kind.DATE
    if _NUMBER.fullmatch(text):
        return Kind.NUMBER
    items = [item for item in re.split(r",\s*(?:and\s+)?|\s+and\s+", text.rstrip(".")) if item.strip()]
    if "," in text and len(items) > 1 and all(len(item.split()) <= _ITEM for item in items) and ". " not in text:
        return Kind.LIST
    return Kind.TEXT
