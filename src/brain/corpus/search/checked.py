"""Hashes of large files, remembered by size and time: weights are read whole once, not at every start."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from brain.config import cache_home


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    stat = path.stat()
    mark = [stat.st_size, stat.st_mtime_ns, stat.st_ino]
    file = cache_home() / "weights.json"
    known = _read(file)
    name = str(path.resolve())
    held = known.get(name)
    if isinstance(held, list) and held[:3] == mark and len(held) == 4:
        return str(held[3])
    with path.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").hexdigest()
    _write(file, {**known, name: [*mark, digest]})
    return digest


def _read(file: Path) -> dict[str, object]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(file: Path, known: dict[str, object]) -> None:
    """Best effort: without it the next start hashes again."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = file.with_name(f".{file.name}.{os.getpid()}")
        fresh.write_text(json.dumps(known), encoding="utf-8")
        fresh.replace(file)
    except OSError:
        return
