"""Days, months and years that a text gives outright, in many languages: "8 May 2023" is 2023-05-08.

>>> sorted(days("on May 8th, 2023, and again in 2024"))
[When(year=2023, month=5, day=8), When(year=2024, month=None, day=None)]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from brain.rules.days import MONTHS

_MONTH = re.compile("|".join(f"(?P<m{n}>{names})" for n, names in enumerate(MONTHS, 1)), re.I)
_NAMES = "|".join(names.replace(f"|{n}月", "") for n, names in enumerate(MONTHS, 1))
_NAME = rf"(?P<name>(?<![^\W\d_])(?:{_NAMES})[а-яіїєґ]*(?![^\W\d_])\.?)"  # Cyrillic names are given by their stems
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|\.|º|-?го)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FORMS = tuple(
    re.compile(form, re.I)
    for form in (
        rf"(?<!\d){_YEAR}[-/.](?P<month>[01]?\d)(?:[-/.](?P<day>[0-3]?\d))?(?!\d)",
        rf"(?<!\d){_YEAR}年(?:\s*(?P<month>1?\d)月(?:\s*(?P<day>[0-3]?\d)日)?)?",
        r"(?<![\d年])(?P<month>1?\d)月\s*(?P<day>[0-3]?\d)日",
        rf"(?<!\d)(?P<day>[0-3]?\d)\.\s?(?P<month>[01]?\d)\.\s?{_YEAR}?(?!\d)",
        rf"(?<![\d.]){_DAY}(?:\s+(?:of|de|d['’]))?\s+{_NAME}(?:\s*,?\s*(?:de\s+|of\s+)?{_YEAR})?(?!\d)",
        rf"{_NAME}\s+{_DAY}(?!\d)(?:\s*,?\s*{_YEAR})?(?!\d)",
        rf"{_NAME}\s*,?\s*(?:de\s+|of\s+)?{_YEAR}(?!\d)",
        rf"(?<![\d.,]){_YEAR}(?![\d]|[.,]\d)",
    )
)


@dataclass(frozen=True, slots=True, order=True)
class When:
    """A day, a month or a year; what is not said is None."""

    year: int | None
    month: int | None = None
    day: int | None = None

    def meets(self, other: When) -> bool:
        """Whether `other` says at least as much and nothing else; a year left out by it is no contradiction."""
        if self.month is None:
            return self.year == other.year
        if other.month != self.month or other.year not in (self.year, None):
            return False
        return self.day is None or other.day == self.day


def days(text: str) -> list[When]:
    """Every day, month and year that a text gives outright, in order, each place read once."""
    return [when for _, _, when in places(text)]


def places(text: str) -> list[tuple[int, int, When]]:
    """The same with where each stands: start and end, offsets into the text."""
    found: list[tuple[int, int, When]] = []
    for form in _FORMS:
        for match in form.finditer(text):
            if any(match.start() < end and start < match.end() for start, end, _ in found):
                continue
            if when := _when(match):
                found.append((match.start(), match.end(), when))
    return sorted(found, key=lambda one: one[:2])


def _when(match: re.Match[str]) -> When | None:
    groups = match.groupdict()
    month = int(groups["month"]) if groups.get("month") else None
    name = groups.get("name")
    if name == "may" or month == 0:  # the verb; "2.0."
        return None
    if name:
        named = _MONTH.match(name)
        month = next(n for n in range(1, 13) if named[f"m{n}"]) if named else None
    day = int(groups["day"]) if groups.get("day") else None
    year = int(groups["year"]) if groups.get("year") else None
    try:
        date(year or 2000, month or 1, day or 1)
    except ValueError:
        return None
    return When(year, month, day)
