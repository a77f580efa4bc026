"""Times as transcripts write them: ISO text with or without zone, epochs in s, ms or µs. What does not read is None."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_ISO = re.compile(
    r"^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*"
    r"(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?\s*$",
    re.IGNORECASE,
)
_EPOCH_FLOOR = 100_000_000  # 1973 in seconds; smaller numbers are counters, not times
_COUNTED = 1e20  # no epoch of any unit is larger
_EPOCH_CEILING = 32_503_680_000  # the year 3000 in seconds


def read_time(value: object) -> datetime | None:
    """A time as a source gives it; aware when the source names a zone, naive when it does not. Never guessed.

    >>> read_time("2026-06-21T09:14:03.120Z").isoformat()
    '2026-06-21T09:14:03+00:00'
    >>> read_time(1781255643).isoformat()
    '2026-06-12T09:14:03+00:00'
    >>> read_time("2023-05-08 13:56").isoformat()
    '2023-05-08T13:56:00'
    >>> read_time("last week") is None
    True
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return _epoch(float(value)) if abs(value) < _COUNTED else None
    if isinstance(value, str):
        text = value.strip()
        match = _ISO.match(text)
        if match and match[4]:
            return _iso(match)
        if re.fullmatch(r"\d{9,19}(?:\.\d+)?", text):
            return _epoch(float(text))
    return None


def read_day(value: object) -> datetime | None:
    """A time or a bare day. A bare day becomes its noon, naive, so that no zone moves it to another day."""
    time = read_time(value)
    if time is not None or not isinstance(value, str):
        return time
    match = _ISO.match(value)
    if match is None:
        return None
    try:
        return datetime(int(match[1]), int(match[2]), int(match[3]), 12)
    except ValueError:
        return None


def _epoch(number: float) -> datetime | None:
    if number != number or abs(number) == float("inf"):
        return None
    while number > _EPOCH_CEILING:
        number /= 1000
    if number < _EPOCH_FLOOR:
        return None
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=number)).replace(microsecond=0)


def _iso(match: re.Match[str]) -> datetime | None:
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
        naive = datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    zone = match[7]
    if zone is None:
        return naive
    if zone.upper() in ("Z", "UTC", "GMT"):
        return naive.replace(tzinfo=UTC)
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    try:
        return (naive + offset if zone[0] == "-" else naive - offset).replace(tzinfo=UTC)
    except OverflowError:
        return None


_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"), start=1
    )
    for name in names.split()
}  # fmt: skip
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?[\s\u00a0\u202f]*(?P<half>[AaPp]\.?[Mm]\.?)?"
_WORDED = re.compile(
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>[A-Za-z]{{3,9}})\.?,?|(?P<month2>[A-Za-z]{{3,9}})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?)"
    rf"\s+(?P<year>\d{{4}})(?:,?\s+(?:at\s+)?{_CLOCK})?"
)
_CLOCK_FIRST = re.compile(rf"{_CLOCK}\s+on\s+")
_SLASHED = re.compile(rf"(?P<a>\d{{1,2}})[/.](?P<b>\d{{1,2}})[/.](?P<year>\d{{2}}(?:\d{{2}})?)(?:,?\s+{_CLOCK})?")
_CLOCK_ONLY = re.compile(rf"\s*{_CLOCK}\s*")
_ISO_INSIDE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?", re.IGNORECASE
)


def day_first(text: str) -> bool | None:
    """Whether dates like 08/05/2023 in this text put the day first; None when no date in it can tell."""
    pairs = [(int(match["a"]), int(match["b"])) for match in _SLASHED.finditer(text)]
    if any(a > 12 >= b for a, b in pairs):
        return True
    return False if any(b > 12 >= a for a, b in pairs) else None


def read_stamp(text: str, *, day: datetime | None = None, first: bool | None = None) -> datetime | None:
    """A time as people's chat logs write it; naive unless a zone is named. `day` completes a bare clock time.

    >>> read_stamp("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00'
    >>> read_stamp("08/05/2023, 13:56") is None  # day or month first? nothing tells
    True
    """
    if match := _ISO_INSIDE.search(text):
        return read_time(match.group())
    clock = _CLOCK_FIRST.search(text)
    if match := _WORDED.search(text):
        month = _MONTHS.get((match["month"] or match["month2"]).lower())
        when = clock or match
        if month is None or when["hour"] is None:
            return None
        return _at(int(match["year"]), month, int(match["day"] or match["day2"]), when)
    if match := _SLASHED.search(text):
        if first is None or match["hour"] is None:
            return None
        a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
        return _at(year + 2000 if year < 100 else year, b if first else a, a if first else b, match)
    if day is not None and (match := _CLOCK_ONLY.fullmatch(text)):
        return _at(day.year, day.month, day.day, match)
    return None


def read_date_words(text: str, *, first: bool | None = None) -> datetime | None:
    """A time, or a day as its noon, naive, from text that holds a date in one of the forms above."""
    time = read_stamp(text, first=first)
    if time is not None:
        return time
    if match := _ISO_INSIDE.search(text):
        return read_day(match.group())
    if (match := _WORDED.search(text)) and (month := _MONTHS.get((match["month"] or match["month2"]).lower())):
        return read_day(f"{match['year']}-{month:02}-{int(match['day'] or match['day2']):02}")
    if (match := _SLASHED.search(text)) and first is not None and len(match["year"]) == 4:
        a, b = int(match["a"]), int(match["b"])
        return read_day(f"{match['year']}-{b if first else a:02}-{a if first else b:02}")
    return None


def _at(year: int, month: int, day: int, clock: re.Match[str]) -> datetime | None:
    hour = int(clock["hour"])
    half = (clock["half"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    elif half.startswith("a") and hour == 12:
        hour = 0
    try:
        return datetime(year, month, day, hour, int(clock["minute"]), int(clock["second"] or 0))
    except ValueError:
        return None
