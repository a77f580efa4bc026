"""What a query asks: its terms, whom it is about, and the form in which its meaning is compared.

    >>> read("When did Caroline paint?", speakers=("Caroline", "Melanie")).meaning
    'When did I paint?'

Turns speak in the first person, questions name the speaker: so a question about one speaker is compared in the first
person, its name is no search term, and that speaker's turns count for more. A question in the first person is about who
asks: what users said counts for more than what assistants answered.
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
_OF_ONESELF = re.compile(
    r"\b(?:i|me|my|mine|myself|ich|mir|mich|mein(?:e[rnms]?)?|je|moi|mon|ma|mes|yo|mí|mis?|conmigo"
    r"|я|мен[іе]|мене|меня|мною|мой|мій|мо[яєёїюе]|мої|мои|моїх|моих|моє)(?!\w)|\bj['’]|我|私|僕|俺",
    re.IGNORECASE,
)
_OF_THE_OTHER = re.compile(
    r"\b(?:you|yours?|du|dir|dich|dein(?:e[rnms]?)?|tu|toi|ton|ta|tes|vous|vos|votre|tú|usted|tus?|ти|тебе|тобі|ви|вам"
    r"|вас|ты|тебя|вы)(?!\w)|你|您|あなた|君",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do) you (?:please )?(?:remind|tell|show|find|list|give|help|suggest|recommend|think"
    r"|know|remember)(?: me)?\b|\b(?:remind|tell|show|give) me\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query as read.

    `groups` are its words (one group = one word in every language), `about` those without names of speakers; `speaker`
    is the one speaker it names, `of_oneself` = it is a question about who asks (in a message of several sentences
    everybody says "I"). `meaning` is what is embedded, and of a message its `sentences` by themselves too.
    `asks_when` = it wants a time; `when` is the time it speaks of.
    """

    text: str
    groups: tuple[tuple[str, ...], ...]
    about: tuple[tuple[str, ...], ...]
    meaning: str
    sentences: tuple[str, ...] = ()
    speaker: str | None = None
    of_oneself: bool = False
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
        of_oneself=not named and len(said) < 2 and is_of_oneself(text),
        asks_when=_WHEN.search(text) is not None,
        when=times,
    )


def is_of_oneself(text: str) -> bool:
    """Whether a query speaks of who asks and, politeness aside, not to whom it asks.

    >>> [is_of_oneself(text) for text in ("Where did I park?", "Can you tell me my size?", "What did you tell me?")]
    [True, True, False]
    """
    bare = _POLITE.sub(" ", text)
    return _OF_ONESELF.search(bare) is not None and _OF_THE_OTHER.search(bare) is None


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
