"""Making what an agent leaves behind safe to read: plain files and folders, and nothing else."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

DEEPEST = 8
"""Folders one in the other that are left; memory's own are five (format §1)."""


def plain(folder: Path) -> list[str]:
    """Take out of a folder what is neither a plain file nor a folder, and say what it was, by path.

    For what a sandbox leaves behind, before anything outside reads it: a link would be followed by its reader, a pipe
    would hold it for ever, and a folder without rights would hide what is in it.
    """
    found: list[str] = []
    for parent, folders, files in os.walk(folder):  # a folder is seen before what is in it
        if len(Path(parent).relative_to(folder).parts) >= DEEPEST:
            found += [f"{Path(parent, name).relative_to(folder).as_posix()}: too deep, removed" for name in folders]
            _remove(Path(parent), folders)
            folders.clear()
        for name in sorted([*folders, *files]):
            place = Path(parent, name)
            mode = place.lstat().st_mode
            if stat.S_ISDIR(mode):
                place.chmod(0o700)
            elif not stat.S_ISREG(mode):
                place.unlink()
                found.append(f"{place.relative_to(folder).as_posix()}: {_kind(mode)}, removed")
            elif stat.S_IMODE(mode) != 0o600:
                place.chmod(0o600)
    return sorted(found)


def _remove(parent: Path, names: list[str]) -> None:
    """Remove folders however deep they are: Python's own way goes down one call a level, and by whole paths."""
    if names:
        subprocess.run(["rm", "-rf", "--", *names], cwd=parent, check=False, capture_output=True)


def _kind(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "a named pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
