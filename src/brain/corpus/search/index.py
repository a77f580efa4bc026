"""The search index of one brain: words at once, meaning as vectors follow, one fused list of hits.

    >>> index = SearchIndex(Path("memory"))                                                    # doctest: +SKIP
    >>> index.update()                                                                         # doctest: +SKIP
    >>> index.search("figures as PDF")[0].text                                                 # doctest: +SKIP
    'Figures go out as PDF, not PNG.'

Derived state under `.brain/index/search/`: delete it and the next update makes it anew, with the same results.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from brain.config import Config
from brain.corpus.search import embedding, fuse, view
from brain.corpus.search.catalogue import Catalogue, Damaged, OldSchema, said_plainly, writing
from brain.corpus.search.documents import Document
from brain.corpus.search.embedders import configured, reopened, spec_of
from brain.corpus.search.embedding import Embedded
from brain.corpus.search.finding import ALL, ANY, Filters, Finder, Found
from brain.corpus.search.meaning import Embedder, EmbedderUnavailable, embed_queries
from brain.corpus.search.question import Question
from brain.corpus.search.rerank import Reranked, Reranker, open_reranker, rerank
from brain.corpus.search.stores import counted, pending, serving
from brain.corpus.search.upkeep import KINDS, Progress, Update, Writer
from brain.corpus.search.vectors import Likeness
from brain.corpus.search.view import View
from brain.corpus.search.words import Words
from brain.errors import IndexBroken, LockHeld
from brain.types import Hit, Surface

WORTH_KEEPING = 0.1  # seconds of reading columns that are worth sparing the next process
SELDOM = 20  # times what it took to read them that they are not read again for new vectors alone
MOST_BEHIND = 30.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What the index holds. `embedder` is the id of the one configured, or why there is none.

    `vectors` are its vectors, `pending` texts wait for theirs; `serving` is the earlier embedder whose vectors are
    searched until then, empty when it is the same. `working` is the process that makes them now, if one does.
    """

    documents: dict[Surface, int] = field(default_factory=dict)
    embedder: str = ""
    available: bool = False
    vectors: int = 0
    pending: int = 0
    serving: str = ""
    working: int | None = None
    problems: tuple[tuple[str, str], ...] = ()


