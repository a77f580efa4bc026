"""Verbs that read memory: the compact index, search, answers, recall, pages, links, rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from brain.corpus.local import LocalCorpus
from brain.explore import links as edges
from brain.explore.answer import Answer
from brain.explore.ask import ask
from brain.explore.compact import compact_index
from brain.explore.show import show
from brain.facade.core import Core, Progress
from brain.git import MAIN
from brain.mending import check_folder
from brain.near import Brought, Near
from brain.tree.files import FolderTree
from brain.tree.layout import SESSION_INDEX, page_id
from brain.tree.page import parse
from brain.tree.sessions import SessionRow, SessionState, parse_rows, sort_key
from brain.types import Hit, Problem, Surface


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

    def ask(self, question: str, *, k: int = 5, progress: Progress | None = None) -> Answer:
        """The best statements on a question, newest first, with their evidence; `found=False` when there are none."""
        self._ready(progress)
        return ask(self._search, question, k, now=self._today())

    def recall(self, need: str, *, into: Path | None = None, files: int = 20, searches: int = 12) -> Brought:
        """What a need calls for: a synthesis with citations, and with `into` the records as files of a working set."""
        with self.near() as near:
            return near.recall(need, into=into, files=files, searches=searches)

    @contextmanager
    def near(self) -> Iterator[Near]:
        """Recall and working sets of this brain, over its corpus, which is closed after the block."""
        with LocalCorpus(self.root, self._search, self._put, self._kept_ready, self._today) as corpus:
            yield Near(corpus=corpus, source=str(self.root.resolve()))

    def sessions(self, *, limit: int | None = None) -> list[SessionRow]:
        """The sessions memory has, newest first."""
        with self._git() as git:
            main = git.tree(git.resolve(MAIN))
            rows = parse_rows(main.read(SESSION_INDEX)) if SESSION_INDEX in main else []
        alive = (row for row in rows if row.state is not SessionState.DELETED)
        return sorted(alive, key=sort_key, reverse=True)[:limit]

    def show(self, what: str, *, cite: str | None = None, refs: bool = False) -> str:
        """The text of a page, note, summary, session or source; with `cite`, the turns behind it. Raises NotFound."""
        return show(self.root, what, cite=cite, refs=refs, config=self.config)

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
