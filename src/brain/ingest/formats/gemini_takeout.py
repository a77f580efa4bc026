"""Gemini in Google Takeout: "My Activity" of Gemini Apps, as JSON or as an English HTML page. One row an exchange.

    [{"header": "Gemini Apps", "title": "Prompted How tall is the mast?", "time": "2026-08-18T10:05:00Z",
      "safeHtmlItem": [{"html": "<p>14 m</p>"}]}]

The newest row comes first, and no row says which conversation it belongs to: rows less than half an hour apart are one
session, named after its first. Pages in other languages write dates and verbs in them, and are refused with a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

from brain.html import html_text
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, json_array, read_text
from brain.ingest.times import read_stamp, read_time

APART = timedelta(minutes=30)
_APPS = re.compile(r"\b(?:Gemini|Bard)\b")
_PROMPTED = re.compile(r"\A\s*(?:Prompted|Asked|Said)[\s:\u00a0]+", re.IGNORECASE)
_OTHER_ROWS = re.compile(r"\A\s*(?:Used|Created|Gave|Selected|Viewed|Deleted|Edited|Shared|Generated)\b")
_CELL = re.compile(
    r'<div\b[^>]*\bclass="[^"]*\bcontent-cell\b(?![^"]*text-right)(?![^"]*caption)[^"]*"[^>]*>(.*?)'
    r'(?=<div\b[^>]*\bclass="[^"]*\b(?:content-cell|outer-cell)\b|\Z)',
    re.DOTALL,
)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_DATE = re.compile(
    r"[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4},? \d{1,2}:\d{2}:\d{2}\s*(?:[AP]M)?"
    r"(?:\s+(?P<zone>[A-Z]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?))?"
)
_ZONES = {
    "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "EST": -5,
    "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "JST": 9, "KST": 9, "AEST": 10,
    "AEDT": 11,
}  # fmt: skip
"""Hours east of Greenwich of names that mean one zone; others (IST, …) stay naive, and the brain's zone counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One row: what was asked, what came back, when."""

    asked: str
    answer: str
    time: datetime | None
    files: int = 0


class GeminiTakeout:
    name = "gemini-takeout"
    title = "Gemini Apps activity of Google Takeout"
    where = "`My Activity/Gemini Apps/MyActivity.json`, or an English `.html`"
    known_by = "time of the session's first prompt; rows less than 30 minutes apart are one session"
    times = "each row"
    kept = "prompts and answers, the number of files beside a prompt"
    dropped = (
        "other rows of activity (no prompts); other products (not Gemini); pages in other languages (refused: "
        "their dates and verbs are in words)"
    )

    def detect(self, head: Head) -> int:
        if head.json == "array":
            return 90 if any(_is_row(record) for record in head.records[:3]) else 0
        start = head.text[:131_072]
        page = "outer-cell" in start and "content-cell" in start and "<" in start[:1]
        return 80 if page and (_APPS.search(start) or "Gemini" in str(head.path)) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        rows = _json_rows(path, skips) if Head.of(path).json else _html_rows(read_text(path), skips)
        oldest_first = list(rows)[::-1]
        if not oldest_first and not skips.left_out and not skips.broken:
            skips.damage("no activity in it that reads")
        for group in _grouped(oldest_first):
            first = group[0]
            named = first.time.isoformat() if first.time else f"{path.stem}-undated"
            yield RawSession(
                source=self.name, external_id=named, turns=_speak(group, skips), started_at=first.time, place=named
            )


FORMAT = GeminiTakeout()


def _is_row(record: dict[str, Any]) -> bool:
    return {"header", "title"} <= record.keys() and ("products" in record or "safeHtmlItem" in record)


def _json_rows(path: Path, skips: Skips) -> Iterator[Exchange]:
    for position, row in json_array(path, skips):
        if not isinstance(row, dict):
            skips.damage("not a row", f"row {position}")
            continue
        products = row.get("products")
        of_gemini = [row.get("header"), *(products if isinstance(products, list) else ())]
        if not any(isinstance(word, str) and _APPS.search(word) for word in of_gemini):
            skips.leave("activity of another product")
            continue
        pages = row.get("safeHtmlItem")
        listed = pages if isinstance(pages, list) else [pages]
        answers = [one["html"] for one in listed if isinstance(one, dict) and isinstance(one.get("html"), str)]
        if pages and not answers:
            skips.damage("answer does not read", f"row {position}")
        title = row.get("title") if isinstance(row.get("title"), str) else ""
        found = _exchange(str(title), "\n".join(answers), read_time(row.get("time")), skips, f"row {position}")
        if found is not None:
            files = row.get("attachedFiles")
            count = len(files) if isinstance(files, list) else int(bool(row.get("imageFile")))
            yield Exchange(asked=found.asked, answer=found.answer, time=found.time, files=count)


def _html_rows(page: str, skips: Skips) -> Iterator[Exchange]:
    for position, cell in enumerate(_CELL.finditer(page), start=1):
        pieces = _BREAK.split(cell[1])
        dated = next(
            ((at, when) for at, piece in enumerate(pieces) if at and (when := _DATE.fullmatch(_plain(piece)))), None
        )
        title = "\n".join(_plain(piece) for piece in pieces[: dated[0] if dated else 1])
        if dated is None:
            why = "no date in English (export your activity in English, or as JSON)"
            skips.damage(why, f"row {position}")
            continue
        answer = "<br>".join(pieces[dated[0] + 1 :])
        found = _exchange(title, answer, _zoned(dated[1]), skips, f"row {position}")
        if found is not None:
            yield found


def _plain(piece: str) -> str:
    return " ".join(html_text(piece).replace("\u202f", " ").split())


def _exchange(title: str, answer: str, time: datetime | None, skips: Skips, place: str) -> Exchange | None:
    asked = _PROMPTED.match(title)
    if asked is None:
        if _OTHER_ROWS.match(title):
            skips.leave("activity that is no prompt")
        else:
            skips.damage("row is not in English (export your activity in English)", place)
        return None
    return Exchange(asked=title[asked.end() :], answer=html_text(answer), time=time)


def _zoned(match: re.Match[str]) -> datetime | None:
    """The time of a row; naive where its zone's name could mean several."""
    time, zone = read_stamp(match.group()), match["zone"]
    if time is None or not zone:
        return time
    name, sign, offset = re.match(r"([A-Z]+)([+-]?)(.*)", zone).groups()  # type: ignore[union-attr]
    if name not in _ZONES:
        return time
    digits = offset.replace(":", "")
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits or 0), 0)
    shift = timedelta(hours=hours, minutes=minutes) * (-1 if sign == "-" else 1)
    return time.replace(tzinfo=timezone(timedelta(hours=_ZONES[name]) + shift)).astimezone(UTC)


def _grouped(rows: list[Exchange]) -> Iterator[list[Exchange]]:
    """Rows in order of time, cut where half an hour or more lies between two."""
    if not rows:
        return
    begin = 0
    for at, (one, other) in enumerate(pairwise(rows), start=1):
        near = one.time is None or other.time is None or _between(one.time, other.time) < APART
        if not near:
            yield rows[begin:at]
            begin = at
    yield rows[begin:]


def _between(one: datetime, other: datetime) -> timedelta:
    return abs(other.replace(tzinfo=None) - one.replace(tzinfo=None))


def _speak(rows: Iterable[Exchange], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for row in rows:
        beside = f"[{row.files} file{'s' if row.files > 1 else ''}]" if row.files else ""
        yield from speaking.user("\n\n".join(filter(None, [row.asked, beside])), row.time)
        if row.answer:
            yield from speaking.assistant(row.answer, row.time)
