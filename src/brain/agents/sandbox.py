"""Where an agent's commands run: a bubblewrap sandbox that sees memory read-only and may write one folder.

Inside there is: a read-only `/usr`, the folders given as readable, one folder to write (the staging tree), a private
`/tmp` of bounded size. There is not: a network or any socket, the home directory, other brains, other processes, an
environment with keys, a way to become somebody else. How much a command may use is held by `warden.py`.

The harness's workspace launches bubblewrap, keeps its search path clean and loads the filter against sockets. It shows
the whole disk and all processes, though; the arguments added here replace its root by an empty one and fill that.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from brain.errors import ConfigError

if TYPE_CHECKING:
    from pydantic_ai.workspaces import CommandResult, Workspace, WorkspaceBackend, WorkspaceCommand

LEAST = (0, 8)
"""The first bubblewrap with `--size` and `--disable-userns`."""

HINT = "on Linux: apt install bubblewrap (0.8 or later); or let agents do without: [run] unsandboxed = true"

_READABLE = ("AGENTS.md", "knowledge", "notes", "sessions", ".brain/instructions.md", ".brain/deletions.jsonl")
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "BRAIN_RUN": "1",
}
_MB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one command may use; sizes in bytes, times in seconds.

    `memory` all processes together, `address` each one's address space, `file` one file, `tmp` all of `/tmp`, `output`
    printed to both streams, `cpu` each process, `seconds` the clock. What the writable folder may grow by, `disk` and
    `files`, counts from when the sandbox was made, over all its commands.
    """

    processes: int = 64
    memory: int = 1024 * _MB
    address: int = 2048 * _MB
    file: int = 16 * _MB
    disk: int = 64 * _MB
    files: int = 10_000
    open: int = 256
    tmp: int = 64 * _MB
    output: int = 1 * _MB
    cpu: int = 60
    seconds: float = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A place for commands. `folder` is where they start, the only one they may write, and only if `writable`.

    `files` are single files elsewhere that they may write too, in place.
    """

    folder: Path
    writable: bool = True
    readable: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)
    isolated: bool = True

    def workspace(self) -> Workspace:
        """What agents of pydantic-ai run their shell and file tools in."""
        from pydantic_ai.workspaces import Workspace
        from pydantic_ai_harness import BubblewrapWorkspace

        outside = Workspace(_guarded(self.folder, self.limits, self.writable))
        return BubblewrapWorkspace(outside, bwrap_args=self.arguments()) if self.isolated else outside

    def arguments(self) -> list[str]:
        """For bubblewrap, after those of the harness: an empty root, and what is put into it, outer folders first."""
        args = ["--unshare-pid", "--disable-userns", "--hostname", "sandbox", "--clearenv"]
        for name, value in _ENVIRONMENT.items():
            args += ["--setenv", name, value]
        args += ["--tmpfs", "/", "--ro-bind", "/usr", "/usr"]
        for path in _SYSTEM:
            args += _system(Path(path))
        for path in _SETTINGS:
            args += ["--ro-bind-try", path, path]
        args += ["--dev", "/dev", "--size", str(self.limits.tmp), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
        # a process that is root outside may write /proc/sys even without a single capability
        args += ["--proc", "/proc", "--remount-ro", "/proc", "--size", str(self.limits.tmp), "--tmpfs", "/tmp"]
        for place in sorted({path.resolve() for path in self.readable if path.exists()}):
            args += ["--ro-bind", str(place), str(place)]
        folder = str(self.folder.resolve())
        args += ["--bind" if self.writable else "--ro-bind", folder, folder]
        for file in self.files:
            args += ["--bind", str(file.resolve()), str(file.resolve())]
        if (self.folder / ".git").exists():  # where git outside would look for what to run
            args += ["--ro-bind", f"{folder}/.git", f"{folder}/.git"]
        return [*args, "--remount-ro", "/"]


def sandbox(
    folder: Path,
    *,
    readable: Iterable[Path] = (),
    files: Iterable[Path] = (),
    writable: bool = True,
    unsandboxed: bool = False,
    limits: Limits | None = None,
) -> Sandbox:
    """A sandbox that works on this machine. Raises ConfigError without bubblewrap, unless `unsandboxed`."""
    insist(unsandboxed=unsandboxed)
    return Sandbox(
        folder=folder,
        readable=tuple(readable),
        files=tuple(files),
        writable=writable,
        limits=limits or Limits(),
        isolated=missing() is None,
    )


def insist(*, unsandboxed: bool) -> None:
    """Raise ConfigError where agents can have no sandbox, unless they are allowed to do without."""
    if os.name != "posix":
        raise ConfigError("agents need a shell, which this system has not", hint="--engine extractive")
    if (why := missing()) and not unsandboxed:
        raise ConfigError(f"agents run in a sandbox, and {why}", hint=HINT)


def memory_of(root: Path) -> tuple[Path, ...]:
    """What an agent may read of a brain: wiki, notes, sessions, instructions, deletion log; never git or the rest."""
    return tuple(root / path for path in _READABLE if (root / path).exists() and not (root / path).is_symlink())


@cache
def missing() -> str | None:
    """Why there can be no sandbox on this machine, None if there can."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed"
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < LEAST:
        return f"bubblewrap is too old ({said.strip() or 'no version'})"
    trial = [program, "--unshare-user", "--unshare-pid", "--unshare-net", "--disable-userns", "--ro-bind", "/", "/"]
    tried = subprocess.run([*trial, "--proc", "/proc", "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"this machine does not let it make one: {tried.stderr.strip()}"
    return None


def _system(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", os.readlink(path), str(path)]  # noqa: PTH115 (as written, not resolved)
    return ["--ro-bind", str(path), str(path)] if path.exists() else []


def _guarded(folder: Path, limits: Limits, writable: bool) -> WorkspaceBackend:
    """A backend of the harness on this machine, whose every command runs under the warden, where there is one."""
    from pydantic_ai.workspaces import LocalWorkspaceBackend

    if sys.platform != "linux":
        return LocalWorkspaceBackend(folder)
    from brain.agents.warden import grown

    watched = str(folder.resolve()) if writable else ""
    before = grown(watched) if watched else (0, 0)
    settings = json.dumps({"limits": asdict(limits), "folder": watched, "before": before})
    warden = [sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py")), settings]

    class Guarded(LocalWorkspaceBackend):
        async def run(
            self,
            command: WorkspaceCommand,
            *,
            shell: bool = False,
            env: Mapping[str, str] | None = None,
            timeout: float | None = None,
        ) -> CommandResult:
            words = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
            return await super().run([*warden, *words], env=env, timeout=timeout)

    return Guarded(folder)
