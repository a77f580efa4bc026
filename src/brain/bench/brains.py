"""Brains made of a data set's conversations, for measuring: they grow as the questions come, nothing of later in them.

`Plain` holds transcripts and their index. `Dreamed` is filled by the production pipeline: import, dream, index.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from brain.agents.ledger import Ledger
from brain.bench.datasets.dialogue import Conversation
from brain.brain import Brain
from brain.config import Config
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import Embedder
from brain.dream.run import dream
from brain.engines import Engine, engines_for
from brain.git import Git
from brain.ingest.importer import import_sessions
from brain.ingest.raw import RawSession
from brain.noting import with_rows
from brain.sync.publish import publish
from brain.text import clean, one_line
from brain.tree import layout, transcript
from brain.tree.files import write_atomic
from brain.tree.layout import SESSION_INDEX
from brain.tree.sessions import SessionRow

UNDATED = datetime(2024, 1, 1, tzinfo=UTC)  # the night of a dream over sessions without a time

_OF_USERS = """
SELECT count(*) FROM units JOIN docs ON docs.id = units.doc LEFT JOIN vectors ON vectors.hash = units.hash
WHERE vectors.hash IS NULL AND (docs.surface <> 'turn' OR docs.role = 'user')
"""


class Growing(Protocol):
    """A brain that is brought to the point where it holds some sessions, never fewer than before."""

    def reach(self, numbers: frozenset[int]) -> SearchIndex: ...


@dataclass(slots=True)
class Plain:
    """Transcripts only. `users_only`: vectors of what users said, as long as the rest is still under way."""

    conversation: Conversation
    root: Path
    embedder: Embedder | None = None
    users_only: bool = False
    _index: SearchIndex | None = None

    def reach(self, numbers: frozenset[int]) -> SearchIndex:
        for session in self.conversation.transcripts(numbers):
            turns = tuple(replace(turn, text=clean(turn.text)) for turn in session.turns)
            whole = replace(session, title=one_line(session.title), turns=turns)
            file = self.root / layout.transcript_path(layout.stem(whole))
            if not file.exists():
                write_atomic(file, transcript.render(whole))
        if self._index is None:
            self._index = SearchIndex(self.root, embedder=self.embedder)
        return _indexed(self._index, users_only=self.users_only)


@dataclass(slots=True)
class Dreamed:
    """Filled as in production: sessions are imported, a dream compiles them; what a run could not do is in `remarks`.

    A dream runs before a question when `nights` days have passed since the last; sessions after it are searched as
    transcripts until the next one.
    """

    conversation: Conversation
    root: Path
    embedder: Embedder | None = None
    users_only: bool = False
    nights: int = 1
    remarks: list[str] = field(default_factory=list)
    _index: SearchIndex | None = None
    _held: frozenset[int] = frozenset()
    _dreamed: datetime | None = None

    def reach(self, numbers: frozenset[int]) -> SearchIndex:
        now = self._now(numbers)
        if not Brain.is_at(self.root):
            Brain.init(self.root, owner=next(iter(self.conversation.owners), None), now=now)
        config = Config.load(self.root)
        if new := numbers - self._held:
            self._import(new, config, now)
        if self._dreamed is None or now - self._dreamed >= timedelta(days=self.nights):
            engines = engines_for(config, Ledger(None, "bench"), override=config.run.engine or Engine.EXTRACTIVE)
            result = dream(self.root, config, now=now, engine=engines.dreamer())
            self.remarks += [f"{session}: {why}" for session, why in sorted(result.failed.items())]
            self.remarks += [f"{problem.path}: {problem.message}" for problem in result.problems if result.exit_code]
            self._dreamed = now
        self._held |= numbers
        if self._index is None:
            self._index = SearchIndex(self.root, config, embedder=self.embedder)
        return _indexed(self._index, users_only=self.users_only)

    def _now(self, numbers: frozenset[int]) -> datetime:
        """The day after the last session."""
        started = (one.started_at for one in self.conversation.sessions if one.number in numbers)
        return max((time for time in started if time), default=UNDATED) + timedelta(days=1)

    def _import(self, new: frozenset[int], config: Config, now: datetime) -> None:
        self.remarks += bring_in(self.root, list(self.conversation.raw_sessions(new)), config, now)


def bring_in(root: Path, sessions: Sequence[RawSession], config: Config, now: datetime) -> list[str]:
    """Import sessions that a data set holds, as files are; what went wrong.

    Evidence names turns by number: an import that left a turn out makes it name another one, which is said too.
    """

    def take(rows: list[SessionRow]) -> None:
        with Git(root) as git:
            changes = lambda main: {SESSION_INDEX: with_rows(main, rows)}  # noqa: E731
            publish(git, changes, kind="ingest", subject="bring in sessions", now=now, config=config)

    report = import_sessions(root, sessions, config=config, now=now, publish=take)
    stored = {row.external_id: row.turns for row in report.rows}
    given = {raw.external_id: len(tuple(raw.turns)) for raw in sessions}
    renumbered = (
        f"{name}: {count} turns given, {stored.get(name, 0)} stored"
        for name, count in given.items()
        if stored.get(name, 0) != count
    )
    return [*report.problems, *renumbered]


def _indexed(index: SearchIndex, *, users_only: bool) -> SearchIndex:
    index.update()
    if not users_only:
        index.embed()
        return index
    file = index.folder / "catalogue.sqlite"
    while _waiting(file):
        index.embed(seconds=0)  # one batch: pages, notes and summaries first, then users, then the others
    return index


def _waiting(file: Path) -> int:
    catalogue = Catalogue(file)
    try:
        return int(str(catalogue.rows(_OF_USERS)[0][0]))
    finally:
        catalogue.close()


def content_hash(conversation: Conversation) -> str:
    """Of what the sessions hold, whatever the questions."""
    digest = sha256(repr((conversation.id, conversation.owners)).encode())
    for session in conversation.sessions:
        digest.update(repr(session).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


PIPELINE = (
    "config",
    "distil",
    "dream",
    "git",
    "ingest",
    "language",
    "noting",
    "rules",
    "secrets",
    "sync",
    "text",
    "tree",
)
FINDING = ("bench", "corpus", "text", "language")


@cache
def code_hash(rooms: tuple[str, ...]) -> str:
    """Of some rooms of the package, folders or modules, as they stand: what other code made is made again."""
    digest = sha256()
    package = Path(str(files("brain")))
    for file in sorted(package.rglob("*")):
        inside = file.relative_to(package)
        held = {inside.parts[0].removesuffix(".py"), inside.as_posix(), *(up.as_posix() for up in inside.parents)}
        if not held.isdisjoint(rooms) and file.suffix in {".py", ".md", ".json", ".txt"}:
            digest.update(inside.as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


@contextmanager
def place(folder: Path, conversation: Conversation, *, dreamed: bool) -> Iterator[Path]:
    """Where to make the brain of a conversation.

    A dreamed one that is asked only once, when whole, stays in `folder` under a hash of what it is made of and by; any
    other is made anew and thrown away.
    """
    asked = {conversation.seen_by(question) for question in conversation.questions if question.sessions}
    if not dreamed or len(asked) > 1:
        with TemporaryDirectory(prefix="brain-bench-") as made:
            yield Path(made) / "brain"
        return
    root = folder / f"{code_hash(PIPELINE)[:16]}-{content_hash(conversation)[:16]}"
    whole = root.with_suffix(".whole")
    if whole.exists():
        shutil.rmtree(root / ".brain" / "index" / "search", ignore_errors=True)  # search may have changed since
    else:
        shutil.rmtree(root, ignore_errors=True)
    root.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    yield root
    whole.touch()
