"""Cursor.

Checked in November 2026 against its documentation: "Model Context Protocol" (`mcpServers` in `~/.cursor/mcp.json` and
`.cursor/mcp.json`), "Hooks" (`hooks.json` with `version` 1 and a list of commands an event, seconds as timeout;
sessionStart takes `additional_context`), "Agent Skills" (`~/.cursor/skills`, `.cursor/skills`), and the hooks of its
own plug-ins (cursor/plugins, 2026-08-07).
"""

from __future__ import annotations

from pathlib import Path

from brain.hosts.command import Command
from brain.hosts.host import NAME, Entry, Format, Own, Place, Scope, Settings, skill

EVENTS = (
    ("sessionStart", "session-start"),
    ("stop", "turn-end"),
    ("preCompact", "pre-compact"),
    ("sessionEnd", "session-end"),
)
TIMEOUT = 10


class Cursor:
    name = "cursor"
    title = "Cursor"
    programs = ("cursor", "cursor-agent")
    docs = ("cursor.com/docs/mcp", "cursor.com/docs/hooks", "cursor.com/docs/skills")
    expands = ("${",)
    after = "Reload the window; Settings > MCP and Settings > Hooks show what is there."

    def home(self, place: Place) -> Path:
        return (place.project if place.scope is Scope.PROJECT else place.home) / ".cursor"

    def settings(self, place: Place, command: Command) -> tuple[Settings, ...]:
        server = Entry(
            kind="member",
            path=("mcpServers", NAME),
            value={"command": command.serve[0], "args": list(command.serve[1:])},
            what="MCP server",
        )
        hooks = (
            Entry(kind="default", path=("version",), value=1, what="version of the hooks file"),
            *(
                Entry(
                    kind="item",
                    path=("hooks", event),
                    value={"command": command.line(command.hook(call, self.name)), "timeout": TIMEOUT},
                    what=f"hook {event}",
                )
                for event, call in EVENTS
            ),
        )
        home = self.home(place)
        return (
            Settings(paths=(home / "mcp.json",), format=Format.JSON, entries=lambda _: (server,)),
            Settings(paths=(home / "hooks.json",), format=Format.JSON, entries=lambda _: hooks),
        )

    def own(self, place: Place, command: Command) -> tuple[Own, ...]:
        return (skill(self.home(place) / "skills"),)


HOST = Cursor()
