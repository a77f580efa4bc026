"""Which hosts are here, what of Brain is in them, and whether it still works."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from brain.errors import FormatError
from brain.hosts import entries, files, receipts
from brain.hosts.command import Command, this_brain
from brain.hosts.entries import State
from brain.hosts.host import NAME, Host, Place, Scope
from brain.hosts.known import HOSTS


class Standing(StrEnum):
    INSTALLED = "installed"
    OLD = "old"  # as an earlier version, or for another memory or program, would write it
    PARTLY = "partly"
    ABSENT = "absent"
    BROKEN = "broken"

    @property
    def says(self) -> str:
        """For a host that memory should be in."""
        return {"old": "not as it would be written now", "partly": "a part is missing"}.get(
            self.value, "all of it is gone"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HostState:
    """One host at one place. `here` = it is used on this machine; `memory` is what it is installed for."""

    host: str
    title: str
    scope: Scope
    here: bool
    standing: Standing
    memory: str
    said: tuple[str, ...]

    @property
    def well(self) -> bool:
        return self.standing in {Standing.INSTALLED, Standing.ABSENT}

    def line(self) -> str:
        here = "here" if self.here else "not found"
        about = "; ".join(self.said) or (f"memory {self.memory}" if self.memory else "")
        return f"{self.host:<12} {self.scope.value:<8} {here:<10} {self.standing.value:<10} {about}".rstrip()


def look(host: Host, place: Place, command: Command) -> HostState:
    """How a host stands, against what would be written now."""
    states: list[State] = []
    said: list[str] = []
    memory = ""
    for settings in host.settings(place, command):
        try:
            file = files.read(settings.path)
            values = entries.values(file.text, settings.format)
            for entry in settings.entries(values):
                if entry.kind == "default":
                    continue
                found = entries.state(values, entry, host.name)
                states.append(found)
                if found is State.FOREIGN:
                    said.append(f"{settings.path}: {'.'.join(entry.path)} is not Brain's")
            words = _server(values)
            if words:
                memory = words[-1] if "--memory" in words else ""
                said += _dead(words)
        except FormatError as error:
            said.append(str(error))
    for own in host.own(place, command):
        there = own.path.is_file()
        same = there and own.path.read_bytes() == own.text.encode()
        states.append(State.SAME if same else State.OTHER if there else State.ABSENT)
    return HostState(
        host=host.name,
        title=host.title,
        scope=place.scope,
        here=host.home(place).is_dir() or any(shutil.which(program) for program in host.programs),
        standing=_sum(states, said),
        memory=memory,
        said=tuple(said),
    )


def look_at_all(place: Place, command: Command) -> list[HostState]:
    return [look(host, place, command) for host in HOSTS.values()]


def unwell(memory: Path, home: Place) -> Iterator[tuple[HostState, Place]]:
    """Installations for a memory that are not as they should be, with their place."""
    for receipt in receipts.load():
        if receipt.host not in HOSTS or receipt.memory != str(memory.resolve()):
            continue
        project = Path(receipt.project) if receipt.project else home.project
        if not project.is_dir():
            continue
        place = Place(scope=receipt.scope, home=home.home, project=project, folders=home.folders)
        state = look(HOSTS[receipt.host], place, this_brain(memory))
        if not state.well:
            yield state, place


def _sum(states: list[State], said: list[str]) -> Standing:
    ours = [state for state in states if state in {State.SAME, State.OTHER}]
    if said and ours:
        return Standing.BROKEN
    if not ours:
        return Standing.ABSENT
    if len(ours) < len(states):
        return Standing.PARTLY
    return Standing.INSTALLED if all(state is State.SAME for state in ours) else Standing.OLD


def _server(values: object) -> list[str]:
    """The words of our MCP entry, wherever a host keeps it."""
    for path in (("mcpServers",), ("mcp_servers",), ("mcp", "servers"), ("mcp",)):
        found: object = values
        for key in (*path, NAME):
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, dict):
            command, args = found.get("command"), found.get("args", [])
            words = [command, *args] if isinstance(command, str) and isinstance(args, list) else command
            if isinstance(words, list) and all(isinstance(word, str) for word in words):
                return words
    return []


def _dead(words: list[str]) -> list[str]:
    """What of a command is gone: its program, or the memory it names."""
    said = []
    program = Path(words[0])
    if not (program.is_file() if program.is_absolute() else shutil.which(words[0])):
        said.append(f"its program {words[0]} is gone")
    if "--memory" in words[:-1]:
        memory = words[words.index("--memory") + 1]
        if not (Path(memory) / ".brain" / "config.toml").is_file():
            said.append(f"its memory {memory} is gone")
    return said
