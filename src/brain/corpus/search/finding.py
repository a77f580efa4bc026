"""One query against one state of the index: read, scored, filtered, put in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from brain.corpus.search import fuse, question, view
from brain.corpus.search.analysis import query_terms, stop_words, terms
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.documents import PROJECT, Document
from brain.corpus.search.question import Question
from brain.corpus.search.rerank import Reranked
from brain.corpus.search.upkeep import KINDS
from brain.corpus.search.vectors import Likeness
from brain.corpus.search.view import Columns, View
from brain.corpus.search.when import NO_TIME, Anchor, Span, When
from brain.corpus.search.words import Words
from brain.tree import layout
from brain.types import Hit, Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 3_000  # documents the word index hands on; the rest of a large brain has no word of the query to speak of
FILTERED = 100_000  # the same when only some documents are asked for
NARROWED = 60_000  # turns up to which every one of them is scored in full
LEADERS = 60  # pages, notes and summaries whose cited turns they speak for
BEST = 250  # above it: so many turns by words, and as many by meaning, bring their sessions into question
TOP = 200  # turns among which those of one session make room for others
EVENTS = 20  # documents an event is looked for in
TOLD = 0.6  # share of an event's words, by rarity, in the document that dates it
ALL = frozenset(Surface)
Scores = dict[str, "NDArray[np.float32]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a hit must be. `since` and `until` are days, both included; a document without a day passes neither.

    `project` is the id of a project's page (`projects/sprint`, or `sprint`): its page, pages that link to it, and the
    sessions whose summary names it or that its page cites.
    """

    surfaces: Collection[Surface] = ALL
    since: date | None = None
    until: date | None = None
    speaker: str | None = None
    session: str | None = None
    project: str | None = None

    def __bool__(self) -> bool:
        return any((self.since, self.until, self.speaker, self.session, self.project))


