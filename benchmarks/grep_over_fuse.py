"""`grep -Ri` over a local working set, and over the same files behind a FUSE mount that adds a delay to each call.

    python benchmarks/grep_over_fuse.py [--files 400] [--delays 1 10] [--runs 5]

Needs root, /dev/fuse, the system's libfuse and `mfusepy` (pip install mfusepy); without them it says so and stops. The
mount is a pass-through in Python whose every call (getattr, opendir, readdir, open, read, release) first waits; with
`cached` the kernel may keep attributes and names for a second, without it asks each time. What is compared is one
`grep -Ri word` over all files, the median of the runs; the page cache is warm for both.
"""

from __future__ import annotations

import argparse
import errno
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brain.corpus.local import LocalCorpus
from brain.workset import workset
from brain.workset.manifest import Budget
from invented_memory import write_memory


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--files", type=int, default=400, help="files in the working set")
    options.add_argument("--delays", type=float, nargs="*", default=[1, 10], help="milliseconds added to a call")
    options.add_argument("--runs", type=int, default=5)
    asked = options.parse_args()
    why_not = cannot_mount()
    if why_not:
        print(f"skipped: {why_not}")
        return
    with tempfile.TemporaryDirectory() as there:
        memory, sandbox = Path(there, "memory"), Path(there, "set")
        write_memory(memory, asked.files * 3)
        with LocalCorpus(memory) as corpus:
            workset.boot(corpus, sandbox, source="memory", budget=Budget(bytes=10**9, files=asked.files * 2))
        count = sum(1 for path in sandbox.rglob("*") if path.is_file())
        local = grep(sandbox, asked.runs)
        print(f"{count} files; grep -Ri on local files: {local * 1000:.1f} ms")
        print("delay ms  kernel cache  seconds  times local")
        for delay in asked.delays:
            for cached in (True, False):
                with mounted(sandbox, Path(there, "mount"), delay / 1000, cached) as mount:
                    took = grep(mount, 1 if delay > 2 else min(asked.runs, 3))
                print(f"{delay:8g}  {'yes' if cached else 'no':12}  {took:7.2f}  {took / local:8.0f} x", flush=True)


def cannot_mount() -> str | None:
    """Why a FUSE mount is not possible here, None when it is."""
    if os.geteuid() != 0 or not Path("/dev/fuse").exists():
        return "needs root and /dev/fuse"
    try:
        import mfusepy  # noqa: F401
    except (ImportError, OSError) as error:
        return f"needs mfusepy and libfuse ({error}): pip install mfusepy, apt-get install fuse3"
    return None


def grep(folder: Path, runs: int) -> float:
    """Median seconds of one grep over all files."""
    took = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(["grep", "-Ri", "government", str(folder)], capture_output=True, check=False)
        took.append(time.perf_counter() - start)
    return statistics.median(took[1:] if runs > 1 else took[-1:])


@contextmanager
def mounted(source: Path, mount: Path, delay: float, cached: bool) -> Iterator[Path]:
    mount.mkdir(exist_ok=True)
    process = multiprocessing.get_context("fork").Process(
        target=serve, args=(source, mount, delay, cached), daemon=True
    )
    process.start()
    try:
        deadline = time.monotonic() + 10
        while not os.path.ismount(mount):
            if time.monotonic() > deadline:
                raise RuntimeError("the mount did not come up")
            time.sleep(0.05)
        yield mount
    finally:
        subprocess.run(["umount", "-l", str(mount)], check=False, capture_output=True)
        process.join(5)
        process.terminate()


def serve(source: Path, mount: Path, delay: float, cached: bool) -> None:
    import mfusepy

    keep = 1.0 if cached else 0.0
    mfusepy.FUSE(
        slow(mfusepy)(str(source), delay), str(mount), foreground=True, nothreads=False, ro=True,
        attr_timeout=keep, entry_timeout=keep,
    )  # fmt: skip


def slow(mfusepy: Any) -> Any:
    """A pass-through file system whose calls wait, as a class over mfusepy's."""

    class Slow(mfusepy.Operations):  # type: ignore[misc]
        use_ns = True

        def __init__(self, root: str, delay: float) -> None:
            self.root = root
            self.delay = delay

        def _real(self, path: str) -> str:
            time.sleep(self.delay)
            return self.root + path

        def getattr(self, path: str, fh: int | None = None) -> dict[str, int]:
            try:
                found = os.lstat(self._real(path))
            except OSError as error:
                raise mfusepy.FuseOSError(error.errno or errno.EIO) from error
            names = ("st_mode", "st_nlink", "st_size", "st_uid", "st_gid")
            times = {f"st_{n}": getattr(found, f"st_{n}_ns") for n in ("atime", "mtime", "ctime")}
            return {name: getattr(found, name) for name in names} | times

        def opendir(self, path: str) -> int:
            self._real(path)
            return 0

        def readdir(self, path: str, fh: int) -> list[str]:
            return [".", "..", *(entry.name for entry in os.scandir(self._real(path)))]

        def releasedir(self, path: str, fh: int) -> int:
            self._real(path)
            return 0

        def open(self, path: str, flags: int) -> int:
            return os.open(self._real(path), os.O_RDONLY)

        def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
            self._real(path)
            return os.pread(fh, size, offset)

        def release(self, path: str, fh: int) -> int:
            self._real(path)
            os.close(fh)
            return 0

    return Slow


if __name__ == "__main__":
    main()
