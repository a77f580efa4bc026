"""What a statement is about when it names nobody: the area of life it belongs to, and the terms that make a topic.

Areas give a person's page its heads; a statement that matches none stays under "Facts". Terms that come back over
several sessions earn a concept page (a hobby, a health journey, an adoption). Terms need English noun lookup, so other
languages get their concepts from the subjects that distilling names.
"""

from __future__ import annotations

import re
from functools import lru_cache

from brain.dream.topic_words import AREAS, BEFORE_NOUN, EMPTY, GENERIC, PRAISE, SAME_AS

AREA_ORDER = tuple(AREAS)
NO_AREA = "Facts"
_AREA_OF = {word: area for area, words in reversed(AREAS.items()) for word in words.split()}
_CJK_AREA = {word: area for word, area in _AREA_OF.items() if re.fullmatch(r"[぀-ヿ㐀-鿿]+", word)}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_STEM = re.compile(r"(?:ing|ers|er|ed|es|s|e|ion|ions)$")


def area(text: str) -> str:
    """The head a statement belongs under on a person's page; "Facts" when no area's words are in it.

    >>> area("Mara's sister Ida moved in with her.")
    'Family and friends'
    """
    votes: dict[str, int] = {}
    for word in _WORD.findall(text.lower()):
        for part in (word.replace("’", "'"), word.removesuffix("'s").removesuffix("’s")):
            if part in _AREA_OF:
                votes[_AREA_OF[part]] = votes.get(_AREA_OF[part], 0) + 1
                break
    for word, name in _CJK_AREA.items():
        if word in text:
            votes[name] = votes.get(name, 0) + len(word)
    if not votes:
        return NO_AREA
    return max(votes, key=lambda name: (votes[name], -AREA_ORDER.index(name)))


def terms(text: str) -> dict[str, str]:
    """Topic terms of an English statement: stem → the form met. Nouns, gerunds and pairs of them, but no names.

    >>> sorted(terms("Mara went to a pottery class").values())
    ['pottery', 'pottery class']
    """
    words = _WORD.findall(text)
    nouns = [_noun(word) if at and word.islower() else _acronym(word) for at, word in enumerate(words)]
    found: dict[str, str] = {}
    for at, noun in enumerate(nouns):
        word, before = words[at], words[at - 1].lower()
        following = nouns[at + 1] if at + 1 < len(nouns) else None
        if (
            following is not None
            and not (following in EMPTY or following.isupper())
            and noun is None
            and _adjective(word)
        ):
            found.setdefault(f"{word} {stem(following)}", f"{word} {words[at + 1]}")
        if noun is None:
            continue
        sure = before in BEFORE_NOUN or not _verbal(word)
        if sure and noun not in GENERIC and word not in GENERIC:
            found.setdefault(stem(noun), word)
        if following is None or not sure or (noun in GENERIC and following in GENERIC) or following.endswith("ing"):
            continue
        if noun in EMPTY or following in EMPTY:
            continue
        if f"{word} {words[at + 1]}" in text:
            found.setdefault(f"{stem(noun)} {stem(following)}", f"{word} {words[at + 1]}")
    return found


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem that brings dance, dancing and dancer together.

    >>> stem("dancing") == stem("dance") == stem("dancers")
    True
    """
    word = SAME_AS.get(word, word)
    if len(word) <= 4:
        return word.removesuffix("s") if len(word) == 4 else word
    cut = _STEM.sub("", word)
    if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "sl":
        cut = cut[:-1]
    return cut if len(cut) >= 3 else word


def is_noun(word: str) -> bool:
    """Whether a word is a noun more than anything else."""
    return _noun(word) is not None


def is_verbal(word: str) -> bool:
    """Whether a word may be a verb where it stands."""
    return _verbal(word)


@lru_cache(maxsize=65536)
def _noun(word: str) -> str | None:
    """The singular when the word can be a topic: a noun more than anything else, or a gerund."""
    from lemminflect import getAllLemmas

    word = word.lower()
    if len(word) < 3 or "'" in word or "’" in word or word in BEFORE_NOUN:
        return None
    lemmas = getAllLemmas(word)
    if word.endswith("ing") and len(word) > 5 and ("VERB" in lemmas or "NOUN" in lemmas):
        return word
    if "NOUN" not in lemmas or "ADV" in lemmas or "AUX" in lemmas or "ADJ" in lemmas:
        return None
    return str(lemmas["NOUN"][0])


@lru_cache(maxsize=65536)
def _verbal(word: str) -> bool:
    """Whether the word may as well be a verb here; a gerund that is also a noun ("painting") does not count."""
    from lemminflect import getAllLemmas

    lemmas = getAllLemmas(word.lower())
    return "VERB" in lemmas and not (word.endswith("ing") and "NOUN" in lemmas)


@lru_cache(maxsize=65536)
def _adjective(word: str) -> bool:
    """Whether a word can make a topic of the noun behind it ("mental health"): an adjective that is not mere praise."""
    from lemminflect import getAllLemmas

    if not word.islower() or word in GENERIC or word in PRAISE or "'" in word or "’" in word:
        return False
    lemmas = getAllLemmas(word)
    return "ADJ" in lemmas and "VERB" not in lemmas and "ADV" not in lemmas


def _acronym(word: str) -> str | None:
    return word if word.isupper() and len(word) >= 3 and word.isascii() else None
