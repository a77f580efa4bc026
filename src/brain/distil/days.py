"""Day arithmetic behind relative phrases, and the span type that both phrase tables produce."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSpan:
    """A phrase about time in a sentence.

    `instead` is the absolute text to put in its place, None when it cannot be known or cannot stand there; `bare` is
    the short absolute form for a remark in parentheses ("week of 2026-06-01"), None when unknown. `remark` asks to
    drop the phrase and add `bare` in parentheses at the end ("recently" → "(shortly before 2026-06-10)").
    """

    start: int
    end: int
    instead: str | None
    bare: str | None
    remark: bool = False


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def weekend(day: date, offset: int) -> date:
    """Saturday of the weekend `offset` weekends from the one `day` is in or heads for (0 = this one)."""
    return monday(day) + timedelta(days=5 + 7 * offset)


def weekday_before(day: date, weekday: int) -> date:
    """The latest such weekday strictly before `day` (0 = Monday)."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def weekday_after(day: date, weekday: int) -> date:
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def next_weekday(day: date, weekday: int) -> date:
    """What "next Friday" names: the coming one when it is five or more days off, else that of the following week."""
    coming = weekday_after(day, weekday)
    return coming if (coming - day).days >= 5 or day.weekday() >= 5 else coming + timedelta(days=7)


def add_months(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    year = min(max(year, 1), 9999)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def add_days(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


def nearest_year(month: int, day: int | None, said: date, *, past: bool) -> int | None:
    """The year of a date said without one: the latest that is over when `past`, else the next to come."""
    for year in (said.year, said.year - 1) if past else (said.year, said.year + 1):
        try:
            when = date(year, month, day or (1 if past else calendar.monthrange(year, month)[1]))
        except ValueError:
            continue
        if (when <= said) if past else (when >= said):
            return year
    return None
