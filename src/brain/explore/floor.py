"""Whether memory has anything on a need at all: the same line that `brain ask` draws, over hits of any corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from brain.corpus.corpus import Corpus
from brain.corpus.search import question
from brain.corpus.search.analysis import terms
from brain.explore.ask import BY_WORDS, KNOWN
from brain.types import Hit, Surface

LOOKED_AT = 30  # hits of a search that may show that memory knows something
NEARLY = 2 / 3  # share of the line from which what memory has on somebody or something it knows is worth a look

Groups = Sequence[Sequence[str]]


@runtime_checkable
class Weighs(Protocol):
    """A corpus that knows how much each word of a query tells; of others every word counts alike."""

    def rarity(self, groups: Groups) -> Sequence[float]: ...


class Floor:
    """Fed with the searches of a first round; `reached` once a hit speaks to what was asked, `nearly` if one is close.

    Relevance is the share of the words asked for that a hit holds, weighed by how rare they are, plus its likeness of
    meaning; docs/search.md says how the line was chosen.
    """

    def __init__(self, corpus: Corpus, need: str) -> None:
        self.corpus = corpus
        self.need = need
        self.reached = self.nearly = False
        self._asked: list[tuple[Groups, list[float]]] = []

    def look(self, query: str, hits: Sequence[Hit]) -> None:
        """The hits of one search of the first round."""
        speakers = tuple(sorted({hit.speaker for hit in hits if hit.speaker}))
        groups = question.read(query, speakers=speakers).about
        asked = (groups, self._shares(groups))
        self._asked.append(asked)
        meant = any("meaning" in hit.parts for hit in hits)
        line = KNOWN if meant else BY_WORDS
        best = max((_relevance(hit, [asked]) for hit in hits[:LOOKED_AT]), default=0.0)
        self.reached = self.reached or best >= line
        self.nearly = self.nearly or (meant and best >= NEARLY * line and self._knows(hits[:LOOKED_AT]))

    def _knows(self, hits: Sequence[Hit]) -> bool:
        """Whether the need names somebody who speaks in these hits, or the subject of a page."""
        names = {hit.title for hit in hits if hit.surface is Surface.PAGE} | {hit.speaker or "" for hit in hits}
        return any(question.mentions(self.need, name) for name in names if name)

    def relevance(self, hit: Hit) -> float:
        """How much a hit speaks to the need, or to the one of its questions that it speaks to most; 0 to about 2."""
        return _relevance(hit, self._asked)

    def _shares(self, groups: Groups) -> list[float]:
        rarity = list(self.corpus.rarity(groups)) if isinstance(self.corpus, Weighs) else [1.0] * len(groups)
        total = sum(rarity) or 1.0
        return [value / total for value in rarity]


def _relevance(hit: Hit, asked: Iterable[tuple[Groups, list[float]]]) -> float:
    held = set(terms(f"{hit.title} {hit.text}", "en"))
    share = max(
        (sum(part for group, part in zip(groups, parts, strict=True) if held.intersection(group))
         for groups, parts in asked),
        default=0.0,
    )  # fmt: skip
    return share + max(hit.parts.get("meaning", 0.0), 0.0)
