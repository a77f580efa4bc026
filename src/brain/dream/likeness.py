"""Whether two statements say the same thing: the same content words, and no number or date that differs."""

from __future__ import annotations

import re
from functools import lru_cache

from brain.dream.topics import stem
from brain.text import words

SAME = 0.8
_DIGITS = re.compile(r"\d+")
_STAMP = re.compile(r"\((?:as of|before|about|after|week of) [^)]*\)")
_STOP = frozenset(
    """a an the and or but of to in on at for from with by as is are was were be been being it its this that
    these those her his their our my your she he they we i you him them us so very really just also too then
    than there here about into over after before which who whom what when where how not no do does did has
    have had will would can could should may might le la les un une des du de et à en dans pour avec sur il
    elle est sont el los las y que 的 了 は が を に で と も の""".split()  # noqa: SIM905
)


@lru_cache(maxsize=8192)
def content(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the content words, and the numbers, of a statement; what it says of the day it held is left out."""
    bare = _STAMP.sub("", text)
    stems = frozenset(stem(word) for word in words(bare) if word not in _STOP and not word.isdigit())
    return stems, frozenset(_DIGITS.findall(bare))


def adds_nothing(new: str, known: str) -> bool:
    """Whether a statement says no more than a known one: nearly all its content words, and no number of its own.

    >>> adds_nothing("Mara signed up for the pottery class", "Mara signed up for a pottery class on 2026-05-02.")
    True
    >>> adds_nothing("Mara ran 10 km, not 5.", "Mara ran 5 km.")
    False
    """
    (first, first_numbers), (second, second_numbers) = content(new), content(known)
    if not first_numbers <= second_numbers:
        return False
    smaller = min(len(first), len(second))
    if smaller < 2:
        return first == second
    common = len(first & second)
    return common / smaller >= SAME and common / max(len(first), len(second)) >= SAME - 0.25


def same(one: str, other: str) -> bool:
    """Whether one of two statements adds nothing to the other."""
    return adds_nothing(one, other) or adds_nothing(other, one)


def overlap(one: str, other: str, but: frozenset[str] = frozenset()) -> float:
    """The share of the shorter statement's content words that the other has, 0 to 1; stems in `but` do not count."""
    first, second = content(one)[0] - but, content(other)[0] - but
    return len(first & second) / max(1, min(len(first), len(second)))
