"""What every verb of a brain stands on: the folder, its settings, the clock, git, and a search index kept in step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from time import monotonic
from typing import Protocol, Self

from brain.agents.ledger import Ledger
from brain.config import Config
from brain.corpus.search.background import finish
from brain.corpus.search.catalogue import DiskFull
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import Embedder, EmbedderUnavailable
from brain.errors import CheckFailed, UsageError
from brain.git import MAIN, Git
from brain.mending import published_check
from brain.noting import with_rows
from brain.sync.publish import SyncResult, publish
from brain.text import clip, counted
from brain.tree.layout import SESSION_INDEX, FileClass, classify
from brain.tree.sessions import SessionRow

Progress = Callable[[int, int, str], None]
SECONDS_FOR_MEANING = 30.0  # what a command that wrote may spend on vectors; the rest follows with the next ones
SECONDS_BEFORE_SEARCH = 2.0
FEW = 60  # texts without a vector that a search makes by itself, in about a second, before it leaves them to others
SECONDS_READY = 5.0  # how long an index that was brought up to date counts as such while it is kept open


class Follower(Protocol):
    """What makes vectors in the background (`brain.corpus.search.background`)."""

    def wake(self) -> None: ...

    def close(self) -> None: ...


class Core:
    """One person's memory in the folder `root`. `clock` gives the time of what is written; `say` gets talk.

    `follower` makes vectors in the background; without one, each call that wrote something spends some seconds on them.
    `embedder` is the one of the settings unless given.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        *,
        clock: Callable[[], datetime] | None = None,
        say: Callable[[str], None] | None = None,
        follower: Follower | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.root = root
        self.config = config
        self._clock = clock or (lambda: datetime.now(UTC).replace(microsecond=0))
        self._say = say or (lambda _: None)
        self._search = SearchIndex(root, config, embedder=embedder, say=self._say)
        self._readied = -SECONDS_READY
        self._follower = follower

    def follow(self) -> None:
        """See to it that the vectors that are missing are made in the background, where there is one who does."""
        if self._follower is not None:
            self._follower.wake()

    def close(self) -> None:
        """Let go of what is open: the search index, and what works in the background of this process."""
        if self._follower is not None:
            self._follower.close()
        self._search.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def _git(self) -> Iterator[Git]:
        with Git(self.root) as git:
            yield git

    def _ledger(self, run_id: str, *, max_cost: float | None = None, max_minutes: float | None = None) -> Ledger:
        """Where a run's calls of models are written; limits as given, else as the settings say."""
        run = self.config.run
        return Ledger(
            self.root,
            run_id,
            config=self.config,
            max_cost=run.max_cost_usd if max_cost is None else max_cost,
            max_minutes=run.max_minutes if max_minutes is None else max_minutes,
            say=self._say,
        )

    def _say_spent(self, ledger: Ledger) -> None:
        """What each role took of models, when there are several to tell apart."""
        roles = ledger.by_role()
        for role, spent in roles.items() if len(roles) > 1 else ():
            self._say(f"  {role}: {spent.line()}")

    def _today(self) -> date:
        return self._clock().astimezone(self.config.zone).date()

    def _publish_rows(self, rows: list[SessionRow]) -> None:
        count = counted(len(rows), "session")
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
            if self._follower is None:
                self._embed(SECONDS_FOR_MEANING, progress)
            self.follow()

    def _ready(self, progress: Progress | None) -> None:
        if not self._search.there():
            self._say("there is no search index here; building it from the files")
        if self._bring_up(progress):
            if self._follower is None or self._search.waiting() <= FEW:
                self._embed(SECONDS_BEFORE_SEARCH, progress)
            else:
                self.follow()

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
        self._plainly(lambda: self._search.embed(seconds=seconds, progress=progress))

    def _finish(self, progress: Progress | None) -> None:
        self._plainly(lambda: finish(self._search, self.root, progress))

    def _plainly(self, work: Callable[[], object]) -> None:
        try:
            work()
        except EmbedderUnavailable as error:
            self._say(f"{error.message}; searching by words alone")
        except DiskFull as error:
            self._say(f"{error.message}; some texts have no vector yet ({error.hint})")
