"""A foreign command, run to its end or to its limits: time, and how much it prints. Nothing of it is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from brain.errors import ConfigError

MB = 1 << 20
MOST_PRINTED = 32 * MB
"""Bytes of output at which a command counts as running away (T18)."""

KEPT = 1 * MB
"""Bytes of it that are kept."""

GRACE = 5.0  # seconds between asking it to end and ending it


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended. `stopped` says which limit ended it, empty when none did; `last` are its last words."""

    code: int
    stopped: str = ""
    last: str = ""

    @property
    def ok(self) -> bool:
        return self.code == 0 and not self.stopped

    def why(self) -> str:
        """For a person, why it did not end well."""
        said = f": {self.last}" if self.last else ""
        return f"it was stopped, {self.stopped}{said}" if self.stopped else f"it ended with {self.code}{said}"


def run_bounded(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    prompt: str,
    seconds: float,
    log: Path,
    most: int = MOST_PRINTED,
) -> Ended:
    """Run a command with `prompt` on its standard input; what it prints goes to `log`, bounded.

    Raises ConfigError when there is no such command.
    """
    try:
        process = subprocess.Popen(
            list(argv), cwd=cwd, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise ConfigError(
            f"the agent's command cannot be started: {argv[0]}: {error.strerror}",
            hint="brain dream --command 'claude -p'",
        ) from error
    heard = _Heard(process, log, most)
    speaking = threading.Thread(target=_tell, args=(process, prompt), daemon=True)
    listening = threading.Thread(target=heard.listen, daemon=True)
    speaking.start()
    listening.start()
    stopped = ""
    deadline = time.monotonic() + seconds
    try:
        while process.poll() is None:
            if heard.over.is_set():
                stopped = f"it printed more than {most // MB} MB"
            elif time.monotonic() > deadline:
                stopped = f"it took more than {seconds / 60:.4g} minutes"
            if stopped:
                break
            heard.over.wait(0.05)
    finally:
        end(process)
    listening.join(GRACE)
    if heard.over.is_set() and not stopped:
        stopped = f"it printed more than {most // MB} MB"
    return Ended(code=process.returncode, stopped=stopped, last=heard.last())


def end(process: subprocess.Popen[bytes]) -> None:
    """End a command and all it started in its group: asked first, then killed."""
    if process.poll() is None:
        _signal(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    _signal(process, signal.SIGKILL)
    process.wait()
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()


def _signal(process: subprocess.Popen[bytes], which: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, which)


def _tell(process: subprocess.Popen[bytes], prompt: str) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(prompt.encode("utf-8", "replace"))
        process.stdin.close()
    except (OSError, ValueError):
        pass  # it did not want to hear it all


class _Heard:
    """What a command printed: the beginning goes to the log, the end is remembered, too much sets `over`."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path, most: int) -> None:
        self.process, self.log, self.most = process, log, most
        self.over = threading.Event()
        self._tail = b""

    def listen(self) -> None:
        assert self.process.stdout is not None
        printed = 0
        with self.process.stdout as stream, self.log.open("wb") as kept:
            self.log.chmod(0o600)
            while chunk := _read(stream.fileno()):
                if printed < KEPT:
                    kept.write(chunk[: KEPT - printed])
                    kept.flush()
                printed += len(chunk)
                self._tail = (self._tail + chunk)[-4096:]
                if printed > self.most:
                    self.over.set()
                    return

    def last(self) -> str:
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1][-200:] if lines else ""


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 1 << 16)
    except OSError:
        return b""
