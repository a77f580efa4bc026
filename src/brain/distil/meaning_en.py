"""What English phrases about time mean on the day they are said: functions from a match to a date in words."""

# ruff: noqa: E501 — word lists and patterns, one thing a line
from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from brain.distil.days import (
    add_days,
    add_months,
    monday,
    nearest_year,
    next_weekday,
    weekday_after,
    weekday_before,
    weekend,
)

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
_MONTH_OF = {m.lower(): i + 1 for i, m in enumerate(MONTHS)} | {m[:3].lower(): i + 1 for i, m in enumerate(MONTHS)}
_MONTH_OF["sept"] = 9
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    w: i + 1
    for i, w in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
_NUMBERS |= {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30}
N = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)"
VAGUE = r"(?:a few|a couple(?: of)?|several|some|many|few|couple(?: of)?)"
_SHORT_DAYS = {
    "mon": 0,
    "tue": 1,
    "tues": 1,
    "wed": 2,
    "weds": 2,
    "thu": 3,
    "thur": 3,
    "thurs": 3,
    "fri": 4,
    "sat": 5,
    "sun": 6,
}
DAY = "|".join(_WEEKDAYS)
ANY_DAY = f"{DAY}|tues|tue|mon|weds|wed|thurs|thur|thu|fri|sat|sun"
MONTH = "|".join(MONTHS)
MON = r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
SEASONS = "spring|summer|fall|autumn|winter"
PART = r"(?:\s+(?P<part>morning|afternoon|evening|night))?"
_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|went|got|took|made|saw|came|bought|met|gave|found|told|said|left|lost|won|ran|"
    r"started|began|ate|wrote|read|sent|spent|felt|heard|became|held|built|brought|taught|flew|drove|rode|swam|fell|broke|chose|drew|grew|gone|done|seen|taken|written|came|left|sold|paid|caught|thought|kept|slept|lost|chose|wore|sang|\w{3,}ed|been|ago|last|yesterday)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|going to|gonna|plan|plans|planning|planned|hope|hoping|next|upcoming|tomorrow|scheduled|due|deadline|"
    r"want to|would like|can't wait|looking forward|by|until|needs? to|have to|must|starts|begins)\b|'ll\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:is|are|am|can|can't|cannot|could|would|should|may|might|being|let's|please)\b|'(?:m|re)\b", re.IGNORECASE
)
_PASSIVE = re.compile(r"\b(?:is|are|be|being|'s|'re)\s+(?:\w+ly\s+)?\w+ed\b", re.IGNORECASE)

_HALF_A_YEAR = 200
"""A day said without a year is taken for one at most this many days off; else it stays as said."""

Meaning = tuple[str, str]
"""Preposition and absolute core: ("on", "2026-06-09"), ("in", "the week of 2026-06-01")."""


def tense(sentence: str) -> str:
    """ "past", "future" or "" for a sentence, from its verb forms; "" whenever the forms disagree."""
    past = _PAST.search(_PASSIVE.sub(" ", sentence)) is not None
    if _FUTURE.search(sentence):
        return "" if past else "future"
    if _PRESENT.search(sentence):
        return ""
    return "past" if past else ""


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word.lower(), 1)


def month_name(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.year}"


def _on(day: date, part: str | None = None) -> Meaning:
    if part:
        return ("on", f"the {part.lower()} of {day}")
    return ("on", f"{day}")


def _week(day: date) -> Meaning:
    return ("in", f"the week of {monday(day)}")


def simple_day(m: re.Match[str], said: date, _: str) -> Meaning | None:
    word = m[0].lower()
    part = m["part"]
    if "day before yesterday" in word:
        return _on(add_days(said, -2), part)
    if "day after tomorrow" in word:
        return _on(add_days(said, 2), part)
    if word.startswith("last"):
        return _on(add_days(said, -1), "evening" if "evening" in word else "night")
    if word.startswith("this"):
        return _on(said, word.split()[-1])
    if word.startswith("tonight"):
        return _on(said, "evening")
    offset = -1 if "yesterday" in word else 1 if "tomorrow" in word else 0
    return _on(add_days(said, offset), part)


