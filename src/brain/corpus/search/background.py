"""Vectors in the background: one process or thread a brain, at low priority, that goes on where the last one stopped.

A command that wrote something starts the process and is done; it brings the index in step, makes what vectors are
missing, and ends. Killed at any moment, it loses nothing but the texts it was at. What it does stands in `embed.log`.

    >>> start(Path("memory"))                                                                  # doctest: +SKIP
    >>> running(Path("memory"))                                                                # doctest: +SKIP
    4711
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from brain.config import FILE, Config
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import EmbedderUnavailable
from brain.corpus.search.upkeep import Progress
from brain.errors import BrainError, IndexBroken, LockHeld

FOLDER = Path(".brain/index")
SLICE = 20.0  # seconds after which what was written meanwhile gets its turn
LOG = 256 * 1024  # bytes of talk that are kept
_NICE = 15
_APART = 0x00000008 | 0x00000200 | 0x00004000  # Windows: detached, a group of its own, below normal priority
_started: list[subprocess.Popen[bytes]] = []  # those of this process, so that none is left a zombie


def start(root: Path) -> bool:
    """Start the process of a brain unless it is at work; True when one was started."""
    root = root.resolve()
    if running(root) is not None:
        return False
    command = [sys.executable, "-m", "brain.corpus.search.background", str(root)]
    try:
        log = _log(root)
        with log.open("ab") as out:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
                creationflags=_APART if os.name == "nt" else 0,
            )  # fmt: skip
    except OSError:
        return False  # no room, no processes to be had: the next command tries again
    _started[:] = [process, *(one for one in _started if one.poll() is None)]
    return True


def running(root: Path) -> int | None:
    """The process that makes vectors for a brain now; None when there is none."""
    if not (root / FOLDER / "embed.lock").exists():
        return None
    with _alone(root, wait=0.0) as mine:
        if mine:
            return None
    with suppress(OSError, ValueError):
        return int((root / FOLDER / "embed.pid").read_text("ascii"))
    return 0


@contextmanager
def _alone(root: Path, *, wait: float) -> Iterator[bool]:
    """Be the one that makes vectors for a brain; False when another is. The lock dies with its process."""
    folder = root / FOLDER
    lock = sqlite3.connect(folder / "embed.lock", timeout=wait, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            yield False
            return
        yield True
    finally:
        lock.close()


def work(index: SearchIndex, root: Path, *, say: Callable[[str], None], stop: threading.Event | None = None) -> None:
    """Make every vector that is missing, and those of what comes in meanwhile, unless another is at it."""
    halt = stop or threading.Event()
    while not halt.is_set():
        with _alone(root, wait=2.0) as mine:
            if not mine:
                return
            (root / FOLDER / "embed.pid").write_text(str(os.getpid()), encoding="ascii")
            _make_all(index, root, say, halt)
        if halt.is_set() or not index.waiting():  # else one came between the last look and giving up the lock
            return


def _make_all(index: SearchIndex, root: Path, say: Callable[[str], None], halt: threading.Event) -> None:
    index.settle()
    done, began = 0, time.monotonic()
    while not halt.is_set() and (root / FILE).exists():
        try:
            index.update()
            step = index.embed(seconds=SLICE, halted=halt.is_set)
        except LockHeld:  # a long import is writing
            halt.wait(1.0)
            continue
        done += step.done
        if step.done:
            say(f"{done} texts in {time.monotonic() - began:.0f} s, {step.left} to come")
        if not step.left or not step.done:
            return


def finish(index: SearchIndex, root: Path, progress: Progress | None = None) -> None:
    """Be there until every text has its vector: by making them, or waiting for the one that does."""
    (root / FOLDER).mkdir(mode=0o700, parents=True, exist_ok=True)
    total = index.waiting()
    while True:
        with _alone(root, wait=0.0) as mine:
            if mine:
                index.embed(progress=progress)
                return
        left = index.waiting()
        if progress:
            progress(max(0, total - left), total, "meaning, in the background")
        if not left:
            return
        time.sleep(0.5)


class Process:
    """Follows a brain by a process of its own: what commands use, which end before it does."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def wake(self) -> None:
        start(self._root)

    def close(self) -> None:
        """It goes on."""


class Thread:
    """Follows a brain by a thread of this process: what a server uses, and programs that keep a brain open."""

    def __init__(self, root: Path, config: Config) -> None:
        self._root = root
        self._config = config
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._again = False

    def wake(self) -> None:
        """See to it that what is missing is made, soon."""
        with self._lock:
            self._again = True
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._run, name="brain vectors", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop after the texts at hand. The thread is gone when this returns."""
        self._stop.set()
        if (thread := self._thread) is not None:
            thread.join()

    def _run(self) -> None:
        with suppress(AttributeError, OSError):  # this thread alone, where the system can
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        index = SearchIndex(self._root, self._config)
        while True:
            with self._lock:
                if not self._again or self._stop.is_set():
                    self._thread = None
                    break
                self._again = False
            with suppress(BrainError, OSError, sqlite3.Error):  # said by the next search; tried again at the next call
                work(index, self._root, say=lambda _: None, stop=self._stop)
        index.close()


def _log(root: Path) -> Path:
    """Where the process writes; what is old goes when it has grown long."""
    folder = root / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = folder / "embed.log"
    if log.exists() and log.stat().st_size > LOG:
        log.write_bytes(log.read_bytes()[-LOG // 4 :])
    os.close(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    return log


def main(root: Path) -> None:
    """What the process does."""

    def say(line: str) -> None:
        print(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {os.getpid()} {line}", flush=True)

    if hasattr(os, "nice"):
        os.nice(_NICE)
    try:
        index = SearchIndex(root, Config.load(root), say=say)
        work(index, root, say=say)
    except (EmbedderUnavailable, IndexBroken) as error:
        say(f"{error.message}; the next command tries again")
    except (BrainError, OSError, sqlite3.Error) as error:  # the brain was moved away, the disk is full
        say(f"stopped: {error}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
