"""Calendars: an .ics file, or a folder of them as CalDAV servers export it. A record is an event, its id the UID.

A series is one record; lists with days show its occurrences, whose ids add the start: `UID@20261012T140000`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from time import monotonic

from brain.connectors import fence
from brain.connectors.events import Event, events_of
from brain.connectors.kind import GLIMPSE, MOST, Entry, Kind, Place, newest_first, ranked
from brain.connectors.recurrence import occurrences
from brain.errors import ConnectorError, NotFound
from brain.text import counted
from brain.tree.snapshot import Record, readable

SUFFIXES = frozenset({".ics", ".ical", ".ifb", ".icalendar"})
SECONDS = 5.0
"""How long the rules of one calendar may take to expand; what is left then is counted."""

_OCCURRENCE = re.compile(r"(?P<uid>.*)@(?P<start>\d{8}(?:T\d{6})?)", re.DOTALL)


class Calendar:
    """The events of one calendar, read once."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._events: dict[str, Event] | None = None

    def check(self) -> str:
        number = len(self._read())
        return counted(number, "event")

    def list(self, since: date | None = None, until: date | None = None) -> Iterator[Entry]:
        events = self._read()
        if since is None and until is None:
            yield from newest_first(_entry(event.record()) for event in events.values())
            return
        first = since or (until or date.max) - timedelta(days=366)
        last = until or first + timedelta(days=366)
        yield from newest_first(self._expanded(events.values(), first, last))

    def search(self, query: str, limit: int) -> Sequence[Entry]:
        return ranked((_entry(event.record()) for event in self._read().values()), query, limit)

    def fetch(self, id: str) -> Record:
        events = self._read()
        if id in events:
            return events[id].record()
        match = _OCCURRENCE.fullmatch(id)
        event = events.get(match["uid"]) if match else None
        if match and event is not None:
            day = date.fromisoformat(match["start"][:8])
            if id in event.moved:
                return event.at(id)
            for entry in self._expanded([event], day - timedelta(days=1), day + timedelta(days=1)):
                if entry.id == id:
                    return event.at(id)
        raise NotFound(
            f"connector {self.place.name!r} has no event {id!r}", hint=f"brain connector list {self.place.name}"
        )

    def close(self) -> None:
        self._events = None

    def _expanded(self, events: Iterable[Event], first: date, last: date) -> Iterator[Entry]:
        until = monotonic() + SECONDS
        for event in events:
            if monotonic() > until:
                self.place.skipped["repeated events that were not expanded in time"] += 1
                continue
            yield from self._occasions(event, first, last)

    def _occasions(self, event: Event, first: date, last: date) -> Iterator[Entry]:
        try:
            starts = occurrences(event.start, event.rule, first, last, extra=event.extra, but=event.gone)
        except (ValueError, OverflowError) as error:
            self.place.skipped[str(error)] += 1
            starts = [event.start] if first <= event.day <= last else []
        for start in starts:
            yield _entry(event.at(event.id_at(start)))
        for id, moved in event.moved.items():
            if first <= moved.day <= last:
                yield _entry(event.at(id))

    def _read(self) -> dict[str, Event]:
        if self._events is None:
            found: dict[str, Event] = {}
            self.place.skipped.clear()
            for name, data in self._files():
                try:
                    for event in events_of(data, zone=self.place.zone, skipped=self.place.skipped):
                        if len(found) < MOST or event.uid in found:
                            _put(found, event)
                        else:
                            self.place.skipped["more events than are read"] += 1
                except ValueError as error:
                    self.place.skipped[f"{name} does not read as a calendar: {error}"] += 1
            self._events = found
        return self._events

    def _files(self) -> Iterator[tuple[str, bytes]]:
        ground = fence.ground(self.place)
        if ground.is_file():
            yield ground.name, fence.read(self.place, ground)
            return
        for relative, file in fence.files(self.place, ground, SUFFIXES):
            try:
                yield relative, fence.read(self.place, file)
            except ConnectorError as error:
                self.place.skipped[error.reason] += 1


def _put(found: dict[str, Event], event: Event) -> None:
    """Enter an event; of the same one in two files, the one that was changed last."""
    known = found.get(event.uid)
    if known is None or (event.sequence, event.stamp) >= (known.sequence, known.stamp):
        found[event.uid] = event


def _entry(record: Record) -> Entry:
    return Entry(id=record.id, kind=record.kind, title=record.title, day=record.day, text=readable(record)[:GLIMPSE])


KIND = Kind(
    name="calendar",
    title="Calendars: an .ics file or a folder of them",
    needs=("path",),
    open=Calendar,
)
