"""The memory agent without a model: from a description of what is needed to an answer and the files that bear it out.

    >>> recall(corpus, "who hosts the Kyoto week, and what did the audit there find?").records     # doctest: +SKIP

It plans several searches, reads what they find, follows wikilinks and citations, searches again with the names it met,
and stops when nothing new turns up or its budget is used. A model-driven agent takes its place behind `MemoryAgent`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Protocol

from brain.corpus.corpus import Corpus
from brain.explore import plan
from brain.explore.evidence import Reader, Source
from brain.text import clip, jaccard, one_line, words
from brain.tree import page as pages
from brain.tree.layout import page_id, page_path
from brain.types import Hit, Surface

DEPTH = 30  # hits looked at for one search
CLOSE = 0.45  # share of the best score from which a hit counts
LINKED = 0.35  # what a page inherits from one that links to it
CITED = 0.5  # what a transcript inherits from a statement that cites it
SUMMED_UP = 0.55  # what a summary inherits from its session's transcript
MORE = 0.12  # what each further hit in one file adds to its best
SAME = 0.6  # likeness from which two statements are one
STATEMENTS = 8
SHARES = {Surface.PAGE: 0.3, Surface.NOTE: 0.2, Surface.SUMMARY: 0.15}
"""Of the files of a recall, how many of each kind at most; transcripts take the rest."""


class Stop(StrEnum):
    SATISFIED = "satisfied"  # every word of the need was met, and the last round brought nothing better
    NOTHING_NEW = "nothing new"
    BUDGET = "budget"
    EMPTY = "empty"  # memory has nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one recall may use. `rounds` of searches, `searches` in all, and what it may bring: `files`."""

    rounds: int = 3
    searches: int = 10
    files: int = 20


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
class Step:
    """One search the agent made: in which round, and how many files it had not met before."""

    round: int
    query: str
    hits: int
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What came of it. `commit` is what everything was read at; `found` is False when memory has nothing on it."""

    need: str
    commit: str
    found: bool
    statements: tuple[Told, ...] = ()
    records: tuple[Wanted, ...] = ()
    steps: tuple[Step, ...] = ()
    stopped: Stop = Stop.EMPTY

    def text(self) -> str:
        """The synthesis: statements with their sources, for an agent to read at once."""
        if not self.found:
            return "Memory has nothing on this.\n"
        return "".join(_line(told) for told in self.statements)


class MemoryAgent(Protocol):
    """Whoever can fetch what is needed: this module, or a model with tools."""

    def __call__(self, corpus: Corpus, need: str, budget: Budget) -> Recall: ...


def recall(corpus: Corpus, need: str, budget: Budget | None = None) -> Recall:
    """Search, follow, search again; at most what the budget allows. Raises NotFound when nothing was ever published."""
    return _Agent(corpus, need, budget or Budget()).run()


@dataclass(slots=True)
class _Agent:
    corpus: Corpus
    need: str
    budget: Budget
    hits: dict[tuple[str, int], tuple[float, Hit]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    files: dict[str, list[float]] = field(default_factory=dict)
    whys: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def run(self) -> Recall:
        commit = self.corpus.commit()
        reader = Reader(self.corpus, commit)
        queries = plan.first(self.need)
        stopped = Stop.BUDGET
        for turn in range(1, self.budget.rounds + 1):
            before = len(self.files)
            for query in queries:
                if len(self.steps) >= self.budget.searches:
                    break
                self._search(query, turn)
            if not self.hits:
                return Recall(need=self.need, commit=commit, found=False, steps=tuple(self.steps))
            if turn > 1 and len(self.files) == before:
                stopped = Stop.NOTHING_NEW
                break
            if turn > 1 and self._covered():
                stopped = Stop.SATISFIED
                break
            room = self.budget.searches - len(self.steps)
            queries = self._next(reader, room) if turn < self.budget.rounds else []
            if not queries:
                stopped = Stop.NOTHING_NEW if room > 0 and turn < self.budget.rounds else Stop.BUDGET
                break
        told = self._told(reader)
        return Recall(
            need=self.need,
            commit=commit,
            found=True,
            statements=tuple(told),
            records=tuple(self._records(reader)),
            steps=tuple(self.steps),
            stopped=stopped,
        )

    def _search(self, query: str, turn: int) -> None:
        self.asked.add(query)
        found = self.corpus.search(query, DEPTH)
        best = found[0].score if found else 1.0
        weight = 1.0 if turn == 1 and query == next(iter(self.asked)) else 0.85 if turn == 1 else 0.7
        new = 0
        for hit in found:
            share = hit.score / best if best > 0 else 0.0
            if share < CLOSE:
                break
            new += hit.path not in self.files
            value = share * weight
            self.files.setdefault(hit.path, []).append(value)
            self.whys.setdefault(hit.path, f"{hit.surface.value} found by {clip(query, 60)!r}")
            key = (hit.path, hit.line)
            if key not in self.hits or self.hits[key][0] < value:
                self.hits[key] = (value, hit)
        self.steps.append(Step(round=turn, query=query, hits=len(found), new=new))

    def _best(self) -> list[tuple[float, Hit]]:
        return sorted(self.hits.values(), key=lambda item: (-item[0], item[1].path, item[1].line))

    def _next(self, reader: Reader, room: int) -> list[str]:
        """Follow the links of the best pages, and say what to search for next."""
        best = self._best()
        top = [hit.path for _, hit in best if hit.surface is Surface.PAGE]
        read = reader.pages(dict.fromkeys(top[:6]))
        titles: dict[str, None] = {found.title: None for found in read.values()}
        linked = {page_path(link.target): path for path, found in read.items() for link in pages.links(found)}
        for path, found in reader.pages(linked).items():
            parent = _worth(self.files.get(linked[path], [0.0]))
            if path not in self.files:
                self.files[path] = [LINKED * parent]
                self.whys[path] = f"linked from {page_id(linked[path])}"
            titles.setdefault(found.title, None)
        statements = [hit.text for _, hit in best if hit.surface is not Surface.SUMMARY]
        queries = plan.widened(self.need, list(titles)[:4], statements[:3], room)
        return [query for query in queries if query not in self.asked]

    def _covered(self) -> bool:
        """Whether the best statements together hold every word the need is about."""
        groups = plan.content(self.need)
        held = {word for _, hit in self._best()[:STATEMENTS] for word in words(f"{hit.title} {hit.text}")}
        return all(any(_met(term, held) for term in group) for group in groups)

    def _told(self, reader: Reader) -> list[Told]:
        chosen: list[tuple[Told, frozenset[str]]] = []
        for value, hit in self._best():
            if len(chosen) >= STATEMENTS:
                break
            said = frozenset(words(hit.text))
            if not said or any(jaccard(said, other) >= SAME for _, other in chosen):
                continue
            sources = reader.sources(hit)
            told = Told(
                text=_spoken(hit),
                path=hit.path,
                line=hit.line,
                day=hit.day,
                sources=tuple(source.uri for source in sources),
                score=round(value, 4),
            )
            chosen.append((told, said))
        return [told for told, _ in chosen]

    def _records(self, reader: Reader) -> list[Wanted]:
        """The files in order of worth: those that were found, and the transcripts and summaries behind them."""
        worth = {path: _worth(values) for path, values in self.files.items()}
        for value, hit in self._best():
            if hit.surface is not Surface.TURN:
                self._cited(reader, reader.sources(hit), CITED * value, hit, worth)
        for value, hit in self._best():
            row = reader.row(hit.session) if hit.surface is Surface.TURN and hit.session else None
            if row and row.summary:
                self._raise(worth, row.summary, SUMMED_UP * value, "summary of a session that was found")
        ranked = sorted(worth, key=lambda path: (-worth[path], path))
        return list(self._within(ranked, worth))

    def _cited(
        self, reader: Reader, sources: Sequence[Source], value: float, hit: Hit, worth: dict[str, float]
    ) -> None:
        for source in sources:
            row = reader.row(source.session)
            if row and row.transcript:
                self._raise(worth, row.transcript, value, f"cited by {hit.path}:{hit.line}")

    def _raise(self, worth: dict[str, float], path: str, value: float, why: str) -> None:
        if path in worth:
            worth[path] = max(worth[path], value) + MORE * min(worth[path], value)
        else:
            worth[path] = value
            self.whys[path] = why

    def _within(self, ranked: Iterable[str], worth: dict[str, float]) -> Iterable[Wanted]:
        left = {surface: max(1, round(share * self.budget.files)) for surface, share in SHARES.items()}
        files = 0
        for path in ranked:
            kind = _kind(path)
            if files >= self.budget.files:
                break
            if kind in left and left[kind] == 0:
                continue
            if kind in left:
                left[kind] -= 1
            files += 1
            yield Wanted(path=path, why=self.whys[path], score=round(worth[path], 4))


def _worth(values: Sequence[float]) -> float:
    best = max(values)
    return best + MORE * (sum(values) - best)


def _kind(path: str) -> Surface:
    if path.startswith("knowledge/"):
        return Surface.PAGE
    if path.startswith("notes/"):
        return Surface.NOTE
    return Surface.SUMMARY if path.startswith("sessions/summaries/") else Surface.TURN


def _met(term: str, held: set[str]) -> bool:
    return term in held or any(word.startswith(term) for word in held)


def _spoken(hit: Hit) -> str:
    text = one_line(hit.text)
    return f"{hit.speaker}: {text}" if hit.surface is Surface.TURN and hit.speaker else text


def _line(told: Told) -> str:
    when = f" ({told.day})" if told.day else ""
    sources = " ".join(f"<{uri}>" for uri in told.sources)
    return f"- {clip(told.text, 400)}{when} — {told.path}:{told.line}{' ' + sources if sources else ''}\n"
