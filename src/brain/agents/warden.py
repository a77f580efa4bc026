"""Runs one command of a sandbox within its limits; a program of its own, run with a bare Python, stdlib only.

    python -I -S warden.py '{"seconds": 60, …}' command argument …

The kernel bounds each process (address space, CPU time, file size) and, by user or control group, their number. What no
process limit covers is looked at from outside, many times a second: how many processes there are, what they hold in
memory together, how far the writable folder has grown, how much was printed, how long it takes, and whether the machine
itself runs out of memory or disk. Over a limit everything that the command started is killed; the last line of stderr
says why, the exit code is 125.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import selectors
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

STOPPED = 125
PROC = Path("/proc")
GROUPS = (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup"))
_LOOK = 0.02  # seconds between two looks at the processes
_MEASURE = 0.1  # at least as many seconds between two measurings of the disk
_DRAIN = 1.0  # seconds in which output is still read after the command has ended
_SPARE_MEMORY, _SPARE_DISK = 256 << 20, 512 << 20  # what must stay free on the machine
_CHUNK = 1 << 16
_LIBC = ctypes.CDLL(None)
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: orphans come to us, and are found
DEEPEST = 24
"""Folders one in the other; memory needs five, and a path that is too long to be named would hide what lies there."""


class Over(Exception):
    """A limit was passed; the text says which."""


class Watch:
    """What the command's processes use, seen from outside."""

    def __init__(self, limits: dict[str, float], folder: str, before: tuple[int, int]) -> None:
        self.limits = limits
        self.folder = folder
        self.space, self.files = before
        self.end = time.monotonic() + limits["seconds"]
        self.measured = 0.0
        self.pause = _MEASURE
        try:
            space, files = self.grown()
        except Over:
            space, files = before  # the first look says so
        # what is over the limit already may still be cleared up, but not grow
        self.most = max(limits["disk"], space - self.space), max(limits["files"], files - self.files)
        self.tight = _free_memory() < 2 * _SPARE_MEMORY  # a machine that was full before is not our doing
        self.full = bool(folder) and _free_disk(folder) < 2 * _SPARE_DISK

    def grown(self) -> tuple[int, int]:
        return grown(self.folder) if self.folder else (0, 0)

    def look(self) -> None:
        """Raises Over."""
        now = time.monotonic()
        if now > self.end:
            raise Over(f"{self.limits['seconds']:g} seconds")
        family = descendants(os.getpid())
        if len(family) > self.limits["processes"]:
            raise Over(f"{self.limits['processes']:.0f} processes")
        if sum(_memory(pid) for pid in family) > self.limits["memory"]:
            raise Over(f"{_megabytes(self.limits['memory'])} of memory")
        if not self.tight and _free_memory() < _SPARE_MEMORY:
            raise Over("the memory that this machine can spare")
        if now - self.measured > self.pause:
            self._measure(family)

    def _measure(self, family: list[int]) -> None:
        start = time.monotonic()
        hidden = _unlinked(family)
        space, files = self.grown()
        if space - self.space + hidden > self.most[0]:
            raise Over(f"{_megabytes(self.limits['disk'])} of new files")
        if files - self.files > self.most[1]:
            raise Over(f"{self.limits['files']:.0f} new files")
        if self.folder and not self.full and _free_disk(self.folder) < _SPARE_DISK:
            raise Over("the disk that this machine can spare")
        self.measured = time.monotonic()
        self.pause = max(_MEASURE, 5 * (self.measured - start))


def run(limits: dict[str, float], folder: str, before: tuple[int, int], command: list[str]) -> int:
    """The command's exit code, or STOPPED. `before` is what the folder held when its sandbox was made."""
    _bound(limits)
    watch = Watch(limits, folder, before)
    group = _group(int(2 * limits["processes"]))

    def enter() -> None:
        os.nice(15)  # whoever watches must come first
        _end_with_us()
        if group:
            with contextlib.suppress(OSError):  # it is looked after from outside all the same
                (group / "cgroup.procs").write_text("0")

    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, preexec_fn=enter) as child:
        try:
            _pass_on(child, watch, int(limits["output"]))
            watch.look()  # what a short command left behind counts too
        except Over as over:
            _kill(child)
            with contextlib.suppress(Over):
                watch.grown()  # now that nobody adds to it, what lies too deep goes
            sys.stderr.write(f"\nstopped by the sandbox: the command used more than {over}\n")
            return STOPPED
        finally:
            _kill(child)
            if group:
                _leave(group)
    code = child.returncode
    return code if code >= 0 else 128 - code


