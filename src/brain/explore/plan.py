"""From a need to searches: the need as it is, its parts, and the wiki's own names for what it speaks of.

>>> parts("Who hosts us in Kyoto, and what did the venue audit find?")
['Who hosts us in Kyoto', 'what did the venue audit find']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from brain.corpus.search.analysis import query_terms, stop_words
from brain.corpus.search.question import mentions
from brain.explore.examples import asked_for
from brain.explore.kinds import wants_several
from brain.text import clip, normal_name, one_line, words

LONGEST = 400  # characters of a need that are searched for as they are
FEWEST = 2  # words a part must have to be a search of its own
PARTS = 4
ENOUGH = 0.7  # share of the need's words in a statement from which it adds nothing as a search of its own
_BREAK = re.compile(
    r"[.!?;。！？；：\n]+\s*|:\s+"
    r"|,?\s+(?:and(?: also)?|as well as|also|plus|et|und|y|та|и)\s+(?=(?:who|what|when|where|which|how|why|the|any)\b)"
    r"|,\s+(?:and|et|und|y)\s+",
    re.IGNORECASE,
)

_AND = r"(?:,|&|\band\b|\bor\b|\bet\b|\bund\b|\by\b|\bи\b|\bта\b)"
_BOTH = r"(?:both|together|each other)"


def parts(need: str) -> list[str]:
    """The questions a need is made of, the need itself left out; empty when it is one."""
    found = [part.strip(" ,") for part in _BREAK.split(need) if part]
    found = [part for part in found if len(content(part)) >= FEWEST]
    return list(dict.fromkeys(found))[:PARTS] if len(found) > 1 else []


class Shape(StrEnum):
    """What a need calls for: one thing, a list of things, or whatever a task takes."""

    ONE = "one"
    SEVERAL = "several"
    TASK = "task"


def shape(need: str) -> Shape:
    """Whether a need is one question after one thing, one after several, or more than a question.

    >>> [str(shape(need)) for need in ("When did Ada move?", "Which cities did Ada see?", "Ada")]
    ['one', 'several', 'task']
    """
    if parts(need) or not need.rstrip().endswith(("?", "？")):
        return Shape.TASK
    return Shape.SEVERAL if wants_several(need) else Shape.ONE


def content(text: str, languages: Sequence[str] = ("en",)) -> tuple[tuple[str, ...], ...]:
    """The words a text is about; each is a group of its forms in the languages spoken."""
    groups = query_terms(text, languages)
    stop = stop_words()
    return tuple(group for group in groups if not any(term in stop for term in group))


def first(need: str) -> list[str]:
    """The searches of the first round that the need alone calls for."""
    whole = clip(one_line(need), LONGEST)
    return list(dict.fromkeys([whole, *parts(whole)]))


def each(need: str, people: Sequence[str]) -> list[str]:
    """The need as asked of one person at a time, when it names several.

    >>> each("Did Ada and Ben both race?", ["Ada", "Ben", "Cid"])
    ['Did Ada race?', 'Did Ben race?']
    """
    named = [name for name in people if mentions(need, name, people)]
    return [_without(need, [other for other in named if other != name]) for name in named] if len(named) > 1 else []


def examples(need: str, people: Sequence[str]) -> list[str]:
    """Searches for what the kinds of things that are asked for may be called, of the one person the need names."""
    named = [name for name in people if mentions(need, name, people)]
    return [f"{named[0]} {words}" if len(named) == 1 else words for words in asked_for(need)]


def _without(need: str, names: Sequence[str]) -> str:
    for name in names:
        first_name = name.split(" ")[0]
        either = "|".join(re.escape(form) for form in sorted({name, first_name}, key=len, reverse=True))
        need = re.sub(
            rf"(?:{_AND}\s*)?(?<![\w-])(?:{either})(?:['’]s)?(?![\w-])(?:\s*{_AND})?", " ", need, flags=re.IGNORECASE
        )
    return re.sub(r"\s+(?=[?.!,;]|$)|(?<=\s)\s+", "", re.sub(rf"\b{_BOTH}\b", " ", need, flags=re.IGNORECASE)).strip()


def widened(need: str, titles: Iterable[str], statements: Iterable[str], room: int) -> list[str]:
    """Searches of a later round: the need with names the wiki has for its surroundings, then what the best statements
    say (the words of an answer find what else was said of it). At most `room`, without those that say nothing new."""
    asked = set(words(need))
    about = " ".join(dict.fromkeys(word for word in one_line(need).split() if set(words(word)) - stop_words()))
    found: list[str] = []
    for title in titles:
        if set(words(title)) - asked:
            found.append(clip(f"{title} {about}", LONGEST))
    for statement in statements:
        said = words(statement)
        if said and len(asked.intersection(said)) / len(asked or {""}) < ENOUGH:
            found.append(clip(one_line(statement), 240))
        else:
            found.append(clip(f"{one_line(statement)} {about}", 240))
    seen: dict[str, str] = {}
    for query in found:
        seen.setdefault(normal_name(query), query)
    return list(seen.values())[:room]
