"""What relative words about time mean in a session: every day it was held on, with the days around it by weekday."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo

from brain.distil.dates import days_said
from brain.tree.ids import turns_text
from brain.types import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidOn:
    """Turns `first`..`last` were said on `day` as the speaker counts days; None when the source has no time."""

    first: int
    last: int
    day: date | None
    late: bool = False


def held_on(turns: Iterable[Turn], zone: tzinfo) -> list[SaidOn]:
    """The days of a session in order; turns after midnight that belong to the evening before are `late`."""
    ordered = tuple(turns)
    found: list[SaidOn] = []
    for turn, day in zip(ordered, days_said(ordered, zone), strict=True):
        late = turn.time is not None and day is not None and turn.time.astimezone(zone).date() != day
        before = found[-1] if found else None
        if before is not None and before.day == day:
            found[-1] = SaidOn(first=before.first, last=turn.number, day=day, late=before.late or late)
        else:
            found.append(SaidOn(first=turn.number, last=turn.number, day=day, late=late))
    return found


def lines(days: Sequence[SaidOn]) -> Iterator[str]:
    """Three lines a day: the day, the week behind it, the week ahead."""
    for one in days:
        where = turns_text(one.first, one.last)
        if one.day is None:
            yield f"- {where}: no time in the source. Do not turn relative words into dates; quote them."
            continue
        late = " (turns after midnight still belong to this day)" if one.late else ""
        yield f"- {where} said on {_long(one.day)}{late}"
        yield f"  - before: {', '.join(_short(one.day - timedelta(days=n)) for n in range(1, 8))}"
        yield f"  - after: {', '.join(_short(one.day + timedelta(days=n)) for n in range(1, 8))}"
        yield f"  - {_weeks(one.day)}"


def _weeks(day: date) -> str:
    monday = day - timedelta(days=day.weekday())
    saturday = monday + timedelta(days=5)
    past, coming = saturday - timedelta(days=7), saturday + timedelta(days=7)
    ahead = "this weekend" if day.weekday() < 5 else "this weekend (now)"
    return "; ".join(
        (
            f"last week = week of {monday - timedelta(days=7)}",
            f"this week = week of {monday}",
            f"next week = week of {monday + timedelta(days=7)}",
            f"last weekend = {past} and {past + timedelta(days=1)}",
            f"{ahead} = {saturday} and {saturday + timedelta(days=1)}",
            f"next weekend = {coming} and {coming + timedelta(days=1)}",
        )
    )


def _long(day: date) -> str:
    return f"{day:%A} {day.isoformat()}"


def _short(day: date) -> str:
    return f"{day:%a} {day.isoformat()}"