def _pass_on(child: subprocess.Popen[bytes], watch: Watch, most: int) -> None:
    """Hand on what the command prints until it has ended. Raises Over."""
    out, err = sys.stdout.buffer, sys.stderr.buffer
    left = None
    with selectors.DefaultSelector() as selector:
        for source, sink in ((child.stdout, out), (child.stderr, err)):
            assert source is not None
            os.set_blocking(source.fileno(), False)
            selector.register(source, selectors.EVENT_READ, (source, sink))
        looked = 0.0
        while selector.get_map():
            for key, _ in selector.select(_LOOK):
                most -= _hand_on(selector, *key.data)
                if most < 0:
                    raise Over("the output allowed; write to a file and read part of it")
            if time.monotonic() - looked > _LOOK:
                watch.look()
                looked = time.monotonic()
            if left is None and child.poll() is not None:
                left = time.monotonic() + _DRAIN
            if left is not None and time.monotonic() > left:
                return
    while child.poll() is None:  # it closed its pipes and goes on
        watch.look()
        time.sleep(_LOOK)


def _hand_on(selector: selectors.DefaultSelector, source: BinaryIO, sink: BinaryIO) -> int:
    data = os.read(source.fileno(), _CHUNK)
    if not data:
        selector.unregister(source)
    else:
        sink.write(data)
        sink.flush()
    return len(data)


def _bound(limits: dict[str, float]) -> None:
    """What the kernel holds for each process from here on, the command's children included."""
    _come_first()
    with contextlib.suppress(OSError, AttributeError):
        _LIBC.prctl(_SUBREAPER, 1, 0, 0, 0)
    for kind, most in (
        (resource.RLIMIT_AS, limits["address"]),
        (resource.RLIMIT_CPU, limits["cpu"]),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, limits["open"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, _running() + 2 * limits["processes"]),  # a brake for all but root
    ):
        _, hard = resource.getrlimit(kind)
        value = int(most) if hard == resource.RLIM_INFINITY else min(int(most), hard)
        resource.setrlimit(kind, (value, value))


def _end_with_us() -> None:
    """In the child: die when the warden dies, and first of all when the machine runs out of memory."""
    with contextlib.suppress(OSError, AttributeError):
        _LIBC.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        (PROC / "self/oom_score_adj").write_text("1000")


def _come_first() -> None:
    """Be scheduled before what is watched: a thousand processes of a fork bomb leave no time for anybody else."""
    with contextlib.suppress(OSError):  # only root may; for others the kernel counts processes
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def _group(most: int) -> Path | None:
    """A control group that holds so many processes, for root, whose processes the kernel does not count by user."""
    for base in GROUPS:
        for left in base.glob("brain-sandbox-*"):  # of a warden that was killed
            if not (PROC / left.name.rpartition("-")[2]).exists():
                _leave(left)
        place = base / f"brain-sandbox-{os.getpid()}"
        try:
            place.mkdir()
        except OSError:
            continue
        with contextlib.suppress(OSError):
            if (place / "pids.max").exists():
                (place / "pids.max").write_text(str(most))
                return place
        _leave(place)  # no such controller here
    return None


def _leave(group: Path) -> None:
    with contextlib.suppress(OSError):
        group.rmdir()


def _running() -> int:
    """Threads of this user now."""
    me, total = os.getuid(), 0
    for entry in PROC.iterdir():
        try:
            if entry.name.isdigit() and entry.stat().st_uid == me:
                total += int((entry / "stat").read_bytes().rpartition(b")")[2].split()[17])
        except OSError:
            continue  # it has just ended
    return total


