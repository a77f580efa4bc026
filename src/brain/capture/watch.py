"""Watching: what changes where sessions are kept is brought in when it rests, again and again until stopped.

Imports are incremental and take turns with every other writer. What cannot be read now is tried again; a file that is
written to all the time is taken in between; after an import that took long, the next one waits longer.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from brain.capture import queue, worker
from brain.capture.alone import WATCH, alone
from brain.capture.changes import Changes
from brain.capture.folders import Place, whole
from brain.capture.nightly import Nightly
from brain.capture.told import faults, line_of
from brain.capture.worker import Bring
from brain.errors import BrainError, LockHeld, NotFound
from brain.ingest.report import ImportReport

RESTLESS = 10  # times `settle` after which a file is taken though it does not rest
HALF_WRITTEN = 30.0  # seconds after which a last line without its end is taken as it is
PAUSE = 3.0  # how many times as long as the last import the next one waits
LONGEST_PAUSE = 60.0
AWAY = 30.0  # seconds until an import that failed as a whole is tried again
TRIES = 5


class Watch:
    """One watch of a brain. `bring` imports files and folders; `brought` gets the report of each that brought anything
    or found damage; `clock` gives the time for the nightly dream."""

    def __init__(
        self,
        root: Path,
        places: Sequence[Place],
        bring: Bring,
        *,
        settle: float,
        poll: float,
        nightly: Nightly,
        clock: Callable[[], datetime],
        say: Callable[[str], None],
        brought: Callable[[ImportReport], None],
    ) -> None:
        self._root = root
        self._places = places
        self._bring = bring
        self._settle = settle
        self._poll = poll
        self._nightly = nightly
        self._clock = clock
        self._say = say
        self._brought = brought
        self._pending: dict[Path, tuple[float, float]] = {}  # when it changed first and last
        self._tries: dict[Path, int] = {}
        self._complained: set[str] = set()
        self._not_before = 0.0
        self._one_by_one = False

    def run(self, stop: threading.Event) -> None:
        """Bring in all that is there, then what changes, until `stop`. Raises LockHeld while another watch runs."""
        with alone(self._root, WATCH) as mine:
            if not mine:
                raise LockHeld("another watch of this brain is running", hint="one is enough: it sees every folder")
            changes = Changes(self._places, skip=self._root, poll=self._poll, say=self._say)
            self._later(path for place in self._places for path in place.all(self._root.resolve()))
            try:
                for changed in changes.follow(stop):
                    self._note(changed)
                    self._step()
                    self._nightly.tick(self._clock())
            finally:
                self._nightly.stop()

    def _later(self, paths: Iterable[Path]) -> None:
        now = time.monotonic() - self._settle
        for path in paths:
            self._pending[path] = (now, now)

    def _note(self, changed: set[Path]) -> None:
        now = time.monotonic()
        for path in sorted({whole(path) for path in changed}):
            self._pending[path] = (self._pending.get(path, (now, now))[0], now)
            self._tries.pop(path, None)

    def _step(self) -> None:
        """Bring in what rests, and what hooks left."""
        now = time.monotonic()
        if now < self._not_before:
            return
        due = [path for path, (first, last) in sorted(self._pending.items()) if self._rests(path, now, first, last)]
        left = [(one, paths) for one in queue.waiting(self._root) if (paths := self._left(one)) is not None]
        due = [path for path in due if path.exists()]
        if self._one_by_one:
            due, left = (due[:1], []) if due else ([], left[:1])
        for path in [path for path in self._pending if not path.exists()]:
            del self._pending[path]  # deleted or renamed: memory keeps what it has
        asked = sorted({*due, *(path for _, paths in left for path in paths)})
        if not asked:
            return
        try:
            report = self._bring(asked)
        except (LockHeld, NotFound):  # another import runs; a file went meanwhile
            self._not_before = now + self._settle
            return
        except (BrainError, OSError, sqlite3.Error) as error:  # no room, no git: the same for every file
            self._complain(f"nothing could be brought in: {error}")
            self._not_before = now + AWAY
            return
        except Exception as error:  # a watch must not die of one file
            self._isolate(asked, error)
            for one, _ in left if self._one_by_one else []:
                queue.later(self._root, one, now=time.time())
            return
        took = time.monotonic() - now
        self._not_before = time.monotonic() + min(took * PAUSE, LONGEST_PAUSE)
        for path in due:
            del self._pending[path]
        for one in queue.waiting(self._root):
            there = one.path and any(Path(one.path).is_relative_to(path) for path in due)
            if there or one in [given for given, _ in left]:
                queue.taken(self._root, one)
        self._one_by_one = self._one_by_one and bool(self._pending)
        self._again(report)
        self._tell(report)

    def _isolate(self, asked: Sequence[Path], error: Exception) -> None:
        """Something in what was asked for ends an import: take all of it file by file, and give up on what it is."""
        self._one_by_one = True
        for path in asked if len(asked) == 1 else ():
            self._pending.pop(path, None)
            if path.is_dir():
                self._later(file for file, _ in Place(folder=path).files(self._root.resolve()))
            else:
                self._complain(f"{path}: reading stopped ({type(error).__name__}: {error}); brain import says more")

    def _rests(self, path: Path, now: float, first: float, last: float) -> bool:
        """Whether a file is to be read now: quiet for a while and ended by a line end, or changing for too long."""
        if now - last < self._settle and now - first < self._settle * RESTLESS:
            return False
        return now - last > HALF_WRITTEN or not _half_written(path)

    def _left(self, one: queue.Waiting) -> list[Path] | None:
        return worker.paths_of(one) if one.due <= time.time() else None

    def _again(self, report: ImportReport) -> None:
        """Files that could not be opened are looked at again, later each time."""
        for file in report.files:
            if any(reason.startswith("cannot be read") for reason in file.skips.broken) and file.path.exists():
                tries = self._tries[file.path] = self._tries.get(file.path, 0) + 1
                if tries <= TRIES:
                    when = time.monotonic() + self._settle * 2**tries
                    self._pending[file.path] = (when, when)

    def _tell(self, report: ImportReport) -> None:
        line, found = line_of(report), list(faults(report))
        if line:
            self._say(line)
        for fault in found:
            self._complain(fault)
        if line or found:
            self._brought(report)

    def _complain(self, line: str) -> None:
        """Once, however often it is found again."""
        if line not in self._complained:
            self._complained.add(line)
            self._say(line)


def _half_written(path: Path) -> bool:
    """Whether the last line of a file of lines has no end yet."""
    if path.suffix != ".jsonl":
        return False
    with suppress(OSError, ValueError), path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) != b"\n"
    return False
