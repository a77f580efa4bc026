"""The corpus in a memory folder: tracked files from git's objects, transcripts and artifacts from disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from brain.corpus.corpus import File, Hits, Record, answer
from brain.corpus.search.index import SearchIndex
from brain.errors import NotFound, UsageError
from brain.git import MAIN, Git, GitTree
from brain.tree import layout
from brain.tree.files import FolderTree
from brain.tree.layout import FileClass
from brain.tree.sessions import SessionState, parse_rows
from brain.types import Surface

Put = Callable[[Mapping[str, bytes], str], str]
"""Publishes files with a message and returns the commit; the one who owns the sync gives it."""

_ON_DISK = {FileClass.TRANSCRIPT, FileClass.ARTIFACT}
_TURN = b"\n## t"


class LocalCorpus:
    """One brain in a folder of this machine. Close it after use: it keeps a git process for reading."""

    def __init__(
        self,
        root: Path,
        index: SearchIndex | None = None,
        put: Put | None = None,
        ready: Callable[[], None] | None = None,
        today: Callable[[], date] | None = None,
    ) -> None:
        """`ready` is called before a search: whoever owns the index brings it up to date there. `today` is the day on
        which a search is asked that does not say; None = the newest document's."""
        self.root = root
        self.index = index or SearchIndex(root)
        self._ready = ready or (lambda: None)
        self._today = today
        self._git = Git(root)
        self._folder = FolderTree(root)
        self._put = put
        self._trees: dict[str, _Commit] = {}

    def close(self) -> None:
        self._git.close()

    def __enter__(self) -> LocalCorpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def commit(self) -> str:
        found = self._git.resolve(MAIN)
        if found is None:
            raise NotFound("nothing was published yet", hint="brain import, then brain dream")
        return found

    def paths(self, under: str = "", *, at: str | None = None) -> Iterator[str]:
        commit = self._commit(at)
        return iter(sorted({*commit.tree.paths(under), *commit.transcripts(under), *self._artifacts(under)}))

    def list(self, under: str = "", *, at: str | None = None) -> Iterator[Record]:
        commit = self._commit(at)
        for path in self.paths(under, at=commit.name):
            data = self._bytes(path, commit)
            if data is not None:
                yield Record(path=path, size=len(data), sha256=sha256(data).hexdigest())

    def read(self, path: str, *, at: str | None = None) -> bytes:
        data = self._bytes(path, self._commit(at))
        if data is None:
            raise NotFound(f"memory holds no file {path!r}")
        return data

    def fetch(
        self, paths: Iterable[str], *, at: str | None = None, have: Mapping[str, str] | None = None
    ) -> Iterator[File]:
        commit = self._commit(at)
        for path in dict.fromkeys(paths):
            yield answer(path, self._bytes(path, commit), commit.name, have or {})

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        surfaces: Sequence[Surface] = (),
        since: date | None = None,
        until: date | None = None,
        speaker: str | None = None,
        project: str | None = None,
        now: date | None = None,
    ) -> Hits:
        self._ready()
        return self.index.search(
            query, k, surfaces=surfaces, since=since, until=until, speaker=speaker, project=project,
            now=now or (self._today() if self._today else None),
        )  # fmt: skip

    def rarity(self, groups: Sequence[Sequence[str]]) -> Sequence[float]:
        """How much each word of a query tells in this brain, as `SearchIndex.rarity`."""
        return self.index.rarity(groups)

    def put(self, files: Mapping[str, bytes], *, message: str) -> str:
        if self._put is None:
            raise UsageError("this corpus was opened for reading only")
        return self._put(files, message)

    def _commit(self, at: str | None) -> _Commit:
        name = at or self.commit()
        if name not in self._trees:
            resolved = self._git.resolve(name)
            if resolved is None:
                raise NotFound(f"memory has no commit {name!r}", hint="brain log")
            self._trees = {name: _Commit(resolved, self._git.tree(resolved))}
        return self._trees[name]

    def _bytes(self, path: str, commit: _Commit) -> bytes | None:
        if path in commit.tree:
            return commit.tree.bytes(path)
        if layout.classify(path) not in _ON_DISK:
            return None
        if layout.classify(path) is FileClass.TRANSCRIPT and path not in commit.hashes:
            return None
        try:
            data = self._folder.read_bytes(path)
        except NotFound:
            return None
        return as_hashed(data, commit.hashes[path]) if path in commit.hashes else data

    def _artifacts(self, under: str) -> Iterator[str]:
        if under.startswith(layout.ARTIFACTS) or layout.ARTIFACTS.startswith(under):
            yield from (path for path in self._folder.paths(layout.ARTIFACTS) if path.startswith(under))


class _Commit:
    """One commit's tracked files, and how its session index says the transcripts were."""

    def __init__(self, name: str, tree: GitTree) -> None:
        self.name = name
        self.tree = tree

    @cached_property
    def hashes(self) -> dict[str, str]:
        """Transcript → SHA-256; read only when a transcript is asked for."""
        text = self.tree.read(layout.SESSION_INDEX) if layout.SESSION_INDEX in self.tree else ""
        rows = [row for row in parse_rows(text) if row.state is not SessionState.DELETED]
        return {row.transcript: row.transcript_sha256 for row in rows if row.transcript}

    def transcripts(self, under: str) -> Iterator[str]:
        return (path for path in self.hashes if path.startswith(under))


def as_hashed(data: bytes, digest: str) -> bytes:
    """A transcript as it was when it had that hash: it only grows, so one of its beginnings, up to a turn's end.

    The file as it is when no beginning has the hash (a turn was redacted since): the newest is what may be shown.
    """
    seal = sha256()
    at = 0
    while True:
        end = data.find(_TURN, at + 1)
        seal.update(data[at : len(data) if end < 0 else end])
        if seal.hexdigest() == digest:
            return data[: len(data) if end < 0 else end]
        if end < 0:
            return data
        at = end