class SearchIndex:
    """Opened once, used many times: what it read stays in memory until the index changes.

    `config` says which embedder and reranker, and the brain's language; another one may be given as `embedder`. `say`
    is told when the index had to be rebuilt, and why.
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
        self._spec = "" if embedder else spec_of(self.config.search)
        self._earlier: tuple[str, Embedder | EmbedderUnavailable] | None = None
        self._reranker: Reranker | None = None
        self._say = say or (lambda _: None)
        self._view: View | None = None
        self._words: dict[str, Words] = {}
        self._catalogue: Catalogue | None = None
        self._due = 0.0  # until then vectors that others add are not looked at

    # -- keeping it

    def update(self, progress: Progress | None = None) -> Update:
        """Index what changed in the files since the last time. Words are searchable when it returns."""
        return self._written(Writer(self.root, self.folder, self.config.language).update(progress))

    def rebuild(self, progress: Progress | None = None) -> Update:
        """Read every file again; search gives the same results after it as before."""
        return self._written(Writer(self.root, self.folder, self.config.language).rebuild(progress))

    def embed(
        self,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        halted: Callable[[], bool] = lambda: False,
    ) -> Embedded:
        """Make the vectors that are missing, for at most `seconds`, or until `halted`. Raises EmbedderUnavailable.

        Those of an earlier embedder serve until all of the new ones are there.
        """
        done = embedding.embed(
            self.folder, self.embedder(), spec=self._spec, seconds=seconds, progress=progress, halted=halted
        )
        self._due = 0.0
        self.settle()
        return done

    def settle(self) -> None:
        """Write down what makes the next process open quickly; not while another is writing, nor where one may not."""
        with suppress(LockHeld, IndexBroken, OSError), said_plainly(), writing(self.folder, wait=0.1):
            view.keep(self._open(), self.folder, self._compared(), self._view)

    def embedder(self) -> Embedder:
        """The embedder in use. Raises EmbedderUnavailable with the reason."""
        if self._embedder is None:
            self._embedder = configured(self.config.search)
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
        serves = serving(catalogue)
        return Status(
            documents=catalogue.counts(),
            embedder=name,
            available=available,
            vectors=counted(catalogue, name),
            pending=pending(catalogue, name),
            serving=serves.id if available and serves and serves.id != name else "",
            problems=tuple(catalogue.problems()),
        )

    def waiting(self) -> int:
        """How many texts have no vector of the settings' embedder yet; 0 when that, or the index, is of no use."""
        try:
            wanted = self.embedder().id
            with said_plainly():
                seen = self._look()
                return seen.pending if seen.embedder == wanted else pending(self._open(), wanted)
        except (EmbedderUnavailable, IndexBroken):
            return 0

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
        self._due = 0.0
        if update.message:  # the catalogue may be another file now
            self.close()
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
        project: str | None = None,
        now: date | None = None,
    ) -> list[Hit]:
        """The best `k` hits of a query over pages, notes, summaries and turns.

        `since` and `until` are days, both included. `speaker` is a name or a role, `project` the id of a project's
        page. No surfaces = all of them. `now` is the asker's day, from which `last week` is counted; what is recent
        then counts a little more.
        """
        filters = Filters(
            surfaces=surfaces or ALL, since=since, until=until, speaker=speaker, session=session, project=project
        )
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

        `now` is the asker's day: what is recent then counts a little more; None = all days alike, and times are counted
        from the newest document's. `weights` None = the shipped ones.
        """
        by = fuse.weights() if weights is None else weights
        try:
            return self._find(query, k, filters, now, by)
        except Damaged as error:
            self._say(f"{error.message}; building it anew from the files")
            self.rebuild()
            return self._find(query, k, filters, now, by)

    def _find(self, query: str, k: int, filters: Filters, now: date | None, weights: Mapping[str, float]) -> Found:
        with said_plainly():
            finder = self.finder()
            asked = finder.read(query, now)
            rows, remark = self._rows(asked, finder.seen)
            again = self._rerank if self.config.search.reranker not in ("", "none") else None
            pool = self.config.search.reranked
            return finder.find(
                asked, rows, k, filters, now=now, weights=weights, rerank=again, remark=remark, pool=pool
            )

    def finder(self) -> Finder:
        """What searches the index as it is now."""
        return Finder(seen=self._look(), catalogue=self._open(), words=self._word_index)

    def _rerank(self, query: str, texts: Sequence[str]) -> Reranked:
        try:
            self._reranker = self._reranker or open_reranker(self.config.search)
        except EmbedderUnavailable as error:
            return Reranked(scores=None, remark=f"not reranked: {error.message}")
        return rerank(self._reranker, query, texts) if self._reranker else Reranked(scores=None)

    def rows(self, asked: Question) -> Likeness | None:
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

    def _rows(self, asked: Question, seen: View) -> tuple[Likeness | None, str | None]:
        import numpy as np

        try:
            embedder = self._asker()
            if seen.vectors is None or seen.embedder != embedder.id:
                return None, "searched by words alone: no vectors yet (brain reindex --vectors makes them now)"
            whole, *each = embed_queries(embedder, [asked.meaning, *asked.sentences])
        except EmbedderUnavailable as error:
            return None, f"searched by words alone: {error.message}"
        if len(whole) != seen.vectors.dimensions:
            return None, f"searched by words alone: {embedder.id} gives vectors of another length than before"
        found = seen.vectors.likeness(whole)
        if each:
            some = [seen.vectors.likeness(sentence) for sentence in each]
            best = np.maximum.reduce([one.scores for one in some])
            near = [one.near for one in (found, *some) if one.near is not None]
            together = np.unique(np.concatenate(near)) if near else None
            found = Likeness(np.float32(0.5) * (found.scores + best), together)
        return found, self._progress(embedder, seen)

    def _progress(self, embedder: Embedder, seen: View) -> str | None:
        try:
            wanted = self.embedder()
        except EmbedderUnavailable as error:
            return f"compared by {embedder.id}: {error.message}"
        if wanted.id == embedder.id:
            return f"{seen.pending} texts have no vector yet" if seen.pending else None
        left = pending(self._open(), wanted.id)
        return f"compared by {embedder.id} until {wanted.id} has all vectors ({left} texts to come)"

    def _asker(self) -> Embedder:
        """Whose vectors are compared with a query: those that serve, as long as their embedder can be opened."""
        store = serving(self._open())
        wanted: Embedder | EmbedderUnavailable
        try:
            wanted = self.embedder()
        except EmbedderUnavailable as error:
            if store is None or self.config.search.embedder == "none":
                raise
            wanted = error
        if store is None or (not isinstance(wanted, EmbedderUnavailable) and store.id == wanted.id):
            return _raised(wanted)
        if self._earlier is None or self._earlier[0] != store.id:
            try:
                self._earlier = (store.id, reopened(store.spec, self.config.search))
            except EmbedderUnavailable as error:
                self._earlier = (store.id, error)
        earlier = self._earlier[1]
        return _raised(wanted) if isinstance(earlier, EmbedderUnavailable) or earlier.id != store.id else earlier

    def _look(self) -> View:
        catalogue, seen = self._open(), self._view
        if seen is not None and catalogue.get("generation") == seen.generation:
            return seen
        started = time.monotonic()
        if seen is not None and started < self._due and seen.lacks_vectors_alone(catalogue):
            return seen  # vectors come in all the time while an embedder is at work
        self._view = view.load(catalogue, self.folder, self._compared(), seen)
        self._words = {}
        took = time.monotonic() - started
        self._due = time.monotonic() + min(MOST_BEHIND, took * SELDOM)
        if took > WORTH_KEEPING:
            self.settle()
        return self._view

    def _compared(self) -> str:
        """Whose vectors are compared with a query, empty when there are none."""
        try:
            return self._asker().id
        except EmbedderUnavailable:
            return ""

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


def _raised(wanted: Embedder | EmbedderUnavailable) -> Embedder:
    if isinstance(wanted, EmbedderUnavailable):
        raise wanted
    return wanted


__all__ = ["ALL", "Embedded", "Filters", "Found", "SearchIndex", "Status", "Update"]
