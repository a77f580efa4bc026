"""What a reply said that earlier sessions had said already: the answer, the turns that bear it, values it replaced.

    day 3   user       We host the staging server at Hetzner now, no longer at OVH.
    day 9   user       Where do we host the staging server?
            assistant  At Hetzner, since the third.               → answer Hetzner, evidence day 3

The answer is the words that the reply and an earlier turn on the same matter have in common and the question has not.
Where there is no such turn, the answer was new that day, and memory could not have known it.
"""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from brain.bench.asked import Kind
from brain.bench.judging.forms import sentences
from brain.bench.judging.values import same_day, same_number
from brain.bench.replay.exchanges import Exchange, topic
from brain.bench.replay.history import History, Said, is_small, key_of, keys, tokens
from brain.distil.judge import is_question
from brain.secrets import find_secrets
from brain.text import count_words

LONGEST = 6  # words of an answer
SENTENCES = 6  # of a reply that are looked at
TERSE = 15  # words of a reply that says nothing else
SHORT = 30  # words of a turn that is on one matter
EVIDENCE = 5
CLOSE = 0.75
"""The share of a question's words that evidence has where little else tells: the agent's words, a plain word."""

SAME_MATTER = 0.6
"""The share of a question's words that makes a sentence one on the same matter."""

NEW = "new that day: no earlier session holds the answer"
NEWER = "something newer had been said when it was asked"
_COUNTED = re.compile(
    r"\b(?:when|how (?:many|much|long|often|old|big|far|late)|what (?:time|day|date|number|port|version|price|budget)|which (?:port|day|date|version|number)"
    r"|wann|wie ?viele?|wie lange|quand|combien|cuándo|cuánt[oa]s?|коли|скільки|когда|сколько)\b",
    re.I,
)
_DIGIT = re.compile(r"\d")
_WHO = re.compile(r"^(?:who|whom|wer|wen|wem|qui|quién|хто|кто)\b", re.I)
_CHANGED = re.compile(
    r"\b(?:now|no longer|any ?more|moved|switched|changed|instead|replaced|from (?:today|now|monday)|these days|used to"
    r"|jetzt|nicht mehr|inzwischen|gewechselt|umgezogen|maintenant|désormais|ne \S+ plus|ahora|ya no|adesso|agora|тепер|більше не|теперь|больше не)\b",
    re.I,
)
_WEEKDAY = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabend"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """An answer with its kind and its turns as URIs, and values that were right before."""

    answer: str
    kind: Kind
    evidence: tuple[str, ...]
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """Some words of the reply that an earlier turn has too. `telling`: a figure, or a name by its capital letter."""

    words: tuple[str, ...]
    said: Said
    shared: int
    sentence: int
    place: int
    telling: bool

    @property
    def folded(self) -> tuple[str, ...]:
        return _folded(self.words)


def bind(one: Exchange, told: History) -> Bound | str:
    """The answer of an exchange in what was said before it, or why there is none."""
    wanted = topic(one.text)
    before = [(said, n) for said, n in told.sharing(wanted, needed(wanted)) if _earlier(said, one)]
    values = [
        value for said, n in before for value in _values(one, wanted, said, n) if _bears(value, one, wanted, told)
    ]
    if not values:
        return NEW
    counted = bool(_COUNTED.search(one.text))
    best = min(values, key=lambda value: _rank(value, counted))
    best = replace(best, words=_of_a_person(best.words)) if _WHO.search(one.text) else best
    answer = " ".join(best.words)
    if find_secrets(answer) or find_secrets(best.said.text):
        return "has a secret in it"
    bearing = [said for said, _ in before if holds(said, best.folded)]
    bearing = [said for said in bearing if said.own] or bearing
    stale: dict[str, None] = {}
    for said, _ in before:
        other = _other_value(said, wanted, best, one)
        if other and said.own and said.at > bearing[-1].at:
            return NEWER
        if other and said.own and _replaced(other, said, bearing[-1], wanted):
            stale[other] = None
    return Bound(
        answer=answer,
        kind=kind_of(answer),
        evidence=tuple(said.uri for said in reversed(bearing[-EVIDENCE:])),
        stale=tuple(stale),
    )


def _of_a_person(words: tuple[str, ...]) -> tuple[str, ...]:
    """A name without what the person is to somebody: "brother Piet"."""
    names = [at for at, word in enumerate(words) if word[:1].isupper()]
    return words[names[0] :] if names else words


def needed(wanted: frozenset[str]) -> int:
    """How many words of a question a turn on the same matter has."""
    return max(2, math.ceil(len(wanted) / 2))


def kind_of(answer: str) -> Kind:
    if same_day(answer, answer):
        return Kind.DATE
    return Kind.NUMBER if same_number(answer, answer) else Kind.TEXT


def holds(said: Said, value: tuple[str, ...]) -> bool:
    """Whether a statement of a turn has the words of a value in a row."""
    return any(value in _runs(sentence, len(value)) for sentence in _statements(said.text))


def folded(answer: str) -> tuple[str, ...]:
    """An answer as `holds` wants it."""
    return _folded(tokens(answer))


def _folded(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words)


def _earlier(said: Said, one: Exchange) -> bool:
    return said.session != one.session and said.at < one.at


def _statements(text: str) -> Iterator[str]:
    return (sentence for sentence in sentences(text) if not is_question(sentence.strip()))


def _runs(sentence: str, size: int) -> set[tuple[str, ...]]:
    words = _folded(tokens(sentence))
    return {words[at : at + size] for at in range(len(words) - size + 1)}


def _values(one: Exchange, wanted: frozenset[str], said: Said, shared: int) -> Iterator[_Value]:
    """Runs of words that a reply has in common with the statements of a turn, and the question has not."""
    short = count_words(said.text) <= SHORT
    there = [s for s in _statements(said.text) if short or len(keys(s) & wanted) >= needed(wanted)]
    runs = {size: {run for s in there for run in _runs(s, size)} for size in range(1, LONGEST + 1)}
    for number, sentence in enumerate(list(_statements(one.reply))[:SENTENCES]):
        words = tokens(sentence)
        at = 0
        while at < len(words):
            size = _longest(words[at:], runs, keys(one.text))
            if size:
                found = tuple(words[at : at + size])
                telling = any(_DIGIT.search(word) for word in found) or any(
                    _named(word, sentence, *there) for word in found
                )
                yield _Value(words=found, said=said, shared=shared, sentence=number, place=at, telling=telling)
            at += size or 1


def _named(word: str, *texts: str) -> bool:
    """Whether a word has a capital letter where no sentence, label or heading starts."""
    if not word[:1].isupper() or is_small(word):
        return False
    inside = re.compile(rf"(?<=[^\W_A-Z]\s){re.escape(word)}(?!\w|\s*:)|(?<=,\s){re.escape(word)}(?!\w|\s*:)")
    return any(inside.search(text) for text in texts)


def _bears(value: _Value, one: Exchange, wanted: frozenset[str], told: History) -> bool:
    """Whether a value is likely what the reply answers: a plain word must be a rare one, on just this matter."""
    close = value.shared >= CLOSE * len(wanted)
    sentence = list(_statements(one.reply))[value.sentence]
    on_it = len(keys(sentence) & wanted) * 2 >= len(wanted) or count_words(one.reply) <= TERSE
    if not on_it:
        return False
    if value.telling:
        return close or value.said.own
    return close and any(told.is_rare(word) for word in value.words)


def _longest(words: Sequence[str], runs: dict[int, set[tuple[str, ...]]], wanted: frozenset[str]) -> int:
    """How many of the words that come next are a value: it starts and ends with one that says something new."""
    best = 0
    for size in range(1, min(LONGEST, len(words)) + 1):
        last = words[size - 1]
        if keys(last) & wanted or key_of(last.casefold()) in wanted or _folded(words[:size]) not in runs[size]:
            break
        if is_small(last):
            if size == 1:
                break
            continue
        best = size
    return best


def _rank(value: _Value, counted: bool) -> tuple[object, ...]:
    """The best first: in figures where the question counts, on the same matter, a name or figure, early, newest."""
    has_figure = any(_DIGIT.search(word) for word in value.words)
    time = all(_WEEKDAY.fullmatch(word) or is_small(word) for word in value.words)
    return (
        (not has_figure and not same_day(" ".join(value.words), " ".join(value.words))) if counted else time,
        not value.said.own,
        -value.shared,
        not value.telling,
        value.sentence,
        value.place,
        -len(value.words),
        -value.said.at.timestamp(),
        value.said.session,
        value.said.turn,
        value.words,
    )


def _replaced(other: str, said: Said, newer: Said, wanted: frozenset[str]) -> bool:
    """Whether another value is likely one that held before: a figure on just this matter, a name where words of change
    say so. People take part in several things, but live in one place at a time."""
    if len(said.keys & wanted) < CLOSE * len(wanted):
        return False
    return bool(_DIGIT.search(other)) or bool(_CHANGED.search(newer.text))


def _other_value(said: Said, wanted: frozenset[str], best: _Value, one: Exchange) -> str:
    """What a sentence on the same matter gives where the answer is not: a figure for a figure, a name for a name."""
    figure = any(_DIGIT.search(word) for word in best.words)
    if not figure and not any(word[:1].isupper() for word in best.words):
        return ""
    reply, asked = set(_folded(tokens(one.reply))), keys(one.text)
    for sentence in _statements(said.text):
        words = tokens(sentence)
        if best.folded in _runs(sentence, len(best.words)):
            continue
        if len(keys(sentence) & wanted) < max(2, SAME_MATTER * len(wanted)):
            continue
        for at, word in enumerate(words):
            fits = bool(_DIGIT.search(word)) if figure else at > 0 and word[:1].isupper() and len(word) > 1
            if fits and not is_small(word) and not keys(word) & asked and word.casefold() not in reply:
                return word
    return ""
