"""What Brain puts into a host, as data: entries in settings files that others write too, and files of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Literal, Protocol

from brain.hosts.command import Command

NAME = "brain"
"""What Brain is called in a host's settings."""
SKILL = "brain-explore"


class Scope(StrEnum):
    USER = "user"
    PROJECT = "project"


class Format(StrEnum):
    JSON = "json"  # JSON, JSON with comments, JSON5: read alike, and written as plain JSON
    TOML = "toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a host is set up: the user's home folder, or the project the user is in."""

    scope: Scope
    home: Path
    project: Path
    folders: Callable[[str], Path | None]  # folders that variables such as CODEX_HOME name

    def folder(self, variable: str, *default: str) -> Path:
        """A folder of the user: as the variable says, else below the home folder."""
        return self.folders(variable) or self.home.joinpath(*default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing in a settings file.

    `member`: the object at `path`, whose last name is ours. `item`: one item of the list at `path`, found by `ours`.
    `default`: a value at `path` where there is none; one that is there is somebody's decision and stays.
    """

    kind: Literal["member", "item", "default"]
    path: tuple[str, ...]
    value: object
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A settings file of the host, with our entries. Where it may lie, the first that exists, else the first."""

    paths: tuple[Path, ...]
    format: Format
    entries: Callable[[object], tuple[Entry, ...]]  # by the values that the file has

    @property
    def path(self) -> Path:
        return next((path for path in self.paths if path.exists() or path.is_symlink()), self.paths[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A file that is all ours."""

    path: Path
    text: str
    what: str


class Host(Protocol):
    """An agent that people use. `docs` names the pages its settings were checked against."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def programs(self) -> tuple[str, ...]: ...

    @property
    def docs(self) -> tuple[str, ...]: ...

    @property
    def expands(self) -> tuple[str, ...]:
        """What the host would replace in a string of its settings."""
        ...

    @property
    def after(self) -> str:
        """What the user has to do then."""
        ...

    def home(self, place: Place) -> Path:
        """The folder whose presence says that the host is used here."""
        ...

    def settings(self, place: Place, command: Command) -> tuple[Settings, ...]: ...

    def own(self, place: Place, command: Command) -> tuple[Own, ...]: ...


def skill(folder: Path) -> Own:
    """The exploring skill, in a host's folder of skills."""
    return Own(path=folder / SKILL / "SKILL.md", text=skill_text(), what="skill")


def skill_text() -> str:
    """The exploring skill as this version ships it (Agent Skills)."""
    return files("brain").joinpath("skills", SKILL, "SKILL.md").read_text(encoding="utf-8")


def code(name: str, **slots: object) -> str:
    """A program file for a host that is extended by code; each slot becomes a JSON value."""
    text = files("brain.hosts").joinpath("code", name).read_text(encoding="utf-8")
    for slot, value in slots.items():
        text = text.replace(f'"{{{{{slot}}}}}"', json.dumps(value, ensure_ascii=False))
    return text


def groups(events: tuple[tuple[str, str], ...], command: Command, host: str, timeout: int) -> tuple[Entry, ...]:
    """Hooks of the form that Claude Code made common: an event has a list of groups, a group a list of commands."""
    return tuple(
        Entry(
            kind="item",
            path=("hooks", event),
            value={
                "hooks": [{"type": "command", "command": command.line(command.hook(call, host)), "timeout": timeout}]
            },
            what=f"hook {event}",
        )
        for event, call in events
    )


def server_is_ours(value: object) -> bool:
    """Whether an MCP entry starts `brain mcp`, this one or another's."""
    if not isinstance(value, dict):
        return False
    command, args = value.get("command"), value.get("args", [])
    words = [command, *args] if isinstance(command, str) and isinstance(args, list) else command
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words) or not words:
        return False
    program = re.split(r"[\\/]", words[0])[-1].removesuffix(".exe")
    return "mcp" in words[1:] and (program == NAME or words[1:3] == ["-m", NAME])


def hook_is_ours(value: object, host: str) -> bool:
    """Whether a hook calls `brain hook … --host HOST`."""
    line = value.get("command") if isinstance(value, dict) else None
    call = rf"\b{NAME}(?:\.exe)?['\"]?\s+hook [a-z-]+ --host {re.escape(host)}(?![\w-])"
    return isinstance(line, str) and re.search(call, line) is not None


def group_is_ours(value: object, host: str) -> bool:
    """Whether a hook, or one of the hooks of a group, is ours."""
    hooks = value.get("hooks") if isinstance(value, dict) else None
    return hook_is_ours(value, host) or (isinstance(hooks, list) and any(hook_is_ours(hook, host) for hook in hooks))
