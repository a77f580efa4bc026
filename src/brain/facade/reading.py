"""Verbs that read memory: the compact index, search, answers, recall, pages, links, rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from brain.agents.ledger import Ledger
from brain.corpus.corpus import Corpus
from brain.corpus.local import LocalCorpus
from brain.explore import links as edges
from brain.explore.answer import Answer
from brain.explore.ask import ask
from brain.explore.compact import compact_index
from brain.explore.recall import Budget, Recall
from brain.explore.recall import recall as plain_recall
from brain.explore.show import show
from brain.facade.core import Core, Progress
from brain.git import MAIN
from brain.mending import check_folder
from brain.near import Brought, Near
from brain.tree.files import FolderTree
from brain.tree.ids import new_run_id
from brain.tree.layout import SESSION_INDEX, page_id
from brain.tree.page import parse
from brain.tree.sessions import SessionRow, SessionState, parse_rows, sort_key
from brain.types import Hit, Problem, Spent, Surface

if TYPE_CHECKING:  # loaded when a model answers, or an outside source is asked
    from brain.agents.openings import Place
    from brain.connectors import Connectors, Pinned


class Reading(Core):
    """Nothing here writes a tracked file; the search index may be brought into step first."""

    def index(self) -> str:
        """The compact index: the block for an agent's first message."""
        return compact_index(self.root, self.config)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        surfaces: Sequence[Surface] = (),
        since: date | None = None,
        until: date | None = None,
        speaker: str | None = None,
        project: str | None = None,
        progress: Progress | None = None,
    ) -> list[Hit]:
        """The best `k` hits; `since` and `until` are days, both included; `last week` is counted from today."""
        self._ready(progress)
        return self._search.search(
            query, k, surfaces=surfaces, since=since, until=until, speaker=speaker, project=project, now=self._today()
        )

    def ask(
        self,
        question: str,
        *,
        k: int = 8,
        engine: str | None = None,
        command: str | None = None,
        time_limit: float | None = None,
        max_cost: float | None = None,
        max_minutes: float | None = None,
        progress: Progress | None = None,
    ) -> Answer:
        """The best statements on a question with their evidence; `found=False` when there are none.

        Without a model they are word for word from memory, newest first, at most `k`. With one they are an agent's own,
        each with citations that resolve. `engine`, `command` and the limits as for `dream`.
        """
        from brain.engines import engines_for

        ledger = self._ledger(new_run_id(self._clock()), max_cost=max_cost, max_minutes=max_minutes)
        engines = engines_for(self.config, ledger, override=engine, command=command, time_limit=time_limit)
        answerer = engines.answerer()
        if answerer is None:
            self._ready(progress)
            return ask(self._search, question, k, now=self._today())
        with self.answering() as place:
            answer = answerer.answer(place, question)
        self._say_spent(ledger)
        return replace(answer, spent=ledger.totals)

    def opening(self, question: str) -> str:
        """What an agent that answers starts with, for whoever plays it by hand: its task, the map, the question."""
        from brain.agents.openings import Place, by_hand

        with LocalCorpus(self.root, self._search) as corpus:
            place = Place(
                root=self.root, config=self.config, corpus=corpus, folder=self.root.resolve(), today=self._today()
            )
            return by_hand(place, question)

    def recall(
        self,
        need: str,
        *,
        into: Path | None = None,
        files: int = 20,
        searches: int = 10,
        engine: str | None = None,
        max_cost: float | None = None,
        max_minutes: float | None = None,
    ) -> Brought:
        """What a need calls for: a synthesis with citations, and with `into` the records as files of a working set.

        `engine` is extractive or model, else as the settings say; `max_cost` is in US dollars.
        """
        with self.near(engine=engine, max_cost=max_cost, max_minutes=max_minutes) as near:
            return near.recall(need, into=into, files=files, searches=searches)

    @contextmanager
    def near(
        self, *, engine: str | None = None, max_cost: float | None = None, max_minutes: float | None = None
    ) -> Iterator[Near]:
        """Recall and working sets of this brain, over its corpus, which is closed after the block.

        The memory agent is the one that the settings name, or `engine`; its model is asked when it is needed, and the
        limits hold for each recall.
        """
        from brain.engines import engines_for

        took: list[Ledger] = []

        def agent(corpus: Corpus, need: str, budget: Budget) -> Recall:
            took.append(self._ledger(new_run_id(self._clock()), max_cost=max_cost, max_minutes=max_minutes))
            engines = engines_for(self.config, took[-1], override=engine)
            return (engines.memory_agent() or plain_recall)(corpus, need, budget)

        def spent() -> Spent:
            return took[-1].totals if took else Spent()

        with LocalCorpus(self.root, self._search, self._put, self._kept_ready, self._today) as corpus:
            yield Near(corpus=corpus, source=str(self.root.resolve()), agent=agent, spent=spent)

    @contextmanager
    def answering(self) -> Iterator[Place]:
        """Where an agent answers one question: a working set with its first map, gone after the block."""
        from brain.agents.openings import Place

        with self.near() as near, TemporaryDirectory(prefix="brain-ask-") as folder:
            set_ = Path(folder) / "tree"
            near.boot(set_)
            yield Place(root=self.root, config=self.config, corpus=near.corpus, folder=set_, today=self._today())

    def sessions(self, *, limit: int | None = None) -> list[SessionRow]:
        """The sessions memory has, newest first."""
        with self._git() as git:
            main = git.tree(git.resolve(MAIN))
            rows = parse_rows(main.read(SESSION_INDEX)) if SESSION_INDEX in main else []
        alive = (row for row in rows if row.state is not SessionState.DELETED)
        return sorted(alive, key=sort_key, reverse=True)[:limit]

    def find_sessions(
        self, query: str, *, k: int = 10, progress: Progress | None = None
    ) -> list[tuple[SessionRow, float]]:
        """The `k` sessions that a question or a message is about, best first, with their scores."""
        from brain.corpus.search.sessions import ranked

        self._ready(progress)
        rows = {row.id: row for row in self.sessions()}
        found = ranked(self._search, query, k, now=self._today())
        return [(rows[one.session], one.score) for one in found if one.session in rows]

    def show(self, what: str, *, cite: str | None = None, refs: bool = False) -> str:
        """The text of a page, note, summary, session or source; with `cite`, the turns behind it. Raises NotFound."""
        return show(self.root, what, cite=cite, refs=refs, config=self.config)

    def connectors(self) -> Connectors:
        """The outside sources that the config names, to list, search and fetch; used in a `with`, which closes them."""
        from brain.connectors import Connectors
        from brain.ingest.redact import redacting

        redact = redacting(self.config.privacy.redact_allow)
        return Connectors(self.root, self.config, redact=redact, clock=self._clock)

    def fetch(self, uri: str, *, dry_run: bool = False) -> Pinned:
        """Read a record of an outside source anew, `connector://NAME?id=RECORD`, and pin what it says now.

        Raises UsageError, NotFound, ConnectorError.
        """
        from brain.connectors import named

        with self.connectors() as connectors:
            return connectors.fetch(*named(uri), dry_run=dry_run)

    def links(self, page: str) -> edges.Links:
        """What a page links to, what links to it, and the evidence it rests on. Raises NotFound."""
        return edges.links(self.root, page, config=self.config)

    def titles(self) -> list[tuple[str, str]]:
        """Page ids with their titles, sorted."""
        tree = FolderTree(self.root)
        found = (parse(tree.read(path), path) for path in tree.paths("knowledge/") if page_id(path))
        return [(page.id, page.title) for page in found]

    def check(self, paths: Sequence[Path] = ()) -> list[Problem]:
        """What the rules say of the folder as it is; of some files, or of all."""
        with self._git() as git:
            return check_folder(git, self.config, paths, now=self._clock())
