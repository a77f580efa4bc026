"""Makings of these tests: a brain's connectors over invented sources, calendars and mails written by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from brain.config import Config, Connector
from brain.connectors import Connectors
from brain.ingest.redact import Redactor

NOW = datetime(2026, 8, 6, 7, 40, 11, tzinfo=UTC)
KEY = b"a key of these tests, 32 bytes long."


def reading(tmp_path: Path, tz: str = "Europe/Paris", now: datetime = NOW, **tables: Connector) -> Connectors:
    """The connectors of a brain in `tmp_path/memory` with these tables."""
    root = tmp_path / "memory"
    root.mkdir(exist_ok=True)
    config = Config(connectors=tables, tz=tz)
    return Connectors(root, config, redact=Redactor(KEY).redact, clock=lambda: now)


def event(uid: str, start: str, *lines: str, summary: str = "Host meeting") -> str:
    """One VEVENT; `start` as `DTSTART` has it, parameters included: `;TZID=Asia/Tokyo:20261012T140000`."""
    return "\n".join(["BEGIN:VEVENT", f"UID:{uid}", f"DTSTART{start}", f"SUMMARY:{summary}", *lines, "END:VEVENT"])


def calendar(*events: str, name: str = "Nadia") -> str:
    """A whole calendar file, its lines as RFC 5545 wants them."""
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//invented//EN", f"X-WR-CALNAME:{name}"]
    return "\n".join([*head, *events, "END:VCALENDAR", ""]).replace("\n", "\r\n")


def mail(
    subject: str,
    body: str,
    *,
    sender: str = "Mai Aoyama <mai@sora-lab.example>",
    day: str = "Mon, 3 Aug 2026 09:12:00 +0900",
    id: str = "m1@sora-lab.example",
) -> bytes:
    """A plain mail as bytes."""
    head = (
        f"From: {sender}\nTo: Nadia Benali <nadia@example.org>\nDate: {day}\nMessage-ID: <{id}>\nSubject: {subject}\n"
    )
    return (head + "Content-Type: text/plain; charset=utf-8\n\n" + body + "\n").encode()
