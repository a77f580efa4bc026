"""Where a brain holds secrets: its folder as it lies there, every version in git's history, and commit messages.

A report names places, kinds and placeholders, never a secret. The search index is not looked at: it holds what the
files hold, and is built anew when they are mended.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from brain.git import Git
from brain.ingest.redact import Redactor
from brain.redacting.contents import Spot
from brain.redacting.contents import spots as spots_in
from brain.tree.layout import is_tracked

LARGEST = 256 << 20
"""Bytes of a file that is looked at; larger ones are named as not looked at."""

_NO_WORD = re.compile(r"[\W_]+")
_NOT_OURS = (".git", ".brain/index", ".brain/lock")


Progress = Callable[[int, int, str], None]
"""Called now and then: how much is done, of how much, and on what."""


class Where(StrEnum):
    FILE = "file"
    NAME = "name"  # a file's own name
    HISTORY = "history"  # a version of a file that the folder does not show any more
    MESSAGE = "message"  # of a commit or tag


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One secret in one place. `line` is 0 where lines mean nothing, `versions` those of the file that hold it."""

    where: Where
    path: str
    kind: str
    placeholder: str
    line: int = 0
    versions: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was found; `files`, `versions` and `messages` were looked at, `passed` were not, and why."""

    found: tuple[Found, ...] = ()
    files: int = 0
    versions: int = 0
    messages: int = 0
    passed: tuple[tuple[str, str], ...] = ()

    @property
    def kinds(self) -> Counter[str]:
        """How many different secrets there are of each kind."""
        return Counter(kind for kind, _ in {(one.kind, one.placeholder) for one in self.found})


@dataclass(slots=True)
class _Looking:
    """`words` are the secrets that were met, as names of files would write them; they never leave the scan."""

    redactor: Redactor
    found: list[Found] = field(default_factory=list)
    passed: list[tuple[str, str]] = field(default_factory=list)
    words: dict[str, tuple[str, str]] = field(default_factory=dict)

    def met(self, path: str, text: str) -> list[Spot]:
        spots = list(spots_in(path, text, self.redactor))
        for spot in spots:
            word = _NO_WORD.sub("", spot.secret.lower())
            if 8 <= len(word) <= 60:
                self.words[word] = (spot.kind, spot.placeholder)
        return spots

    def in_name(self, path: str) -> tuple[str, str] | None:
        """Kind and placeholder of a secret that a path spells."""
        plain = _NO_WORD.sub("", path.lower())
        return next((told for word, told in self.words.items() if word in plain), None)


def scan(git: Git, redactor: Redactor, progress: Progress | None = None) -> Scan:
    """Look at everything a brain holds. Reads only."""
    looking = _Looking(redactor)
    paths = list(files(git.root))
    shown: set[str] = set()
    for number, path in enumerate(paths):
        if progress:
            progress(number, len(paths), path)
        shown.add(_file(git, path, looking))
    versions, messages = _history(git, shown, looking, progress)
    named = {path: told for path in {*paths, *(one.path for one in looking.found)} if (told := looking.in_name(path))}
    for path, (kind, placeholder) in sorted(named.items()):
        looking.found.append(Found(where=Where.NAME, path=path, kind=kind, placeholder=placeholder))
    return Scan(
        found=tuple(replace(one, path=_masked(one.path)) if one.path in named else one for one in looking.found),
        files=len(paths),
        versions=versions,
        messages=messages,
        passed=tuple((_masked(path) if path in named else path, why) for path, why in looking.passed),
    )


def _masked(path: str) -> str:
    """A path whose name spells a secret, as a report may show it: its folder, and how the name ends."""
    folder, _, file = path.rpartition("/")
    return f"{folder}/…{file[-11:]}"


def files(root: Path) -> Iterator[str]:
    """Paths of all files of a brain, in order, but git's own, the search index and the lock."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        for place in sorted(folder.iterdir(), reverse=True):
            path = place.relative_to(root).as_posix()
            if path in _NOT_OURS or place.is_symlink():
                continue
            if place.is_dir():
                waiting.append(place)
            elif place.name != ".git":
                yield path


def text_of(content: bytes) -> str | None:
    """A content as text; None when it is none."""
    if b"\0" in content[:8192]:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _file(git: Git, path: str, looking: _Looking) -> str:
    """Look at one file; git's name for its content when it may be in history."""
    for secret, placeholder in looking.redactor.found(path):
        if secret.kind != "high-entropy":
            word = _NO_WORD.sub("", path[secret.start : secret.end].lower())
            looking.words[word] = (secret.kind, placeholder)
    place = git.root / path
    try:
        if place.stat().st_size > LARGEST:
            looking.passed.append((path, "larger than is looked at"))
            return ""
        content = place.read_bytes()
    except OSError as error:
        looking.passed.append((path, error.strerror or "cannot be read"))
        return ""
    text = text_of(content)
    if text is None:
        looking.passed.append((path, "not text"))
        return ""
    for spot in looking.met(path, text):
        looking.found.append(
            Found(where=Where.FILE, path=path, line=spot.line, kind=spot.kind, placeholder=spot.placeholder)
        )
    return git.blob_name(content) if is_tracked(path) else ""


def _history(git: Git, shown: set[str], looking: _Looking, progress: Progress | None) -> tuple[int, int]:
    """Every version of every file that a reference leads to, each content once; then the messages."""
    listed = git.run("rev-list", "--all", "--objects", "--no-object-names").split()
    kinds = git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", data=b"\n".join(listed) + b"\n")
    blobs = {row.split()[0].decode() for row in kinds.splitlines() if row.endswith(b" blob")}
    named = _paths_of(git, blobs)
    held: Counter[tuple[str, str, str]] = Counter()
    for number, (name, path) in enumerate(sorted(named.items(), key=lambda pair: (pair[1], pair[0]))):
        if progress:
            progress(number, len(named), path)
        text = text_of(git.blob(name)) if name not in shown else None
        if text is not None:
            held.update({(path, spot.kind, spot.placeholder) for spot in looking.met(path, text)})
    for (path, kind, placeholder), count in sorted(held.items()):
        looking.found.append(Found(where=Where.HISTORY, path=path, kind=kind, placeholder=placeholder, versions=count))
    messages = 0
    for commit, message in _messages(git):
        messages += 1
        for secret, placeholder in looking.redactor.found(message):
            looking.found.append(Found(where=Where.MESSAGE, path=commit, kind=secret.kind, placeholder=placeholder))
    return len(named), messages


def _paths_of(git: Git, blobs: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in git.run("rev-list", "--all", "--objects").splitlines():
        name, _, path = row.partition(b" ")
        if path and name.decode() in blobs:
            found.setdefault(name.decode(), path.decode("utf-8", "surrogateescape"))
    return found


def _messages(git: Git) -> Iterator[tuple[str, str]]:
    """(name, message) of every commit and annotated tag."""
    for row in git.run("log", "--all", "--format=%H%x00%B%x01").split(b"\x01"):
        name, _, message = row.strip(b"\n").partition(b"\0")
        if name:
            yield name.decode(), message.decode("utf-8", "replace")
    tags = git.run("for-each-ref", "--format=%(refname:short)%00%(objecttype)%00%(contents)%01", "refs/tags")
    for row in tags.split(b"\x01"):
        name, kind, message = (*row.strip(b"\n").split(b"\0"), b"", b"")[:3]
        if kind == b"tag":
            yield name.decode("utf-8", "replace"), message.decode("utf-8", "replace")
