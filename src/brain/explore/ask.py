"""Answering from memory without a model: the best statements there are, word for word, with their evidence.

Nothing is put into other words, so nothing can be made up. What the wiki says comes before the turns it rests on; a
statement must speak to the question, by its words or its meaning, or the answer is that memory has nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from brain.corpus.search.analysis import terms
from brain.corpus.search.documents import Cite, Document
from brain.corpus.search.index import Found, SearchIndex
from brain.explore.answer import Answer, Citation, Statement, Superseded
from brain.explore.kinds import Kind, answers_named, fits, kind_of, names_one, page_kind, wants_several
from brain.explore.outside import outside
from brain.text import words
from brain.tree.uri import turns_uri
from brain.types import Hit, Role, Surface

LOOKED_AT = 60  # hits a question is answered from
KNOWN = 0.6  # relevance from which memory is said to know something; see docs/search.md for how it was chosen
BY_WORDS = 0.34  # the same for words alone, when no embedder is there
FALLS_OFF = 0.6  # a statement worth less than this share of the best is not part of the answer
WEAK = 0.4  # nor is one that speaks to the question less than this share of how much another does
FEW = 4  # statements where one thing is asked for
FRONT = 0.8  # statements worth at least this share of the best come first, the newest of them foremost
MOST = 60  # words of a turn's sentences, beyond which none is added for its context
OPEN = 0.1  # share of the question, by weight, that a further name must speak to
SAME = 0.7  # share of the shorter statement's words in the other from which the two are one
HISTORY = "History"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A statement that may be part of the answer, with the words of the question it holds."""

    document: Document
    text: str
    relevance: float
    value: float
    covers: frozenset[int]
    words: frozenset[str]
    cites: tuple[Cite, ...]
    fits: bool
    items: frozenset[str] | None


def ask(index: SearchIndex, question: str, k: int = 8, *, now: date | None = None) -> Answer:
    """The best `k` statements of memory on a question, newest of the best first; found=False when there are none.

    `now` is the asker's day, from which times in the question are counted.
    """
    found = index.find(question, LOOKED_AT, now=now)
    weigher = _Weigher(index, found)
    candidates = list(_candidates(index, weigher, found))
    past = [c for c in candidates if c.document.heading == HISTORY]
    current = [c for c in candidates if c.document.heading != HISTORY and not _is_past(c, past)]
    line = KNOWN if found.meaning else BY_WORDS
    good = current if any(c.relevance >= line for c in current) else []
    if not good and past and max(c.relevance for c in past) >= line:
        good = [c for c in past if c.relevance >= line]  # what was so once is all that memory has
    if not good:
        near = sorted(current, key=lambda c: -c.relevance)[:2]
        nearest = tuple(_statement(index, c, ()) for c in near)
        return Answer(question=question, found=False, nearest=nearest, remark=found.remark)
    good = _strong(good)
    chosen = _choose(good, k if wants_several(question) else min(k, FEW), weigher.shares, weigher.names)
    statements = [(c.value >= FRONT * chosen[0].value, _statement(index, c, past)) for c in chosen]
    statements.sort(key=lambda item: -(item[1].day or date.min).toordinal() if item[0] else 1)
    return Answer(question=question, found=True, statements=tuple(s for _, s in statements), remark=found.remark)


def _candidates(index: SearchIndex, weigher: _Weigher, found: Found) -> Iterator[_Candidate]:
    """What the hits say. A turn that ends by asking is answered by the next one, which then speaks in its place too."""
    seen: set[str] = set()
    for hit, document in zip(found.hits, found.documents, strict=True):
        turn = document.surface is Surface.TURN
        if turn and document.session and document.first and _ASKS.search(document.text):
            for reply in index.turns(document.session, document.first + 1, document.first + 1):
                candidate = weigher.weigh(hit, reply, asked=document) if reply.uri not in seen else None
                if candidate:
                    seen.add(reply.uri)
                    yield candidate
        candidate = weigher.weigh(hit, document) if document.uri not in seen or not turn else None
        if candidate:
            seen.add(document.uri)
            yield candidate