ANY = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Hits, best first, with the documents they are, and what they were found by.

    `remark` says plainly when meaning had no part, or not yet all.
    """

    hits: tuple[Hit, ...]
    documents: tuple[Document, ...]
    question: Question
    meaning: bool
    remark: str | None = None


Rerank = Callable[[str, Sequence[str]], Reranked]


@dataclass(kw_only=True)
class Finder:
    """Searches one state of the index. `words` opens the word index of a kind of document."""

    seen: View
    catalogue: Catalogue
    words: Callable[[str], Words]
    _wiki: tuple[Question, Scores] | None = field(default=None, init=False)

    def read(self, query: str, now: date | None = None) -> Question:
        """A query as this brain understands it. Without the asker's day, times are seen from the newest document's."""
        seen = self.seen
        day = now or (date.fromordinal(seen.newest) if seen.newest > 0 else None)
        asked = question.read(query, speakers=seen.speakers, languages=seen.languages, now=day)
        if asked.when.anchor:
            span = self._beside(asked.when.anchor)
            asked = replace(asked, when=When(spans=(span,)) if span else NO_TIME)
        return asked

    def find(
        self,
        asked: Question,
        rows: Likeness | None,
        k: int,
        filters: Filters,
        *,
        now: date | None,
        weights: Mapping[str, float],
        rerank: Rerank | None = None,
        remark: str | None = None,
        pool: int = 0,
    ) -> Found:
        """The best `k`; `rerank` looks again at the best `pool`."""
        wanted = max(k, pool) if rerank else k
        scored: list[tuple[float, int]] = []
        parts: dict[int, dict[str, float]] = {}
        for kind in KINDS:
            if not set(filters.surfaces).intersection(KINDS[kind]):
                continue
            allowed = self.allowed(kind, filters)
            columns, features, places = self.features(kind, asked, rows, allowed)
            if not len(columns):
                continue
            if now is not None:
                features["recent"] = fuse.recent(columns, now)
            total = fuse.combine(features, weights)
            mine = None if allowed is None else allowed if places is None else allowed[places]
            by = weights.get("spread", 0.0) if kind == "turns" else 0.0
            for place, score in _best(total, columns.session, mine, wanted, by):
                doc = int(columns.ids[place])
                scored.append((score, doc))
                parts[doc] = {
                    name: round(float(values[place]), 4) for name, values in features.items() if values[place]
                }
        texts = self.catalogue.documents([doc for _, doc in scored])
        known = [(score, texts[doc], parts[doc]) for score, doc in scored if doc in texts]
        known.sort(key=lambda item: (-round(item[0], 5), item[1].path, item[1].line))
        if rerank and known:
            known, said = _again(rerank, asked.text, known[:wanted], weights.get("rerank", 0.0))
            remark = "; ".join(part for part in (remark, said) if part) or None
        return Found(
            hits=tuple(_hit(document, score, scores) for score, document, scores in known[:k]),
            documents=tuple(document for _, document, _ in known[:k]),
            question=asked,
            meaning=rows is not None,
            remark=remark,
        )

    def features(
        self,
        kind: str,
        asked: Question,
        rows: Likeness | None,
        allowed: NDArray[np.bool_] | None = None,
    ) -> tuple[Columns, Scores, NDArray[np.int64] | None]:
        """The documents of a kind that come into question, each of their scores before weights, and their places.

        All of them (places None) in a brain of up to NARROWED turns; above it the sessions with the best turns by words
        or meaning.
        """
        if kind == "wiki":
            return self.seen.wiki, self._wiki_scores(asked, rows), None
        ids, scores = self.words(kind).search(asked.about, CANDIDATES if allowed is None else FILTERED)
        led = self._led_to(asked, rows)
        turns, places = self._narrow(ids, list(led), rows, allowed)
        features = fuse.turn_features(self.seen, turns, asked, turns.dense(ids, scores), rows.scores if rows else None)
        features["wiki"] = turns.dense(list(led), list(led.values()))
        if asked.when.spans:
            features["when"] = fuse.when(turns, asked.when.spans, features)
        return turns, features, places

    def _wiki_scores(self, asked: Question, rows: Likeness | None) -> Scores:
        if self._wiki is None or self._wiki[0] is not asked:
            seen, words = self.seen, self.words("wiki")
            ids, scores = words.search(asked.groups, CANDIDATES)
            features = fuse.wiki_features(seen, asked, seen.wiki.dense(ids, scores), rows.scores if rows else None)
            if asked.speaker is not None:
                named, _ = words.search([g for g in asked.groups if g not in asked.about], CANDIDATES)
                features["speaker"] = seen.wiki.dense(named, [1.0] * len(named))
            if asked.when.spans:
                features["when"] = fuse.when(seen.wiki, asked.when.spans, features)
            self._wiki = (asked, features)
        return dict(self._wiki[1])

    def _led_to(self, asked: Question, rows: Likeness | None) -> dict[int, float]:
        """Turns that the pages, notes and summaries closest to the query cite, with how close the closest one is."""
        import numpy as np

        wiki = self.seen.wiki
        if not len(wiki):
            return {}
        features = self._wiki_scores(asked, rows)
        close = 0.5 * features["words"] + features.get("meaning", np.float32(0)) + 0.2 * features.get("speaker", 0)
        best = np.argsort(-close, kind="stable")[:LEADERS]
        scores = {int(wiki.ids[place]): float(close[place]) for place in best}
        led: dict[int, float] = {}
        for doc, turn in self.catalogue.cited_turns(list(scores)):
            led[turn] = max(led.get(turn, 0.0), scores[doc])
        return led

    def _narrow(
        self,
        by_words: Sequence[int],
        led: Sequence[int],
        rows: Likeness | None,
        allowed: NDArray[np.bool_] | None,
    ) -> tuple[Columns, NDArray[np.int64] | None]:
        import numpy as np

        turns = self.seen.turns
        if len(turns) <= NARROWED:
            return turns, None
        best = turns.places_of(by_words)
        if allowed is not None:
            best = best[allowed[best]]
        wanted = [best[:BEST], turns.places_of(led)]
        if rows is not None and len(turns.unit_row):
            wanted.append(self._nearest(rows, allowed))
        places = turns.sessions_of(np.unique(np.concatenate(wanted)))
        return turns.take(places), places

    def _nearest(self, rows: Likeness, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Places of the turns nearest in meaning."""
        import numpy as np

        turns = self.seen.turns
        if rows.near is not None and allowed is None:
            order = rows.near[np.argsort(-rows.scores[rows.near], kind="stable")]
            return turns.places_of_rows(order)[:BEST]
        likeness = rows.scores[turns.unit_row]
        if allowed is not None:
            likeness[~allowed[turns.unit_place]] = -1
        most = min(BEST, len(likeness))
        return turns.unit_place[np.argpartition(likeness, len(likeness) - most)[-most:]].astype(np.int64)

    def allowed(self, kind: str, filters: Filters) -> NDArray[np.bool_] | None:
        """Which documents of a kind pass the filters; None = all."""
        import numpy as np

        seen = self.seen
        columns = seen.turns if kind == "turns" else seen.wiki
        if not filters and set(KINDS[kind]) <= set(filters.surfaces):
            return None
        allowed = np.isin(columns.surface, [view.SURFACES.index(surface) for surface in filters.surfaces])
        if filters.since:
            allowed &= columns.day >= filters.since.toordinal()
        if filters.until:
            allowed &= (columns.day <= filters.until.toordinal()) & (columns.day != view.NO_DAY)
        if filters.session:
            allowed &= columns.session == (
                seen.sessions.index(filters.session) if filters.session in seen.sessions else -2
            )
        if filters.speaker:
            by_name = [at for at, name in enumerate(seen.speakers) if question.mentions(filters.speaker, name)]
            by_role = [at for at, name in enumerate(seen.roles) if name == filters.speaker]
            allowed &= np.isin(columns.speaker, by_name) | np.isin(columns.role, by_role)
        if filters.project:
            docs, sessions = self.catalogue.members(project_id(filters.project))
            numbers = [at for at, name in enumerate(seen.sessions) if name in set(sessions)]
            allowed &= (columns.dense(docs, [1.0] * len(docs)) > 0) | np.isin(columns.session, numbers)
        return allowed

    def _beside(self, anchor: Anchor) -> Span | None:
        """The days before or after an event, by the document that tells most plainly when it was."""
        stop = stop_words()
        groups = [g for g in query_terms(anchor.event, self.seen.languages) if not stop.intersection(g)]
        counts = [sum(self.words(kind).frequency(group) for kind in KINDS) for group in groups]
        total = len(self.seen.turns) + len(self.seen.wiki) + 1
        shares = [max(0.0, 1 - count / total) ** 4 if count else 1.0 for count in counts]
        best: tuple[float, Span] | None = None
        for kind in KINDS:
            ids, scores = self.words(kind).search(groups, EVENTS)
            documents = self.catalogue.documents(ids)
            for doc, score in zip(ids, scores, strict=True):
                span = _dated(documents[doc]) if doc in documents else None
                if span is None:
                    continue
                held = set(terms(documents[doc].words(), documents[doc].language))
                told = [share for group, share in zip(groups, shares, strict=True) if held.intersection(group)]
                value = sum(told) / (sum(shares) or 1.0)
                if value < TOLD:
                    continue
                value += 0.2 * score / (scores[0] or 1.0) + (0.5 if documents[doc].about else 0.0)
                value += 0.3 if kind == "wiki" else 0.0
                if best is None or value > best[0]:
                    best = (value, span)
        if best is None or best[1].first is None or best[1].last is None:
            return None
        day = timedelta(days=1)
        return Span(None, best[1].first - day) if anchor.side == "before" else Span(best[1].last + day, None)


