"""The folder of a working set: one writer at a time, read-only to everybody else, never half of two commits.

A change is written whole beside the set (`.brain/next/`), then announced by the journal, then moved in file by file; a
command that finds a journal finishes it first. So a killed writer leaves either the old set or one that the next
command completes. Nothing is flushed to disk file by file: a set is a copy, its hashes tell what a power cut spoilt,
and `refresh` brings it again.
"""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from brain.errors import FormatError
from brain.tree.files import make_folder, write_atomic
from brain.workset import manifest
from brain.workset.manifest import PLACE, Manifest

NEXT = ".brain/next"
JOURNAL = ".brain/next.json"
LOCK = ".brain/workset.lock"
FILE_MODE = 0o400
FOLDER_MODE = 0o500


class Place:
    """A folder that is, or becomes, a working set. Change it inside `with place.writing():`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the set against other writers (waits for them), and finish what a killed one left."""
        make_folder(self.folder / ".brain")
        with (self.folder / LOCK).open("a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._finish()
            yield

    def change(self, new: Manifest, files: Mapping[str, bytes], gone: Iterable[str] = ()) -> None:
        """Bring the folder to `new`: `files` are the contents that differ, `gone` what is dropped."""
        waiting = self.folder / NEXT
        shutil.rmtree(waiting, ignore_errors=True)
        for path, data in files.items():
            write_plain(waiting / checked(path), data)
        write_plain(waiting / "workset.json", manifest.render(new).encode())
        plan = {"write": sorted(files), "drop": sorted(map(checked, gone))}
        write_atomic(self.folder / JOURNAL, json.dumps(plan))
        self._finish()

    def _finish(self) -> None:
        journal = self.folder / JOURNAL
        try:
            plan = json.loads(journal.read_text("utf-8"))
        except FileNotFoundError:
            shutil.rmtree(self.folder / NEXT, ignore_errors=True)
            return
        waiting = self.folder / NEXT
        opened: set[Path] = set()
        for path in plan["write"]:
            if (waiting / path).exists():
                target = self.folder / checked(path)
                opened |= self._open(target.parent)
                (waiting / path).chmod(FILE_MODE)
                (waiting / path).replace(target)
        for path in plan["drop"]:
            target = self.folder / checked(path)
            if target.exists():
                opened |= self._open(target.parent)
                target.unlink()
        if (waiting / "workset.json").exists():
            (waiting / "workset.json").replace(self.folder / PLACE)
        for folder in sorted(opened, reverse=True):
            self._close(folder)
        journal.unlink()
        shutil.rmtree(waiting, ignore_errors=True)

    def _open(self, folder: Path) -> set[Path]:
        """Make a folder of the set writable, with the ones above it up to the set's own; they are returned."""
        chain = [folder]
        while chain[-1] != self.folder:
            chain.append(chain[-1].parent)
        for step in reversed(chain[:-1]):
            if not step.exists():
                step.parent.chmod(0o700)
                step.mkdir(mode=0o700)
            step.chmod(0o700)
        return set(chain[:-1])

    def _close(self, folder: Path) -> None:
        if folder == self.folder / ".brain":
            return  # the lock and the manifest live there
        if not any(folder.iterdir()):
            folder.rmdir()
        else:
            folder.chmod(FOLDER_MODE)


def checked(path: str) -> str:
    """A path as a set may hold it: inside the folder, and not the set's own state. Raises FormatError."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
        raise FormatError(f"a working set cannot hold {path!r}: it leads out of the folder")
    if parts[0] == ".git" or (parts[0] == ".brain" and path not in (".brain/instructions.md", ".brain/config.toml")):
        raise FormatError(f"a working set cannot hold {path!r}: that is state, not memory")
    return path


def write_plain(path: Path, data: bytes) -> None:
    """Write a file that nobody reads yet."""
    make_folder(path.parent)
    with path.open("wb") as file:
        file.write(data)
