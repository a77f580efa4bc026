"""Keeping a foreign agent to its run: memory read-only around it where bubblewrap is there, else watched for changes.

An agent's own command line needs its home and its network, so this is no sandbox: it holds the memory folder, no more.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from brain.agents.sandbox import HINT, missing
from brain.errors import ConfigError, FormatError
from brain.tree.layout import AGENTS, ARTIFACTS, CONFIG, DELETIONS, INSTRUCTIONS, SESSION_INDEX, SUMMARIES, TRANSCRIPTS
from brain.tree.sessions import parse_rows

_GUARDED = (AGENTS, CONFIG, INSTRUCTIONS, DELETIONS)
_FOLDERS = (TRANSCRIPTS, ARTIFACTS, SUMMARIES, "knowledge/", "notes/")


def shielded(argv: Sequence[str], root: Path, folder: Path, *, unsandboxed: bool) -> tuple[list[str], bool]:
    """The command inside a view of the disk where of memory only `folder` can be written; whether that could be done.

    Beside it what is derived: the search index, and what git keeps of the run's own work tree. Raises ConfigError where
    it cannot, unless `unsandboxed`.
    """
    why = missing()
    program = shutil.which("bwrap")
    if why is not None or program is None:
        if not unsandboxed:
            raise ConfigError(f"an agent's command runs with memory read-only around it, and {why}", hint=HINT)
        return list(argv), False
    binds = ["--ro-bind", str(root), str(root), "--bind", str(folder), str(folder)]
    for place in (root / ".brain" / "index", _git_folder(root, folder)):
        if place is not None and place.is_dir():
            binds += ["--bind", str(place), str(place)]
    # as root, /proc/sys could be written even from in here: read-only, but for what belongs to the processes inside
    options = ["--dev-bind", "/", "/", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--unshare-pid"]
    options += ["--die-with-parent"]
    return [program, *options, *binds, "--chdir", str(folder / "tree"), "--", *argv], True


def _git_folder(root: Path, folder: Path) -> Path | None:
    """Where git keeps what it knows of the run's work tree, None when the file that says it leads anywhere else.

    The command can write that file, so a second call must not believe that all of memory is named there.
    """
    try:
        said = (folder / "tree" / ".git").read_text("utf-8").removeprefix("gitdir:").strip()
    except (OSError, UnicodeDecodeError):
        return None
    place = Path(said).resolve()
    return place if place.parent == (root / ".git" / "worktrees").resolve() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Memory as it lay before a command ran: hashes of what has authority, size and time of the rest."""

    root: Path
    hashes: dict[str, str]
    stats: dict[str, tuple[int, int, int]]

    @classmethod
    def of(cls, root: Path) -> Watch:
        hashes = {path: _hash(root / path) for path in _GUARDED}
        return cls(root=root, hashes=hashes, stats=_stats(root))

    def changed(self) -> list[str]:
        """What is not as it was. Transcripts that an import grew meanwhile are as the session index says, and pass."""
        found = [path for path, before in self.hashes.items() if _hash(self.root / path) != before]
        now = _stats(self.root)
        differ = sorted(path for path in {*now, *self.stats} if now.get(path) != self.stats.get(path))
        known = _known_transcripts(self.root) if differ else {}
        return found + [path for path in differ if known.get(path, "-") != _hash(self.root / path)]


def _stats(root: Path) -> dict[str, tuple[int, int, int]]:
    found = {}
    for folder in _FOLDERS:
        for place in sorted((root / folder).rglob("*")):
            if not place.is_dir():
                stat = place.lstat()
                found[place.relative_to(root).as_posix()] = (stat.st_size, stat.st_mtime_ns, stat.st_ino)
    return found


def _known_transcripts(root: Path) -> dict[str, str]:
    try:
        rows = parse_rows((root / SESSION_INDEX).read_text("utf-8"))
    except (OSError, FormatError, UnicodeDecodeError):
        return {}
    return {row.transcript: row.transcript_sha256 for row in rows}


def _hash(place: Path) -> str:
    try:
        return sha256(place.read_bytes()).hexdigest()
    except OSError:
        return ""