def ago(m: re.Match[str], said: date, _: str) -> Meaning | None:
    unit = m["unit"].lower()
    if m["vague"]:
        amount = m["vague"].lower()
        amount = {"few": "a few", "couple": "a couple of", "couple of": "a couple of", "a couple": "a couple of"}.get(
            amount, amount
        )
        return ("", f"{amount} {unit.rstrip('s')}s before {said}")
    return _shifted(-_count(m["n"]), unit.rstrip("s"), said)


def _shifted(n: int, unit: str, said: date) -> Meaning | None:
    """The time `n` units away from `said`; units coarser than a day are rough, so the answer is a week, month or year."""
    if abs(n) > 900:
        return None
    if unit == "day":
        return _on(add_days(said, n))
    if unit == "weekend":
        return ("on", f"the weekend of {weekend(said, n)}")
    if unit in ("week", "fortnight"):
        days = 7 * n * (2 if unit == "fortnight" else 1)
        return ("", f"about {add_days(said, days)}") if abs(days) == 7 else _week(add_days(said, days))
    if unit == "month":
        return ("", f"about {month_name(add_months(said, n))}")
    if unit == "decade":
        return ("", f"about {said.year + 10 * n}")
    return ("", f"about {said.year + n}") if said.year + n > 0 else None


def relative(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    which, unit = m["which"].lower(), m["unit"].lower()
    step = (
        1
        if "next" in which or which == "upcoming"
        else 0
        if which in ("this", "this coming", "coming", "the coming")
        else -1
    )
    if which in ("coming", "this coming", "the coming") and unit in ("week", "month", "year"):
        step = 1
    early = (m["early"] or "").lower()
    meaning = _unit(step, unit, said, tense_, coming="coming" in which)
    if meaning and early:
        core = meaning[1]
        return ("", f"{early} in {core}")
    return meaning


def _unit(step: int, unit: str, said: date, tense_: str, *, coming: bool) -> Meaning | None:
    if unit == "week":
        return _week(add_days(said, 7 * step))
    if unit == "weekend":
        passed = step < 0
        return ("on", f"the weekend of {weekend(said, step if not passed else -1)}")
    if unit == "month":
        return ("in", month_name(add_months(said.replace(day=1), step)))
    if unit == "year":
        return ("in", f"{said.year + step}")
    if unit in ("spring", "summer", "fall", "autumn", "winter"):
        return ("in", f"the {unit} of {_season_year(step, unit, said)}")
    if unit in _WEEKDAYS or unit in _SHORT_DAYS:
        index = _SHORT_DAYS[unit] if unit in _SHORT_DAYS else _WEEKDAYS.index(unit)
        if step < 0:
            return _on(weekday_before(said, index))
        if step > 0:
            return _on(next_weekday(said, index))
        past = tense_ == "past" and not coming
        return _on(weekday_before(add_days(said, 1), index) if past else weekday_after(add_days(said, -1), index))
    month = _MONTH_OF.get(unit)
    if month is None:
        return None
    if step == 0:
        return ("in", f"{MONTHS[month - 1]} {said.year}")
    year = nearest_year(month, None, said.replace(day=1) - timedelta(days=1) if step < 0 else said, past=step < 0)
    return ("in", f"{MONTHS[month - 1]} {year}") if year else None


def _season_year(step: int, unit: str, said: date) -> int:
    if step == 0:
        return said.year
    first, last = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11), "winter": (12, 12)}[unit]
    if step < 0:
        return said.year if said.month > last else said.year - 1
    return said.year if said.month < first else said.year + 1