class _Weigher:
    """Says of a document how much it speaks to the question."""

    def __init__(self, index: SearchIndex, found: Found) -> None:
        self.index = index
        self.question = found.question.text
        self.kind = kind_of(self.question)
        of = page_kind(self.question)
        self.names = index.named(of) if of else frozenset()
        self.groups = found.question.about
        self.speaker = found.question.speaker
        rarity = index.rarity(self.groups)
        total = sum(rarity) or 1.0
        self.shares = [value / total for value in rarity]
        scores = [hit.score for hit in found.hits]
        self.least = min(scores, default=0.0)
        self.range = max(scores, default=0.0) - self.least or 1.0

    def weigh(self, hit: Hit, document: Document, asked: Document | None = None) -> _Candidate | None:
        """What a hit on a document is worth; one on a turn that `asked` is worth it for the reply, the document."""
        if document.surface is Surface.SUMMARY and not document.cites and not document.heading:
            return None  # a whole session in brief: its bullets, notes and turns say the same with their evidence
        text = document.text if document.surface is not Surface.TURN else self._best_sentences(document)
        if not text.strip():
            return None
        covers = self._covers(
            f"{document.title} {document.text}" if document.surface is Surface.PAGE else document.text, document
        )
        covers |= self._covers(asked.text, asked) if asked else frozenset()
        relevance = sum(self.shares[at] for at in covers) + max(hit.parts.get("meaning", 0.0), 0.0)
        fitting = fits(self.kind, text, self.question, self.names)
        value = (hit.score - self.least) / self.range + 0.5 * relevance + (0.25 if fitting else 0.0)
        value += 0.3 if names_one(text, self.question, self.names) else 0.0
        value += {Surface.PAGE: 0.3, Surface.NOTE: 0.15}.get(document.surface, 0.0)
        if document.surface is Surface.TURN:
            value -= 0.5 if text.rstrip().endswith("?") else 0.0
            value -= {Role.ASSISTANT: 0.15, Role.TOOL: 0.6}.get(Role(document.role or Role.USER), 0.0)
            value -= 0.4 if self.speaker and document.speaker not in {None, self.speaker} else 0.0
        cites = tuple(self.index.cites(document.path, document.line)) if document.surface is not Surface.TURN else ()
        if not cites and document.session and document.first and document.last:
            cites = ((document.session, document.first, document.last),)
        return _Candidate(
            document=document, text=text, relevance=round(relevance, 4), value=value, covers=covers,
            words=frozenset(words(text)), cites=cites, fits=fitting,
            items=self._items(text),
        )  # fmt: skip

    def _items(self, text: str) -> frozenset[str] | None:
        """The names a statement answers with; None where the question wants no names."""
        return answers_named(text, self.question, self.names) if self.kind in {Kind.WHO, Kind.NAME} else None

    def _covers(self, text: str, document: Document) -> frozenset[int]:
        held = set(terms(text, document.language))
        return frozenset(at for at, group in enumerate(self.groups) if any(term in held for term in group))

    def _best_sentences(self, document: Document) -> str:
        """The sentence of a turn that speaks most to the question, with the next one when it is short.

        One that opens with a word for something said before ("It …", "They …") comes with what was said.
        """
        from brain.distil.sentences import sentences  # with all of distil, which a search does not need

        said = [s for line in document.text.split("\n") for s in sentences(_plain(line))]
        if len(said) <= 2:
            return " ".join(said)
        worth = [
            sum(self.shares[at] for at in self._covers(s, document))
            + (0.15 if fits(self.kind, s, self.question, self.names) else 0.0)
            - (0.2 if s.endswith("?") else 0.1 if s.startswith("[image:") else 0.0)
            for s in said
        ]
        best = max(range(len(said)), key=lambda at: (worth[at], -at))
        first = best
        while first and _POINTS_BACK.match(said[first]) and len(" ".join(said[first - 1 : best + 1]).split()) <= MOST:
            first -= 1
        after = said[best + 1 : best + 2] if len(said[best]) < 80 else []
        return " ".join([*said[first : best + 1], *after])


_ASKS = re.compile(r"[?？]\s*(?:\[image: [^\]]*\]\s*)?$")
_POINTS_BACK = re.compile(
    r"(?:It|That|This|They|Those|These|He|She|So|Which)\b(?!['’]s (?:why|how|been|so|such|great))"
)
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|\d+[.)]\s+)|\*\*|__|`")
_RULE = re.compile(r"[\s|:=-]*")


def _plain(line: str) -> str:
    """A line of a turn as words: no list marks or emphasis, the cells of a table row with dots between."""
    if _RULE.fullmatch(line) or line.lstrip().startswith("```"):
        return ""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else [line]
    return _MARKUP.sub("", " · ".join(cell for cell in cells if cell)).strip()


