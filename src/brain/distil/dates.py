"""Absolute dates for the relative words of a sentence, counted from the turn's own time; never a date that is not said.

The table of our own comes first (English and seven more languages); dateparser reads the found phrase in a few others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from brain.distil import dates_en, dates_world
from brain.distil.days import DateSpan, add_days, add_months
from brain.rules.days import NUMBER_WORDS
from brain.types import Turn

SHORT_NIGHT = 4
"""Before this hour, a session that began the day before still means that day by "today"."""

_QUOTED = re.compile(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|「[^」\n]{1,300}」")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A sentence with its relative words made absolute. `safe` is False when some could not be put in place; then
    `text` is as said and `remark` holds what is known ("week of 2026-06-01; 2026-06-09")."""

    text: str
    remark: str
    safe: bool
    found: bool


def speaker_day(turn: Turn, zone: tzinfo, earlier: date | None = None) -> date | None:
    """The day a turn was said in the speaker's time; small hours of a session begun on `earlier` count as that day."""
    if turn.time is None:
        return None
    local = turn.time.astimezone(zone)
    day = local.date()
    if earlier is not None and local.hour < SHORT_NIGHT and earlier == day - timedelta(days=1):
        return earlier
    return day


def days_said(turns: tuple[Turn, ...], zone: tzinfo) -> list[date | None]:
    """For each turn the day that its relative words count from. A session past midnight stays on its evening."""
    days: list[date | None] = []
    previous: tuple[datetime, date] | None = None
    for turn in turns:
        near = previous[1] if previous and turn.time and turn.time - previous[0] < timedelta(hours=4) else None
        day = speaker_day(turn, zone, near)
        days.append(day)
        if turn.time is not None and day is not None:
            previous = (turn.time, day)
    return days


def spans(sentence: str, said: date | None, language: str) -> list[DateSpan]:
    """Every phrase about time in `sentence` that needs the day it was said on."""
    found = dates_en.spans(sentence, said) if language == "en" else dates_world.spans(sentence, said, language)
    return _exact(found, sentence, said, language) if said else found


def _exact(found: list[DateSpan], sentence: str, said: date, language: str) -> list[DateSpan]:
    """ "Two weeks ago today" is one day, not a week and a day: a distance beside a word for the day itself."""
    out: list[DateSpan] = []
    for span in found:
        before = out[-1] if out else None
        if before and not sentence[before.end : span.start].strip(" ,、，"):
            today, other = (before, span) if before.bare == str(said) else (span, before)
            there = _distance(sentence[other.start : other.end], said, language) if today.bare == str(said) else None
            if there:
                text = (
                    f"on {there}" if language == "en" else dates_world.LANGUAGES[language].forms["day"].format(d=there)
                )
                instead = text[:1].upper() + text[1:] if before.start == 0 else text
                out[-1] = DateSpan(start=before.start, end=span.end, instead=instead, bare=str(there))
                continue
        out.append(span)
    return out


_WEEKS_EN = re.compile(r"(?P<n>\w+) (?P<unit>week|month|year)s?\b(?P<side> (?:ago|back))?", re.IGNORECASE)


def _distance(phrase: str, said: date, language: str) -> date | None:
    """The day that lies a number of weeks, months or years off; None when the phrase tells no such number."""
    if language == "en":
        m = _WEEKS_EN.search(phrase)
        if m is None:
            return None
        word = m["n"].lower()
        n = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else NUMBER_WORDS.get(word, 0)
        return _off(said, m["unit"].lower(), -n if m["side"] else n) if n else None
    told = dates_world.distance(phrase, language)
    return _off(said, *told) if told else None


def _off(said: date, unit: str, n: int) -> date | None:
    if unit == "week":
        return add_days(said, 7 * n)
    return add_months(said, n * (12 if unit == "year" else 1)) if unit in ("month", "year") else None


def absolute(sentence: str, said: date | None, language: str) -> Dated:
    """`sentence` with each relative phrase replaced, or as said with a remark when one cannot be."""
    found = [replace(s, instead=None) if _inside_quotes(sentence, s) else s for s in spans(sentence, said, language)]
    if not found:
        return Dated(text=sentence, remark="", safe=True, found=False)
    parts: list[str] = []
    remarks: list[str] = []
    at = 0
    safe = True
    firm = any(s.instead for s in found)
    for span in found:
        if span.remark and said is not None:
            parts.append(sentence[at : span.start].rstrip())
            at = span.end
            if span.bare and not firm:
                remarks.append(span.bare)
            continue
        if span.instead is None:
            safe = False
            continue
        parts.append(sentence[at : span.start])
        parts.append(span.instead)
        at = span.end
        if span.instead[-1:].isdigit() and sentence[at : at + 1].isdigit():
            parts.append(" ")  # 昨日23冊: scripts without spaces would make one number of the day and what follows
    if said is None or not safe:
        known = "; ".join(dict.fromkeys(s.bare for s in found if s.bare and (not s.remark or not firm)))
        return Dated(text=sentence, remark=known, safe=False, found=True)
    parts.append(sentence[at:])
    said_of = dict.fromkeys(s.bare for s in found if s.bare and (not s.remark or not firm))
    text = _with_remark("".join(parts).strip(), remarks)
    return Dated(text=text, remark="; ".join(said_of), safe=True, found=True)


def _inside_quotes(sentence: str, span: DateSpan) -> bool:
    """Quoted words are someone's own and stay as they are."""
    return any(m.start() < span.start and span.end < m.end() for m in _QUOTED.finditer(sentence))


def _with_remark(text: str, remarks: list[str]) -> str:
    text = text.lstrip(" ,")
    if not remarks:
        return text
    end = text[-1:] if text[-1:] in ".!?。！？" else ""
    body = text[: len(text) - len(end)].rstrip(" ,")
    return f"{body} ({'; '.join(dict.fromkeys(remarks))}){end}"