def descendants(root: int) -> list[int]:
    """Every process below one, in whatever namespace it lives, nearest first."""
    below: dict[int, list[int]] = {}
    for entry in os.listdir(PROC):  # noqa: PTH208 (names only, and many times a second)
        if entry.isdigit():
            try:
                fields = (PROC / entry / "stat").read_bytes().rpartition(b")")[2].split()
            except OSError:
                continue  # it has just ended
            below.setdefault(int(fields[1]), []).append(int(entry))
    found = below.get(root, [])
    for pid in found:  # grows as it goes
        found += below.get(pid, [])
    return found


def _memory(pid: int) -> int:
    """Bytes that a process holds and shares with no file: its own and what it shares with other processes."""
    total = 0
    try:
        for line in (PROC / str(pid) / "status").read_bytes().splitlines():
            if line.startswith((b"RssAnon:", b"RssShmem:")):
                total += int(line.split()[1]) << 10
    except (OSError, IndexError, ValueError):
        return 0
    return total


def _unlinked(family: list[int]) -> int:
    """Bytes in files that have no name any more, or never had one, and are still open."""
    seen: dict[tuple[int, int], int] = {}
    for pid in family:
        folder = PROC / str(pid) / "fd"
        try:
            names = os.listdir(folder)  # noqa: PTH208
        except OSError:
            continue
        for name in names:
            try:
                found = os.stat(folder / name)  # noqa: PTH116
            except OSError:
                continue
            if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                seen[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(seen.values())


def grown(folder: str) -> tuple[int, int]:
    """Bytes on disk and number of entries below a folder; links are counted, not followed.

    Raises Over for folders that go too deep; what is in those is removed. Rights that hide a folder are put right.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return _below(handle, 0)
    finally:
        os.close(handle)


def _below(handle: int, depth: int) -> tuple[int, int]:
    space = files = 0
    with os.scandir(handle) as entries:
        for entry in entries:
            files += 1
            try:
                if not entry.is_dir(follow_symlinks=False):
                    space += entry.stat(follow_symlinks=False).st_blocks * 512
                    continue
                if depth >= DEEPEST:
                    os.lseek(handle, 0, os.SEEK_SET)
                    _empty(handle)
                    raise Over(f"{DEEPEST} folders one in the other")
                inner = _opened(entry.name, handle)
            except PermissionError:
                raise Over("folders that can be looked into") from None
            except OSError:
                continue  # it was removed meanwhile
            try:
                more, number = _below(inner, depth + 1)
            finally:
                os.close(inner)
            space, files = space + more, files + number
    return space, files


def _opened(name: str, handle: int) -> int:
    how = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    try:
        return os.open(name, how, dir_fd=handle)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=handle)
        return os.open(name, how, dir_fd=handle)


def _empty(handle: int) -> None:
    """Remove all below an open folder, however deep it goes and however long its paths are."""
    names = os.listdir(handle)
    if names:
        command = ["rm", "-rf", "--", *names]
        subprocess.run(command, preexec_fn=lambda: os.fchdir(handle), check=False, capture_output=True)


def _free_memory() -> int:
    for line in (PROC / "meminfo").read_bytes().splitlines():
        if line.startswith(b"MemAvailable:"):
            return int(line.split()[1]) << 10
    return sys.maxsize


def _free_disk(folder: str) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def _megabytes(size: float) -> str:
    return f"{size / (1 << 20):.0f} MB"


def _kill(child: subprocess.Popen[bytes]) -> None:
    """End everything below this process. Nearest first: with the first process of its namespace all others die."""
    for _ in range(200):
        family = descendants(os.getpid())
        if not family:
            break
        for pid in family[:8]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        child.poll()
        for pid in family:
            _reap(pid, child.pid)
        time.sleep(0.005)
    child.poll()


def _reap(pid: int, child: int) -> None:
    """Take an orphan that came to us off the process table; the child itself is waited for by its own object."""
    if pid != child:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return


if __name__ == "__main__":
    settings = json.loads(sys.argv[1])
    sys.exit(run(settings["limits"], settings["folder"], tuple(settings["before"]), sys.argv[2:]))
