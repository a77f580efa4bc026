"""The hosts Brain knows, by name, and where they are set up."""

from __future__ import annotations

from pathlib import Path

from brain.config import folder_from_environment
from brain.errors import UsageError
from brain.hosts.host import Host, Place, Scope
from brain.hosts.kinds import claude_code, codex, cursor, gemini, openclaw, opencode

HOSTS: dict[str, Host] = {
    host.name: host for host in (claude_code.HOST, codex.HOST, cursor.HOST, gemini.HOST, opencode.HOST, openclaw.HOST)
}
GENERIC = "generic"
"""Any other host: nothing is written, what to write is said."""


def named(name: str) -> Host:
    """The host of that name. Raises UsageError."""
    if name not in HOSTS:
        raise UsageError(f"no host {name!r}", hint=f"known: {', '.join([*HOSTS, GENERIC])}")
    return HOSTS[name]


def place(scope: Scope, project: Path | None = None) -> Place:
    """The user's home folder, or a project's (default: the folder we are in). Raises UsageError when it is none."""
    folder = (project or Path.cwd()).resolve()
    if not folder.is_dir():
        raise UsageError(f"no folder {str(folder)!r}")
    return Place(scope=scope, home=Path.home(), project=folder, folders=folder_from_environment)
