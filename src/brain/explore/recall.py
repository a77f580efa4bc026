"""The memory agent without a model: from a description of what is needed to an answer and the files that bear it out.

    >>> recall(corpus, "who hosts the Kyoto week, and what did the audit there find?").records     # doctest: +SKIP

It plans several searches, reads what they find, follows wikilinks and citations, searches again with the names it met,
and stops when nothing new turns up or its budget is used. A model-driven agent takes its place behind `MemoryAgent`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol

from brain.corpus.corpus import Corpus
from brain.explore import excerpts, plan
from brain.explore.evidence import Reader
from brain.explore.excerpts import Excerpt
from brain.explore.files import LINES, Files
from brain.explore.floor import Floor
from brain.text import clip, jaccard, one_line, words
from brain.tree import page as pages
from brain.tree.layout import page_path
from brain.types import Hit, Surface

DEPTH = 100  # hits looked at for one search
FIRST, PART, KIN, LATER = 1.0, 0.85, 0.5, 0.4
"""What a search counts: the need, one of its questions or people, examples of what it asks for, a later round's."""
SAME = 0.6  # likeness from which two statements are one
WEAK = 0.6  # a statement that speaks to the need less than this share of how much the best one does is left out
STATEMENTS = 8
GATHERED = 3  # files from which one of them is for turns of further sessions
WIKI = {Surface.PAGE: 0.3, Surface.NOTE: 0.15}  # what a statement of the wiki has before a turn, as in `ask`
FOLLOWED = 6  # pages whose links are followed in a round


