"""Calendar data to events: each with its days in the zone a person would name, its repetition and what was moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from brain.connectors.kind import TEXT
from brain.connectors.recurrence import Rule, in_words
from brain.connectors.tidy import fields, tidy
from brain.html import html_text
from brain.text import one_line
from brain.tree.snapshot import Record

PEOPLE = 30
_BEGIN = re.compile(rb"^BEGIN:VEVENT[ \t\r]*$", re.MULTILINE)
_EVENT = re.compile(rb"^BEGIN:VEVENT[ \t\r]*$(?:(?!^BEGIN:VEVENT).)*?^END:VEVENT[ \t\r]*$", re.MULTILINE | re.DOTALL)
_ZONE = re.compile(rb"^BEGIN:VTIMEZONE\s*$.*?^END:VTIMEZONE\s*$", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<(?:br|p|div|html|body|span|a|b|i|ul|li)\b[^>]{0,200}>", re.IGNORECASE)
Moment = date | datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event or series. `zone` is the one its times are shown in; `moved` are occurrences that differ from the rest,
    by the start they had; `gone` the starts that are left out, those that were moved included."""

    uid: str
    title: str
    start: Moment
    end: Moment | None = None
    zone: tzinfo = UTC
    rule: Rule | None = None
    extra: tuple[Moment, ...] = ()
    gone: tuple[Moment, ...] = ()
    moved: dict[str, Event] = field(default_factory=dict)
    where: str = ""
    people: str = ""
    status: str = ""
    text: str = ""
    sequence: int = 0
    stamp: str = ""

    @property
    def day(self) -> date:
        return self._local(self.start).date() if isinstance(self.start, datetime) else self.start

    @property
    def when(self) -> str:
        """Its days and times: `2026-10-12 14:00–15:30 (Asia/Tokyo)`, `2026-10-10 to 2026-10-19`."""
        if not isinstance(self.start, datetime):
            last = (_date(self.end) or self.start) - timedelta(days=1)
            return f"{self.start} to {last}" if last > self.start else self.start.isoformat()
        begin = self._local(self.start)
        said = f"{begin:%Y-%m-%d %H:%M}"
        if isinstance(self.end, datetime) and self.end > self.start:
            end = self._local(self.end)
            said += f"–{end:%H:%M}" if end.date() == begin.date() else f" to {end:%Y-%m-%d %H:%M}"
        return f"{said} ({zone_name(self.zone, begin)})"

    def record(self) -> Record:
        """The event, or the whole series, as a record."""
        repeats = in_words(self.rule) if self.rule else ""
        left = [one for one in self.gone if self.id_at(one) not in self.moved]
        others = [self._shown_day(one) for one in (*self.extra,)]
        return Record(
            kind="event",
            id=self.uid,
            title=self.title,
            day=self.day.isoformat(),
            text=self.text,
            fields=fields(
                ("when", self.when),
                ("repeats", repeats),
                ("also on", ", ".join(others)),
                ("not on", ", ".join(self._shown_day(one) for one in left)),
                ("moved", "; ".join(f"{key} to {one.when}" for key, one in self._moves())),
                *self._common(),
            ),
        )

    def at(self, id: str) -> Record:
        """One occurrence as a record."""
        moved = self.moved.get(id)
        if moved is not None:
            one = moved
        elif id == self.uid:
            return self.record()
        else:
            start = _read_start(id.rpartition("@")[2], self.start)
            end = start + (self.end - self.start) if self.end is not None else None
            one = replace(self, start=start, end=end)
        return Record(
            kind="event", id=id, title=one.title, day=one.day.isoformat(), text=one.text,
            fields=fields(("when", one.when), ("series", in_words(self.rule) if self.rule else ""), *one._common()),
        )  # fmt: skip

    def id_at(self, start: Moment) -> str:
        """The id of the occurrence that begins so; the event's own when it does not repeat."""
        if self.rule is None and not self.extra and not self.moved:
            return self.uid
        return f"{self.uid}@{_written(start, self.start)}"

    def _moves(self) -> list[tuple[str, Event]]:
        return [(_spoken(key.rpartition("@")[2]), one) for key, one in sorted(self.moved.items())]

    def _common(self) -> tuple[tuple[str, str], ...]:
        return (("where", self.where), ("with", self.people), ("status", self.status))

    def _local(self, moment: datetime) -> datetime:
        return moment.astimezone(self.zone) if moment.tzinfo else moment

    def _shown_day(self, moment: Moment) -> str:
        return (self._local(moment).date() if isinstance(moment, datetime) else moment).isoformat()


