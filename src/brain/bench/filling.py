"""Filling an account's brain by the production pipeline: import, connectors in the settings, dream night by night.

    >>> filled = fill(account, cache / "accounts", Filling())                               # doctest: +SKIP
    >>> filled.root(account.states[-1]).name                                                # doctest: +SKIP
    'state-0'

What was filled is kept under a hash of all it is made of and by. A killed filling goes on after its last whole night:
every command of the pipeline finishes what a killed one left.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path

from brain.bench.accounts import UNDATED, Account, State, nights
from brain.bench.answered import Filled
from brain.bench.brains import PIPELINE, bring_in, code_hash
from brain.bench.changes import changed
from brain.brain import Brain
from brain.config import FILE, Config, settings_from_environment
from brain.engines import Engine
from brain.git import Git
from brain.sync.publish import publish
from brain.tree.files import FolderTree, write_atomic
from brain.tree.init import empty_brain
from brain.tree.layout import SESSION_INDEX, page_id
from brain.tree.sessions import parse_rows

VERSION = 1  # of how this module fills: one more, and every account is filled anew
MORE = ("connectors", "facade")
THINKING = ("agents", "engines", "explore", "corpus", "prompts", "skills")
"""Rooms that filling rests on beside the pipeline, the last ones when a model thinks."""

KINDS = {".ics": "calendar", ".mbox": "mail"}
"""Which kind of connector a file is; a folder is one of files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """How brains are filled: `every` so many days a dream (0 = one at the end), by an engine, under some settings."""

    every: int = 7
    engine: str = "extractive"
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """Hash of the code that fills."""
        return code_hash((*PIPELINE, *MORE, *(() if self.engine == Engine.EXTRACTIVE else THINKING)))

    def key(self, account: Account) -> str:
        said = sorted(self.settings.items())
        parts = (
            account.content(),
            self.code,
            VERSION,
            self.every,
            self.engine,
            said,
            named_by_environment(self.engine),
        )
        return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]


def named_by_environment(engine: str) -> str:
    """The models or the command that the environment names, where one of them thinks: what is kept is of these."""
    settings = settings_from_environment()
    return "" if engine == Engine.EXTRACTIVE else repr((settings.models, settings.run.command))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where the filled brains of an account are, one for each state that has questions."""

    folder: Path
    filled: Filled
    states: tuple[State, ...]

    def root(self, state: State) -> Path:
        return self.folder / f"state-{self.states.index(state)}"


def fill(account: Account, cache: Path, how: Filling) -> Kept:
    """Fill, or go on filling, or find what was filled. Two processes never fill the same account at once."""
    folder = cache / f"{account.id[:40].replace('/', '_')}-{how.key(account)}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone(folder):
        whole = folder / "filled.json"
        if not whole.exists():
            filled = _Work(account, folder, how).run()
            write_atomic(whole, json.dumps(asdict(filled), ensure_ascii=False))
        held = json.loads(whole.read_text("utf-8"))
    filled = Filled(**{**held, "remarks": tuple(held["remarks"])})
    return Kept(folder=folder, filled=filled, states=account.states)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time works in a folder of the cache; the lock goes with the process."""
    with (folder / "lock").open("a", encoding="utf-8") as lock:
        flock(lock, LOCK_EX)
        yield


@dataclass(slots=True, kw_only=True)
class _Done:
    """How far a filling is: whole states, nights of the next one, and what it took."""

    states: int = 0
    nights: int = 0
    dreams: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    remarks: list[str] = field(default_factory=list)


