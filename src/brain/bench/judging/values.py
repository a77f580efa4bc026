"""Days and numbers that a text gives, compared by value: "8 May 2023" is 2023-05-08, "1.5 hours" is 90 minutes.

>>> same_day("2023-05-08", "on May 8th, 2023")
True
>>> numbers("an hour and 3 eggs")
[Number(value=1.0, unit='hour'), Number(value=3.0, unit='egg')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from brain.rules.days import NUMBER_WORDS
from brain.rules.when import days, places

_AROUND = re.compile(
    r"(?P<what>week|weekend|month|(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day|day|night)\s+(?P<side>before|after|of)\s+",
    re.I,
)
_WEEKDAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")


def spans(text: str) -> list[tuple[date, date]]:
    """What a text says of a day by its distance from another: "the week before 9 June 2023", first and last day."""
    found = []
    for start, _, when in places(text):
        around = next((m for m in _AROUND.finditer(text) if m.end() == start), None)
        if around and when.year and when.month and when.day:
            found.append(_span(around, date(when.year, when.month, when.day)))
    return found


def _span(around: re.Match[str], day: date) -> tuple[date, date]:
    sign = -1 if around["side"].lower() == "before" else 1
    what = around["what"].lower()
    if around["side"].lower() == "of":
        monday = day - timedelta(days=day.weekday())
        return (monday, monday + timedelta(days=6)) if what.startswith("week") else (day, day)
    if around["weekday"]:
        wanted = _WEEKDAYS.index(around["weekday"].lower())
        other = day + timedelta(days=sign)
        while other.weekday() != wanted:
            other += timedelta(days=sign)
        return other, other
    far = {"week": 7, "weekend": 8, "month": 31}.get(what, 1)
    return (
        (day - timedelta(days=far), day - timedelta(days=1))
        if sign < 0
        else (day + timedelta(days=1), day + timedelta(days=far))
    )


def same_day(gold: str, given: str) -> bool | None:
    """Whether an answer gives the day (month, year) of the gold one; None when the gold one gives none."""
    if ranges := spans(gold):
        told = [date(w.year, w.month, w.day) for w in days(given) if w.year and w.month and w.day]
        return any(first <= day <= last for first, last in ranges for day in told) or bool(
            set(ranges) & set(spans(given))
        )
    wanted = days(gold)
    if not wanted:
        return None
    told_days = days(given)
    return all(any(one.meets(other) for other in told_days) for one in wanted)


@dataclass(frozen=True, slots=True)
class Number:
    """A number with the word after it, without its plural; None when no word follows."""

    value: float
    unit: str | None = None


_FIGURE = re.compile(
    r"(?<![\w.,])(?P<figure>\d{1,3}(?:[,.' \u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[^\W\d_]+)"
    r"\s*-?\s?(?P<unit>%|[€$£¥]|[^\W\d_]+)?"
)
_MINUTES = {"minute": 1.0, "min": 1.0, "hour": 60.0, "h": 60.0, "hr": 60.0, "day": 1440.0, "week": 10080.0}
_GRAMS = {"g": 1.0, "gram": 1.0, "kg": 1000.0, "kilo": 1000.0, "kilogram": 1000.0}
_METRES = {
    "m": 1.0,
    "metre": 1.0,
    "meter": 1.0,
    "km": 1000.0,
    "kilometre": 1000.0,
    "kilometer": 1000.0,
    "cm": 0.01,
    "mm": 0.001,
}
_SCALES = (_MINUTES, _GRAMS, _METRES)
_WORDS = {**NUMBER_WORDS, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "dozen": 12}
_TIMES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "dozen": 12}
_VAGUE = frozenset({"a", "an", "un", "une", "einem", "einer", "couple", "few", "several"})


def numbers(text: str) -> list[Number]:
    """Numbers of a text in figures or words; not those of days and months, nor articles unless a unit follows.

    A year that stands alone may be a number too: "2000 g".
    """
    bare = text
    for start, end, when in reversed(places(text)):
        if when.month:
            bare = bare[:start] + " ; " + bare[end:]
    return list(_numbers(bare))


def _numbers(text: str) -> Iterator[Number]:
    at = 0
    while match := _FIGURE.search(text, at):
        at = max(match.end("figure"), match.start() + 1)
        value = _value(match["figure"])
        if value is None:
            continue
        unit = _unit(match["unit"])
        if unit in _TIMES:  # "three hundred"
            value *= _TIMES[unit]
            after = _FIGURE.match(text, match.start("unit"))
            at = match.end("unit")
            unit = _unit(after["unit"]) if after else None
        known = any(unit in scale for scale in _SCALES)
        if match["figure"].casefold() in _VAGUE and not known:
            continue
        yield Number(value, unit)


def _value(figure: str) -> float | None:
    if not figure[0].isdecimal():
        word = _WORDS.get(figure.casefold())
        return None if word is None else float(word)
    plain = re.sub(r"[' \u202f]", "", figure)
    last = max(plain.rfind("."), plain.rfind(","))
    whole, mark, part = plain[:last], plain[last : last + 1], plain[last + 1 :]
    if last < 0:
        return float(plain)
    mixed = {".", ","} - {mark} & set(whole)  # "1,200.50": the last mark is the decimal one
    thousands = len(part) == 3 and whole != "0" and not mixed
    return float(re.sub("[.,]", "", plain)) if thousands else float(f"{re.sub('[.,]', '', whole)}.{part}")


def _unit(word: str | None) -> str | None:
    if word is None:
        return None
    low = word.casefold()
    return low[:-1] if len(low) > 2 and low.endswith("s") and not low.endswith("ss") else low


def same_number(gold: str, given: str) -> bool | None:
    """Whether an answer gives every number of the gold one, units converted where both have one that is known."""
    wanted = numbers(gold)
    if not wanted:
        return None
    told = numbers(given)
    return all(any(_equal(one, other) for other in told) for one in wanted)


def _equal(one: Number, other: Number) -> bool:
    for scale in _SCALES:
        if one.unit in scale and other.unit in scale:
            return _near(one.value * scale[str(one.unit)], other.value * scale[str(other.unit)])
        if one.unit in scale and any(other.unit in another for another in _SCALES):
            return False
    return _near(one.value, other.value)


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))
