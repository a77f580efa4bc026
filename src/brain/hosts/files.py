"""Other people's settings files, read so that nothing is lost and replaced whole or not at all.

A link stays a link: what it leads to is written. The mark at a file's beginning, its line ends and its mode stay too.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from brain.errors import FormatError
from brain.tree.files import write_atomic

MAX_BYTES = 32_000_000
MARK = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file as found: where it really lies, its bytes (None = it is not there), and its text without the mark."""

    path: Path
    target: Path
    data: bytes | None
    text: str
    mark: str

    @property
    def sha256(self) -> str:
        return digest(self.data or b"")


def read(path: Path) -> File:
    """A settings file. Raises FormatError when it cannot be read without risk of losing something."""
    try:
        target = path.resolve()
        data = target.read_bytes() if target.exists() else None
    except (OSError, RuntimeError) as error:
        raise FormatError(f"it cannot be read ({getattr(error, 'strerror', None) or error})", path=str(path)) from error
    if data is None:
        return File(path=path, target=target, data=None, text="", mark="")
    if not target.is_file():
        raise FormatError("it is no file", path=str(path))
    if len(data) > MAX_BYTES:
        raise FormatError(f"it is larger than {MAX_BYTES // 1_000_000} MB", path=str(path))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("it is not UTF-8", path=str(path), line=data.count(b"\n", 0, error.start) + 1) from error
    if "\0" in text:
        raise FormatError("it holds NUL bytes", path=str(path), line=text.count("\n", 0, text.index("\0")) + 1)
    mark = MARK if text.startswith(MARK) else ""
    return File(path=path, target=target, data=data, text=text[len(mark) :], mark=mark)


def write(file: File, data: bytes | None, *, mode: int) -> None:
    """Replace a file by these bytes, or remove it. Raises FormatError when it must not be written or changed meanwhile.

    `mode` is for a file that was not there.
    """
    if read(file.path).data != file.data:
        raise FormatError("it was changed by somebody else just now", path=str(file.path))
    if file.data is not None:
        found = stat.S_IMODE(file.target.stat().st_mode)
        if not found & stat.S_IWUSR or not os.access(file.target, os.W_OK):
            raise FormatError("it is write-protected", path=str(file.path))
        mode = found
    try:
        if data is None:
            file.target.unlink(missing_ok=True)
        else:
            file.target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(file.target, data, mode)
    except OSError as error:
        raise FormatError(f"it cannot be written ({error.strerror or error})", path=str(file.path)) from error


def missing_folders(path: Path) -> list[Path]:
    """The folders that writing a file would make, the deepest first."""
    folder, missing = path.resolve().parent, []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    return missing


def remove_folders(folders: list[Path]) -> None:
    """Remove those folders that are empty now; the others stay."""
    for folder in sorted(folders, key=lambda one: len(one.parts), reverse=True):
        try:
            folder.rmdir()
        except OSError:
            continue  # somebody has something in it


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()
