"""The one door: a brain in a folder, with the verbs that every front end offers under the same names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from brain.config import FILE, Config, memory_from_environment
from brain.corpus.search.background import Process, Thread
from brain.errors import UsageError
from brain.facade.capturing import Capturing
from brain.facade.core import Follower
from brain.facade.core import Progress as Progress
from brain.facade.hosting import Hosting
from brain.facade.keeping import Keeping
from brain.facade.reading import Reading
from brain.facade.runs import Runs
from brain.git import Git
from brain.sync.publish import publish
from brain.sync.staging import brain_of
from brain.tree.init import empty_brain
from brain.workset import manifest
from brain.workset.manifest import is_set

Background = Literal["thread", "process", "no"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A new memory tree: where, and its files."""

    root: Path
    files: tuple[str, ...]


class Brain(Capturing, Reading, Keeping, Hosting):
    """One person's memory in the folder `root`. `clock` gives the time of what is written; `say` gets talk."""

    @property
    def runs(self) -> Runs:
        """Dream runs by hand: open, check, close, abort."""
        return Runs(self)

    # -- where it is

    @staticmethod
    def place(memory: Path | None = None, start: Path | None = None) -> Path:
        """Where memory is: as given, as BRAIN_MEMORY says, the nearest brain upwards from here, else ./memory."""
        given = memory or memory_from_environment()
        if given is not None:
            return given
        here = (start or Path.cwd()).resolve()
        if (home := brain_of(here)) is not None:  # the work tree of a run looks like a brain
            return home
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
        background: Background = "thread",
    ) -> Brain:
        """The brain at `root`, or at its usual place. Raises NotABrain, ConfigError.

        `background` says who makes the vectors of what was written, unless the settings have it done at once: a thread
        of this program, which `close` ends; a process, which goes on when this program ends; or nobody else.
        """
        place = root or cls.place()
        config = Config.load(place)
        return cls(place, config, clock=clock, say=say, follower=_follower(place, config, background))

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


def _follower(root: Path, config: Config, background: Background) -> Follower | None:
    if background == "no" or not config.search.background or config.search.embedder == "none":
        return None
    return Process(root) if background == "process" else Thread(root, config)