class Stop(StrEnum):
    SATISFIED = "satisfied"  # every word of the need was met
    NOTHING_NEW = "nothing new"
    BUDGET = "budget"
    EMPTY = "empty"  # memory has nothing, or nothing that speaks to the need


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one recall may use: `rounds` of searches and `searches` in all; and what it may bring: `files`, none of them
    a transcript of more than `transcript` bytes."""

    rounds: int = 3
    searches: int = 12
    files: int = 20
    transcript: int = 256_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One statement of the synthesis, word for word from memory, with the turns behind it."""

    text: str
    path: str
    line: int
    day: date | None
    sources: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A file worth having at hand. `score` 0..1 and more; `why` in words."""

    path: str
    why: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Turns of a transcript that is too large to bring: `uri` is what `brain show` prints, `size` the file's bytes."""

    uri: str
    path: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One search the agent made: in which round, and how many files it had not met before."""

    round: int
    query: str
    hits: int
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What came of it. `commit` is what everything was read at; `found` is False when memory has nothing on it.

    `sure` is False when nothing says it plainly: what came nearest is brought, at most half as many files.
    `excerpts` are turns of sessions beyond the `records`: one more file.
    `engine` is who recalled; a model also says what is `missing`, and a `remark` says what of its answer did not hold.
    """

    need: str
    commit: str
    found: bool
    sure: bool = True
    statements: tuple[Told, ...] = ()
    records: tuple[Wanted, ...] = ()
    passages: tuple[Passage, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    steps: tuple[Step, ...] = ()
    stopped: Stop = Stop.EMPTY
    engine: str = "extractive"
    missing: str = ""
    remark: str = ""

    def text(self) -> str:
        """The synthesis: statements with their sources, for an agent to read at once."""
        told = "".join(map(_line, self.statements)) if self.found else "Memory has nothing on this.\n"
        missing = f"Missing: {self.missing}\n" if self.missing else ""
        told = told if self.sure else f"Nothing in memory says this plainly; what comes nearest:\n{told}"
        return told + missing + (f"({self.remark})\n" if self.remark else "")


class MemoryAgent(Protocol):
    """Whoever can fetch what is needed: this module, or a model with tools."""

    def __call__(self, corpus: Corpus, need: str, budget: Budget) -> Recall: ...


def recall(corpus: Corpus, need: str, budget: Budget | None = None) -> Recall:
    """Search, follow, search again; at most what the budget allows. Raises NotFound when nothing was ever published."""
    return _Agent(corpus, need, budget or Budget()).run()


class _Agent:
    def __init__(self, corpus: Corpus, need: str, budget: Budget) -> None:
        self.corpus = corpus
        self.need = need
        self.budget = budget
        self.commit = corpus.commit()
        self.reader = Reader(corpus, self.commit)
        self.floor = Floor(corpus, need)
        self.files = Files(self.reader)
        self.hits: dict[tuple[str, int], tuple[float, Hit]] = {}
        self.steps: list[Step] = []
        self.asked: set[str] = set()

    def run(self) -> Recall:
        self._open()
        if not (self.floor.reached or self.floor.nearly):
            return Recall(need=self.need, commit=self.commit, found=False, steps=tuple(self.steps))
        stopped = self._follow()
        most = self.budget.files if self.floor.reached else max(1, self.budget.files // 2)
        shape = plan.shape(self.need)
        gathers = most >= GATHERED
        records, large = self.files.choose(most - gathers, self.budget.transcript, shape)
        turns = [hit for value, hit in self._best() if gathers and value >= LINES[shape]]
        return Recall(
            need=self.need,
            commit=self.commit,
            found=True,
            sure=self.floor.reached,
            statements=tuple(self._told()),
            records=tuple(Wanted(path=one.path, why=one.why, score=round(one.worth, 4)) for one in records),
            passages=tuple(Passage(uri=one.uri, path=one.path, size=one.size) for one in large),
            excerpts=excerpts.choose(turns, {record.path for record in records}),
            steps=tuple(self.steps),
            stopped=stopped,
        )

    def _open(self) -> None:
        """The first round: the need, its questions, then the people and kinds of things it names."""
        whole, *parts = plan.first(self.need)
        self._search(whole, 1, FIRST)
        people = sorted({hit.speaker for _, hit in self.hits.values() if hit.speaker})
        for query in dict.fromkeys([*parts, *plan.each(self.need, people)]):
            if self._room() and query not in self.asked:
                self._search(query, 1, PART)
        if self.floor.reached or self.floor.nearly:
            for query in plan.examples(self.need, people)[: self._room()]:
                self._search(query, 1, KIN)

    def _follow(self) -> Stop:
        """Later rounds, until there is a reason to stop."""
        for turn in range(2, self.budget.rounds + 1):
            queries = self._next() if self._room() else []
            if not self._room():
                return Stop.BUDGET
            new = sum([self._search(query, turn, LATER) for query in queries[: self._room()]])
            if not new:
                return Stop.NOTHING_NEW
            if self._covered():
                return Stop.SATISFIED
        return Stop.BUDGET

    def _room(self) -> int:
        return self.budget.searches - len(self.steps)

    def _search(self, query: str, turn: int, weight: float) -> int:
        """Make one search; how many files it met for the first time."""
        self.asked.add(query)
        found = self.reader.open_to_all(self.corpus.search(query, DEPTH))
        if weight >= PART:
            self.floor.look(query, found)
        new = self.files.found(query, weight, found)
        for share, hit in self.files.shares(found):
            key = (hit.path, hit.line)
            if key not in self.hits or self.hits[key][0] < share * weight:
                self.hits[key] = (share * weight, hit)
        self.steps.append(Step(round=turn, query=query, hits=len(found), new=new))
        return new

    def _best(self) -> list[tuple[float, Hit]]:
        return sorted(self.hits.values(), key=lambda item: (-item[0], item[1].path, item[1].line))

    def _next(self) -> list[str]:
        """Follow the links of the best pages, and say what to search for next."""
        best = self._best()
        top = dict.fromkeys(hit.path for _, hit in best if hit.surface is Surface.PAGE)
        read = self.reader.pages(list(top)[:FOLLOWED])
        titles: dict[str, None] = {found.title: None for found in read.values()}
        linked = {page_path(link.target): path for path, found in read.items() for link in pages.links(found)}
        for path, found in self.reader.pages(linked).items():
            self.files.linked(path, linked[path])
            titles.setdefault(found.title, None)
        statements = [hit.text for _, hit in best if hit.surface is not Surface.SUMMARY]
        queries = plan.widened(self.need, list(titles)[:4], statements[:3], self._room())
        return [query for query in queries if query not in self.asked]

    def _covered(self) -> bool:
        """Whether the best statements together hold every word the need is about."""
        groups = plan.content(self.need)
        held = {word for _, hit in self._best()[:STATEMENTS] for word in words(f"{hit.title} {hit.text}")}
        return all(any(_met(term, held) for term in group) for group in groups)

    def _told(self) -> list[Told]:
        """The statements that speak to the need, what the wiki says before what was said in passing."""
        weighed = [(self.floor.relevance(hit), value, hit) for value, hit in self._best() if _says_something(hit)]
        line = WEAK * max((relevance for relevance, _, _ in weighed), default=0.0)
        weighed = [(value + 0.5 * relevance + WIKI.get(hit.surface, 0.0), value, hit)
                   for relevance, value, hit in weighed if relevance >= line]  # fmt: skip
        chosen: list[tuple[Told, frozenset[str]]] = []
        for _, value, hit in sorted(weighed, key=lambda item: -item[0]):
            if len(chosen) >= STATEMENTS:
                break
            said = frozenset(words(hit.text))
            if said and not any(jaccard(said, other) >= SAME for _, other in chosen):
                chosen.append((self._statement(hit, value), said))
        return [told for told, _ in chosen]

    def _statement(self, hit: Hit, value: float) -> Told:
        return Told(
            text=_spoken(hit),
            path=hit.path,
            line=hit.line,
            day=hit.day,
            sources=tuple(source.uri for source in self.reader.sources(hit)),
            score=round(value, 4),
        )


def _says_something(hit: Hit) -> bool:
    """Questions tell nothing, and a whole session in brief is said better by its bullets, notes and turns."""
    if hit.surface is Surface.SUMMARY:
        return "#" in hit.uri
    return hit.surface is not Surface.TURN or not hit.text.rstrip().endswith(("?", "？"))


def _met(term: str, held: set[str]) -> bool:
    return term in held or any(word.startswith(term) for word in held)


def _spoken(hit: Hit) -> str:
    text = one_line(hit.text)
    return f"{hit.speaker}: {text}" if hit.surface is Surface.TURN and hit.speaker else text


def _line(told: Told) -> str:
    when = f" ({told.day})" if told.day else ""
    sources = " ".join(f"<{uri}>" for uri in told.sources)
    place = f"{told.path}:{told.line}" if told.line else told.path
    return f"- {clip(told.text, 400)}{when} — {place}{' ' + sources if sources else ''}\n"
