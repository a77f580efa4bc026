"""Everything that lies on disk of a brain and of its user's state, as far as it unpacks, to look for what must not."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import zlib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path


def everything(*roots: Path) -> str:
    """The bytes and names of all files, the objects of git unpacked, the values of SQLite databases; one text."""
    parts: list[str] = []
    for root in roots:
        for file in sorted(root.rglob("*")):
            if not file.is_file():
                continue
            data = file.read_bytes()
            parts += [file.as_posix(), data.decode("utf-8", "replace")]
            if re.search(r"\.git/objects/[0-9a-f]{2}/[0-9a-f]{38}$", file.as_posix()):
                parts.append(zlib.decompress(data).decode("utf-8", "replace"))
            if data.startswith(b"SQLite format 3"):
                parts += _rows(file)
        if (root / ".git").is_dir():
            git = ["git", f"--git-dir={root / '.git'}", "cat-file", "--batch-all-objects", "--batch"]
            parts.append(subprocess.run(git, capture_output=True, check=True).stdout.decode("utf-8", "replace"))
    return "\n".join(parts)


def _rows(file: Path) -> list[str]:
    found: list[str] = []
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        try:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                found += [str(value) for row in db.execute(f'SELECT * FROM "{name}"') for value in row]
        except sqlite3.Error:
            pass
    return found


def leaked(traces: Iterable[str], held: str) -> list[str]:
    """The traces that are there, whichever way they are written in lower case or with their signs dropped."""
    lower = held.lower()
    return sorted({trace for trace in traces if len(trace) >= 6 and trace.lower() in lower})
