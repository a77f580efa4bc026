"""The process that captures what hooks leave, so that no host waits: one a brain, gone when nothing waits any more."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from brain.capture import queue
from brain.capture.alone import FOLDER, WORKER, alone, taken
from brain.capture.folders import find_session, host_folders, whole
from brain.capture.queue import Waiting
from brain.capture.told import line_of
from brain.errors import LockHeld, NotFound
from brain.tree.files import make_folder

if TYPE_CHECKING:  # a hook, which starts the worker, has no time to load importing
    from brain.ingest.report import ImportReport

Bring = Callable[[Sequence[Path]], "ImportReport"]

LOG = 256 * 1024  # bytes of talk that are kept
RESTS = 0.5  # seconds a file must be quiet: hosts write the last lines after they called
PATIENCE = 15.0  # how much later than due a file that is written all the time is taken
_LOOK = 0.2
_APART = 0x00000008 | 0x00000200 | 0x00004000  # Windows: detached, a group of its own, below normal priority


def start(root: Path) -> bool:
    """Start the worker of a brain unless one is at work; True when one was started.

    It has nothing of ours: no streams, no group, no folder, so a host that waits for those does not wait for it.
    """
    if taken(root, WORKER):
        return False
    root = root.resolve()
    command = [sys.executable, "-m", "brain", "hook", "work", "--memory", str(root)]
    with _log(root).open("ab") as out:
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=root, start_new_session=True,
            creationflags=_APART if os.name == "nt" else 0,
        )  # fmt: skip
    return True


def work(root: Path, bring: Bring, *, say: Callable[[str], None]) -> None:
    """Capture all that waits, and what comes meanwhile, unless another is at it. What fails is said."""
    while queue.waiting(root):
        with alone(root, WORKER, wait=2.0) as mine:
            if not mine:
                return
            _drain(root, bring, say)
        # what was put between the last look and giving up the lock found it taken, and counts on us


def _drain(root: Path, bring: Bring, say: Callable[[str], None]) -> None:
    while ahead := queue.waiting(root):
        now = time.time()
        due = [one for one in ahead if one.due <= now]
        ready = [(one, paths) for one in due if (paths := paths_of(one)) is not None and _rests(paths, one, now)]
        for one in due:
            if paths_of(one) is None:
                say(f"{one.host}: no transcript of session {one.session or '(unnamed)'}")
                queue.taken(root, one)
        if not ready:
            time.sleep(_LOOK)
            continue
        if not _bring(root, ready, bring, say) and len(ready) > 1:  # one of them may be why
            for pair in ready:
                _bring(root, [pair], bring, say)


def _bring(root: Path, ready: Sequence[tuple[Waiting, list[Path]]], bring: Bring, say: Callable[[str], None]) -> bool:
    """Import sessions together; False when that failed, and they are tried again later, but not for ever."""
    try:
        report = bring(sorted({path for _, paths in ready for path in paths}))
    except LockHeld:  # another import: it may be a long one
        time.sleep(1.0)
        return True
    except NotFound:  # gone between two looks
        return True
    except Exception as error:  # nothing of one session may keep the others out
        say(f"not captured: {error}")
        for one, _ in ready if len(ready) == 1 else ():
            if not queue.later(root, one, now=time.time()):
                say(f"{one.host}: gave up on session {one.session}; brain import says more")
        return False
    for one, _ in ready:
        queue.taken(root, one)
    say(line_of(report) or "nothing new")
    return True


def paths_of(one: Waiting) -> list[Path] | None:
    """What to import for a session: the file its host named, else one called after it, else the host's folders.

    None when there is nothing.
    """
    if one.path:
        path = whole(Path(one.path))
        return [path] if path.exists() else None
    if (found := find_session(one.host, one.session)) is not None:
        return [whole(found)]
    return [folder for folder in host_folders(one.host) if folder.is_dir()] or None


def _rests(paths: Sequence[Path], one: Waiting, now: float) -> bool:
    if now - one.due > PATIENCE:
        return True
    try:
        return all(path.is_dir() or now - path.stat().st_mtime >= RESTS for path in paths)
    except OSError:
        return False


def _log(root: Path) -> Path:
    """Where the worker writes; what is old goes when it has grown long."""
    make_folder(root / FOLDER)
    log = root / FOLDER / "capture.log"
    if log.exists() and log.stat().st_size > LOG:
        log.write_bytes(log.read_bytes()[-LOG // 4 :])
    os.close(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    return log
