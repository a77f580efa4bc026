"""What really differs in a run's work tree, read without trusting it: links are not followed, floods are not read.

An author with a shell can leave anything there. What is no page, note or summary, or cannot be one, is named as a
problem and never taken over; `drop` removes it before the rest is published.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from brain.sync.staging import WRITABLE, Staging
from brain.tree.files import write_atomic
from brain.tree.layout import classify
from brain.types import Problem, Severity

LARGEST = 1_000_000
"""Bytes of a file that is looked at; the rules refuse less (PTH004)."""

DISTILLED = "distilled"
"""Folder beside the work tree with the notes and summaries as they were written before the author began."""

MOST_FILES = 200
"""Strange files that are named one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """`changes` are new texts by path, None = gone, as the manifest says too; `stray` is what may not stay."""

    changes: dict[str, str | None]
    stray: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def differences(staging: Staging) -> Difference:
    """Compare the work tree with the run's base."""
    entries = staging.base.entries
    changes: dict[str, str | None] = {path: None for path in staging.gone() if path in staging.base}
    stray: list[str] = []
    problems: list[Problem] = []
    for path, file in _walk(staging.work):
        wrong = _unfit(file)
        if wrong is None:
            content = file.read_bytes()
            if staging.git.blob_name(content) == entries.get(path):
                changes.pop(path, None)
                continue
            wrong, text = _taken(path, content)
            if wrong is None:
                changes[path] = text
                continue
        stray.append(path)
        if len(stray) <= MOST_FILES:
            problems.append(_problem(path, wrong, path in entries))
    return Difference(changes=dict(sorted(changes.items())), stray=tuple(stray), problems=tuple(problems))


def drop(staging: Staging, stray: tuple[str, ...]) -> None:
    """Take out of the work tree what may not stay; what memory has at that place comes back as it was."""
    for path in stray:
        place = staging.work / path
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)
        if path in staging.base:
            write_atomic(place, staging.base.bytes(path))


def keep_distilled(staging: Staging) -> None:
    """Remember the notes and summaries that a program wrote before the author began."""
    for op in staging.manifest.ops:
        write_atomic(staging.path / DISTILLED / op.path, staging.read(op.path))


def missing(staging: Staging) -> list[str]:
    """Files that the author took away without saying so in the report; they count as still there."""
    made = _distilled(staging)
    gone = [path for path in made if path not in staging.base and not (staging.work / path).is_file()]
    return sorted([*(path for path in staging.unlisted() if classify(path) in WRITABLE), *gone])


def put_back_distilled(staging: Staging) -> None:
    """Bring back notes and summaries of this run's turns that are gone: nothing would ever write them again."""
    made = _distilled(staging)
    for path in missing(staging):
        if path in made:
            staging.write(path, (staging.path / DISTILLED / path).read_text("utf-8"))


def _distilled(staging: Staging) -> list[str]:
    return [path for path, _ in _walk(staging.path / DISTILLED)]


def _walk(root: Path, prefix: str = "") -> Iterator[tuple[str, Path]]:
    try:
        entries = sorted(os.scandir(root / prefix), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if not prefix and entry.name == ".git":
            continue
        path = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(root, f"{path}/")
        else:
            yield path, root / path


def _unfit(file: Path) -> tuple[str, str] | None:
    """The rule and words of why a file is not even read."""
    try:
        found = file.lstat()
    except OSError as error:
        return "PTH002", f"cannot be looked at: {error.strerror}"
    if stat.S_ISLNK(found.st_mode):
        return "PTH002", "is a symbolic link"
    if not stat.S_ISREG(found.st_mode):
        return "PTH002", "is not a regular file"
    if found.st_nlink > 1:
        return "PTH002", "has another hard link"
    if found.st_size > LARGEST:
        return "PTH004", f"has {found.st_size} bytes"
    return None


def _taken(path: str, content: bytes) -> tuple[tuple[str, str] | None, str]:
    """Why changed content is not taken, and its text."""
    if classify(path) not in WRITABLE:
        return ("SEC004", "is not a run's to write: only pages, notes and summaries are"), ""
    try:
        return None, content.decode("utf-8")
    except UnicodeDecodeError:
        return ("PTH004", "is not UTF-8"), ""


def _problem(path: str, wrong: tuple[str, str], known: bool) -> Problem:
    rule, message = wrong
    fix = f"git checkout -- '{path}'" if known else f"rm '{path}' (close drops it)"
    shown = path.encode("utf-8", "replace").decode("utf-8")
    return Problem(rule=rule, severity=Severity.E, path=shown, message=message, fix=fix)
