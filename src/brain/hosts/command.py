"""How a host starts this very `brain`: its program by absolute path, as a list of words or as a line for a shell.

Hosts start programs with a short PATH, from anywhere; so nothing here depends on either.
"""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from brain.errors import UsageError

WINDOWS = os.name == "nt"
PASSING = (
    "archive-v0",
    "builds-v0",
    "environments-v2",
)  # folders of programs that were run once, without being installed


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The words that start `brain`, the memory it works on, and whether lines are for a shell of Windows."""

    words: tuple[str, ...]
    memory: str
    windows: bool = WINDOWS

    @property
    def serve(self) -> tuple[str, ...]:
        """Starts the MCP server."""
        return (*self.words, "mcp", "--memory", self.memory)

    def hook(self, event: str, host: str) -> tuple[str, ...]:
        """Tells memory what happens in a host."""
        return (*self.words, "hook", event, "--host", host, "--memory", self.memory)

    def line(self, words: tuple[str, ...]) -> str:
        """Words as one line for the shell that runs hooks."""
        return _for_windows(words) if self.windows else shlex.join(words)

    @property
    def passing(self) -> bool:
        """Whether the program lies where it will not stay."""
        return any(part in PASSING for part in Path(self.words[0]).parts)


def this_brain(memory: Path) -> Command:
    """The program that runs now, for the memory at a folder. Raises UsageError when a path has no text form."""
    python = Path(sys.executable)
    program = python.with_name("brain.exe" if WINDOWS else "brain")
    words = (str(program),) if program.is_file() else (str(python), "-m", "brain")
    command = Command(words=words, memory=str(memory.resolve()))
    for word in command.serve:
        odd = any("\ud800" <= letter <= "\udfff" for letter in word) or (WINDOWS and set(word) & set('"%$`'))
        if odd or not word.isprintable():
            raise UsageError(f"the path {word!r} cannot be written into a settings file")
    return command


def _for_windows(words: tuple[str, ...]) -> str:
    """For cmd, PowerShell and Git's bash alike: slashes forward, double quotes only where there must be some."""
    out = []
    for word in words:
        plain = PureWindowsPath(word).as_posix() if "\\" in word else word
        out.append(f'"{plain}"' if not plain or any(letter in plain for letter in " &()[]{}^=;!'+,~") else plain)
    return " ".join(out)
