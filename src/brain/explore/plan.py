"""From a need to searches: the need as it is, its parts, and the wiki's own names for what it speaks of.

>>> parts("Who hosts us in Kyoto, and what did the venue audit find?")
['Who hosts us in Kyoto', 'what did the venue audit find']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from brain.corpus.search.analysis import query_terms, stop_words
from brain.explore.kinds import wants_several
from brain.text import clip, normal_name, one_line, words

LONGEST = 400  # characters of a need that are searched for as they are
FEWEST = 2  # words a part must have to be a search of its own
PARTS = 4
ENOUGH = 0.7  # share of the need's words in a statement from which it adds nothing as a search of its own
_BREAK = re.compile(
    r"[.!?;。！？；\n]+\s*"
    r"|,?\s+(?:and(?: also)?|as well as|also|plus|et|und|y|та|и)\s+(?=(?:who|what|when|where|which|how|why|the|any)\b)"
    r"|,\s+(?:and|et|und|y)\s+",
    re.IGNORECASE,
)


def parts(need: str) -> list[str]:
    """The questions a need is made of, the need itself left out; empty when it is one."""
    found = [part.strip(" ,") for part in _BREAK.split(need) if part]
    found = [part for part in found if len(content(part)) >= FEWEST]
    return list(dict.fromkeys(found))[:PARTS] if len(found) > 1 else []


def asks_one_thing(need: str) -> bool:
    """Whether a need is one question with one answer, and no list of things or task to prepare.

    >>> asks_one_thing("When did Ada move?"), asks_one_thing("Which cities did Ada see?"), asks_one_thing("Ada")
    (True, False, False)
    """
    return need.rstrip().endswith(("?", "？")) and not parts(need) and not wants_several(need)


def content(text: str, languages: Sequence[str] = ("en",)) -> tuple[tuple[str, ...], ...]:
    """The words a text is about; each is a group of its forms in the languages spoken."""
    groups = query_terms(text, languages)
    stop = stop_words()
    return tuple(group for group in groups if not any(term in stop for term in group))


def first(need: str) -> list[str]:
    """The searches of the first round."""
    whole = clip(one_line(need), LONGEST)
    return list(dict.fromkeys([whole, *parts(whole)]))


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
