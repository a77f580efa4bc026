"""Where everything lives: one small Protocol over a brain's files and its search, however far away they are.

    >>> for file in corpus.fetch(["AGENTS.md", "knowledge/index.md"], at=corpus.commit()):      # doctest: +SKIP
    ...     print(file.path, file.state, len(file.data))

`at` pins a commit: tracked files are those of that commit, and a transcript is as long as the session index of that
commit says, so that what is fetched together belongs together. Without it the newest commit counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import Protocol, runtime_checkable

from brain.errors import NotFound, UsageError
from brain.types import Hit, Surface

Hits = list[Hit]  # named, since a corpus has a method `list`


class State(StrEnum):
    SENT = "sent"
    UNCHANGED = "unchanged"  # the asker has it already, by its hash
    ABSENT = "absent"  # memory holds no such file at that commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One file of the corpus. `size` in bytes; `sha256` of its bytes, in hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What a fetch answers for one path. `data` is empty unless `state` is SENT; `sha256` is empty when ABSENT."""

    path: str
    state: State
    commit: str
    data: bytes = b""
    sha256: str = ""


@runtime_checkable
class Corpus(Protocol):
    """A brain's files as of a commit, in batches, and search over them."""

    def commit(self) -> str:
        """The newest published commit. Raises NotFound when nothing was ever published."""
        ...

    def paths(self, under: str = "", *, at: str | None = None) -> Iterator[str]:
        """Paths that start with `under`, sorted; reads no file."""
        ...

    def list(self, under: str = "", *, at: str | None = None) -> Iterator[Record]:
        """Files whose path starts with `under`, by path, with size and hash."""
        ...

    def read(self, path: str, *, at: str | None = None) -> bytes:
        """The bytes of one file. Raises NotFound."""
        ...

    def fetch(
        self, paths: Iterable[str], *, at: str | None = None, have: Mapping[str, str] | None = None
    ) -> Iterator[File]:
        """Any number of files in one go, each path answered once, in the order asked. `have` is sha256 by path."""
        ...

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
        """The best `k` hits; no surfaces = all of them. `project` is the id of a project's page; `now` the asker's day,
        None = the corpus's own today."""
        ...

    def put(self, files: Mapping[str, bytes], *, message: str) -> str:
        """Publish files, one commit; returns it. Raises UsageError where this corpus is read-only."""
        ...


def answer(path: str, data: bytes | None, commit: str, have: Mapping[str, str]) -> File:
    """One path's answer to a fetch."""
    if data is None:
        return File(path=path, state=State.ABSENT, commit=commit)
    digest = sha256(data).hexdigest()
    if have.get(path) == digest:
        return File(path=path, state=State.UNCHANGED, commit=commit, sha256=digest)
    return File(path=path, state=State.SENT, commit=commit, data=data, sha256=digest)


class MemoryCorpus:
    """Commits in dicts; the reference that every implementation is tested against. Search is by plain words."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._commits: dict[str, dict[str, bytes]] = {}
        self._newest = ""
        if files:
            self.put(files, message="start")

    def commit(self) -> str:
        if not self._newest:
            raise NotFound("nothing was published yet")
        return self._newest

    def paths(self, under: str = "", *, at: str | None = None) -> Iterator[str]:
        return (path for path in sorted(self._at(at)) if path.startswith(under))

    def list(self, under: str = "", *, at: str | None = None) -> Iterator[Record]:
        for path, data in sorted(self._at(at).items()):
            if path.startswith(under):
                yield Record(path=path, size=len(data), sha256=sha256(data).hexdigest())

    def read(self, path: str, *, at: str | None = None) -> bytes:
        try:
            return self._at(at)[path]
        except KeyError:
            raise NotFound(f"no file {path!r}") from None

    def fetch(
        self, paths: Iterable[str], *, at: str | None = None, have: Mapping[str, str] | None = None
    ) -> Iterator[File]:
        commit = at or self.commit()
        files = self._at(at)
        for path in dict.fromkeys(paths):
            yield answer(path, files.get(path), commit, have or {})

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
        raise UsageError("the reference corpus has no search")

    def put(self, files: Mapping[str, bytes], *, message: str) -> str:
        return self.publish({**self._commits.get(self._newest, {}), **files})

    def files(self) -> dict[str, bytes]:
        """Everything of the newest commit."""
        return dict(self._at(None))

    def publish(self, files: Mapping[str, bytes]) -> str:
        """A new commit of exactly these files."""
        after = dict(files)
        seal = sha256(self._newest.encode())
        for path, data in sorted(after.items()):
            seal.update(path.encode() + b"\0" + sha256(data).digest())
        self._newest = seal.hexdigest()[:40]
        self._commits[self._newest] = after
        return self._newest

    def _at(self, commit: str | None) -> dict[str, bytes]:
        try:
            return self._commits[commit or self.commit()]
        except KeyError:
            raise NotFound(f"no commit {commit!r}") from None
