"""For a host that Brain does not know: what to write into its settings, and the skill, as text to paste.

The MCP entry is the form most hosts share; the hooks are for hosts that run commands when a session starts and ends.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from brain.hosts.command import Command
from brain.hosts.host import NAME, SKILL, skill_text
from brain.hosts.known import GENERIC

EVENTS = (
    ("session-start", "when a session starts; what it prints is for the agent's context"),
    ("turn-end", "when the agent has answered"),
    ("pre-compact", "before the host shortens its history"),
    ("session-end", "when a session ends"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paste:
    """One thing to write by hand, and where."""

    what: str
    text: str


def pastes(command: Command) -> list[Paste]:
    """The MCP entry, a line for each hook, and the exploring skill."""
    server = {"command": command.serve[0], "args": list(command.serve[1:])}
    hooks = [f"{command.line(command.hook(event, GENERIC))}    # {when}" for event, when in EVENTS]
    return [
        Paste(
            what="MCP server, in the host's settings",
            text=json.dumps({"mcpServers": {NAME: server}}, ensure_ascii=False, indent=2),
        ),
        Paste(
            what="hooks, where the host runs commands; each takes the host's JSON on its input", text="\n".join(hooks)
        ),
        Paste(what=f"the exploring skill, as {SKILL}/SKILL.md in the host's folder of skills", text=skill_text()),
    ]