def weekday(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    index = _WEEKDAYS.index(m["day"].lower())
    lead = (m["lead"] or "").lower()
    if lead in ("by", "until", "till", "before") or (tense_ == "future" and lead != "since"):
        return _on(weekday_after(said, index), m["part"])
    if tense_ == "past" or lead == "since":
        return _on(weekday_before(said, index), m["part"])
    return None


def month_day(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    month = _MONTH_OF[(m["m1"] or m["m2"]).lower()]
    day = int(m["d1"] or m["d2"])
    if m["wd"]:
        return _on_weekday(_WEEKDAYS.index(m["wd"].lower()), month, day, said)
    if not tense_:
        return None
    year = nearest_year(month, day, said, past=tense_ == "past")
    when = date(year, month, day) if year else None
    return _on(when) if when and abs((when - said).days) <= _HALF_A_YEAR else None


def _on_weekday(weekday: int, month: int, day: int, said: date) -> Meaning | None:
    """ "Monday 12 October": the weekday tells the year, when only one year near by fits."""
    fitting: list[date] = []
    for year in (said.year - 1, said.year, said.year + 1):
        try:
            when = date(year, month, day)
        except ValueError:
            continue
        if when.weekday() == weekday:
            fitting.append(when)
    return _on(fitting[0]) if len(fitting) == 1 else None


def ordinal_day(m: re.Match[str], said: date, sentence: str) -> Meaning | None:
    """ "on the 14th": the next such day, or the last one in a sentence about the past."""
    day = int(m["d"])
    past = tense(sentence) == "past"
    if not past and _PAST.search(_PASSIVE.sub(" ", sentence)) and not _FUTURE.search(sentence):
        return None
    for step in (0, -1) if past else (0, 1):
        first = add_months(said.replace(day=1), step)
        try:
            when = first.replace(day=day)
        except ValueError:
            continue
        if (when <= said) if past else (when >= said):
            return _on(when)
    return None


def month_alone(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    if not tense_:
        return None
    month = _MONTH_OF[m["m"].lower()]
    year = nearest_year(month, None, said, past=tense_ == "past")
    return ("in", f"{MONTHS[month - 1]} {year}") if year else None


_DUE = re.compile(
    r"\b(?:comes?|arrives?|starts?|begins?|ends?|leaves?|opens?|closes?|expires?|returns?|is due|are due)\b[^,;]{0,30}$",
    re.IGNORECASE,
)
"""What is told of a time to come in the present tense ("The inspectors come in two days.")."""


def in_future(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    if tense_ != "future" and not (tense_ != "past" and _DUE.search(m.string[: m.start()])):
        return None
    if m["vague"]:
        return ("", f"a few {m['unit'].lower().rstrip('s')}s after {said}")
    return _shifted(_count(m["n"]), m["unit"].lower().rstrip("s"), said)


def from_today(m: re.Match[str], said: date, _: str) -> Meaning | None:
    """ "two weeks from today" names its day; "two weeks from now" is about then."""
    unit = m["unit"].lower().rstrip("s")
    if m["vague"] or m["exact"].lower() == "now" or unit not in ("day", "week"):
        return in_future(m, said, "future")
    return _on(add_days(said, _count(m["n"]) * (7 if unit == "week" else 1)))


def to_the_day(m: re.Match[str], said: date, _: str) -> Meaning | None:
    """ "two weeks ago today", "exactly two weeks ago"."""
    unit = (m["unit"] or m["step"]).lower().rstrip("s")
    return _on(add_days(said, -_count(m["n"] or m["m"]) * (7 if unit == "week" else 1)))


def past_span(m: re.Match[str], said: date, _: str) -> Meaning | None:
    amount = (m["n"] or m["vague"] or "").lower()
    return ("", " ".join(w for w in ("the", amount, m["unit"].lower(), f"before {said}") if w))


def the_unit(m: re.Match[str], said: date, _: str) -> Meaning | None:
    unit = m["unit"].lower()
    return _unit(0, unit, said, "", coming=False)


def before_last(m: re.Match[str], said: date, _: str) -> Meaning | None:
    return (
        _unit(-2, m["unit"].lower(), said, "", coming=False)
        if m["unit"].lower() != "weekend"
        else ("on", f"the weekend of {weekend(said, -2)}")
    )


def fixed(text: str) -> Callable[[re.Match[str], date, str], Meaning | None]:
    return lambda _, said, __: ("", text.format(said))
