"""A tree of text files behind one small Protocol: in memory, in a folder, or as changes over another tree."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from brain.errors import FormatError, NotFound

Changes = Mapping[str, str | None]
"""New text by path; None = the file is deleted."""


@runtime_checkable
class Tree(Protocol):
    """Files by their path relative to the memory folder, `/` between parts."""

    def paths(self, under: str = "") -> Iterator[str]:
        """Paths that start with `under`, sorted."""
        ...

    def read(self, path: str) -> str:
        """The text of a file. Raises NotFound, or FormatError when it is not UTF-8."""
        ...

    def __contains__(self, path: object) -> bool: ...


class MemoryTree:
    """A tree in a dict; the reference implementation."""

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        self._files = dict(files or {})

    def paths(self, under: str = "") -> Iterator[str]:
        return iter(sorted(p for p in self._files if p.startswith(under)))

    def read(self, path: str) -> str:
        try:
            return self._files[path]
        except KeyError:
            raise NotFound(f"no file {path!r}") from None

    def __contains__(self, path: object) -> bool:
        return path in self._files


class FolderTree:
    """The files of a folder, without git's own and the untracked state of `.brain/`. Links are listed, not followed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def paths(self, under: str = "") -> Iterator[str]:
        folder = under.rpartition("/")[0]
        start = self.root / folder
        if self._leaves(folder) or not start.is_dir():
            return iter(())
        found: list[str] = []
        _list(start, f"{folder}/" if folder else "", found)
        return iter(sorted(p for p in found if p.startswith(under)))

    def read(self, path: str) -> str:
        data = self.read_bytes(path)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise FormatError(f"not UTF-8 at byte {error.start}", path=path, line=line) from error

    def read_bytes(self, path: str) -> bytes:
        if self._leaves(path):
            raise NotFound(f"{path!r} is outside of the memory folder or behind a link")
        try:
            return (self.root / path).read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            raise NotFound(f"no file {path!r}") from None

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and not self._leaves(path) and (self.root / path).is_file()

    def holding(self, under: str, *needles: bytes) -> Iterator[str]:
        """Paths under `under` of files that hold one of these byte strings, sorted; quick over many files."""
        root = str(self.root)
        for path in FolderTree.paths(self, under):
            data = raw(f"{root}/{path}")
            if any(needle in data for needle in needles) and path in self:
                yield path

    def _leaves(self, path: str) -> bool:
        parts = path.split("/")
        if path.startswith("/") or ".." in parts:
            return True
        step = str(self.root)
        for part in parts:
            step = f"{step}/{part}"
            if os.path.islink(step):  # noqa: PTH114  # asked for each part of each file that is read
                return True
        return False


def raw(place: str, most: int = -1) -> bytes:
    """A file's first bytes, nothing for a link or what cannot be read; for looking at many files."""
    try:
        handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return b""
    with os.fdopen(handle, "rb") as file:
        return file.read(most)


def _list(folder: Path, prefix: str, found: list[str]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not prefix and entry.name == ".git":
                continue
            if prefix == ".brain/" and not _tracked_control(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                _list(folder / entry.name, f"{prefix}{entry.name}/", found)
            else:
                found.append(prefix + entry.name)


def _tracked_control(name: str) -> bool:
    return name in {"config.toml", "instructions.md", "deletions.jsonl"}


class OverlayTree:
    """Another tree with changes on top."""

    def __init__(self, base: Tree, changes: Changes) -> None:
        self.base = base
        self.changes = changes

    def paths(self, under: str = "") -> Iterator[str]:
        kept = {p for p in self.base.paths(under) if self.changes.get(p, "") is not None}
        added = {p for p, text in self.changes.items() if text is not None and p.startswith(under)}
        return iter(sorted(kept | added))

    def read(self, path: str) -> str:
        if path not in self.changes:
            return self.base.read(path)
        text = self.changes[path]
        if text is None:
            raise NotFound(f"no file {path!r}")
        return text

    def __contains__(self, path: object) -> bool:
        if isinstance(path, str) and path in self.changes:
            return self.changes[path] is not None
        return path in self.base


def write_atomic(path: Path, data: bytes | str, mode: int = 0o600) -> None:
    """Replace a file whole or not at all: temporary file beside it, fsync, rename, fsync of the folder.

    Missing folders are made with mode 0700.
    """
    make_folder(path.parent)
    raw = data.encode("utf-8") if isinstance(data, str) else data
    handle, name = tempfile.mkstemp(prefix=".tmp-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def make_folder(path: Path) -> None:
    """The folder and its missing parents, each with mode 0700."""
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)


def _sync_folder(path: Path) -> None:
    if os.name == "nt":
        return  # a folder cannot be opened there; the rename is durable enough
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
