"""One writer at a time: the lock file of a brain, with a lease and a fencing number (format §16.1).

The file is created whole or not at all. A lock is stale when its lease is over, or when its holder ran on this machine
and is dead; it is then broken by the next number, which only ever rises, so a holder that slept through its lease
notices (`check`) before it publishes anything.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from brain.errors import LockHeld
from brain.tree.files import make_folder, write_atomic

LEASE = 120.0  # seconds
PATIENCE = 60.0  # seconds a command waits for another one
_POLL = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds the lock. `until` is the lease's end in seconds since 1970; `fence` counts the holders so far."""

    what: str
    pid: int
    started: str
    host: str
    until: float
    fence: int


class Lock:
    """The lock of the brain in `root`; `number` is where the last fencing number is kept (it outlives the lock)."""

    def __init__(self, root: Path, number: Path, *, what: str = "brain") -> None:
        self.path = root / ".brain" / "lock"
        self.number = number
        self.what = what
        self.fence = 0

    def acquire(self, patience: float = PATIENCE) -> None:
        """Take the lock. Raises LockHeld after `patience` seconds, naming the holder."""
        deadline = time.monotonic() + patience
        while True:
            with self._guard():
                holder = self.holder()
                if holder is None or _stale(holder):
                    self.fence = 1 + max(self._last(), holder.fence if holder else 0)
                    write_atomic(self.number, f"{self.fence}\n")
                    self._write()
                    return
            if time.monotonic() >= deadline:
                where = f"process {holder.pid} on {holder.host.partition('/')[0]}"
                raise LockHeld(
                    f"{holder.what!r} ({where}) is writing to this brain", hint="run it again when it is done"
                )
            time.sleep(_POLL)

    def check(self) -> None:
        """Prolong the lease. Raises LockHeld if somebody else broke the lock meanwhile."""
        with self._guard():
            holder = self.holder()
            if holder is None or holder.fence != self.fence:
                raise LockHeld("another command broke this brain's lock, nothing was published", hint="run it again")
            self._write()

    def release(self) -> None:
        with self._guard():
            holder = self.holder()
            if holder is not None and holder.fence == self.fence:
                self.path.unlink(missing_ok=True)
        self.fence = 0

    def holder(self) -> Holder | None:
        """Who holds the lock; a file that does not read counts as a lock whose lease is over."""
        try:
            return Holder(**json.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError):
            return Holder(what="unknown", pid=0, started="", host="", until=0.0, fence=0)

    def __enter__(self) -> Lock:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _last(self) -> int:
        try:
            return int(self.number.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return 0

    def _write(self) -> None:
        holder = Holder(
            what=self.what,
            pid=os.getpid(),
            started=_started(os.getpid()),
            host=_host(),
            until=time.time() + LEASE,
            fence=self.fence,
        )
        write_atomic(self.path, json.dumps(asdict(holder)) + "\n")

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Microseconds of exclusion around looking at the lock and taking it; the system drops it when we die."""
        place = self.number.with_suffix(".guard")
        make_folder(place.parent)
        handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _exclusive(handle)
            yield
        finally:
            os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _exclusive(handle: int) -> None:
        while True:
            try:
                return msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
            except OSError:
                time.sleep(_POLL)

else:
    import fcntl

    def _exclusive(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)


def alive(pid: int, started: str, host: str) -> bool:
    """Whether a process may still run; one on another machine counts as alive."""
    if host != _host():
        return True
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    now_there = _started(pid)
    return not started or not now_there or started == now_there


def this_process() -> tuple[int, str, str]:
    """What `alive` wants to know about the process that calls."""
    return os.getpid(), _started(os.getpid()), _host()


def _stale(holder: Holder) -> bool:
    return time.time() > holder.until or not alive(holder.pid, holder.started, holder.host)


def _started(pid: int) -> str:
    """Start time and state of a process where the system tells, so that a number used again is not taken for it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "dead" if fields[0] in "ZX" else fields[19]


def _host() -> str:
    """This machine: name, and where the system tells, its boot and the set of process numbers we see."""
    boot = ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        boot += "/" + str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        pass
    return f"{socket.gethostname()}/{boot}"
