"""What a query asks: its terms, whom it is about, and the form in which its meaning is compared.

    >>> read("When did Caroline paint?", speakers=("Caroline", "Melanie")).meaning
    'When did I paint?'

Turns speak in the first person, questions name the speaker: so a question about one speaker is compared in the first
person, its name is no search term, and that speaker's turns count for more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from brain.corpus.search import when
from brain.corpus.search.analysis import query_terms
from brain.corpus.search.when import NO_TIME, When
from brain.text import normal_name

MOST = 5  # sentences of a long query that are compared by themselves
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which)\s+(?:date|day|month|year|time|week)\b|\bhow long ago\b|\bquand\b|\bwann\b|\bcuándo\b"
    r"|\bколи\b|\bкогда\b|什么时候|何时|いつ|何月|何日",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query as read.

    `groups` are its words (one group = one word in every language), `about` those without names of speakers; `speaker`
    is the one speaker it names. `meaning` is what is embedded, and of a long query its `sentences` by themselves too.
    `asks_when` = it wants a time; `when` is the time it speaks of.
    """

    text: str
    groups: tuple[tuple[str, ...], ...]
    about: tuple[tuple[str, ...], ...]
    meaning: str
    sentences: tuple[str, ...] = ()
    speaker: str | None = None
    asks_when: bool = False
    when: When = NO_TIME


def read(
    text: str, *, speakers: Sequence[str] = (), languages: Sequence[str] = ("en",), now: date | None = None
) -> Question:
    """Read a query against the names of those who speak in this brain, its times seen from the day `now`.

    Words like `last week` are no search terms once they are understood. Without `now` no time is read.
    """
    named = [name for name in speakers if mentions(text, name, speakers)]
    times = when.read(text, now) if now else NO_TIME
    bare = text
    for phrase in times.phrases:
        bare = bare.replace(phrase, " ", 1)
    groups = query_terms(bare if re.search(r"\w", bare) else text, languages)
    names = {group for name in named for group in query_terms(name, languages)}
    about = tuple(group for group in groups if group not in names)
    only = named[0] if len(named) == 1 else None
    meaning = _first_person(text, only) if only else text
    said = tuple(s for s in _SENTENCE.split(meaning) if len(s.split()) > 3)[:MOST]
    return Question(
        text=text,
        groups=groups,
        about=about or groups,
        meaning=meaning,
        sentences=said if len(said) > 1 else (),
        speaker=only,
        asks_when=_WHEN.search(text) is not None,
        when=times,
    )


def mentions(text: str, name: str, others: Sequence[str] = ()) -> bool:
    """Whether a text names somebody, by the whole name or by a first name that no other speaker shares."""
    whole = normal_name(name)
    folded = normal_name(text)
    forms = [whole]
    first = whole.split(" ")[0]
    if first != whole and sum(normal_name(other).split(" ")[0] == first for other in others) < 2:
        forms.append(first)
    return any(re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", folded) for form in forms if len(form) > 1)


def _first_person(text: str, name: str) -> str:
    forms = sorted({name, name.split(" ")[0]}, key=len, reverse=True)
    either = "|".join(re.escape(form) for form in forms)
    text = re.sub(rf"(?<![\w-])(?:{either})['’]s(?![\w-])", "my", text, flags=re.IGNORECASE)
    return re.sub(rf"(?<![\w-])(?:{either})(?![\w-])", "I", text, flags=re.IGNORECASE)
