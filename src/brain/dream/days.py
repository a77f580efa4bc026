"""Days in statements: which day one is about, whether one says when, and when what it plans is over."""

from __future__ import annotations

import calendar
import re
from datetime import date

from brain.types import Fact

STAMP = re.compile(r"\s*\((?:as of|before|about|week of|after|shortly before) \d{4}-\d{2}(?:-\d{2})?\)")
_ISO = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_MONTH = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b"
)
_YEAR_MONTH = re.compile(r"\b(\d{4})-(\d{2})\b(?!-)")
_YEAR = re.compile(r"\b(?:in|about|since|before|of) (\d{4})\b")

_NAMES = "January February March April May June July August September October November December"
_MONTHS = _NAMES.split(" ")
_LONG = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})\b")
_DAY_MONTH = re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{'|'.join(_MONTHS)})\b(?!,? \d)")
_MONTH_END = re.compile(rf"\b(?:by|before|until|till) (?:the end of )?(?P<month>{'|'.join(_MONTHS)})\b(?! \d)")
HALF_A_YEAR = 183


def event_day(fact: Fact) -> date | None:
    """The day a statement is about: the first day, month or year it names, else the day it was said."""
    text = fact.text
    try:
        if match := _ISO.search(text):
            return date.fromisoformat(match[1])
        if match := _LONG.search(text):
            return date(int(match[3]), _MONTHS.index(match[2]) + 1, int(match[1]))
        if match := _MONTH.search(text):
            return date(int(match[2]), _MONTHS.index(match[1]) + 1, 1)
        if match := _YEAR_MONTH.search(text):
            return date(int(match[1]), int(match[2]), 1)
        if match := _YEAR.search(text):
            return date(int(match[1]), 1, 1)
    except ValueError:
        return fact.day
    return fact.day


def is_dated(text: str) -> bool:
    """Whether a text says when: a day, a month or a year."""
    return any(pattern.search(text) for pattern in (_ISO, _MONTH, _YEAR_MONTH, _YEAR))


def with_year(text: str, said: date | None) -> str:
    """The text with the year behind days that name none; said near the turn of a year, the nearest.

    >>> with_year("Charts are due on 25 August.", date(2026, 8, 6))
    'Charts are due on 25 August 2026.'
    """
    if said is None or '"' in text or "“" in text:
        return text

    def dated(match: re.Match[str]) -> str:
        year = _year(int(match["day"]), _MONTHS.index(match["month"]) + 1, said)
        return match[0] if year is None else f"{match[0]} {year}"

    return _DAY_MONTH.sub(dated, text)


def _year(day: int, month: int, said: date) -> int | None:
    try:
        there = date(said.year, month, day)
    except ValueError:
        return None
    far = (there - said).days
    return said.year + (far < -HALF_A_YEAR) - (far > HALF_A_YEAR)


def over_on(text: str) -> str:
    """The last day that a statement with a `(as of D)` stamp plans for, "" when it names none."""
    bare = STAMP.sub("", text)
    said = max(_ISO.findall(" ".join(STAMP.findall(text))), default="")
    days = _ISO.findall(bare)
    for match in _LONG.finditer(bare):
        days.append(f"{match[3]}-{_MONTHS.index(match[2]) + 1:02}-{int(match[1]):02}")
    if said and (ending := _MONTH_END.search(bare)):
        month = _MONTHS.index(ending["month"]) + 1
        year = int(said[:4]) + (month < int(said[5:7]))
        days.append(f"{year}-{month:02}-{calendar.monthrange(year, month)[1]:02}")
    return max(days, default="")
