"""Verbs about memory itself: its history, how it stands, what is broken, its index anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from brain import doctor as health
from brain import status as standing
from brain.corpus.search.background import running
from brain.corpus.search.index import Status as IndexStatus
from brain.corpus.search.upkeep import Update
from brain.facade.core import Core, Progress
from brain.sync import history
from brain.sync.history import Commit, FileDiff
from brain.sync.publish import catch_up
from brain.tree.files import FolderTree

if TYPE_CHECKING:  # loaded when it is used
    from brain.export.report import ExportReport
    from brain.redacting.apply import Redaction


class Keeping(Core):
    """What a person asks who looks after a brain."""

    def log(self, *, limit: int = 20) -> list[Commit]:
        """Commits of main, newest first."""
        with self._git() as git:
            return history.log(git, limit=limit)

    def diff(self, first: str | None = None, second: str | None = None) -> list[FileDiff]:
        """What a run or commit (default: the last commit) changed, or what lies between two."""
        with self._git() as git:
            return history.diff(git, first or "main", second)

    # -- how it is

    def status(self, tree: FolderTree | None = None) -> standing.Status:
        """What is here, what is pending, and which engine does each stage and why. `tree`: as that lets it be seen."""
        with self._git() as git:
            return standing.look(git, self.config, self._index_status(), tree)

    def doctor(self, *, fix: bool = False) -> list[health.Finding]:
        """What is well and what is not; with `fix`, what can be mended without losing anything is."""
        with self._git() as git:
            if fix:
                self._after(catch_up(git, config=self.config, now=self._clock()))
                self._finish_forgetting()
            return health.examine(git, self._search, now=self._clock(), fix=fix)

    def _finish_forgetting(self) -> None:
        from brain.forgetting.lifting import finish

        for path in finish(self.root):
            self._say(f"{path} was forgotten and still lay there; it is gone now")
            self._bring_up(None)

    def redact(self, *, apply: bool = False, progress: Progress | None = None) -> Redaction:
        """Where secrets stand in the tree, beside it and in git's history; with `apply`, they are taken out.

        History is written anew then, and the search index built again. Raises SyncConflict while runs are open.
        """
        from brain.config import secret_key
        from brain.ingest.redact import Redactor
        from brain.redacting import apply as applying
        from brain.redacting.scan import scan

        redactor = Redactor(secret_key("redaction"), self.config.privacy.redact_allow)
        with self._git() as git:
            if not apply:
                return applying.Redaction(scan=scan(git, redactor, progress))
            told = applying.apply(git, redactor, config=self.config, now=self._clock(), progress=progress)
        if told.scan.found:
            self._search.rebuild(progress)
            self.follow()
        return told

    def reindex(
        self, *, vectors: bool = False, wait: bool = True, progress: Progress | None = None
    ) -> tuple[Update, IndexStatus]:
        """Build the search index anew from the files; with `vectors`, only make those that are missing.

        `wait` until every text has its vector, by making them or waiting for the one who does; else that follows in the
        background, if there is one.
        """
        update = self._search.update(progress) if vectors else self._search.rebuild(progress)
        if wait or self._follower is None:
            self._finish(progress)
        else:
            self.follow()
        return update, self._index_status()

    def export(
        self, form: str, to: Path, *, include: str = "normal", turns: str = "cited", dry_run: bool = False
    ) -> ExportReport:
        """Write memory out: `form` is okf, obsidian, html or jsonl; `to` a folder for the first two, else a file.

        `include` is the highest sensitivity that goes along (normal, private, restricted), `turns` which turns do
        (cited, all, none). Raises UsageError for a place that holds other files or lies in memory.
        """
        from brain.export.exporting import export

        return export(self.root, form, to, include=include, turns=turns, dry_run=dry_run)

    def _index_status(self) -> IndexStatus:
        return replace(self._search.status(), working=running(self.root))
