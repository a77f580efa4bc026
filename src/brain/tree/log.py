"""The changelog of the whole wiki (format §7): `knowledge/log.md`, newest first, old years in files of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from brain.errors import FormatError
from brain.text import one_line
from brain.tree.ids import parse_time
from brain.tree.layout import LOG

EMPTY = "# Log\n"
MAX_ENTRIES = 500
_DAY = re.compile(r"## (\d{4}-\d{2}-\d{2})", re.ASCII)
_ENTRY = re.compile(r"- (\d{2}:\d{2}) · (\S+) · (\S+) · \+(\d+) ~(\d+) −(\d+)", re.ASCII)
_PAGE = re.compile(r"  - ([+~−]) (\S+)(?: — (.*))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChange:
    """`sign` is `+` made, `~` changed, `−` deleted."""

    sign: str
    page: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One commit that touched pages. `run` is the first 8 characters of the run id."""

    at: datetime
    kind: str
    run: str
    pages: tuple[PageChange, ...] = ()

    def count(self, sign: str) -> int:
        return sum(1 for p in self.pages if p.sign == sign)


def render_entry(entry: LogEntry) -> str:
    """The entry's lines without its day."""
    at = entry.at.astimezone(UTC)
    head = (
        f"- {at:%H:%M} · {entry.kind} · {entry.run[:8]} · +{entry.count('+')} ~{entry.count('~')} −{entry.count('−')}\n"
    )
    return head + "".join(
        f"  - {p.sign} {p.page}" + (f" — {one_line(p.note)}" if one_line(p.note) else "") + "\n" for p in entry.pages
    )


def append(log_text: str, entry: LogEntry) -> str:
    """The log with one more entry, newest first; nothing else changes. An entry without pages is not logged."""
    if not entry.pages:
        return log_text or EMPTY
    text = log_text or EMPTY
    day = f"## {entry.at.astimezone(UTC):%Y-%m-%d}"
    lines = text.split("\n")
    at = next((i for i, line in enumerate(lines) if _DAY.fullmatch(line)), None)
    if at is not None and lines[at] == day:
        lines.insert(at + 1, render_entry(entry).removesuffix("\n"))
        return "\n".join(lines)
    block = f"{day}\n{render_entry(entry)}"
    if at is None:
        return f"{text.rstrip(chr(10))}\n\n{block}"
    return "\n".join(lines[:at]) + f"\n{block}\n" + "\n".join(lines[at:])


def parse(log_text: str, path: str = LOG) -> list[LogEntry]:
    """Entries in file order, newest first. Raises FormatError on a line that is none of the log's."""
    found: list[LogEntry] = []
    day = ""
    for number, line in enumerate(log_text.split("\n"), start=1):
        if not line.strip() or line.startswith("# "):
            continue
        if match := _DAY.fullmatch(line):
            day = match.group(1)
        elif (match := _ENTRY.fullmatch(line)) and day:
            at = parse_time(f"{day}T{match.group(1)}:00Z")
            found.append(LogEntry(at=at, kind=match.group(2), run=match.group(3)))
        elif (match := _PAGE.fullmatch(line)) and found:
            change = PageChange(sign=match.group(1), page=match.group(2), note=match.group(3) or "")
            last = found[-1]
            found[-1] = LogEntry(at=last.at, kind=last.kind, run=last.run, pages=(*last.pages, change))
        else:
            raise FormatError(f"not a line of the log: {line!r}", path=path, line=number)
    return found


def render(entries: Sequence[LogEntry]) -> str:
    """A whole log from entries, newest first."""
    text = EMPTY
    day = ""
    for entry in entries:
        here = f"{entry.at.astimezone(UTC):%Y-%m-%d}"
        if here != day:
            text += f"\n## {here}\n"
            day = here
        text += render_entry(entry)
    return text


def archive_path(year: int) -> str:
    return f"knowledge/log-{year:04d}.md"


def rotate(log_text: str, archives: Mapping[str, str], limit: int = MAX_ENTRIES) -> dict[str, str]:
    """Files to write, by path, when the log holds more than `limit` entries: the oldest go to the files of their years.

    `archives` gives the text of year files that exist. Empty when nothing is to be moved.
    """
    entries = parse(log_text)
    if len(entries) <= limit:
        return {}
    out = {LOG: render(entries[:limit])}
    for entry in reversed(entries[limit:]):
        path = archive_path(entry.at.astimezone(UTC).year)
        out[path] = append(out.get(path) or archives.get(path, EMPTY), entry)
    return out
