"""The fence around what a connector may read: one folder or file, no way out of it, and no more bytes than agreed."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from brain.connectors.kind import MOST, Place
from brain.errors import ConnectorError, NotFound

BYTES = 20_000_000
"""Bytes of one file that are read at most."""

SEEN = 50_000
"""Files of one folder that are looked at."""

_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")
_PASSED = frozenset({"node_modules", "__pycache__", "site-packages"})


def ground(place: Place) -> Path:
    """The file or folder that a connector's `path` names, resolved. Raises ConnectorError."""
    written = place.connector.path
    if not written:
        raise ConnectorError(place.name, "has no path", hint=f'[connectors.{place.name}] path = "…"')
    if _SCHEME.match(written) and not re.match(r"^[A-Za-z]:[\\/]", written):
        raise ConnectorError(place.name, f"path = {written!r} is an address, not a path", hint="write a plain path")
    if "\0" in written:
        raise ConnectorError(place.name, "its path holds a NUL byte")
    found = place.root / Path(written).expanduser()
    try:
        return found.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else "its links run in a circle"
        raise ConnectorError(
            place.name, f"{written!r} cannot be read: {why}", hint=f"correct path in [connectors.{place.name}]"
        ) from error


def inside(place: Place, base: Path, relative: str) -> Path:
    """The file of an id below `base`. Raises NotFound for one that leads out of it, by `..`, links or addresses."""
    parts = PurePosixPath(relative)
    outside = NotFound(
        f"connector {place.name!r}: {relative!r} is outside of what it may read",
        hint=f"brain connector list {place.name}",
    )
    if not relative or "\0" in relative or "\\" in relative or _SCHEME.match(relative):
        raise outside
    if parts.is_absolute() or ".." in parts.parts or not place.allows(relative):
        raise outside
    file = (base / parts).resolve()
    if not file.is_relative_to(base) or file.is_relative_to(place.root.resolve()):
        raise outside
    if _hidden(parts) or _hidden(PurePosixPath(file.relative_to(base).as_posix())):
        raise outside
    return file


def read(place: Place, file: Path, most: int = BYTES) -> bytes:
    """The bytes of a regular file. Raises ConnectorError for what is no file, too large or not readable."""
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise ConnectorError(place.name, f"{file.name!r} cannot be read: {error.strerror}") from error
    with os.fdopen(handle, "rb") as opened:
        state = os.fstat(opened.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise ConnectorError(place.name, f"{file.name!r} is no regular file")
        if state.st_size > most:
            raise ConnectorError(
                place.name,
                f"{file.name!r} has {state.st_size:,} bytes, more than {most:,}",
                hint="leave it out, or split it",
            )
        return opened.read(most)


def files(place: Place, base: Path, suffixes: frozenset[str]) -> Iterator[tuple[str, Path]]:
    """The allowed files below a folder with one of these suffixes: relative path and file, sorted.

    Hidden files and folders are passed over, and so are links that lead out and the brain itself. What is passed over
    for another reason than its name is counted in `place.skipped`.
    """
    own, found, seen = place.root.resolve(), 0, 0
    for folder, names, leaves in os.walk(base):
        here = Path(folder)
        names[:] = sorted(
            name for name in names
            if not name.startswith(".") and name not in _PASSED and not (here / name).resolve().is_relative_to(own)
        )  # fmt: skip
        for name in sorted(leaves):
            seen += 1
            if seen > SEEN:
                place.skipped["more files than are looked at"] += 1
                return
            relative = (here / name).relative_to(base).as_posix()
            if name.startswith(".") or Path(name).suffix.lower() not in suffixes or not place.allows(relative):
                continue
            try:
                file = inside(place, base, relative)
            except (NotFound, OSError, RuntimeError):
                place.skipped["leads out of the folder"] += 1
                continue
            if not file.is_file():
                place.skipped["no regular file"] += 1
                continue
            found += 1
            if found > MOST:
                place.skipped["more files than are read"] += 1
                continue
            yield relative, file


def _hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") for part in path.parts)
