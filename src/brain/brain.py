"""The one door: a brain in a folder, with the verbs that every front end offers under the same names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from brain import doctor as health
from brain import status as standing
from brain.config import FILE, Config, memory_from_environment
from brain.corpus.local import LocalCorpus
from brain.corpus.search.catalogue import DiskFull
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.index import Status as IndexStatus
from brain.corpus.search.meaning import EmbedderUnavailable
from brain.corpus.search.upkeep import Update
from brain.errors import CheckFailed, UsageError
from brain.explore import links as edges
from brain.explore.answer import Answer
from brain.explore.ask import ask
from brain.explore.compact import compact_index
from brain.explore.show import show
from brain.git import MAIN, Git
from brain.ingest.formats import formats
from brain.ingest.importer import import_paths
from brain.ingest.report import ImportReport
from brain.mending import check_folder, fmt_folder, published_check
from brain.near import Brought, Near
from brain.noting import Noted, note, with_rows
from brain.sync import history
from brain.sync.history import Commit, FileDiff
from brain.sync.publish import SyncResult, catch_up, publish
from brain.text import clip
from brain.tree.files import FolderTree
from brain.tree.init import empty_brain
from brain.tree.layout import SESSION_INDEX, FileClass, classify, page_id
from brain.tree.page import parse
from brain.tree.sessions import SessionRow, SessionState, parse_rows, sort_key
from brain.types import Hit, Problem, Surface
from brain.workset import manifest
from brain.workset.manifest import is_set

if TYPE_CHECKING:  # loaded when it is used: most commands only read
    from brain.dream.run import DreamResult

Progress = Callable[[int, int, str], None]
SECONDS_FOR_MEANING = 30.0  # what a command that wrote may spend on vectors; the rest follows with the next ones
SECONDS_BEFORE_SEARCH = 2.0
SECONDS_READY = 5.0  # how long an index that was brought up to date counts as such while it is kept open


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A new memory tree: where, and its files."""

    root: Path
    files: tuple[str, ...]


