"""Calendars: days and zones are right, series are one record that can be expanded, and bad data costs only itself."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outside import calendar, event, reading

from brain.config import Connector
from brain.connectors import Connectors, Entry
from brain.connectors.events import events_of
from brain.errors import BrainError, NotFound


def of(tmp_path: Path, *events: str, tz: str = "Europe/Paris") -> Connectors:
    (tmp_path / "work.ics").write_text(calendar(*events), encoding="utf-8", newline="")
    return reading(tmp_path, tz, work=Connector(kind="calendar", path=str(tmp_path / "work.ics")))


def when(connectors: Connectors, id: str) -> str:
    return connectors.read("work", id).field("when")


def days(entries: list[Entry]) -> list[str]:
    return sorted(entry.day for entry in entries)


def test_an_event_is_shown_by_the_clock_of_its_own_place(tmp_path: Path) -> None:
    source = of(
        tmp_path,
        event("kyoto", ";TZID=Asia/Tokyo:20261012T140000", "DURATION:PT1H30M"),
        event("utc", ":20261012T050000Z", "DTEND:20261012T060000Z"),
        event("floating", ":20261012T140000"),
        event("days", ";VALUE=DATE:20261010", "DTEND;VALUE=DATE:20261020"),
        event("day", ";VALUE=DATE:20261010"),
        event(
            "windows",
            ";TZID=W. Europe Standard Time:20260701T090000",
            "DTEND;TZID=W. Europe Standard Time:20260702T080000",
        ),
    )
    assert when(source, "kyoto") == "2026-10-12 14:00–15:30 (Asia/Tokyo)"
    assert when(source, "utc") == "2026-10-12 07:00–08:00 (Europe/Paris)"
    assert when(source, "floating") == "2026-10-12 14:00 (Europe/Paris)"
    assert when(source, "days") == "2026-10-10 to 2026-10-19"
    assert when(source, "day") == "2026-10-10"
    assert when(source, "windows").startswith("2026-07-01 09:00 to 2026-07-02 08:00 (Europe/")
    assert source.check("work").what == "6 events"


def test_a_series_is_one_record_and_its_occurrences_keep_their_hour_over_a_change_of_the_clocks(tmp_path: Path) -> None:
    source = of(
        tmp_path,
        event(
            "sync", ";TZID=Europe/Paris:20261012T090000", "DURATION:PT30M", "RRULE:FREQ=WEEKLY;COUNT=4", summary="Sync"
        ),
    )
    assert [entry.id for entry in source.list("work")] == ["sync"]
    assert source.read("work", "sync").field("repeats") == "weekly, 4 times"
    expanded = list(source.list("work", date(2026, 10, 19), date(2026, 11, 30)))
    assert days(expanded) == ["2026-10-19", "2026-10-26", "2026-11-02"]
    assert when(source, "sync@20261026T090000") == "2026-10-26 09:00–09:30 (Europe/Paris)"
    with pytest.raises(NotFound):
        source.read("work", "sync@20261027T090000")


def test_left_out_moved_and_cancelled_occurrences_are_where_they_are_now(tmp_path: Path) -> None:
    series = event(
        "sync", ";TZID=Asia/Tokyo:20261005T140000", "RRULE:FREQ=WEEKLY;UNTIL=20261102T050000Z",
        "EXDATE;TZID=Asia/Tokyo:20261012T140000",
    )  # fmt: skip
    moved = event("sync", ";TZID=Asia/Tokyo:20261020T160000", "RECURRENCE-ID;TZID=Asia/Tokyo:20261019T140000")
    off = event(
        "sync", ";TZID=Asia/Tokyo:20261026T140000", "RECURRENCE-ID;TZID=Asia/Tokyo:20261026T140000", "STATUS:CANCELLED"
    )
    source = of(tmp_path, series, moved, off)
    found = list(source.list("work", date(2026, 10, 1), date(2026, 11, 30)))
    assert days(found) == ["2026-10-05", "2026-10-20", "2026-11-02"]
    assert when(source, "sync@20261019T140000") == "2026-10-20 16:00 (Asia/Tokyo)"
    whole = source.read("work", "sync")
    assert whole.field("not on") == "2026-10-12, 2026-10-26"
    assert whole.field("moved") == "2026-10-19 14:00 to 2026-10-20 16:00 (Asia/Tokyo)"


def test_a_cancelled_event_says_so(tmp_path: Path) -> None:
    source = of(tmp_path, event("x", ";VALUE=DATE:20261010", "STATUS:CANCELLED"))
    assert source.read("work", "x").field("status") == "cancelled"


def test_an_invitation_to_one_occurrence_is_an_event_of_its_own(tmp_path: Path) -> None:
    source = of(tmp_path, event("other", ":20261020T070000Z", "RECURRENCE-ID:20261019T070000Z"))
    assert [entry.id for entry in source.list("work")] == ["other@20261019T070000"]


def test_a_folder_of_exported_files_is_one_calendar_and_the_newer_of_two_versions_counts(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.ics").write_text(calendar(event("a", ";VALUE=DATE:20261010", "SEQUENCE:0")), "utf-8")
    (folder / "deep" / "b.ics").write_text(calendar(event("a", ";VALUE=DATE:20261012", "SEQUENCE:1")), "utf-8")
    (folder / "notes.txt").write_text("BEGIN:VCALENDAR", "utf-8")
    (folder / "broken.ics").write_text("this is no calendar", "utf-8")
    source = reading(tmp_path, work=Connector(kind="calendar", path=str(folder)))
    assert when(source, "a") == "2026-10-12"
    standing = source.check("work")
    assert standing.ok
    assert standing.skipped == (("broken.ics does not read as a calendar: it has no BEGIN:VCALENDAR", 1),)


def test_what_is_broken_costs_itself_and_is_counted(tmp_path: Path) -> None:
    good = event("good", ";VALUE=DATE:20261010")
    bad = event("bad", ":garbage")
    source = of(tmp_path, bad, good, event("old", ":00010101T000000Z"))
    assert "good" in [entry.id for entry in source.list("work")]
    assert ("events that do not read", 2) in source.skipped("work") or ("events that do not read", 1) in source.skipped(
        "work"
    )


def test_a_file_that_ends_in_mid_event_gives_the_events_before(tmp_path: Path) -> None:
    whole = calendar(event("first", ";VALUE=DATE:20261010"), event("second", ";VALUE=DATE:20261011"))
    (tmp_path / "work.ics").write_text(whole[: whole.index("UID:second")], "utf-8", newline="")
    source = reading(tmp_path, work=Connector(kind="calendar", path=str(tmp_path / "work.ics")))
    assert [entry.id for entry in source.list("work")] == ["first"]
    assert dict(source.skipped("work"))["a calendar that is damaged"] == 1


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY", "FREQ=MINUTELY;COUNT=100000000", "FREQ=HOURLY", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=0", "FREQ=WEEKLY;BYSETPOS=400;BYDAY=MO", "FREQ=NEVER",
    ],
)  # fmt: skip
def test_a_rule_made_to_keep_us_busy_is_not_expanded(tmp_path: Path, rule: str) -> None:
    source = of(tmp_path, event("busy", ":19700101T000000Z", f"RRULE:{rule}"), event("good", ";VALUE=DATE:20261010"))
    found = list(source.list("work", date(2026, 1, 1), date(2026, 12, 31)))
    assert [entry.id for entry in found] == ["good"]
    assert source.skipped("work") or source.check("work").what == "1 event"


def test_an_endless_daily_event_has_no_more_occurrences_than_are_read(tmp_path: Path) -> None:
    source = of(tmp_path, event("daily", ";VALUE=DATE:20000101", "RRULE:FREQ=DAILY"))
    assert len(list(source.list("work", date(2000, 1, 1), date(2099, 12, 31)))) <= 1001


def test_search_finds_by_title_place_and_people(tmp_path: Path) -> None:
    source = of(
        tmp_path,
        event(
            "a",
            ";VALUE=DATE:20261010",
            "LOCATION:Sora City Lab\\, Kyoto",
            "ATTENDEE;CN=Mai Aoyama:mailto:mai@sora.example",
        ),
        event("b", ";VALUE=DATE:20261011", summary="Dentist"),
    )
    assert [entry.id for entry in source.search("work", "sora city lab")] == ["a"]
    assert [entry.id for entry in source.search("work", "Mai Aoyama")] == ["a"]
    assert source.search("work", "budget") == []
    assert source.read("work", "a").field("with") == "Mai Aoyama <mai@sora.example>"


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400), st.text(max_size=200))
def test_no_bytes_break_the_reading_of_calendars(data: bytes, text: str) -> None:
    from collections import Counter
    from zoneinfo import ZoneInfo

    whole = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTART:20261012T140000Z\r\n" + data + b"\r\nSUMMARY:"
    whole += text.encode("utf-8", "replace") + b"\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    found = list(events_of(whole, zone=ZoneInfo("UTC"), skipped=Counter()))
    assert all(one.record().id for one in found)


@pytest.mark.parametrize("path", ["missing.ics", "file:///etc/passwd", "https://example.org/x.ics", ""])
def test_a_calendar_that_is_not_there_is_said_with_a_way_out(tmp_path: Path, path: str) -> None:
    source = reading(tmp_path, work=Connector(kind="calendar", path=path))
    standing = source.check("work")
    assert not standing.ok
    assert standing.hint
    with pytest.raises(BrainError, match="work"):
        source.search("work", "x")
