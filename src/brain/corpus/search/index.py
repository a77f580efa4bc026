"""The search index of one brain: words at once, meaning as vectors follow, one fused list of hits.

    >>> index = SearchIndex(Path("memory"))                                                    # doctest: +SKIP
    >>> index.update()                                                                         # doctest: +SKIP
    >>> index.search("figures as PDF")[0].text                                                 # doctest: +SKIP
    'Figures go out as PDF, not PNG.'

Derived state under `.brain/index/search/`: delete it and the next update makes it anew, with the same results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from brain.config import Config
from brain.corpus.search import embedding, fuse, question, view
from brain.corpus.search.catalogue import Catalogue, Damaged, OldSchema, said_plainly
from brain.corpus.search.documents import Document
from brain.corpus.search.embedding import Embedded
from brain.corpus.search.meaning import Embedder, EmbedderUnavailable, open_embedder
from brain.corpus.search.question import Question
from brain.corpus.search.upkeep import KINDS, Progress, Update, Writer
from brain.corpus.search.view import Columns, View
from brain.corpus.search.words import Words
from brain.errors import BrainError, IndexBroken
from brain.types import Hit, Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 3_000  # documents the word index hands on; the rest of a large brain has no word of the query to speak of
NARROWED = 60_000  # turns up to which every one of them is scored in full
LEADERS = 60  # pages, notes and summaries whose cited turns they speak for
BEST = 500  # above it: so many turns by words, and as many by meaning, bring their sessions into question
ALL = frozenset(Surface)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a hit must be. `since` and `until` are days, both included; a document without a day passes neither."""

    surfaces: Collection[Surface] = ALL
    since: date | None = None
    until: date | None = None
    speaker: str | None = None
    session: str | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What the index holds. `embedder` is its id, or why there is none; `pending` texts wait for their vector."""

    documents: dict[Surface, int] = field(default_factory=dict)
    embedder: str = ""
    available: bool = False
    vectors: int = 0
    pending: int = 0
    problems: tuple[tuple[str, str], ...] = ()


class SearchIndex:
    """Opened once, used many times: what it read stays in memory until the index changes.

    `config` says which embedder (`search.embedder`: `minilm`, or `none` for words alone) and the brain's language;
    another one may be given as `embedder`. `say` is told when the index had to be rebuilt, and why.
    """

    def __init__(
        self,
        root: Path,
        config: Config | None = None,
        *,
        embedder: Embedder | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.root = root
        self.folder = root / ".brain" / "index" / "search"
        self.config = config or Config()
        self._embedder = embedder
        self._say = say or (lambda _: None)
        self._view: View | None = None
        self._words: dict[str, Words] = {}
        self._catalogue: Catalogue | None = None

    # -- keeping it

    def update(self, progress: Progress | None = None) -> Update:
        """Index what changed in the files since the last time. Words are searchable when it returns."""
        return self._written(Writer(self.root, self.folder, self.config.language).update(progress))

    def rebuild(self, progress: Progress | None = None) -> Update:
        """Read every file again; search gives the same results after it as before."""
        return self._written(Writer(self.root, self.folder, self.config.language).rebuild(progress))

    def embed(self, *, seconds: float | None = None, progress: Progress | None = None) -> Embedded:
        """Make the vectors that are missing, for at most `seconds`. Raises EmbedderUnavailable."""
        done = embedding.embed(self.folder, self.embedder(), seconds=seconds, progress=progress)
        self._view = None
        return done

    def embedder(self) -> Embedder:
        """The embedder in use. Raises EmbedderUnavailable with the reason."""
        if self._embedder is None:
            self._embedder = open_embedder(self.config.search.embedder, self.config.search.threads)
        return self._embedder

    def status(self) -> Status:
        """What is here and what is pending. A brain that was never indexed has an empty one."""
        try:
            name, available = self.embedder().id, True
        except EmbedderUnavailable as error:
            name, available = error.message, False
        try:
            catalogue = self._open()
        except IndexBroken:
            return Status(embedder=name, available=available)
        vectors = catalogue.rows("SELECT count(*) FROM vectors")[0][0]
        return Status(
            documents=catalogue.counts(),
            embedder=name,
            available=available,
            vectors=vectors if isinstance(vectors, int) else 0,
            pending=embedding.pending(catalogue),
            problems=tuple(catalogue.problems()),
        )

    def behind(self) -> int:
        """How many files differ from what is indexed; nothing is written. All of them when there is no index yet."""
        return Writer(self.root, self.folder, self.config.language).behind()

    def there(self) -> bool:
        """Whether there is an index at all."""
        return (self.folder / "catalogue.sqlite").exists()

    def close(self) -> None:
        if self._catalogue:
            self._catalogue.close()
        self._catalogue, self._view, self._words = None, None, {}

    def _written(self, update: Update) -> Update:
        self.close()
        if update.message:
            self._say(update.message)
        return update

    # -- searching it

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        surfaces: Collection[Surface] = ALL,
        since: date | None = None,
        until: date | None = None,
        speaker: str | None = None,
        session: str | None = None,
        now: date | None = None,
    ) -> list[Hit]:
        """The best `k` hits of a query over pages, notes, summaries and turns.

        `since` and `until` are days, both included. `speaker` is a name or a role. No surfaces = all of them. `now` is
        the asker's day, for what is recent to count a little more.
        """
        filters = Filters(surfaces=surfaces or ALL, since=since, until=until, speaker=speaker, session=session)
        return list(self.find(query, k, filters, now=now).hits)

    def find(
        self,
        query: str,
        k: int = 10,
        filters: Filters = ANY,
        *,
        now: date | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> Found:
        """Like `search`, with what the query was read as and what answered it.

        `now` is the asker's day: what is recent then counts a little more; None = all days alike. `weights` None = the
        shipped ones.
        """
        try:
            return self._find(query, k, filters, now, weights)
        except Damaged as error:
            self._say(f"{error.message}; building it anew from the files")
            self.rebuild()
            return self._find(query, k, filters, now, weights)

    def _find(
        self, query: str, k: int, filters: Filters, now: date | None, weights: Mapping[str, float] | None
    ) -> Found:
        with said_plainly():
            return self._look_for(query, k, filters, now, fuse.weights() if weights is None else weights)

    def _look_for(self, query: str, k: int, filters: Filters, now: date | None, weights: Mapping[str, float]) -> Found:
        seen = self._look()
        asked = question.read(query, speakers=seen.speakers, languages=seen.languages)
        rows, remark = self._rows(asked, seen)
        scored: list[tuple[float, int]] = []
        parts: dict[int, dict[str, float]] = {}
        for kind in KINDS:
            if not set(filters.surfaces).intersection(KINDS[kind]):
                continue
            columns, features = self.features(kind, asked, seen, rows)
            if not len(columns):
                continue
            if now is not None:
                features["recent"] = fuse.recent(columns, now)
            total = fuse.combine(features, weights)
            for place in _best(total, _allowed(columns, seen, filters), k):
                doc = int(columns.ids[place])
                scored.append((float(total[place]), doc))
                parts[doc] = {
                    name: round(float(values[place]), 4) for name, values in features.items() if values[place]
                }
        texts = self._open().documents([doc for _, doc in scored])
        known = [(score, texts[doc], parts[doc]) for score, doc in scored if doc in texts]
        known.sort(key=lambda item: (-round(item[0], 5), item[1].path, item[1].line))
        return Found(
            hits=tuple(_hit(document, score, scores) for score, document, scores in known[:k]),
            documents=tuple(document for _, document, _ in known[:k]),
            question=asked,
            meaning=rows is not None,
            remark=remark,
        )

    def features(
        self, kind: str, asked: Question, seen: View, rows: NDArray[np.float32] | None
    ) -> tuple[Columns, dict[str, NDArray[np.float32]]]:
        """The documents of a kind that come into question, and each of their scores before weights.

        All of them in a brain of up to NARROWED turns; above it the sessions with the best turns by words or meaning.
        """
        words = self._word_index(kind)
        if kind == "turns":
            ids, scores = words.search(asked.about, CANDIDATES)
            led = self._led_to(asked, seen, rows)
            turns = _narrow(seen.turns, [*ids[:BEST], *led], rows)
            features = fuse.turn_features(seen, turns, asked, turns.dense(ids, scores), rows)
            features["wiki"] = turns.dense(list(led), list(led.values()))
            return turns, features
        ids, scores = words.search(asked.groups, CANDIDATES)
        features = fuse.wiki_features(seen, asked, seen.wiki.dense(ids, scores), rows)
        if asked.speaker is not None:
            named, _ = words.search([g for g in asked.groups if g not in asked.about], CANDIDATES)
            features["speaker"] = seen.wiki.dense(named, [1.0] * len(named))
        return seen.wiki, features

    def _led_to(self, asked: Question, seen: View, rows: NDArray[np.float32] | None) -> dict[int, float]:
        """Turns that the pages, notes and summaries closest to the query cite, with how close the closest one is."""
        import numpy as np

        if not len(seen.wiki):
            return {}
        _, features = self.features("wiki", asked, seen, rows)
        close = 0.5 * features["words"] + features.get("meaning", np.float32(0)) + 0.2 * features.get("speaker", 0)
        best = np.argsort(-close, kind="stable")[:LEADERS]
        scores = {int(seen.wiki.ids[place]): float(close[place]) for place in best}
        led: dict[int, float] = {}
        for doc, turn in self._open().cited_turns(list(scores)):
            led[turn] = max(led.get(turn, 0.0), scores[doc])
        return led

    def rows(self, asked: Question) -> NDArray[np.float32] | None:
        """The cosine of every vector row with a query, None when there is none to compare with."""
        return self._rows(asked, self._look())[0]

    def look(self) -> View:
        """The columns as of now."""
        return self._look()

    def documents(self, ids: Sequence[int]) -> dict[int, Document]:
        """Documents by the ids that columns hold."""
        return self._open().documents(ids)

    def rarity(self, groups: Sequence[Sequence[str]]) -> list[float]:
        """How much each word of a query tells: the logarithm of one over the share of documents that hold it."""
        total = sum(self._word_index(kind).count() for kind in KINDS)
        counts = [sum(self._word_index(kind).frequency(group) for kind in KINDS) for group in groups]
        return [math.log((total + 1) / (count + 0.5)) for count in counts]

    def named(self, kind: str) -> frozenset[str]:
        """Titles and other names of the pages about things of a kind (`org`, `person`, `place`, `project`, …)."""
        rows = self._open().rows(
            "SELECT DISTINCT title, context FROM docs WHERE surface = 'page' AND role = ? AND heading <> ''", (kind,)
        )
        rows += self._open().rows("SELECT title, '' FROM docs WHERE surface = 'page' AND role = ?", (kind,))
        names = {name for title, context in rows for name in (str(title), *str(context).split(" · "))}
        return frozenset(name for name in names if name)

    def turns(self, session: str, first: int, last: int) -> list[Document]:
        """The indexed turns of a range, in order."""
        rows = self._open().rows(
            "SELECT id FROM docs WHERE surface = 'turn' AND session = ? AND first BETWEEN ? AND ? ORDER BY first",
            (session, first, last),
        )
        ids = [doc for (doc,) in rows if isinstance(doc, int)]
        found = self._open().documents(ids)
        return [found[doc] for doc in ids if doc in found]

    def cites(self, path: str, line: int) -> list[tuple[str, int, int]]:
        """The turns that the document at a line leads to, as (session, first, last)."""
        rows = self._open().rows(
            "SELECT cites.session, cites.first, cites.last FROM cites JOIN docs ON docs.id = cites.doc"
            " WHERE docs.path = ? AND docs.line = ? ORDER BY cites.rowid",
            (path, line),
        )
        return [(str(session), int(str(first)), int(str(last))) for session, first, last in rows]

    def _rows(self, asked: Question, seen: View) -> tuple[NDArray[np.float32] | None, str | None]:
        import numpy as np

        try:
            embedder = self.embedder()
        except EmbedderUnavailable as error:
            return None, f"searched by words alone: {error.message}"
        if seen.vectors is None or seen.embedder != embedder.id:
            return None, "searched by words alone: no vectors yet (brain reindex --vectors makes them)"
        whole, *each = embedder.embed([asked.meaning, *asked.sentences])
        scores, _ = seen.vectors.likeness(whole)
        if each:
            best = seen.vectors.likeness(each[0])[0]
            for sentence in each[1:]:
                best = np.maximum(best, seen.vectors.likeness(sentence)[0])
            scores = np.float32(0.5) * (scores + best)
        return scores, f"{seen.pending} texts have no vector yet" if seen.pending else None

    def _look(self) -> View:
        catalogue = self._open()
        if self._view is None or catalogue.get("generation") != self._view.generation:
            self._view = view.load(catalogue, self.folder)
            self._words = {}
        return self._view

    def _open(self) -> Catalogue:
        if self._catalogue is None:
            try:
                self._catalogue = Catalogue(self.folder / "catalogue.sqlite")
            except OldSchema:
                raise IndexBroken(
                    "the search index was written by another version of Brain", hint="brain reindex"
                ) from None
        return self._catalogue

    def _word_index(self, kind: str) -> Words:
        if kind not in self._words:
            folder = self.folder / f"{kind}-{self._open().get(f'words:{kind}', '0')}"
            try:
                self._words[kind] = Words(folder)
            except (ValueError, OSError) as error:
                raise Damaged(f"the word index does not open: {error}", hint="brain reindex") from error
        return self._words[kind]


def _narrow(turns: Columns, ids: Sequence[int], rows: NDArray[np.float32] | None) -> Columns:
    import numpy as np

    if len(turns) <= NARROWED:
        return turns
    wanted = turns.dense(ids, [1.0] * len(ids)) > 0
    if rows is not None and len(turns.unit_row):
        likeness = rows[turns.unit_row]
        most = min(BEST, len(likeness))
        wanted[turns.unit_place[np.argpartition(likeness, len(likeness) - most)[-most:]]] = True
    return turns.take(turns.sessions_of(np.flatnonzero(wanted)))


def _allowed(columns: Columns, seen: View, filters: Filters) -> NDArray[np.bool_]:
    import numpy as np

    allowed = np.ones(len(columns), bool)
    wanted = {view.SURFACES.index(surface) for surface in filters.surfaces}
    if (columns.surface >= 0).any():
        allowed &= np.isin(columns.surface, list(wanted))
    if filters.since:
        allowed &= columns.day >= filters.since.toordinal()
    if filters.until:
        allowed &= (columns.day <= filters.until.toordinal()) & (columns.day != view.NO_DAY)
    if filters.session:
        known = seen.sessions.index(filters.session) if filters.session in seen.sessions else -2
        allowed &= columns.session == known
    if filters.speaker:
        by_name = [at for at, name in enumerate(seen.speakers) if question.mentions(filters.speaker, name)]
        by_role = [at for at, name in enumerate(seen.roles) if name == filters.speaker]
        allowed &= np.isin(columns.speaker, by_name) | np.isin(columns.role, by_role)
    return allowed


def _best(total: NDArray[np.float32], allowed: NDArray[np.bool_], k: int) -> Sequence[int]:
    """Places of the k best, ties in the order of the columns."""
    import numpy as np

    places = np.flatnonzero(allowed)
    if len(places) > 4 * k:
        values = total[places]
        limit = np.partition(values, len(values) - k)[len(values) - k]
        places = places[values >= limit]
    order = np.argsort(-np.round(total[places], 5), kind="stable")
    return [int(place) for place in places[order[:k]]]


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


__all__ = ["ALL", "BrainError", "Embedded", "Filters", "Found", "SearchIndex", "Status", "Update"]
