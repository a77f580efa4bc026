"""Verbs that write memory: bring sessions in, distil, dream, note, mend, take back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from brain.agents.roles import Role
from brain.errors import CheckFailed
from brain.facade.core import Core, Progress
from brain.ingest.formats import formats
from brain.ingest.importer import import_paths
from brain.ingest.report import ImportReport
from brain.mending import fmt_folder, published_check
from brain.noting import Noted, checked, edit, move, note
from brain.sync import history
from brain.sync.publish import catch_up
from brain.tree.ids import new_run_id

if TYPE_CHECKING:  # loaded when it is used: most commands only read
    from brain.adopt.report import AdoptReport
    from brain.dream.run import DreamResult
    from brain.engines import Engines
    from brain.forgetting.forget import Forgotten


class Writing(Core):
    """Everything here ends in a commit, or leaves memory as it was."""

    @staticmethod
    def formats() -> list[tuple[str, str, str]]:
        """Of each transcript format that can be imported its name, its title and where it is found."""
        return [(one.name, one.title, one.where.replace("`", "")) for one in formats()]

    def import_(
        self, paths: Sequence[Path], *, dry_run: bool = False, progress: Progress | None = None
    ) -> ImportReport:
        """Bring in the sessions in files and folders, only what is new. Raises NotFound for a path that is not."""
        if not dry_run:  # what a killed command left is finished first: rows are read from the folder
            with self._git() as git:
                self._after(catch_up(git, config=self.config, now=self._clock()))
        report = import_paths(
            self.root,
            paths,
            config=self.config,
            now=self._clock(),
            dry_run=dry_run,
            progress=progress,
            publish=self._publish_rows,
        )
        if report.rows and not dry_run:
            self._bring_up(progress)
            self.follow()
        return report

    @staticmethod
    def holds_pages(path: Path) -> bool:
        """Whether a place holds pages to adopt (a vault, a bundle, an export, another brain), rather than sessions."""
        from brain.adopt.reading import holds_pages

        return holds_pages(path)

    def adopt(self, paths: Sequence[Path], *, dry_run: bool = False, progress: Progress | None = None) -> AdoptReport:
        """Bring in pages: exports of a brain, OKF bundles, Obsidian vaults, folders of Markdown pages.

        They pass the rules as any proposal does; what cannot be kept is in the report. Raises NotFound for a path that
        is not.
        """
        from brain.adopt.adopting import adopt

        if not (self.root / ".git").exists():
            return adopt(
                self.root, None, paths, config=self.config, now=self._clock(), publish_rows=self._publish_rows,
                dry_run=True, progress=progress,
            )  # fmt: skip
        with self._git() as git:
            if not dry_run:
                self._after(catch_up(git, config=self.config, now=self._clock()))
            report = adopt(
                self.root, git, paths, config=self.config, now=self._clock(), publish_rows=self._publish_rows,
                dry_run=dry_run, progress=progress,
            )  # fmt: skip
        self._follow(bool(report.commit or report.sessions) and not dry_run, progress)
        return report

    def distil(
        self,
        *,
        engine: str | None = None,
        max_cost: float | None = None,
        max_minutes: float | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> DreamResult:
        """Write summaries and notes of sessions with new turns, and leave the wiki as it is."""
        from brain.dream.run import distil
        from brain.engines import engines_for

        run = new_run_id(now := self._clock())
        ledger = self._ledger(run, max_cost=max_cost, max_minutes=max_minutes)
        engines = engines_for(self.config, ledger, override=engine)
        if dry_run:
            result = distil(self.root, self.config, now=now, dry_run=True)
            return self._foreseen(result, engines, Role.DISTIL)
        result = distil(
            self.root, self.config, now=now, distiller=engines.distiller(), run_id=run, spent=lambda: ledger.totals,
            progress=progress,
        )  # fmt: skip
        self._follow(result.applied, progress)
        self._say_spent(ledger)
        return result

    def dream(
        self,
        *,
        engine: str | None = None,
        command: str | None = None,
        time_limit: float | None = None,
        max_cost: float | None = None,
        max_minutes: float | None = None,
        dry_run: bool = False,
        verbose: Callable[[str], None] | None = None,
        progress: Progress | None = None,
    ) -> DreamResult:
        """Compile what is new into the wiki; it may change nothing. `verbose` gets the orientation line by line.

        `engine` is extractive, model or command, with `command` the agent's command line and `time_limit` its minutes;
        else as the settings say. `max_cost` is in US dollars. A dry run says what it is likely to take. Raises
        ConfigError when what is to think is not there.
        """
        from brain.dream.run import dream
        from brain.engines import engines_for

        run = new_run_id(now := self._clock())
        ledger = self._ledger(run, max_cost=max_cost, max_minutes=max_minutes)
        engines = engines_for(self.config, ledger, override=engine, command=command, time_limit=time_limit)
        if dry_run:
            result = dream(self.root, self.config, now=now, dry_run=True, verbose=verbose)
            return self._foreseen(result, engines, Role.DISTIL, Role.DREAM, Role.VERIFY)
        result = dream(
            self.root, self.config, now=now, engine=engines.dreamer(), distiller=engines.distiller(),
            verifier=engines.verifier(), run_id=run, spent=lambda: ledger.totals, verbose=verbose, progress=progress,
        )  # fmt: skip
        self._follow(result.applied, progress)
        self._say_spent(ledger)
        return result

    def note(self, text: str, *, topic: str = "facts", by_agent: bool = False, dry_run: bool = False) -> Noted:
        """Remember one sentence as said by the owner, now; with `by_agent`, as what an agent says, unconfirmed."""
        noted, result = note(
            self.root, self.config, text, topic=topic, now=self._clock(), dry_run=dry_run, by_agent=by_agent
        )
        self._after(result)
        if result is not None:
            self.follow()
        return noted

    def edit_notes(
        self, id: str, texts: Sequence[str], *, gone: Mapping[str, str] | None = None, title: str = ""
    ) -> list[Noted]:
        """Add lines, as what an agent says, to the note file `notes/TOPIC/NAME`, and take out those in `gone`.

        `gone` are snippet ids with the sessions they rest on. All in one commit. Raises UsageError.
        """
        words = [checked(text, self.config) for text in texts]
        made, result = edit(self.root, self.config, id, words, now=self._clock(), by_agent=True, gone=gone, title=title)
        self._after(result)
        self.follow()
        return made

    def move_notes(self, moves: Mapping[str, str]) -> None:
        """Give note files other paths, in one commit; their lines stay. Raises NotFound, UsageError."""
        self._after(move(self.root, self.config, moves, now=self._clock()))
        self.follow()

    def forget(
        self,
        *targets: str,
        sessions: Sequence[str] = (),
        terms: Sequence[str] = (),
        purge: bool = False,
        dry_run: bool = False,
    ) -> Forgotten:
        """Take out what is named, everywhere, so that no later dream learns it again from the same sources.

        A target is a session, turns of one (`1eaf53d4#t3-t5`), a page, a line of the notes or a connector's record;
        `terms` are words that shall stand nowhere. What is hidden can be lifted with `restore_forgotten`; `purge` also
        erases the copies and rewrites the history of pages and notes. Raises NotFound, UsageError, CheckFailed.
        """
        from brain.forgetting.forget import Forgetting
        from brain.forgetting.lifting import finish
        from brain.tree.deletions import forgetting_key

        if not dry_run:
            finish(self.root)
        work = Forgetting(
            self.root, self.config, key=forgetting_key(), by=self._person(), now=self._clock(), purge=purge
        )
        told, result = work.run([*targets, *sessions], terms, dry_run=dry_run)
        self._after(result)
        if not dry_run:
            self._bring_up(None)
        return told

    def restore_forgotten(self, id: str) -> None:
        """Lift a deletion by its id (`del_…`): its sessions come back, the next dream reads them. Raises NotFound."""
        from brain.forgetting.lifting import restore

        self._after(restore(self.root, self.config, id, by=self._person(), now=self._clock()))
        self._bring_up(None)

    def _person(self) -> str:
        owners = self.config.owners
        return f"human:{owners[0].rpartition('/')[2] if owners else 'owner'}"

    def fmt(self, paths: Sequence[Path] = (), *, dry_run: bool = False) -> list[str]:
        """Mend in the folder what needs no judgement; the changed paths."""
        with self._git() as git:
            return fmt_folder(git, self.config, paths, now=self._clock(), dry_run=dry_run)

    def revert(self, run: str, *, dry_run: bool = False) -> list[str]:
        """Take back what a run or commit changed, by a new commit. Raises CheckFailed when later edits overlap."""
        with self._git() as git:
            paths = [change.path for change in history.diff(git, history.find(git, run))]
            if dry_run:
                return paths
            result = history.revert(
                git,
                run,
                now=self._clock(),
                config=self.config,
                check=published_check(self.root, self.config, self._clock()),
            )
        if result.blocked:
            places = "; ".join(f"{problem.path}: {problem.message}" for problem in result.problems)
            raise CheckFailed(f"nothing was taken back: {places}", hint=f"brain diff {run}")
        self._after(result)
        return paths

    def _foreseen(self, result: DreamResult, engines: Engines, *roles: Role) -> DreamResult:
        """A dry run's result with who would do it and what that is likely to take."""
        from brain.agents.estimates import expected, load_of
        from brain.dream.open import look_around

        with self._git() as git:
            work = look_around(git, self.config)[1].work
        seats = [engines.seat(role) for role in roles]
        likely = expected(self.config, seats, load_of(work, self.root))
        return replace(result, engine=seats[-2 if len(seats) > 1 else 0].engine.value, expected=likely)
