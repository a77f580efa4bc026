"""When a repeated event happens: the days of a recurrence rule inside a window, by the clock of the event's own place.

Rules are expanded on local time and only then placed in their zone, so 14:00 stays 14:00 over a change of the clocks.
Rules that repeat more than once a day, or that a calendar could use to keep us busy, are not expanded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, tzinfo

MOST = 1_000
"""Occurrences of one event in one window."""

_OFTEN = frozenset({"SECONDLY", "MINUTELY", "HOURLY"})
_HEAVY = frozenset({"BYMONTHDAY", "BYYEARDAY", "BYSETPOS", "BYWEEKNO", "BYEASTER", "BYMINUTE", "BYSECOND"})
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_PLAIN = {"DAILY": "daily", "WEEKLY": "weekly", "MONTHLY": "monthly", "YEARLY": "yearly"}
_DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
         "SU": "Sunday"}  # fmt: skip

Rule = Mapping[str, Sequence[object]]
"""A recurrence rule by its parts: `{"FREQ": ["WEEKLY"], "COUNT": [10]}`."""


def occurrences(
    start: date | datetime,
    rule: Rule | None,
    first: date,
    last: date,
    *,
    extra: Iterable[date | datetime] = (),
    but: Iterable[date | datetime] = (),
) -> list[date | datetime]:
    """The starts between two days, both included, of an event that begins at `start`; in order, at most `MOST`.

    `extra` are further starts, `but` those that are left out. Raises ValueError for a rule that is not expanded.
    """
    zone = start.tzinfo if isinstance(start, datetime) else None
    found = {start} | set(extra)
    if rule:
        found |= {_placed(local, start, zone) for local in _expanded(_local(start), rule, first, last, zone)}
    gone = {_moment(one) for one in but}
    kept = [one for one in found if _moment(one) not in gone and first <= _day(one) <= last]
    return sorted(kept, key=_moment)[:MOST]


def in_words(rule: Rule) -> str:
    """A rule as people say it: `every 2 weeks on Monday, until 2026-12-01`."""
    freq, every = _first(rule, "FREQ"), _first(rule, "INTERVAL")
    if freq not in _UNITS:
        return f"repeats ({freq.lower()})" if freq else "repeats"
    words = _PLAIN[freq] if every in ("", "1") else f"every {every} {_UNITS[freq]}s"
    days = [_weekday(str(day)) for day in rule.get("BYDAY", ())]
    if days and all(days):
        words += " on " + ", ".join(days)
    if until := rule.get("UNTIL"):
        value = until[0]
        words += f", until {_day(value).isoformat()}" if isinstance(value, date) else ""
    elif count := _first(rule, "COUNT"):
        words += f", {count} times"
    return words


def _expanded(start: datetime, rule: Rule, first: date, last: date, zone: tzinfo | None) -> Iterator[datetime]:
    from dateutil.rrule import rrulestr

    freq = _first(rule, "FREQ")
    every = _first(rule, "INTERVAL") or "1"
    if freq in _OFTEN or freq not in _UNITS:
        raise ValueError(f"an event that repeats {freq.lower() or 'by no known rule'} is not expanded")
    if freq in ("DAILY", "WEEKLY") and _HEAVY & set(rule):
        raise ValueError("an event with this rule is not expanded")
    if not every.isdigit() or int(every) < 1:
        raise ValueError(f"an event that repeats every {every!r} is not expanded")
    parts = [f"{key}={','.join(map(str, values))}" for key, values in rule.items() if key != "UNTIL"]
    end = datetime.combine(last, time.max)
    if until := rule.get("UNTIL"):
        value = until[0]
        if isinstance(value, datetime):
            end = min(end, _local(value.astimezone(zone) if value.tzinfo and zone else value))
        elif isinstance(value, date):
            end = min(end, datetime.combine(value, time.max))
    found: Iterator[datetime] = iter(rrulestr(";".join(parts), dtstart=start))
    begin = datetime.combine(first, time.min)
    number = 0
    for at, one in enumerate(found):
        if one > end or number >= MOST or at > 100 * MOST:
            return
        if one >= begin:
            number += 1
            yield one


def _placed(local: datetime, start: date | datetime, zone: tzinfo | None) -> date | datetime:
    return local.replace(tzinfo=zone) if isinstance(start, datetime) else local.date()


def _local(moment: date | datetime) -> datetime:
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None)
    return datetime.combine(moment, time.min)


def _moment(one: date | datetime) -> datetime:
    """A point for comparing: in UTC; days and times without a zone count as UTC."""
    if not isinstance(one, datetime):
        return datetime.combine(one, time.min, UTC)
    if one.tzinfo is None:
        return one.replace(tzinfo=UTC)
    try:
        return one.astimezone(UTC)
    except OverflowError:
        return one.replace(tzinfo=UTC)


def _day(one: date | datetime) -> date:
    return one.date() if isinstance(one, datetime) else one


def _first(rule: Rule, key: str) -> str:
    values = rule.get(key) or ()
    return str(values[0]) if values else ""


def _weekday(code: str) -> str:
    number, name = code[:-2], _DAYS.get(code[-2:], "")
    if not number or not name:
        return name
    return f"the {_ordinal(int(number))} {name}" if number.lstrip("+-").isdigit() else ""


def _ordinal(number: int) -> str:
    if number < 0:
        return "last" if number == -1 else f"{-number}th to last"
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
