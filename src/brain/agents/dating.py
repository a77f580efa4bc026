"""Days behind the words about time that a model repeats: worked out by code from the turn that says them, or quoted.

The model never computes a date. Where nobody knows the day, the words stay as they were said, in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from brain.distil.dates import absolute, spans
from brain.distil.days import DateSpan
from brain.rules.text import relative_words
from brain.types import Turn


def flat(text: str) -> str:
    """Text as it is compared: case, white space and kinds of apostrophe aside."""
    return " ".join(text.casefold().replace("’", "'").split())


def stands_in(phrase: str, turns: Iterable[Turn]) -> bool:
    return any(flat(phrase) in flat(turn.text) for turn in turns)


def dated(
    sentence: str,
    phrase: str,
    turns: Sequence[Turn],
    days: Mapping[int, date | None],
    language: str,
    *,
    planned: bool | None = None,
) -> str:
    """`sentence` with relative words made absolute; `phrase` are the words about time that the model read, or "".

    `days` gives for each turn the day that its words count from. A phrase that the sentence leaves out is added.
    `planned` says whether it is about what is to come (True) or has been (False), where the sentence does not tell.
    """
    said = _day(phrase, sentence, language, turns, days)
    read = absolute(sentence, said, language)
    if read.found and read.safe:
        text = read.text
    elif read.found:
        text = _quoting(sentence, spans(sentence, said, language)) + (f" ({read.remark})" if read.remark else "")
    elif phrase:
        text = _with_phrase(sentence, phrase, _meant(phrase, said, language, planned))
    else:
        text = sentence
    for word in relative_words(text, language):
        text = re.sub(rf"(?<![\w“]){re.escape(word)}(?![\w”])", f"“{word}”", text)
    return text


def _meant(phrase: str, said: date | None, language: str, planned: bool | None) -> DateSpan | None:
    """What a phrase alone means; English needs to know whether it looks ahead or back ("in two weeks")."""
    if said is None:
        return None
    lead = {None: "", True: "it will be ", False: "it was "}[planned] if language == "en" else ""
    found = [span for lead in dict.fromkeys((lead, "")) for span in spans(lead + phrase, said, language) if span.bare]
    return found[0] if found else None


def _with_phrase(sentence: str, phrase: str, meant: DateSpan | None) -> str:
    """The sentence with its phrase in place, absolute or quoted; a phrase it leaves out follows in parentheses."""
    at = sentence.casefold().find(phrase.casefold())
    if at < 0:
        return f"{sentence.rstrip(' .。')} ({meant.bare if meant else f'“{phrase}”'})"
    if meant is None or not meant.instead:
        return sentence
    return f"{sentence[:at]}{meant.instead}{sentence[at + len(phrase) :]}"


def _day(
    phrase: str, sentence: str, language: str, turns: Sequence[Turn], days: Mapping[int, date | None]
) -> date | None:
    """The day that words about time count from: of the turn that says them, or the one day of all."""
    told = [sentence[span.start : span.end] for span in spans(sentence, None, language)]
    said = [flat(words) for words in ([phrase] if phrase else told)]
    holder = next((turn for turn in reversed(turns) if any(words in flat(turn.text) for words in said)), None)
    if holder is not None:
        return days.get(holder.number)
    known = {days.get(turn.number) for turn in turns}
    return known.pop() if len(known) == 1 else None


def _quoting(sentence: str, found: Iterable[DateSpan]) -> str:
    """The sentence with its phrases about time in quotation marks: said so, on a day that nobody knows."""
    for span in sorted(found, key=lambda one: -one.start):
        sentence = f"{sentence[: span.start]}“{sentence[span.start : span.end]}”{sentence[span.end :]}"
    return sentence