def _strong(good: Sequence[_Candidate]) -> list[_Candidate]:
    """Those that speak to the question about as much as the best."""
    best = max(c.relevance for c in good)
    return [c for c in good if c.relevance >= WEAK * best]


def _choose(good: Sequence[_Candidate], k: int, shares: Sequence[float], names: Collection[str]) -> list[_Candidate]:
    """Greedily the most valuable, counting what of the question is still unanswered and what has been said already."""
    left = sorted(good, key=lambda c: -c.value)
    best = left[0].value
    chosen: list[_Candidate] = []
    covered: frozenset[int] = frozenset()
    while left and len(chosen) < k:

        def worth(c: _Candidate, covered: frozenset[int] = covered) -> float:
            return c.value + 0.6 * sum(shares[at] for at in c.covers - covered)

        pick = max(left, key=worth)  # of equals the first, which is the more valuable
        left.remove(pick)
        if chosen and worth(pick) < FALLS_OFF * best:
            break
        if any(_says_the_same(pick, other) for other in chosen):
            continue
        share = sum(shares[at] for at in pick.covers - covered)
        if chosen and pick.items is not None and not _adds(pick, chosen, share, names):
            continue
        chosen.append(pick)
        covered |= pick.covers
    return chosen


def _adds(pick: _Candidate, chosen: Sequence[_Candidate], share: float, names: Collection[str]) -> bool:
    """Whether a statement names another of the things asked for, or somebody new in a part that is still open."""
    new = (pick.items or frozenset()).difference(*(c.items or frozenset() for c in chosen))
    return any(name in names for name in new) or (bool(new) and share >= OPEN)


def _is_past(c: _Candidate, past: Sequence[_Candidate]) -> bool:
    """A note or turn that says what a page's History tells of as replaced."""
    if c.document.surface is Surface.PAGE:
        return False
    return any(
        any(_inside(c.cites, cite) for cite in old.cites) and 2 * len(c.words & old.words) >= len(c.words)
        for old in past
    )


def _says_the_same(new: _Candidate, old: _Candidate) -> bool:
    """The turn that a chosen statement cites, or the same words again."""
    if new.document.surface is Surface.TURN and any(_inside(new.cites, cite) for cite in old.cites):
        return True
    shorter = min(len(new.words), len(old.words))
    return shorter > 0 and len(new.words & old.words) / shorter >= SAME


def _inside(cites: Sequence[Cite], of: Cite) -> bool:
    return any(session == of[0] and of[1] <= first and last <= of[2] for session, first, last in cites)


def _statement(index: SearchIndex, c: _Candidate, past: Sequence[_Candidate]) -> Statement:
    document = c.document
    cites = tuple(_citations(index, c.cites))
    if document.surface is Surface.PAGE:
        cites += tuple(outside(index.root, document.path, document.line))
    days = [cite.day for cite in cites if cite.day]
    return Statement(
        text=c.text,
        surface=document.surface,
        path=document.path,
        line=document.line,
        title=document.title,
        day=max(days, default=document.day),
        relevance=c.relevance,
        qualifier=document.qualifier,
        speaker=_speaker(document) if document.surface is Surface.TURN else None,
        cites=cites,
        superseded=tuple(_superseded(c, past)),
    )


def _speaker(document: Document) -> str | None:
    """Who said a turn, where it is not plainly the owner."""
    return document.speaker or (document.role if document.role != Role.USER else None)


def _citations(index: SearchIndex, cites: Sequence[Cite]) -> Iterator[Citation]:
    for session, first, last in cites:
        turns = index.turns(session, first, last)
        if turns:
            speaker = turns[0].speaker or turns[0].role or ""
            text = "\n".join(turn.text for turn in turns)
            uri = str(turns_uri(session, first, last))
            yield Citation(uri=uri, day=max((t.day for t in turns if t.day), default=None), speaker=speaker, text=text)


def _superseded(c: _Candidate, past: Sequence[_Candidate]) -> Iterator[Superseded]:
    """Lines of the page's History that rest on the same turns as the statement: what it took the place of."""
    for old in past:
        shared = any(cite in old.cites for cite in c.cites)
        if old.document.path == c.document.path and old.document.line != c.document.line and shared:
            yield Superseded(text=old.text, path=old.document.path, line=old.document.line)
