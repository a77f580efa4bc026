"""Identifiers and times as the format writes them (§2): sessions, runs, snippets, turns, instants, days."""

from __future__ import annotations

import re
from collections.abc import Container
from datetime import UTC, date, datetime
from hashlib import sha256
from uuid import UUID, uuid5

from brain.errors import FormatError

NAMESPACE = UUID("6f0c3f1e-8f0b-5c55-9d0b-3f5f7a1d2b10")
"""Namespace of imported sessions; changing it would make every re-import a duplicate."""

SESSION = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
SNIPPET = re.compile(r"n[0-9a-z]{8}")
RUN = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
ACTOR = re.compile(r"human:[A-Za-z0-9._@+-]+|dream/[A-Za-z0-9._+-]+|process:[A-Za-z0-9._-]+")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def session_id(source: str, external_id: str) -> str:
    """The id of an imported session: the same for the same source and external id, on every machine."""
    return str(uuid5(NAMESPACE, f"{source}:{external_id}"))


def new_run_id(now: datetime | None = None) -> str:
    """A fresh ULID; with `now`, its time part is that instant."""
    from ulid import ULID

    return str(ULID.from_datetime(now) if now else ULID())


def snippet_id(text: str, uri: str, taken: Container[str] = ()) -> str:
    """The block id of a note line, from its words and source; another one when that is in `taken`."""
    salt = 0
    while True:
        number = int.from_bytes(sha256(f"{text}\0{uri}\0{salt}".encode("utf-8", "replace")).digest()[:8], "big")
        digits = ""
        for _ in range(8):
            number, digit = divmod(number, 36)
            digits += _DIGITS[digit]
        if (made := "n" + digits) not in taken:
            return made
        salt += 1


def parse_time(s: str) -> datetime:
    """An instant as the format writes it, `2026-08-06T07:51:00Z`. Raises FormatError on any other form."""
    if _TIME.fullmatch(s):
        try:
            return datetime.fromisoformat(s)
        except ValueError:
            pass
    raise FormatError(f"not a time: {s!r}; write 2026-08-06T07:51:00Z")


def format_time(t: datetime) -> str:
    """UTC, whole seconds. A naive time is refused: its zone would be invented."""
    if t.tzinfo is None:
        raise ValueError(f"time without zone: {t!r}")
    return t.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def parse_day(s: str) -> date:
    """A day as the format writes it, `2026-08-06`. Raises FormatError on any other form."""
    if _DAY.fullmatch(s):
        try:
            return date.fromisoformat(s)
        except ValueError:
            pass
    raise FormatError(f"not a day: {s!r}; write 2026-08-06")


def format_day(d: date) -> str:
    """The calendar day; of an instant, its day in UTC."""
    if isinstance(d, datetime):
        d = d.astimezone(UTC).date() if d.tzinfo else d.date()
    return d.isoformat()


def turns_text(first: int, last: int | None = None) -> str:
    """`t3-t9`, or `t3` when the range is one turn."""
    return f"t{first}" if last is None or last == first else f"t{first}-t{last}"
