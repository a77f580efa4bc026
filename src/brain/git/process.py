"""Running the git command where nobody's configuration, hooks or prompts take part."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from brain.errors import GitError

NEEDED = (2, 39)
LOCK_PATIENCE = 3.0  # seconds: git holds a reference lock for milliseconds, so an older one was left by a killed git
_US, _MAIL = "brain-sync", "sync@brain.invalid"  # who moves references
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.quotePath": "false",
    "core.autocrlf": "false",
    "core.safecrlf": "false",
    "core.fileMode": "false",
    "core.fsmonitor": "false",
    "core.fsync": "committed,reference",  # an acknowledged commit survives a power cut
    "core.fsyncMethod": "batch",
    "core.precomposeUnicode": "true",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "advice.detachedHead": "false",
    "protocol.allow": "never",
}


def require_git() -> None:
    """Raises GitError unless a git that is new enough is there."""
    done = subprocess.run([program(), "version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)\.(\d+)", done.stdout)
    if not found or (int(found[1]), int(found[2])) < NEEDED:
        raise GitError(
            f"git {NEEDED[0]}.{NEEDED[1]} or later is needed, found {done.stdout.strip()!r}", hint="upgrade git"
        )


@lru_cache(maxsize=1)
def _found() -> str | None:
    return shutil.which("git")


def program() -> str:
    found = _found()
    if found is None:
        _found.cache_clear()
        raise GitError("git is not installed, and memory is kept in it", hint="install git 2.39 or later")
    return found


@lru_cache(maxsize=1)
def _environment() -> dict[str, str]:
    env = {
        "PATH": os.pathsep.join([str(Path(program()).parent), os.defpath]),
        "LC_ALL": "C",
        "HOME": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_COMMITTER_NAME": _US,
        "GIT_COMMITTER_EMAIL": _MAIL,
        "GIT_AUTHOR_NAME": _US,
        "GIT_AUTHOR_EMAIL": _MAIL,
        "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
    }
    for number, (key, value) in enumerate(_SETTINGS.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env


def _full_environment(root: Path, git_dir: Path, extra: Mapping[str, str] | None) -> dict[str, str]:
    return {**_environment(), "GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(root), **(extra or {})}


def call(
    root: Path, git_dir: Path, args: Sequence[str], *, data: bytes | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [program(), *args],
        cwd=root,
        env=_full_environment(root, git_dir, env),
        input=b"" if data is None else data,
        capture_output=True,
        check=False,
    )


def start(root: Path, git_dir: Path, args: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [program(), *args],
        cwd=root,
        env=_full_environment(root, git_dir, None),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def stop(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None and not pipe.closed:
            pipe.close()
    if process.poll() is None:
        process.terminate()
        process.wait()


def clear_dead_lock(lock: Path, git_dir: Path) -> None:
    """Remove a lock file that a killed git left in our repository; a living git holds one for milliseconds."""
    try:
        if lock.is_relative_to(git_dir) and time.time() - lock.stat().st_mtime > LOCK_PATIENCE:
            lock.unlink()
    except FileNotFoundError:
        pass


def read_foreign(git_dir: Path, args: Sequence[str], *, seconds: float, most: int) -> bytes:
    """What a git command that only reads says of somebody's own repository, in the closed environment.

    Raises GitError when it fails, takes longer than `seconds` or says more than `most` bytes.
    """
    env = {**_environment(), "GIT_NO_LAZY_FETCH": "1"}
    with tempfile.TemporaryFile() as talk:
        process = subprocess.Popen(
            [program(), "--no-pager", f"--git-dir={git_dir}", *args],
            cwd=git_dir, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=talk,
        )  # fmt: skip
        late = threading.Timer(seconds, process.kill)
        late.start()
        try:
            assert process.stdout is not None
            out = process.stdout.read(most + 1)
            if len(out) > most:
                raise GitError(f"git {args[0]} says more than {most:,} bytes")
            code = process.wait()
        finally:
            late.cancel()
            process.kill()
            if process.stdout is not None:
                process.stdout.close()
            process.wait()
        talk.seek(0)
        said = talk.read(10_000).decode("utf-8", "replace").strip()
    if code < 0:
        raise GitError(f"git {args[0]} took longer than {seconds:g} seconds")
    if code:
        raise GitError(f"git {args[0]} failed: {said.splitlines()[-1] if said else code}")
    return out
