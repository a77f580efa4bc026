"""The session index (format §9): `index.jsonl` for programs, all sessions; `index.md` for people, the newest 50."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum

from brain.errors import FormatError
from brain.tree import markdown
from brain.tree.ids import format_day, format_time, parse_time

NEWEST = 50
_TIMES = {"started_at", "ended_at", "last_turn_at"}
_COUNTS = {"turns", "through_turn", "attached_through"}
_MIN = datetime.min.replace(tzinfo=UTC)


class SessionState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    REDACTED = "redacted"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session of the index. `transcript` and `summary` are paths, `summary` None until one is written.

    `through_turn` is the last summarised turn, `attached_through` the last whose facts are attached to subjects.
    """

    id: str
    source: str
    external_id: str
    title: str
    started_at: datetime | None = None
    ended_at: datetime | None = None
    turns: int = 0
    last_turn_at: datetime | None = None
    through_turn: int = 0
    attached_through: int = 0
    transcript: str = ""
    summary: str | None = None
    transcript_sha256: str = ""
    sensitivity: str = "normal"
    state: SessionState = SessionState.CLOSED


_FIELDS = tuple(f.name for f in fields(SessionRow))


def render_row(row: SessionRow) -> str:
    """One JSON object on one line, keys in the format's order, without the newline."""
    out: dict[str, object] = {}
    for f in fields(row):
        value = getattr(row, f.name)
        out[f.name] = format_time(value) if isinstance(value, datetime) else value
    return json.dumps(out, ensure_ascii=False)


def parse_row(line: str, path: str = "", number: int = 0) -> SessionRow:
    """Raises FormatError; keys it does not know are ignored."""
    try:
        raw = json.loads(line)
        values: dict[str, object] = {}
        for name in _FIELDS:
            value = raw.get(name)
            if name in _TIMES:
                values[name] = None if value is None else parse_time(value)
            elif name in _COUNTS:
                values[name] = int(value or 0)
            elif name == "state":
                values[name] = SessionState(value or "closed")
            elif name == "summary":
                values[name] = None if value is None else str(value)
            elif name == "sensitivity":
                values[name] = str(value or "normal")
            else:
                values[name] = "" if value is None else str(value)
        if not values["id"]:
            raise ValueError("no id")
        return SessionRow(**values)  # type: ignore[arg-type]  # every field was typed by its name above
    except (ValueError, TypeError, AttributeError, FormatError) as error:
        raise FormatError(f"not a session row: {error}", path=path, line=number) from error


def parse_rows(text: str, path: str = "sessions/index.jsonl") -> list[SessionRow]:
    """All rows in file order. Raises FormatError with the line."""
    return [parse_row(line, path, n) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]


def render_rows(rows: Iterable[SessionRow]) -> str:
    """`index.jsonl`: sorted by start, sessions without a time first, then id."""
    return "".join(render_row(row) + "\n" for row in sorted(rows, key=sort_key))


def sort_key(row: SessionRow) -> tuple[datetime, str]:
    return (row.started_at or _MIN, row.id)


def render_index_md(rows: Iterable[SessionRow]) -> str:
    """`index.md`: the newest 50, newest first; deleted sessions are left out."""
    shown = sorted((r for r in rows if r.state is not SessionState.DELETED), key=sort_key, reverse=True)
    lines = [
        f"- {format_day(r.started_at) if r.started_at else '-'} · {markdown.escape(r.title) or '(no title)'}"
        f" · {r.turns} turns · {r.summary or '-'}"
        for r in shown[:NEWEST]
    ]
    more = f"\n(+{len(shown) - NEWEST} older: sessions/index.jsonl)\n" if len(shown) > NEWEST else ""
    return "# Sessions\n\n" + "".join(line + "\n" for line in lines) + more