def project_id(name: str) -> str:
    """`sprint` → `projects/sprint`."""
    return name if "/" in name else f"{layout.TYPE_DIRS[PROJECT]}/{name}"


def _dated(document: Document) -> Span | None:
    """The days a document tells of: those it names, else the day it was said; a page has only the former."""
    if document.about:
        return document.about
    if document.surface is Surface.PAGE or document.day is None:
        return None
    return Span(document.day, document.day)


def _best(
    total: NDArray[np.float32],
    sessions: NDArray[np.int32],
    allowed: NDArray[np.bool_] | None,
    k: int,
    spread: float,
) -> list[tuple[int, float]]:
    """Places and scores of the k best, ties in the order of the columns."""
    import numpy as np

    places = np.arange(len(total)) if allowed is None else np.flatnonzero(allowed)
    pool = max(4 * k, TOP)
    if len(places) > 2 * pool:
        values = total[places]
        limit = np.partition(values, len(values) - pool)[len(values) - pool]
        places = places[values >= limit]
    places = places[np.argsort(-np.round(total[places], 5), kind="stable")]
    scores = total[places]
    if spread and len(places):
        scores = fuse.spread(scores, sessions[places], spread)
        order = np.argsort(-np.round(scores, 5), kind="stable")
        places, scores = places[order], scores[order]
    return [(int(place), float(score)) for place, score in zip(places[:k], scores[:k], strict=True)]


_Known = tuple[float, Document, dict[str, float]]


def _again(rerank: Rerank, query: str, known: list[_Known], weight: float) -> tuple[list[_Known], str | None]:
    """The best hits in the order that a reranker's scores, as shares of their range, make of them."""
    judged = rerank(query, [document.text for _, document, _ in known])
    if judged.scores is None:
        return known, judged.remark
    low, high = min(judged.scores), max(judged.scores)
    shares = [(score - low) / (high - low) if high > low else 0.0 for score in judged.scores]
    again = [
        (total + weight * share, document, parts | {"rerank": round(share, 4)})
        for (total, document, parts), share in zip(known, shares, strict=True)
    ]
    return sorted(again, key=lambda item: (-round(item[0], 5), item[1].path, item[1].line)), judged.remark


def _hit(document: Document, score: float, parts: dict[str, float]) -> Hit:
    return Hit(
        surface=document.surface,
        path=document.path,
        uri=document.uri,
        score=round(score, 4),
        text=document.text,
        title=document.title,
        line=document.line,
        day=document.day,
        first_turn=document.first,
        last_turn=document.last,
        speaker=document.speaker,
        session=document.session,
        parts=parts,
    )