def events_of(data: bytes, *, zone: ZoneInfo, skipped: Counter[str]) -> Iterator[Event]:
    """The events in calendar data, series with what was moved in them. What does not read is counted in `skipped`.

    Raises ValueError when the data hold no calendar at all.
    """
    parts, shown = _components(data, zone, skipped)
    masters: dict[str, Event] = {}
    changes: dict[str, list[tuple[Moment, Event]]] = {}
    for number, part in enumerate(parts):
        try:
            event = _event(part, shown, number)
            original = _moment(part, "RECURRENCE-ID")
        except Exception:  # a foreign file may break its reader anywhere: one event is lost, and counted
            skipped["events that do not read"] += 1
            continue
        if original is not None:
            changes.setdefault(event.uid, []).append((original, event))
        elif event.uid not in masters or event.sequence >= masters[event.uid].sequence:
            masters[event.uid] = event
    for uid, rows in changes.items():
        if uid in masters:
            masters[uid] = _with_changes(masters[uid], rows)
        else:
            for original, event in rows:
                alone = f"{uid}@{_written(original, event.start)}"
                masters[alone] = replace(event, uid=alone)
    yield from masters.values()


def zone_name(zone: tzinfo, at: datetime) -> str:
    """What a zone is called: its key, else its distance from UTC."""
    key = getattr(zone, "key", None)
    if isinstance(key, str) and key:
        return key
    offset = at.utcoffset() or timedelta(0)
    minutes = int(offset.total_seconds()) // 60
    return f"UTC{'+' if minutes >= 0 else '-'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}" if minutes else "UTC"


def _with_changes(master: Event, rows: list[tuple[Moment, Event]]) -> Event:
    moved, gone = {}, list(master.gone)
    for original, event in rows:
        gone.append(original)
        if event.status != "cancelled":
            moved[f"{master.uid}@{_written(original, master.start)}"] = event
    return replace(master, moved=moved, gone=tuple(gone))


def _components(data: bytes, zone: ZoneInfo, skipped: Counter[str]) -> tuple[list[Any], tzinfo]:
    """The event components of the data, and the zone in which times without one of their own are shown."""
    from icalendar import Calendar

    if b"BEGIN:VCALENDAR" not in data[:100_000].upper():
        raise ValueError("it has no BEGIN:VCALENDAR")
    try:
        found = Calendar.from_ical(data, multiple=True)
        calendars = found if isinstance(found, list) else [found]
        parts = [part for one in calendars for part in one.walk("VEVENT")]
        name = next((str(one.get("X-WR-TIMEZONE")) for one in calendars if one.get("X-WR-TIMEZONE")), "")
    except Exception:  # its reader may break anywhere
        parts, name = [], ""
    if len(parts) < len(_BEGIN.findall(data)):  # not whole: what can be told apart is read event by event
        parts = list(_salvaged(data, skipped))
    try:
        return parts, ZoneInfo(name) if name else zone
    except (ValueError, OSError, KeyError):
        return parts, zone


def _salvaged(data: bytes, skipped: Counter[str]) -> Iterator[Any]:
    from icalendar import Calendar

    zones = b"\r\n".join(match[0] for match in _ZONE.finditer(data))
    skipped["a calendar that is damaged"] += 1
    for match in _EVENT.finditer(data):
        whole = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + zones + b"\r\n" + match[0] + b"\r\nEND:VCALENDAR\r\n"
        try:
            found = Calendar.from_ical(whole)
            yield from found.walk("VEVENT") if not isinstance(found, list) else ()
        except Exception:
            skipped["events that do not read"] += 1


