"""One text as all detectors read it: in lower case, with the anchors it holds, found in one pass whatever their number.

A transcript holds few of the hundreds of words that a secret can stand by. Looking for each with `in` reads the text
hundreds of times; the sieve reads it once: every four bytes of it are looked up in a table of how anchors begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_GRAM = 4
_MIXED = 2_654_435_761
_BITS = 16


class Anchors:
    """Words that a detector looks for, in lower case. `within(reading)` gives those a text holds, in their order."""

    every: set[str] = set()  # noqa: RUF012 — shared on purpose: the one sieve is made of all of them

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        self._set = frozenset(self.words)
        Anchors.every.update(self._set)

    def within(self, reading: Reading) -> list[str]:
        here = self._set & reading.anchors
        return [word for word in self.words if word in here] if here else []


class Reading:
    """A text and what detectors ask of it. `lower` is as long as `text`, so that places are the same in both."""

    def __init__(self, text: str) -> None:
        self.text = text
        lower = text.lower()
        if len(lower) != len(text):  # a few letters (İ) grow in lower case
            lower = "".join(low if len(low := c.lower()) == 1 else c for c in text)
        self.lower = lower

    @cached_property
    def anchors(self) -> frozenset[str]:
        return frozenset(_sieve().words(self.lower, self.letters))

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters, in lower case, of a text that is not plain ASCII."""
        return frozenset() if self.text.isascii() else frozenset(self.lower)

    @cached_property
    def longest(self) -> int:
        """Of how many characters the longest word is: no token hides in short ones."""
        return max(map(len, self.text.split()), default=0)


class _Sieve:
    def __init__(self, anchors: Iterable[str]) -> None:
        import numpy as np

        self._np: Any = np
        self._grams: dict[int, list[str]] = {}
        self._short: list[str] = []
        self._foreign: list[tuple[str, frozenset[str]]] = []
        self._table: NDArray[np.bool_] = np.zeros(1 << _BITS, dtype=np.bool_)
        for word in sorted(anchors):
            if not word.isascii():
                self._foreign.append((word, frozenset(word)))
            elif len(word) < _GRAM:
                self._short.append(word)
            else:
                gram = int.from_bytes(word[:_GRAM].encode(), "little")
                self._grams.setdefault(gram, []).append(word)
                self._table[(gram * _MIXED & 0xFFFFFFFF) >> (32 - _BITS)] = True

    def words(self, lower: str, letters: frozenset[str]) -> Iterator[str]:
        np = self._np
        data = lower.encode("utf-8", "surrogatepass")
        if len(data) >= _GRAM:
            grams = np.ndarray((len(data) - _GRAM + 1,), dtype="<u4", buffer=data, strides=(1,))
            hits = self._table[(grams * np.uint32(_MIXED)) >> np.uint32(32 - _BITS)]
            for gram in set(grams[hits].tolist()):
                for word in self._grams.get(gram, ()):
                    if word in lower:
                        yield word
        yield from (word for word in self._short if word in lower)
        if letters:
            yield from (word for word, needed in self._foreign if needed <= letters and word in lower)


_made: list[_Sieve] = []


def _sieve() -> _Sieve:
    if not _made:
        _made.append(_Sieve(Anchors.every))
    return _made[0]
