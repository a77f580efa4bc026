"""Spans of days: a day, the week or month it lies in, and how many of them away another is."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Span:
    """Days, both included; None = open on that side."""

    first: date | None
    last: date | None


def days(year: int, month: int, day: int | None = None) -> Span | None:
    """A day, or a whole month; None when there is no such one."""
    if not 1 <= month <= 12 or not 1 <= year <= 9998:
        return None
    length = calendar.monthrange(year, month)[1]
    if day is None:
        return Span(date(year, month, 1), date(year, month, length))
    return Span(date(year, month, day), date(year, month, day)) if 1 <= day <= length else None


def before(now: date, days: int) -> date:
    return date.fromordinal(max(1, now.toordinal() - days))


def _months_away(now: date, months: int) -> date:
    index = min(max(now.year * 12 + now.month - 1 + months, 12), 9998 * 12 + 11)
    year, month = divmod(index, 12)
    return date(year, month + 1, min(now.day, calendar.monthrange(year, month + 1)[1]))


def away(now: date, unit: str, by: int) -> Span:
    """The whole day, week (from Monday), weekend, month or year that lies so many away."""
    if unit in ("month", "year"):
        then = _months_away(now, by * (12 if unit == "year" else 1))
        if unit == "year":
            return Span(date(then.year, 1, 1), date(then.year, 12, 31))
        return days(then.year, then.month) or Span(then, then)
    ordinal = now.toordinal()
    if unit == "day":
        first = last = ordinal + by
    else:
        first = ordinal - now.weekday() + 7 * by
        first, last = (first + 5, first + 6) if unit == "weekend" else (first, first + 6)
    top = date.max.toordinal()
    return Span(date.fromordinal(min(max(first, 1), top)), date.fromordinal(min(max(last, 1), top)))


def about(now: date, unit: str, count: int) -> Span:
    """`three weeks ago` means a day, give or take half of the unit."""
    size = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    then = _months_away(now, -count * (12 if unit == "year" else 1)) if size >= 30 else before(now, count * size)
    return Span(before(then, size // 2), date.fromordinal(min(then.toordinal() + size // 2, date.max.toordinal())))
