"""What a claim commits itself to and its evidence does not hold: quotes, codes, dates, numbers, names."""

# ruff: noqa: E501 — lists of words and patterns
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from brain.rules import days, voice
from brain.rules.wording import DATE, Words, codes, names, numbers, plain, quotes, spoken_numbers, unquoted
from brain.text import words
from brain.types import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Something a claim says that its evidence does not. Kind: quote, number, date, name or code."""

    kind: str
    text: str


YEAR = re.compile(r"(?<![\w.,-])(?:19|20)[0-9]{2}(?![\w-]|[.,][0-9])")
_MONTH_YEAR = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December)\s+((?:19|20)[0-9]{2})\b"
)
_MONTHS = "january february march april may june july august september october november december"
_MONTH_NAMES = tuple(_MONTHS.split())
ENUMERATION = re.compile(r"\([0-9]{1,2}\)|\bsteps? [0-9]{1,2}(?:[-–][0-9]{1,2})?\b", re.I)
FRAME = frozenset(_MONTH_NAMES) | {
    "week", "weekend", "summer", "winter", "spring", "autumn", "fall", "evening", "night", "planned", "plans", "asked", "said", "says",
    "answered", "replied", "told", "currently", "topic", "since", "shared", "picture", "agreed", "proposal", "correcting", "assistant", "assistant's", "team", "team's", "others", "listed", "steps", "written", "file", "semaine", "тиждень", "тижня", "неделя", "那一", "一周",
}  # fmt: skip


def missing(
    claim: str, turns: Sequence[Turn], *, owners: Iterable[str] = (), subjects: Iterable[str] = ()
) -> tuple[Missing, ...]:
    """The quotes (two words and more), codes, dates, numbers and names of a claim that its evidence does not hold."""
    prose = plain(claim)
    evidence = "\n".join(turn.text for turn in turns)
    found: list[Missing] = []
    flat = " ".join(words(evidence))
    for quote in quotes(prose):
        parts = [" ".join(words(part)) for part in voice.sentences(quote)]
        if len(words(quote)) >= 2 and not all(part in flat for part in parts):
            found.append(Missing(kind="quote", text=quote))
    lower, digits = evidence.casefold(), re.sub(r"\D", "", evidence)
    exact = codes(prose)
    for code in exact:
        if code.casefold() not in lower and not (
            code.lstrip("+")[0].isdigit() and re.sub(r"\D", "", code) in digits and not re.search("[a-z]", code)
        ):
            found.append(Missing(kind="code", text=code))
    rest = prose
    for code in exact:
        rest = rest.replace(code, " ")
    found += _missing_days(rest, turns)
    spoken = spoken_numbers(evidence)
    rest = ENUMERATION.sub(" ", rest)
    undated = _MONTH_YEAR.sub(" ", YEAR.sub(" ", rest))
    found += [
        Missing(kind="number", text=n) for n in numbers(undated) if n not in spoken and not _in_date(n, prose, turns)
    ]
    found += _missing_names(prose, turns, evidence, (*owners, *subjects))
    return tuple(dict.fromkeys(found))


def _missing_days(prose: str, turns: Sequence[Turn]) -> list[Missing]:
    found = []
    for match in DATE.finditer(prose):
        try:
            parts = [int(p) for p in match[0].split("-")]
            if not 1 <= parts[1] <= 12:
                raise ValueError("a code that looks like a month")
            ok = any(
                days.speaks_of(t.text, date(*parts), _day(t.time)) if len(parts) == 3 else days.speaks_of_month(t.text, parts[0], parts[1], _day(t.time))
                for t in turns
            )  # fmt: skip
            if (
                not ok
                and len(parts) == 3
                and re.search(
                    r"(?:week(?:end)? of|semaine du|тиждень від|неделя с)\s*$|那|の週",
                    prose[: match.start()] + prose[match.end() : match.end() + 3],
                )
            ):
                ok = any(
                    days.speaks_of(t.text, date.fromordinal(date(*parts).toordinal() + step), _day(t.time))
                    for t in turns
                    for step in range(7)
                )
        except ValueError:  # no day of the calendar: to be found to the letter
            ok = any(match[0] in t.text for t in turns)
        if not ok:
            found.append(Missing(kind="date", text=match[0]))
    rest = DATE.sub(" ", prose)
    for match in _MONTH_YEAR.finditer(rest):
        month = _MONTH_NAMES.index(match[1].lower()) + 1
        if not any(days.speaks_of_month(t.text, int(match[2]), month, _day(t.time)) for t in turns):
            found.append(Missing(kind="date", text=match[0]))
    for match in YEAR.finditer(_MONTH_YEAR.sub(" ", rest)):
        if not any(days.speaks_of_year(t.text, int(match[0]), _day(t.time)) for t in turns):
            found.append(Missing(kind="date", text=match[0]))
    return found


def _in_date(number: str, prose: str, turns: Sequence[Turn]) -> bool:
    """A day of the month written out, `May 3` or `3 мая`, that the turn's own time carries."""
    said = [day for t in turns if (day := _day(t.time))]
    return any(number == str(d.day) for d in said) and any(m in prose.lower() for m in _MONTH_NAMES)


def _missing_names(prose: str, turns: Sequence[Turn], evidence: str, given: Iterable[str]) -> list[Missing]:
    held = Words(" ".join([evidence, *(t.name or "" for t in turns), *given]))
    squeezed = re.sub(r"[\W_]+", "", evidence.casefold())
    found = []
    for name in names(unquoted(prose)):
        parts = [p for p in words(name) if p not in FRAME]
        if not all(part in held for part in parts) and re.sub(r"[\W_]+", "", name.casefold()) not in squeezed:
            found.append(Missing(kind="name", text=name))
    return found


def _day(time: datetime | None) -> date | None:
    return time.date() if time else None
