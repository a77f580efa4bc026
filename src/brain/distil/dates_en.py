"""English phrases about time: how they are found in a sentence and what stands in their place."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from brain.distil.days import DateSpan
from brain.distil.meaning_en import (
    ANY_DAY,
    DAY,
    MON,
    MONTH,
    PART,
    SEASONS,
    VAGUE,
    Meaning,
    N,
    ago,
    before_last,
    fixed,
    from_today,
    in_future,
    month_alone,
    month_day,
    ordinal_day,
    past_span,
    relative,
    simple_day,
    tense,
    the_unit,
    to_the_day,
    weekday,
)

CUE = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|ago|last|next|this|past|coming|previous|recent|recently|lately|soon|now|"
    r"nowadays|current|currently|moment|these days|the other day|weekend|the month|the year|the week|from now|in an?|in \w+ (?:days|weeks|"
    r"months|years)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|earlier|back|on the \d{1,2}(?:st|nd|rd|th)|tues?|wed|thurs?|fri|sat|sun)\b",
    re.IGNORECASE,
)
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
Handler = Callable[[re.Match[str], date, str], Meaning | None]


def _table(*rows: tuple[str, Handler]) -> list[tuple[re.Pattern[str], Handler]]:
    return [(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), handler) for pattern, handler in rows]


_TABLE = _table(
    (rf"(?:(?P<vague>{VAGUE})|(?P<n>{N})) (?P<unit>days?|weeks?|months?|years?) from (?P<exact>now|today)", from_today),
    (rf"(?:the day before yesterday|the day after tomorrow|(?:earlier |later )?today|tonight|yesterday|tomorrow|last (?:night|evening)|"
     rf"(?:earlier |later )?this (?:morning|afternoon|evening)){PART}", simple_day),
    (rf"(?P<n>{N}) (?P<unit>days?|weeks?) ago today|(?:exactly|precisely) (?P<m>{N}) (?P<step>days?|weeks?) ago", to_the_day),
    (r"the (?P<unit>week|weekend|month|year) before last", before_last),
    (rf"(?:(?P<vague>{VAGUE})|(?P<n>{N}))\s+(?P<unit>days?|weeks?|weekends?|fortnights?|months?|years?|decades?)"
     r"(?:\s+(?:ago|back)|\s+before now)", ago),
    (r"(?:a while|some time|quite a while) (?:ago|back)", fixed("some time before {}")),
    (r"(?:a long time|ages|long) ago", fixed("long before {}")),
    (r"the other (?:day|night|week)", fixed("a few days before {}")),
    (rf"(?:the|these) (?:past|last) (?:(?P<vague>few|couple(?: of)?|several)\s+|(?P<n>{N})\s+)?(?P<unit>days|weeks|weekends|months|years|"
     r"day|week|month|year|decade)", past_span),
    (rf"(?:in|within) (?:(?P<vague>{VAGUE})|(?P<n>{N})) (?P<unit>days?|weeks?|months?|years?)", in_future),
    (rf"(?:(?P<early>early|late|earlier|later)\s+)?(?P<which>last|this past|past|previous|this coming|this|coming|upcoming|next)\s+"
     rf"(?P<unit>weekend|week|month|year|{SEASONS}|{ANY_DAY}|{MONTH})", relative),
    (r"(?<=end of )the (?P<unit>week|month|year)", the_unit),
)  # fmt: skip
_WEEKDAY = re.compile(
    rf"\b(?:(?P<lead>on|by|until|till|before|after|since|for|from)\s+)(?P<day>{DAY}){PART}\b(?!s|\s+(?:mornings|afternoons|evenings|nights)\b|,?\s+(?:the\s+)?\d|,?\s+(?:{MONTH}|{MON})\b)",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"\b(?:(?P<wd>{DAY}),?\s+(?:the\s+)?)?(?:(?P<m1>{MONTH}|{MON})\.?\s+(?P<d1>[0-3]?\d)(?:st|nd|rd|th)?(?![\d:]|\s*[-–]\s*\d|,?\s+\d{{4}}|\s*(?:am|pm))"
    rf"|(?:the\s+)?(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m2>{MONTH}|{MON})\b(?!,?\s+\d{{4}}))",
    re.IGNORECASE,
)
_ORDINAL_DAY = re.compile(
    r"(?<=\bon )the (?P<d>[0-3]?\d)(?:st|nd|rd|th)\b(?!\s+(?:of|floor|time|street|grade|birthday|anniversary|place|day|century|hole|attempt))",
    re.IGNORECASE,
)
_MONTH_ALONE = re.compile(rf"(?<=\bin )(?P<m>{MONTH})\b(?!,?\s+\d|\s+of\s+\d)", re.IGNORECASE)
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
        meaning = weekday(m, said, tense_) if said else None
        if meaning or not said:
            _claim(found, sentence, m.start("day"), m.end(), meaning, said)
    if not _RECURRING.search(sentence):
        for m in _MONTH_DAY.finditer(sentence):
            if said and (meaning := month_day(m, said, tense_)):
                _claim(found, sentence, m.start(), m.end(), meaning, said)
        for m in _MONTH_ALONE.finditer(sentence):
            if said and (meaning := month_alone(m, said, tense_)):
                _claim(found, sentence, m.start(), m.end(), meaning, said)
    for m in _ORDINAL_DAY.finditer(sentence):
        if said and (meaning := ordinal_day(m, said, sentence)):
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
