"""Do cited turns hold what a statement says? A plain check for benchmarks, written apart from the rules it judges.

A number counts as held when its digits or its English word stand in the turns; a date when a turn was said within a
day of it, names it, or has a phrase that leads to it from the turn's day; a name when the turns, their speakers or the
session's people have it. No table or pattern of `brain.rules` or `brain.distil` is used, so both can be wrong apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from brain.types import Turn

_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?(?!\d)")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_WRITTEN = re.compile(rf"\b({'|'.join(_MONTHS)})\s+((?:19|20)\d\d)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,:-])((?:19|20)\d\d)(?![\d.,:-]\d)")
_NUMBER = re.compile(r"(?<![\w.,:-])\d+(?:[.,:]\d+)*(?![\w-])")
_CAPITAL = re.compile(r"(?<![\w'’])[A-ZÀ-ÞĀ-ŽА-ЯЇІЄҐ][\w'’-]+")
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_SPELLED = {word: str(at) for at, word in enumerate([*_WORDS.split(), "seventeen", "eighteen", "nineteen", "twenty"])}
_COUNTS = {word: digits for word, digits in _SPELLED.items() if word not in ("zero", "one")}
_SPELLED |= {"a": "1", "an": "1", "once": "1", "twice": "2", "couple": "2", "first": "1", "second": "2", "third": "3"}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AGO = re.compile(r"\b(\d+|[a-z]+)\s+(?:or (?:\w+)\s+)?(day|week|weekend|month|year)s?\s+(?:ago|back|before|earlier)\b")
_OWN_WORDS = frozenset(
    [
        "asked",
        "said",
        "says",
        "answered",
        "replied",
        "told",
        "shared",
        "since",
        "about",
        "planned",
        "picture",
        "topic",
        "before",
        "after",
        "week",
        "weekend",
    ]
)
"""Words that Brain puts around what it lifted; they are no names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a statement says of each kind and the turns do not have; `said` counts what was looked for."""

    numbers: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    said: tuple[int, int, int] = (0, 0, 0)

    @property
    def whole(self) -> bool:
        return not (self.numbers or self.dates or self.names)


def held(statement: str, turns: Sequence[Turn], people: Iterable[str] = ()) -> Held:
    """Look in `turns` for the numbers, dates and names of a statement. `people`: names that need no evidence.

    >>> from datetime import UTC, datetime
    >>> from brain.types import Role
    >>> turn = Turn(number=1, role=Role.USER, name="Ann", time=datetime(2026, 5, 6, tzinfo=UTC),
    ...             text="I met Bo yesterday, he has two cats.")
    >>> held("Ann met Bo on 2026-05-05; Bo has 2 cats.", [turn]).whole
    True
    >>> held("Ann met Eve on 2026-05-01; Eve has 3 cats.", [turn])
    Held(numbers=('3',), dates=('2026-05-01',), names=('Eve',), said=(1, 1, 1))
    """
    dates = tuple(dict.fromkeys(match[0] for match in (*_ISO.finditer(statement), *_WRITTEN.finditer(statement))))
    rest = _WRITTEN.sub(" ", _ISO.sub(" ", statement))
    years = tuple(dict.fromkeys(match[1] for match in _YEAR.finditer(rest)))
    numbers = tuple(dict.fromkeys(_NUMBER.findall(_YEAR.sub(" ", rest))))
    counted = tuple(dict.fromkeys(_COUNTS[word] for word in re.findall(r"[a-z]+", rest.casefold()) if word in _COUNTS))
    names = tuple(dict.fromkeys(_names(rest)))
    text = "\n".join(turn.text for turn in turns)
    known = " ".join([text, *(turn.name or "" for turn in turns), *people]).casefold()
    spelled = {_SPELLED[word] for word in re.findall(r"[a-z]+", text.casefold()) if word in _SPELLED}
    spans = {d: _span(d, weekly=re.search(rf"\bweek(?:end)? of {d}", statement) is not None) for d in (*dates, *years)}
    return Held(
        numbers=tuple(n for n in (*numbers, *counted) if n not in spelled and n not in text),
        dates=tuple(d for d, span in spans.items() if not any(_reaches(span, turn) for turn in turns)),
        names=tuple(name for name in names if name.casefold() not in known),
        said=(len(numbers) + len(counted), len(spans), len(names)),
    )


def altered(statement: str) -> Iterator[str]:
    """The statement with another day, another number: what a check that is worth anything must not find held.

    >>> list(altered("Bo bought 3 kites on 2026-05-05."))
    ['Bo bought 3 kites on 2026-08-13.', 'Bo bought 10 kites on 2026-05-05.']
    """
    if (match := _ISO.search(statement)) and match[3]:
        moved = date.fromisoformat(match[0]) + timedelta(days=100)
        yield f"{statement[: match.start()]}{moved}{statement[match.end() :]}"
    bare = _ISO.sub(lambda m: "x" * len(m[0]), statement)
    if match := re.search(r"(?<![\w.,:-])\d{1,2}(?![\w.,:-])", bare):
        yield f"{statement[: match.start()]}{int(match[0]) + 7}{statement[match.end() :]}"


def _names(prose: str) -> Iterator[str]:
    """Words with a capital that do not open a sentence or a quotation."""
    for match in _CAPITAL.finditer(prose):
        before = prose[: match.start()].rstrip()
        opens = not before or before[-1] in ".!?:;\"“«(—–-'‘…*|" or match.start() == 0
        word = re.sub(r"['’]\w{0,2}$", "", match[0])
        if not opens and len(word) > 1 and word.lower() not in _OWN_WORDS and word.lower() not in (*_MONTHS, *_DAYS):
            yield word


def _span(written: str, *, weekly: bool = False) -> tuple[date, date]:
    """First and last day of a day, month or year as written, or of the week that a day begins."""
    if match := _ISO.fullmatch(written):
        year, month = int(match[1]), int(match[2])
        if match[3]:
            day = date(year, month, int(match[3]))
            return day, day + timedelta(days=6 if weekly else 0)
    elif match := _WRITTEN.fullmatch(written):
        year, month = int(match[2]), _MONTHS.index(match[1].lower()) + 1
    else:
        return date(int(written), 1, 1), date(int(written), 12, 31)
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def _reaches(span: tuple[date, date], turn: Turn) -> bool:
    """Whether a turn was said on, names, or has a phrase that leads to a day in the span."""
    first, last = span
    if any(first.isoformat()[: len(m[0])] == m[0] for m in _ISO.finditer(turn.text)):
        return True
    if turn.time is None:
        return str(first.year) in turn.text
    said = turn.time.date()
    text = turn.text.casefold()
    if first - timedelta(days=1) <= said <= last + timedelta(days=1):
        return True
    if last - first > timedelta(days=1) and str(first.year) in text:
        return True
    if re.search(rf"\b{_MONTHS[first.month - 1][:3]}\w*\b", text) and (
        first != last or re.search(rf"(?<!\d){first.day}(?!\d)", text)
    ):
        return True
    return any(low <= last and first <= high for low, high in _phrases(text, said))


def _phrases(text: str, said: date) -> Iterator[tuple[date, date]]:
    """The days that the phrases of an English text may mean, from the day it was said."""

    def around(days: int, spread: int) -> tuple[date, date]:
        return said + timedelta(days=days - spread), said + timedelta(days=days + spread)

    length = {"day": 1, "weekend": 7, "week": 7, "month": 30, "year": 365}
    for match in _AGO.finditer(text):
        number = int(match[1]) if match[1].isdigit() else int(_SPELLED.get(match[1], "3"))
        unit = length[match[2]]
        yield around(
            -min(number, 150) * unit,
            7 if match[2] == "weekend" else max(1, unit // 2 + unit * (match[1] in ("few", "couple", "several"))),
        )
    for word, days, spread in (
        ("yesterday", -1, 1),
        ("last night", -1, 1),
        ("tomorrow", 1, 1),
        ("the other day", -4, 4),
    ):
        if word in text:
            yield around(days, spread)
    for match in re.finditer(
        r"\b(last|past|previous|next|this|coming|following)\s+(?=(?:couple of |few )?(\w+))", text
    ):
        back = match[1] in ("last", "past", "previous")
        ahead = match[1] in ("next", "coming", "following")
        if match[2] in _DAYS:
            yield around(7 if ahead else -7 if back else 0, 7)
        season = match[2] in ("summer", "winter", "spring", "autumn", "fall")
        if reach := 365 if season else length.get(match[2].removesuffix("s"), 0):
            yield around(-reach if back else reach if ahead else 0, reach)
    if any(day[:3] in text for day in _DAYS) or "weekend" in text or "week" in text:
        yield around(0, 8)
    if re.search(r"\b(?:recently|lately|soon|month|semester|just|now|currently|these days)\b", text):
        yield around(0, 31)
    for match in re.finditer(r"\b(\d{1,2})(?:st|nd|rd|th)\b", text):
        near = (said + timedelta(days=step) for step in range(-45, 46))
        yield from ((day, day) for day in near if day.day == int(match[1]))
    for match in re.finditer(r"\b(\d+|[a-z]+)\s+(year|month|week|day)s?\b", text):
        number = int(match[1]) if match[1].isdigit() else int(_SPELLED.get(match[1], "0"))
        for sign in (-1, 1):
            if 0 < number <= 100:
                yield around(sign * number * length[match[2]], max(1, length[match[2]] // 2))
