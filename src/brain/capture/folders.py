"""Where agent hosts keep their sessions, as their documentation says, and which of what lies there is a session.

claude-code   ~/.claude/projects (CLAUDE_CONFIG_DIR)         one JSONL a session
codex         ~/.codex/sessions, archived_sessions (CODEX_HOME)
cursor        ~/.cursor/projects/*/agent-transcripts         its database of old chats is for `brain import`
gemini        ~/.gemini/tmp/*/chats (GEMINI_CLI_HOME)
opencode      ~/.local/share/opencode/storage and opencode*.db (XDG_DATA_HOME)
openclaw      ~/.openclaw/agents/*/sessions (OPENCLAW_STATE_DIR)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from brain.config import folder_from_environment

PASSED = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".brain", ".tox", ".mypy_cache"}
_SIDE = ("-wal", "-shm", "-journal")
_UNFINISHED = (".tmp", ".part", ".partial", ".crdownload", ".swp", ".lock", "~")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder in which sessions appear. `host` is empty for a person's own.

    `inside` is a folder they lie in somewhere below; `only` the pattern of the files that count, directly in the
    folder: nothing deeper is looked at then. `head` is the folder below that names all sessions, for a first import.
    """

    folder: Path
    host: str = ""
    inside: str = ""
    only: str = ""
    head: str = ""

    def all(self, skip: Path) -> list[Path]:
        """What to import for everything that is there."""
        if self.inside or self.only:
            return sorted({whole(path) for path, _ in self.files(skip)})
        folder = self.folder / self.head
        return [folder] if folder.is_dir() else []

    def files(self, skip: Path) -> Iterator[tuple[Path, os.stat_result]]:
        """The files that count, with their state; what vanishes or may not be read meanwhile is passed over."""
        for folder, names, files in os.walk(self.folder):
            here = Path(folder)
            deeper = [name for name in names if name not in PASSED and (here / name).resolve() != skip]
            names[:] = [] if self.only else sorted(deeper)
            for name in sorted(files):
                if self.counts(here / name):
                    try:
                        yield here / name, (here / name).stat()
                    except OSError:
                        continue

    def counts(self, path: Path) -> bool:
        """Whether a file may be a session, or a part of one, by where it lies and how it is called."""
        if not path.is_relative_to(self.folder) or path.name.startswith(".") or path.name.endswith(_UNFINISHED):
            return False
        below = path.relative_to(self.folder).parts
        if self.only:
            return len(below) == 1 and fnmatch(path.name, self.only)
        return not PASSED.intersection(below) and (not self.inside or self.inside in below[:-1])


def host_folders(host: str) -> tuple[Path, ...]:
    """The folders in which a host keeps its sessions, whether they are there or not."""
    return tuple(place.folder for place in host_places(host))


def host_places(host: str) -> tuple[Place, ...]:
    """Where a host's sessions appear; none for one that is not known."""
    home = Path.home()
    if host == "claude-code":
        base = folder_from_environment("CLAUDE_CONFIG_DIR") or home / ".claude"
        return (Place(host=host, folder=base / "projects"),)
    if host == "codex":
        base = folder_from_environment("CODEX_HOME") or home / ".codex"
        return tuple(Place(host=host, folder=base / name) for name in ("sessions", "archived_sessions"))
    if host == "cursor":
        return (Place(host=host, folder=home / ".cursor" / "projects", inside="agent-transcripts"),)
    if host == "gemini":
        base = folder_from_environment("GEMINI_CLI_HOME") or home
        return (Place(host=host, folder=base / ".gemini" / "tmp", inside="chats"),)
    if host == "opencode":
        base = (folder_from_environment("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"
        return (
            Place(host=host, folder=base / "storage", head="session"),
            Place(host=host, folder=base, only="opencode*.db*"),
        )
    if host == "openclaw":
        base = folder_from_environment("OPENCLAW_STATE_DIR") or home / ".openclaw"
        return (Place(host=host, folder=base / "agents", inside="sessions"),)
    return ()


def places(hosts: Iterable[str], folders: Iterable[Path]) -> tuple[Place, ...]:
    """The places of some hosts, and a person's own folders."""
    found = [place for host in hosts for place in host_places(host)]
    return (*found, *(Place(folder=folder.expanduser().absolute()) for folder in folders))


def whole(path: Path) -> Path:
    """What to import when a file changed: the database that a side file belongs to, the sessions that a piece is of."""
    for side in _SIDE:
        if path.name.endswith(side):
            return path.with_name(path.name.removesuffix(side))
    parts = path.parts
    if "storage" in parts:  # opencode: a message's or part's file; sessions are read with all their pieces
        at = len(parts) - 1 - parts[::-1].index("storage")
        if parts[at + 1 : at + 2] in (("message",), ("part",), ("session",)):
            return Path(*parts[: at + 1], "session")
    return path


def find_session(host: str, session: str) -> Path | None:
    """The newest file of a host that is named after a session; None when there is none."""
    if not session or any(sign in session for sign in "/\\*?[]"):
        return None
    found = [
        (state.st_mtime_ns, path)
        for place in host_places(host)
        for path, state in place.files(Path())
        if session in path.stem
    ]
    return max(found)[1] if found else None