class Brain:
    """One person's memory in the folder `root`. `clock` gives the time of what is written; `say` gets talk."""

    def __init__(
        self,
        root: Path,
        config: Config,
        *,
        clock: Callable[[], datetime] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.root = root
        self.config = config
        self._clock = clock or (lambda: datetime.now(UTC).replace(microsecond=0))
        self._say = say or (lambda _: None)
        self._search = SearchIndex(root, config, say=self._say)
        self._readied = -SECONDS_READY

    # -- where it is

    @staticmethod
    def place(memory: Path | None = None, start: Path | None = None) -> Path:
        """Where memory is: as given, as BRAIN_MEMORY says, the nearest brain upwards from here, else ./memory."""
        given = memory or memory_from_environment()
        if given is not None:
            return given
        here = (start or Path.cwd()).resolve()
        return next((folder for folder in (here, *here.parents) if Brain.is_at(folder)), Path("memory"))

    @staticmethod
    def source(start: Path | None = None) -> str | None:
        """Where the corpus of the working set around a folder is: a folder or an address; None outside of one."""
        here = (start or Path.cwd()).resolve()
        for folder in (here, *here.parents):
            if Brain.is_at(folder):
                return None
            if is_set(folder):
                return manifest.load(folder).source
        return None

    @staticmethod
    def is_at(root: Path) -> bool:
        return (root / FILE).is_file()

    @classmethod
    def open(
        cls,
        root: Path | None = None,
        *,
        clock: Callable[[], datetime] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> Brain:
        """The brain at `root`, or at its usual place. Raises NotABrain, ConfigError."""
        place = root or cls.place()
        return cls(place, Config.load(place), clock=clock, say=say)

    @classmethod
    def init(
        cls,
        root: Path,
        *,
        owner: str | None = None,
        tz: str = "UTC",
        language: str = "en",
        now: datetime | None = None,
        dry_run: bool = False,
    ) -> Made:
        """Make an empty memory tree and its git repository. Raises UsageError when something is there already."""
        if cls.is_at(root):
            raise UsageError(f"there is a brain at {str(root)!r} already", hint=f"brain status --memory {root}")
        when = now or datetime.now(UTC).replace(microsecond=0)
        files = empty_brain(now=when, owners=[owner] if owner else [], tz=tz, language=language)
        config = Config.parse(files[FILE])
        taken = [path for path in (".git", *files) if (root / path).exists()]
        if taken:
            raise UsageError(f"{str(root / taken[0])!r} is in the way", hint="name a new folder: brain init DIR")
        if not dry_run:
            with Git.init(root) as git:
                publish(git, files, kind="migrate", subject="start an empty memory", now=when, config=config)
        return Made(root=root, files=tuple(sorted(files)))

    # -- writing it

    @staticmethod
    def formats() -> list[tuple[str, str]]:
        """Names and titles of the transcript formats that can be imported."""
        return [(one.name, one.title) for one in formats()]

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
        return report

    def distil(self, *, dry_run: bool = False, progress: Progress | None = None) -> DreamResult:
        """Write summaries and notes of sessions with new turns, and leave the wiki as it is."""
        from brain.dream.run import distil

        result = distil(self.root, self.config, now=self._clock(), dry_run=dry_run, progress=progress)
        self._follow(result.applied, progress)
        return result

    def dream(
        self,
        *,
        engine: str | None = None,
        dry_run: bool = False,
        verbose: Callable[[str], None] | None = None,
        progress: Progress | None = None,
    ) -> DreamResult:
        """Compile what is new into the wiki; it may change nothing. `verbose` gets the orientation line by line."""
        from brain.dream.run import dream
        from brain.engines import engine_named

        result = dream(
            self.root, self.config, now=self._clock(), engine=engine_named(engine or self.config.run.engine),
            dry_run=dry_run, verbose=verbose, progress=progress,
        )  # fmt: skip
        self._follow(result.applied, progress)
        return result

    def note(self, text: str, *, topic: str = "facts", dry_run: bool = False) -> Noted:
        """Remember one sentence as said by the owner, now."""
        noted, result = note(self.root, self.config, text, topic=topic, now=self._clock(), dry_run=dry_run)
        self._after(result)
        return noted

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

    # -- reading it

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

    def recall(self, need: str, *, into: Path | None = None, files: int = 20, searches: int = 10) -> Brought:
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

    # -- its history

    def log(self, *, limit: int = 20) -> list[Commit]:
        """Commits of main, newest first."""
        with self._git() as git:
            return history.log(git, limit=limit)

    def diff(self, first: str | None = None, second: str | None = None) -> list[FileDiff]:
        """What a run or commit (default: the last commit) changed, or what lies between two."""
        with self._git() as git:
            return history.diff(git, first or "main", second)

    # -- how it is

    def status(self) -> standing.Status:
        """What is here, what is pending, and which engine does each stage and why."""
        with self._git() as git:
            return standing.look(git, self.config, self._search.status())

    def doctor(self, *, fix: bool = False) -> list[health.Finding]:
        """What is well and what is not; with `fix`, what can be mended without losing anything is."""
        with self._git() as git:
            if fix:
                self._after(catch_up(git, config=self.config, now=self._clock()))
            return health.examine(git, self._search, now=self._clock(), fix=fix)

    def reindex(self, *, progress: Progress | None = None) -> tuple[Update, IndexStatus]:
        """Build the search index anew from the files, vectors included."""
        update = self._search.rebuild(progress)
        self._embed(None, progress)
        return update, self._search.status()

    # -- the machinery

    @contextmanager
    def _git(self) -> Iterator[Git]:
        with Git(self.root) as git:
            yield git

    def _today(self) -> date:
        return self._clock().astimezone(self.config.zone).date()

    def _publish_rows(self, rows: list[SessionRow]) -> None:
        count = f"{len(rows)} session{'s' if len(rows) != 1 else ''}"
        with self._git() as git:
            result = publish(
                git, lambda main: {SESSION_INDEX: with_rows(main, rows)}, kind="ingest", subject=f"bring in {count}",
                now=self._clock(), config=self.config,
            )  # fmt: skip
        self._after(result)

    def _put(self, files: Mapping[str, bytes], message: str) -> str:
        """Publish note files that a corpus was given. Raises UsageError for any other file, CheckFailed."""
        for path in files:
            if classify(path) is not FileClass.NOTE:
                raise UsageError(f"{path!r} is no note: nothing else is written so", hint="brain import, brain dream")
        with self._git() as git:
            check = published_check(git.root, self.config, self._clock())
            result = publish(
                git, files, kind="note", subject=clip(message, 50), now=self._clock(), config=self.config, check=check
            )
            if result.blocked:
                raise CheckFailed("; ".join(f"{p.path}:{p.line}: {p.message}" for p in result.problems))
            self._after(result)
            return result.commit or str(git.resolve(MAIN))

    def _after(self, result: SyncResult | None) -> None:
        for warning in result.warnings if result else ():
            self._say(warning)

    def _follow(self, changed: bool, progress: Progress | None) -> None:
        """Bring the search index after what was written."""
        if changed and self._bring_up(progress):
            self._embed(SECONDS_FOR_MEANING, progress)

    def _ready(self, progress: Progress | None) -> None:
        if not self._search.there():
            self._say("there is no search index here; building it from the files")
        if self._bring_up(progress):
            self._embed(SECONDS_BEFORE_SEARCH, progress)

    def _bring_up(self, progress: Progress | None) -> bool:
        """The index follows the files; without room for it what was written stays, and what was indexed answers."""
        try:
            self._search.update(progress)
        except DiskFull as error:
            self._say(f"{error.message}; it does not have the newest yet ({error.hint})")
            return False
        return True

    def _kept_ready(self) -> None:
        """Ready, looked after every few seconds: one recall searches many times, a server all day."""
        if monotonic() - self._readied > SECONDS_READY:
            self._ready(None)
            self._readied = monotonic()

    def _embed(self, seconds: float | None, progress: Progress | None = None) -> None:
        try:
            self._search.embed(seconds=seconds, progress=progress)
        except EmbedderUnavailable as error:
            self._say(f"{error.message}; searching by words alone")
        except DiskFull as error:
            self._say(f"{error.message}; some texts have no vector yet ({error.hint})")