def _event(part: Any, shown: tzinfo, number: int) -> Event:
    start = _moment(part, "DTSTART")
    if start is None:
        raise ValueError("no start")
    end = _moment(part, "DTEND")
    if end is None and part.get("DURATION") is not None:
        end = start + part.get("DURATION").dt
    elif end is None and not isinstance(start, datetime):
        end = start + timedelta(days=1)
    if end is not None and isinstance(end, datetime) != isinstance(start, datetime):
        end = None
    start, zone = _in_zone(start, shown)
    end = _in_zone(end, shown)[0] if end is not None else None
    rule = part.get("RRULE")
    rule = rule[0] if isinstance(rule, list) else rule
    text = _text(part, "DESCRIPTION")
    event = Event(
        uid=one_line(str(part.get("UID") or ""))[:300] or f"no-uid-{number + 1}",
        title=one_line(_text(part, "SUMMARY"))[:300] or "(no title)",
        start=start,
        end=end if end is None or _after(end, start) else None,
        zone=zone,
        rule={str(key).upper(): list(values) for key, values in rule.items()} if rule else None,
        extra=tuple(_in_zone(one, shown)[0] for one in _moments(part, "RDATE")),
        gone=tuple(_in_zone(one, shown)[0] for one in _moments(part, "EXDATE")),
        where=_text(part, "LOCATION"),
        people=", ".join(_people(part)),
        status={"CANCELLED": "cancelled", "TENTATIVE": "tentative"}.get(str(part.get("STATUS") or "").upper(), ""),
        text=tidy(html_text(text) if _TAG.search(text) else text, TEXT // 10),
        sequence=int(part.get("SEQUENCE") or 0),
        stamp=str(getattr(part.get("LAST-MODIFIED") or part.get("DTSTAMP"), "dt", "")),
    )
    event.record()  # times that cannot be shown are no event
    return event


def _in_zone(moment: Moment, shown: tzinfo) -> tuple[Moment, tzinfo]:
    """A time with a zone, and the zone it is shown in: its own when a person would name it, else the calendar's."""
    if not isinstance(moment, datetime):
        return moment, shown
    if moment.tzinfo is None:
        return moment.replace(tzinfo=shown), shown
    if moment.utcoffset() == timedelta(0) and str(getattr(moment.tzinfo, "key", moment.tzinfo)) in ("UTC", "Etc/UTC"):
        return moment, shown
    return moment, moment.tzinfo


def _moment(part: Any, name: str) -> Moment | None:
    value = part.get(name)
    value = value[0] if isinstance(value, list) and value else value
    if value is None:
        return None
    found = value.dt
    if not isinstance(found, date):
        raise ValueError(f"{name} is no day or time")
    return found


def _moments(part: Any, name: str) -> list[Moment]:
    value = part.get(name)
    rows = value if isinstance(value, list) else [value] if value is not None else []
    found = [one.dt for row in rows for one in row.dts]
    return [one[0] if isinstance(one, tuple) else one for one in found][:1000]


def _people(part: Any) -> list[str]:
    found: list[str] = []
    for name in ("ORGANIZER", "ATTENDEE"):
        value = part.get(name)
        for one in value if isinstance(value, list) else [value] if value is not None else []:
            address = re.sub(r"^mailto:", "", str(one), flags=re.IGNORECASE)
            called = one_line(str(one.params.get("CN") or ""))
            shown = f"{called} <{address}>" if called and called != address else address
            if shown not in found and len(found) < PEOPLE:
                found.append(shown)
    return found


def _text(part: Any, name: str) -> str:
    value = part.get(name)
    value = value[0] if isinstance(value, list) and value else value
    return "" if value is None else str(value)


def _written(start: Moment, like: Moment) -> str:
    """The start of an occurrence as its id has it, by the clock of the event's own zone."""
    if isinstance(start, datetime):
        zone = like.tzinfo if isinstance(like, datetime) else None
        local = start.astimezone(zone) if zone and start.tzinfo else start
        return f"{local:%Y%m%dT%H%M%S}"
    return f"{start:%Y%m%d}"


def _read_start(text: str, like: Moment) -> Moment:
    if isinstance(like, datetime):
        return datetime.strptime(text, "%Y%m%dT%H%M%S").replace(tzinfo=like.tzinfo)
    return date.fromisoformat(text)


def _spoken(written: str) -> str:
    day = f"{written[:4]}-{written[4:6]}-{written[6:8]}"
    return f"{day} {written[9:11]}:{written[11:13]}" if len(written) > 8 else day


def _after(end: Moment, start: Moment) -> bool:
    return end > start if isinstance(end, datetime) == isinstance(start, datetime) else False


def _date(moment: Moment | None) -> date | None:
    return moment.date() if isinstance(moment, datetime) else moment