class _Work:
    """Fills one account; what is done is in `progress.json` of its folder."""

    def __init__(self, account: Account, folder: Path, how: Filling) -> None:
        self.account = account
        self.folder = folder
        self.how = how
        self.file = folder / "progress.json"
        self.done = _Done(**json.loads(self.file.read_text("utf-8"))) if self.file.exists() else _Done()

    def run(self) -> Filled:
        before: State | None = None
        for at, state in enumerate(self.account.states):
            if at >= self.done.states:
                self._state(at, state, before)
            before = state
        root = self.folder / f"state-{len(self.account.states) - 1}"
        rows = parse_rows((root / SESSION_INDEX).read_text("utf-8"))
        return Filled(
            account=self.account.id,
            content=self.account.content(),
            sessions=len(rows),
            turns=sum(row.turns for row in rows),
            pages=sum(1 for path in FolderTree(root).paths("knowledge/") if page_id(path)),
            dreams=self.done.dreams,
            seconds=round(self.done.seconds, 2),
            cost=self.done.cost,
            remarks=tuple(self.done.remarks),
        )

    def _state(self, at: int, state: State, before: State | None) -> None:
        root = self.folder / f"state-{at}"
        if not self.done.nights:
            shutil.rmtree(root, ignore_errors=True)
            if before is not None:
                shutil.copytree(self.folder / f"state-{at - 1}", root, symlinks=True)
        if not state.inputs:
            self._init(root, UNDATED)
        for number, (now, batch) in enumerate(nights(self.account, state, before, self.how.every)):
            if number >= self.done.nights:
                began = time.monotonic()
                self._night(root, now, batch)
                self.done.nights = number + 1
                self.done.seconds += time.monotonic() - began
                self._save()
        self.done.states, self.done.nights = at + 1, 0
        self._save()

    def _save(self) -> None:
        write_atomic(self.file, json.dumps(asdict(self.done), ensure_ascii=False))

    def _night(self, root: Path, now: datetime, batch: Sequence[int]) -> None:
        """Bring in what was said since the last night, and dream."""
        if not Brain.is_at(root):
            self._init(root, now)
        inputs = [self.account.inputs[at] for at in batch]
        with Brain(root, self._config(root), clock=lambda: now) as brain:
            remarks: list[str] = []
            if files := [one.file for one in inputs if one.file]:
                said = brain.import_(files).problems
                remarks += [_without(line, {file.parent for file in files}) for line in said]
            if sessions := [raw for one in inputs for raw in one.sessions]:
                remarks += bring_in(root, sessions, brain.config, now)
            result = brain.dream(engine=self.how.engine)
        remarks += [f"{session}: {why}" for session, why in sorted(result.failed.items())]
        remarks += [f"{problem.path}: {problem.message}" for problem in result.problems if result.exit_code]
        self.done.dreams += 1
        self.done.cost += result.spent.cost if result.spent else 0.0
        self.done.remarks += remarks

    def _config(self, root: Path) -> Config:
        """Nothing of a dream without a model looks at vectors: readers make them."""
        config = Config.load(root)
        if self.how.engine != Engine.EXTRACTIVE:
            return config
        return replace(config, search=replace(config.search, embedder="none"))

    def _init(self, root: Path, now: datetime) -> None:
        one = self.account
        files = empty_brain(now=now, owners=one.owners, tz=one.tz, language=one.language)
        tables: dict[str, object] = {}
        for name, given in one.connectors.items():
            held = self.folder / "connectors" / given.name
            shutil.rmtree(held, ignore_errors=True)
            held.parent.mkdir(exist_ok=True)
            (shutil.copytree if given.is_dir() else shutil.copyfile)(given, held)
            tables[f"connectors.{name}.kind"] = KINDS.get(given.suffix, "folder")
            tables[f"connectors.{name}.path"] = str(held)
            tables[f"connectors.{name}.owner_authoritative"] = True
        files[FILE] = changed(files[FILE], {**tables, **self.how.settings})
        with Git.init(root) as git:
            config = Config.parse(files[FILE])
            publish(git, files, kind="migrate", subject="start an empty memory", now=now, config=config)


def _without(line: str, folders: Iterable[Path]) -> str:
    """A remark without where on this machine it was."""
    for folder in sorted(map(str, folders), key=len, reverse=True):
        line = line.replace(f"{folder}/", "")
    return line
