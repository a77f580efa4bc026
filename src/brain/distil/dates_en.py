"""English phrases about time and what they mean on the day they are said."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from brain.distil.days import (
    DateSpan,
    add_days,
    add_months,
    monday,
    nearest_year,
    next_weekday,
    weekday_after,
    weekday_before,
    weekend,
)

CUE = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|ago|last|next|this|past|coming|previous|recent|recently|lately|soon|now|"
    r"nowadays|current|currently|moment|these days|the other day|weekend|the month|the year|the week|from now|in an?|in \w+ (?:days|weeks|"
    r"months|years)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|earlier|back|on the \d{1,2}(?:st|nd|rd|th)|tues?|wed|thurs?|fri|sat|sun)\b",
    re.IGNORECASE,
)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
_MONTH_OF = {m.lower(): i + 1 for i, m in enumerate(MONTHS)} | {m[:3].lower(): i + 1 for i, m in enumerate(MONTHS)}
_MONTH_OF["sept"] = 9
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {w: i + 1 for i, w in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])}
_NUMBERS |= {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30}
_N = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)"
_VAGUE = r"(?:a few|a couple(?: of)?|several|some|many|few|couple(?: of)?)"
_SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_DAY = "|".join(_WEEKDAYS)
_ANY_DAY = f"{_DAY}|tues|tue|mon|weds|wed|thurs|thur|thu|fri|sat|sun"
_MONTH = "|".join(MONTHS)
_MON = r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_SEASONS = "spring|summer|fall|autumn|winter"
_PART = r"(?:\s+(?P<part>morning|afternoon|evening|night))?"
_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|went|got|took|made|saw|came|bought|met|gave|found|told|said|left|lost|won|ran|"
    r"started|began|ate|wrote|read|sent|spent|felt|heard|became|held|built|brought|taught|flew|drove|rode|swam|fell|broke|chose|drew|grew|gone|done|seen|taken|written|came|left|sold|paid|caught|thought|kept|slept|lost|chose|wore|sang|\w{3,}ed|been|ago|last|yesterday)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|going to|gonna|plan|plans|planning|planned|hope|hoping|next|upcoming|tomorrow|scheduled|due|deadline|"
    r"want to|would like|can't wait|looking forward|by|until|needs? to|have to|must|starts|begins)\b|'ll\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:is|are|am|can|can't|cannot|could|would|should|may|might|being|let's|please)\b|'(?:m|re)\b", re.IGNORECASE
)
_PASSIVE = re.compile(r"\b(?:is|are|be|being|'s|'re)\s+(?:\w+ly\s+)?\w+ed\b", re.IGNORECASE)
_RECURRING = re.compile(r"\b(?:birthday|anniversary|every|each|annual|annually|yearly|usually|always)\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\b(?:on|in|at|for|since|during|over|throughout|by|until|till|from|of|before|after|around|about|than|to|through|"
    r"between|within|into|as of|up to)\s+$",
    re.IGNORECASE,
)
_DETERMINED = re.compile(
    r"\b(?:the|my|our|their|his|her|your|its|a|an|this|that|these|those)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_VERB_NEXT = re.compile(
    r"\s*(?:is|was|will|were|are|has|had|'ll|works|seems|looks|looked|would|can|could|might|may)\b", re.IGNORECASE
)

_HALF_A_YEAR = 200
"""A day said without a year is taken for one at most this many days off; else it stays as said."""

Meaning = tuple[str, str]
"""Preposition and absolute core: ("on", "2026-06-09"), ("in", "the week of 2026-06-01")."""


def tense(sentence: str) -> str:
    """ "past", "future" or "" for a sentence, from its verb forms; "" whenever the forms disagree."""
    past = _PAST.search(_PASSIVE.sub(" ", sentence)) is not None
    if _FUTURE.search(sentence):
        return "" if past else "future"
    if _PRESENT.search(sentence):
        return ""
    return "past" if past else ""


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word.lower(), 1)


def month_name(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.year}"


def _on(day: date, part: str | None = None) -> Meaning:
    if part:
        return ("on", f"the {part.lower()} of {day}")
    return ("on", f"{day}")


def _week(day: date) -> Meaning:
    return ("in", f"the week of {monday(day)}")


def _simple_day(m: re.Match[str], said: date, _: str) -> Meaning | None:
    word = m[0].lower()
    part = m["part"]
    if "day before yesterday" in word:
        return _on(add_days(said, -2), part)
    if "day after tomorrow" in word:
        return _on(add_days(said, 2), part)
    if word.startswith("last"):
        return _on(add_days(said, -1), "evening" if "evening" in word else "night")
    if word.startswith("this"):
        return _on(said, word.split()[-1])
    if word.startswith("tonight"):
        return _on(said, "evening")
    offset = -1 if "yesterday" in word else 1 if "tomorrow" in word else 0
    return _on(add_days(said, offset), part)


def _ago(m: re.Match[str], said: date, _: str) -> Meaning | None:
    unit = m["unit"].lower()
    if m["vague"]:
        amount = m["vague"].lower()
        amount = {"few": "a few", "couple": "a couple of", "couple of": "a couple of", "a couple": "a couple of"}.get(
            amount, amount
        )
        return ("", f"{amount} {unit.rstrip('s')}s before {said}")
    return _shifted(-_count(m["n"]), unit.rstrip("s"), said)


def _shifted(n: int, unit: str, said: date) -> Meaning | None:
    """The time `n` units away from `said`; units coarser than a day are rough, so the answer is a week, month or year."""
    if abs(n) > 900:
        return None
    if unit == "day":
        return _on(add_days(said, n))
    if unit == "weekend":
        return ("on", f"the weekend of {weekend(said, n)}")
    if unit in ("week", "fortnight"):
        days = 7 * n * (2 if unit == "fortnight" else 1)
        return ("", f"about {add_days(said, days)}") if abs(days) == 7 else _week(add_days(said, days))
    if unit == "month":
        return ("", f"about {month_name(add_months(said, n))}")
    if unit == "decade":
        return ("", f"about {said.year + 10 * n}")
    return ("", f"about {said.year + n}") if said.year + n > 0 else None


def _relative(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    which, unit = m["which"].lower(), m["unit"].lower()
    step = (
        1
        if "next" in which or which == "upcoming"
        else 0
        if which in ("this", "this coming", "coming", "the coming")
        else -1
    )
    if which in ("coming", "this coming", "the coming") and unit in ("week", "month", "year"):
        step = 1
    early = (m["early"] or "").lower()
    meaning = _unit(step, unit, said, tense_, coming="coming" in which)
    if meaning and early:
        core = meaning[1]
        return ("", f"{early} in {core}")
    return meaning


def _unit(step: int, unit: str, said: date, tense_: str, *, coming: bool) -> Meaning | None:
    if unit == "week":
        return _week(add_days(said, 7 * step))
    if unit == "weekend":
        passed = step < 0
        return ("on", f"the weekend of {weekend(said, step if not passed else -1)}")
    if unit == "month":
        return ("in", month_name(add_months(said.replace(day=1), step)))
    if unit == "year":
        return ("in", f"{said.year + step}")
    if unit in ("spring", "summer", "fall", "autumn", "winter"):
        return ("in", f"the {unit} of {_season_year(step, unit, said)}")
    if unit in _WEEKDAYS or unit in _SHORT_DAYS:
        index = _SHORT_DAYS[unit] if unit in _SHORT_DAYS else _WEEKDAYS.index(unit)
        if step < 0:
            return _on(weekday_before(said, index))
        if step > 0:
            return _on(next_weekday(said, index))
        past = tense_ == "past" and not coming
        return _on(weekday_before(add_days(said, 1), index) if past else weekday_after(add_days(said, -1), index))
    month = _MONTH_OF.get(unit)
    if month is None:
        return None
    if step == 0:
        return ("in", f"{MONTHS[month - 1]} {said.year}")
    year = nearest_year(month, None, said.replace(day=1) - timedelta(days=1) if step < 0 else said, past=step < 0)
    return ("in", f"{MONTHS[month - 1]} {year}") if year else None


def _season_year(step: int, unit: str, said: date) -> int:
    if step == 0:
        return said.year
    first, last = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11), "winter": (12, 12)}[unit]
    if step < 0:
        return said.year if said.month > last else said.year - 1
    return said.year if said.month < first else said.year + 1


def _weekday(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    index = _WEEKDAYS.index(m["day"].lower())
    lead = (m["lead"] or "").lower()
    if lead in ("by", "until", "till", "before") or (tense_ == "future" and lead != "since"):
        return _on(weekday_after(said, index), m["part"])
    if tense_ == "past" or lead == "since":
        return _on(weekday_before(said, index), m["part"])
    return None


def _month_day(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    month = _MONTH_OF[(m["m1"] or m["m2"]).lower()]
    day = int(m["d1"] or m["d2"])
    if m["wd"]:
        return _on_weekday(_WEEKDAYS.index(m["wd"].lower()), month, day, said)
    if not tense_:
        return None
    year = nearest_year(month, day, said, past=tense_ == "past")
    when = date(year, month, day) if year else None
    return _on(when) if when and abs((when - said).days) <= _HALF_A_YEAR else None


def _on_weekday(weekday: int, month: int, day: int, said: date) -> Meaning | None:
    """"Monday 12 October": the weekday tells the year, when only one year near by fits."""
    fitting: list[date] = []
    for year in (said.year - 1, said.year, said.year + 1):
        try:
            when = date(year, month, day)
        except ValueError:
            continue
        if when.weekday() == weekday:
            fitting.append(when)
    return _on(fitting[0]) if len(fitting) == 1 else None


def _ordinal_day(m: re.Match[str], said: date, sentence: str) -> Meaning | None:
    """"on the 14th": the next such day, or the last one in a sentence about the past."""
    day = int(m["d"])
    past = tense(sentence) == "past"
    if not past and _PAST.search(_PASSIVE.sub(" ", sentence)) and not _FUTURE.search(sentence):
        return None
    for step in (0, -1) if past else (0, 1):
        first = add_months(said.replace(day=1), step)
        try:
            when = first.replace(day=day)
        except ValueError:
            continue
        if (when <= said) if past else (when >= said):
            return _on(when)
    return None


def _month_alone(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    if not tense_:
        return None
    month = _MONTH_OF[m["m"].lower()]
    year = nearest_year(month, None, said, past=tense_ == "past")
    return ("in", f"{MONTHS[month - 1]} {year}") if year else None


def _in_future(m: re.Match[str], said: date, tense_: str) -> Meaning | None:
    if tense_ != "future":
        return None
    if m["vague"]:
        return ("", f"a few {m['unit'].lower().rstrip('s')}s after {said}")
    return _shifted(_count(m["n"]), m["unit"].lower().rstrip("s"), said)


def _past_span(m: re.Match[str], said: date, _: str) -> Meaning | None:
    amount = (m["n"] or m["vague"] or "").lower()
    return ("", " ".join(w for w in ("the", amount, m["unit"].lower(), f"before {said}") if w))


def _the_unit(m: re.Match[str], said: date, _: str) -> Meaning | None:
    unit = m["unit"].lower()
    return _unit(0, unit, said, "", coming=False)


def _before_last(m: re.Match[str], said: date, _: str) -> Meaning | None:
    return (
        _unit(-2, m["unit"].lower(), said, "", coming=False)
        if m["unit"].lower() != "weekend"
        else ("on", f"the weekend of {weekend(said, -2)}")
    )


def _fixed(text: str) -> Callable[[re.Match[str], date, str], Meaning | None]:
    return lambda _, said, __: ("", text.format(said))


Handler = Callable[[re.Match[str], date, str], Meaning | None]


def _table(*rows: tuple[str, Handler]) -> list[tuple[re.Pattern[str], Handler]]:
    return [(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), handler) for pattern, handler in rows]


_TABLE = _table(
    (rf"(?:the day before yesterday|the day after tomorrow|(?:earlier |later )?today|tonight|yesterday|tomorrow|last (?:night|evening)|"
     rf"(?:earlier |later )?this (?:morning|afternoon|evening)){_PART}", _simple_day),
    (r"the (?P<unit>week|weekend|month|year) before last", _before_last),
    (rf"(?:(?P<vague>{_VAGUE})|(?P<n>{_N}))\s+(?P<unit>days?|weeks?|weekends?|fortnights?|months?|years?|decades?)"
     r"(?:\s+(?:ago|back)|\s+before now)", _ago),
    (r"(?:a while|some time|quite a while) (?:ago|back)", _fixed("some time before {}")),
    (r"(?:a long time|ages|long) ago", _fixed("long before {}")),
    (r"the other (?:day|night|week)", _fixed("a few days before {}")),
    (rf"(?:the|these) (?:past|last) (?:(?P<vague>few|couple(?: of)?|several)\s+|(?P<n>{_N})\s+)?(?P<unit>days|weeks|weekends|months|years|"
     r"day|week|month|year|decade)", _past_span),
    (rf"(?:in|within) (?:(?P<vague>{_VAGUE})|(?P<n>{_N})) (?P<unit>days?|weeks?|months?|years?)", _in_future),
    (rf"(?:(?P<vague>{_VAGUE})|(?P<n>{_N})) (?P<unit>days?|weeks?|months?|years?) from (?:now|today)", _in_future),
    (rf"(?:(?P<early>early|late|earlier|later)\s+)?(?P<which>last|this past|past|previous|this coming|this|coming|upcoming|next)\s+"
     rf"(?P<unit>weekend|week|month|year|{_SEASONS}|{_ANY_DAY}|{_MONTH})", _relative),
    (r"(?<=end of )the (?P<unit>week|month|year)", _the_unit),
)  # fmt: skip
_WEEKDAY = re.compile(
    rf"\b(?:(?P<lead>on|by|until|till|before|after|since|for|from)\s+)(?P<day>{_DAY}){_PART}\b(?!s|,?\s+(?:the\s+)?\d|,?\s+(?:{_MONTH}|{_MON})\b)",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"\b(?:(?P<wd>{_DAY}),?\s+(?:the\s+)?)?(?:(?P<m1>{_MONTH}|{_MON})\.?\s+(?P<d1>[0-3]?\d)(?:st|nd|rd|th)?(?![\d:]|\s*[-–]\s*\d|,?\s+\d{{4}}|\s*(?:am|pm))"
    rf"|(?:the\s+)?(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m2>{_MONTH}|{_MON})\b(?!,?\s+\d{{4}}))",
    re.IGNORECASE,
)
_ORDINAL_DAY = re.compile(
    r"(?<=\bon )the (?P<d>[0-3]?\d)(?:st|nd|rd|th)\b(?!\s+(?:of|floor|time|street|grade|birthday|anniversary|place|day|century|hole|attempt))",
    re.IGNORECASE,
)
_MONTH_ALONE = re.compile(rf"(?<=\bin )(?P<m>{_MONTH})\b(?!,?\s+\d|\s+of\s+\d)", re.IGNORECASE)
_REMARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:just\s+|very\s+|only\s+)?recently\b", re.IGNORECASE), "shortly before {}"),
    (re.compile(r"\b(?:lately|these days|nowadays|currently|at the moment|at present|right now|as of now|(?<!from )(?<!until )(?<!by )(?<!for )(?<!till )(?<!even )now(?! that\b| on\b|\w))\b",
                re.IGNORECASE), ""),
    (re.compile(r"\b(?<!as )(?:(?:very|pretty|really)\s+)?soon\b(?! as\b| after\b)", re.IGNORECASE), "after {}"),
)  # fmt: skip


def spans(sentence: str, said: date | None) -> list[DateSpan]:
    """The phrases about time that are not absolute yet, in order, not overlapping."""
    if not CUE.search(sentence):
        return []
    found: list[DateSpan] = []
    tense_ = tense(sentence)
    for pattern, handler in _TABLE:
        for m in pattern.finditer(sentence):
            _claim(found, sentence, m.start(), m.end(), handler(m, said, tense_) if said else None, said)
    for m in _WEEKDAY.finditer(sentence):
        meaning = _weekday(m, said, tense_) if said else None
        if meaning or not said:
            _claim(found, sentence, m.start("day"), m.end(), meaning, said)
    if not _RECURRING.search(sentence):
        for m in _MONTH_DAY.finditer(sentence):
            if said and (meaning := _month_day(m, said, tense_)):
                _claim(found, sentence, m.start(), m.end(), meaning, said)
        for m in _MONTH_ALONE.finditer(sentence):
            if said and (meaning := _month_alone(m, said, tense_)):
                _claim(found, sentence, m.start(), m.end(), meaning, said)
    for m in _ORDINAL_DAY.finditer(sentence):
        if said and (meaning := _ordinal_day(m, said, sentence)):
            _claim(found, sentence, m.start(), m.end(), meaning, said)
    for pattern, remark in _REMARKS:
        for m in pattern.finditer(sentence):
            if not _taken(found, m.start(), m.end()):
                bare = (remark.format(said) or None) if said else None
                found.append(DateSpan(start=m.start(), end=m.end(), instead=None, bare=bare, remark=True))
    return sorted(found, key=lambda s: s.start)


def _taken(found: list[DateSpan], start: int, end: int) -> bool:
    return any(s.start < end and start < s.end for s in found)


def _claim(
    found: list[DateSpan], sentence: str, start: int, end: int, meaning: Meaning | None, said: date | None
) -> None:
    if _taken(found, start, end):
        return
    if meaning is None:
        if said is None:
            found.append(DateSpan(start=start, end=end, instead=None, bare=None))
        return
    preposition, core = meaning
    bare = core.removeprefix("the ")
    if sentence[end : end + 2] in ("'s", "’s"):
        instead = _possessive(sentence, start, core)
        found.append(DateSpan(start=start, end=end + 2, instead=instead, bare=bare))
        return
    before = sentence[:start]
    governed = _PREPOSITION.search(before)
    if core.startswith(("about ", "a few ", "some ", "several ", "many ", "long ", "a couple ")) and governed:
        lead = governed[0].strip().lower()
        if lead in ("on", "in", "at"):
            start = governed.start()
        elif lead in ("about", "around"):
            core = core.removeprefix("about ")
    elif governed and governed[0].strip().lower() in ("on", "in", "at") and preposition:
        start = governed.start()
        core = f"{preposition} {core}"
    elif not governed and preposition and not _VERB_NEXT.match(sentence[end:]):
        core = f"{preposition} {core}"
    if start == 0:
        core = core[:1].upper() + core[1:]
    found.append(DateSpan(start=start, end=end, instead=core, bare=bare))


def _possessive(sentence: str, start: int, core: str) -> str | None:
    """ "yesterday's meeting" → "the 2026-06-09 meeting"; longer cores have no place before a noun."""
    if " of " in core or core.startswith(("about", "a ", "some", "the ")):
        return None
    return core if _DETERMINED.search(sentence[:start]) else f"the {core}"
