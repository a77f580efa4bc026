"""The forms in which answers are compared: words without articles and punctuation, their F1, one text inside another.

>>> held("The Lyon office", "She works at Lyon office now.")
True
>>> f1("a blue bicycle", "the bicycle is blue")
0.8
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brain.text import words

ARTICLES = frozenset(
    words("a an the der die das den dem des ein eine einen einem einer le la les l un une el los las una")
)
"""What a right answer may have or lack. English, German, French and Spanish."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def tokens(text: str) -> list[str]:
    """Words as compared: NFKC, case-folded, no punctuation, no articles, no possessive endings."""
    found = (word.removesuffix("'s").removeprefix("l'").removeprefix("d'") for word in words(text))
    kept = [word for word in found if word not in ARTICLES]
    return kept or words(text)  # "A" is an answer too


def f1(gold: str, given: str) -> float:
    """Harmonic mean of the shares of tokens held in common, as SQuAD defines it, 0..1."""
    a, b = Counter(tokens(gold)), Counter(tokens(given))
    common = (a & b).total()
    return 2 * common / (a.total() + b.total()) if common else 0.0


def held(gold: str, given: str) -> bool:
    """Whether the tokens of `gold` stand in one run in a sentence of `given`; a gold of several, anywhere in it."""
    wanted = _Wanted.of(gold)
    parts = sentences(given) if len(list(sentences(gold))) < 2 else [given]
    return any(wanted.in_one_run(tokens(part)) for part in parts)


def held_loosely(gold: str, given: str) -> bool:
    """Whether one sentence of `given` has all tokens of `gold`, in any order."""
    wanted = _Wanted.of(gold)
    return any(wanted.all_in(tokens(sentence)) for sentence in sentences(given))


def sentences(text: str) -> Iterator[str]:
    return (part for part in _SENTENCE.split(text) if part and part.strip())


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The tokens of a right answer; those in `names` allow no other ending: Lyon is not Lyons."""

    tokens: tuple[str, ...]
    names: frozenset[str]

    @classmethod
    def of(cls, gold: str) -> _Wanted:
        names = (word for part in gold.split() if part[:1].isupper() for word in tokens(part))
        return cls(tuple(tokens(gold)), frozenset(names))

    def in_one_run(self, text: Sequence[str]) -> bool:
        size = len(self.tokens)
        return size > 0 and any(
            all(map(self._same, self.tokens, text[start : start + size])) for start in range(len(text) - size + 1)
        )

    def all_in(self, text: Sequence[str]) -> bool:
        left = list(text)
        for one in self.tokens:
            place = next((i for i, other in enumerate(left) if self._same(one, other)), None)
            if place is None:
                return False
            del left[place]
        return bool(self.tokens)

    def _same(self, one: str, other: str) -> bool:
        """Equal but for a short ending: "figure" and "figures", "paint" and "painted"."""
        if one == other or _CYRILLIC.match(one):
            return one == other or _inflected(one, other)
        if one in self.names:
            return False
        short, long = sorted((one, other), key=len)
        return len(short) > 3 and long.startswith(short) and long[len(short) :] in _ENDINGS


_CYRILLIC = re.compile(r"[\u0400-\u04ff]")


def _inflected(one: str, other: str) -> bool:
    """Two forms of a Slavic word: all but the last three letters of the longer one are the same, four at least."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return same >= 4 and max(len(one), len(other)) - same <= 3


_ENDINGS = frozenset({"s", "es", "ed", "d", "ing", "n", "en", "e", "er", "ly"})
