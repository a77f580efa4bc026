"""Which files of what the user named are transcripts, of which format, and in which order they are read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from brain.ingest.archive import ARCHIVE
from brain.ingest.formats import Format, find_format, formats, state_of
from brain.ingest.report import FileReport
from brain.ingest.source import Head

_PASSED = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".brain", ".tox", ".mypy_cache"}
_STAMP = re.compile(rb'"(?:timestamp|create_time|created_at)"\s*:\s*"?([0-9][^",}\s]{7,30})')


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A file to read. `asked` = the user named it, rather than a folder it lies in."""

    path: Path
    format: Format
    size: int
    mtime: int
    asked: bool
    first: str


def choose(paths: Iterable[Path], *, inside: Path) -> tuple[list[Choice], list[FileReport]]:
    """The files to read, and a report for each that is not read. `inside` is the brain itself, which is never imported.

    Within a format the files that begin earlier come first, so that a session is read before its forks.
    """
    chosen: list[Choice] = []
    passed: list[FileReport] = []
    seen: set[tuple[int, int]] = set()
    for path, asked in _files(paths, inside.resolve()):
        report = FileReport(path=path, asked=asked)
        try:
            state = path.stat()
            if (state.st_dev, state.st_ino) in seen:
                continue
            seen.add((state.st_dev, state.st_ino))
            head = Head.of(path)
            form = ARCHIVE if ARCHIVE.detect(head) else find_format(head)
            size, changed = state_of(form, path) if form else (0, 0)
        except OSError as error:
            report.skips.damage(f"cannot be read: {error.strerror or error}")
            passed.append(report)
            continue
        if form is None:
            report.problem = _why(head)
            if not asked:
                report.skips.leave("not a transcript")
            passed.append(report)
            continue
        stamp = _STAMP.search(head.data)
        first = stamp[1].decode("ascii", "replace") if stamp else ""
        chosen.append(Choice(path=path, format=form, size=size, mtime=changed, asked=asked, first=first))
    return sorted(chosen, key=lambda one: (one.format.name, one.first, str(one.path))), passed


def _files(paths: Iterable[Path], inside: Path) -> Iterator[tuple[Path, bool]]:
    for path in paths:
        if not path.is_dir():
            yield path, True
            continue
        for folder, names, files in os.walk(path):
            here = Path(folder)
            names[:] = sorted(name for name in names if name not in _PASSED and (here / name).resolve() != inside)
            if here.resolve() == inside:
                names[:] = []
                continue
            for name in sorted(files):
                if (here / name).is_file():
                    yield here / name, False


def _why(head: Head) -> str:
    """What the file looks like instead, and what would work."""
    known = ", ".join(one.name for one in formats())
    if not head.size:
        return "the file is empty"
    if head.data.startswith(b"SQLite format 3"):
        return f"a database; formats that are read: {known}"
    if head.json and head.records:
        keys = ", ".join(sorted(map(str, head.records[0]))[:8])
        return f"JSON with the keys {keys}: not a transcript of a known format ({known})"
    if head.json == "array":
        return "a JSON array that holds no conversation"
    if head.json:
        return "JSON that does not parse, or holds no conversation"
    return f"no line says who speaks, and it is none of the formats {known}"
