"""Gemini CLI.

Checked in November 2026 against the documents of its repository (google-gemini/gemini-cli, 2026-08-21): "Hooks
reference" (groups as in Claude Code, milliseconds as timeout, nothing but JSON on standard output), "MCP servers with
Gemini CLI" (`mcpServers`), "Configuration" (`~/.gemini/settings.json`, `.gemini/settings.json`; `$NAME` in a string is
replaced), "Agent Skills" (`~/.gemini/skills`, `.gemini/skills`).
"""

from __future__ import annotations

from pathlib import Path

from brain.hosts.command import Command
from brain.hosts.host import NAME, Entry, Format, Own, Place, Scope, Settings, groups, skill

EVENTS = (
    ("SessionStart", "session-start"),
    ("AfterAgent", "turn-end"),
    ("PreCompress", "pre-compact"),
    ("SessionEnd", "session-end"),
)
TIMEOUT = 10_000


class Gemini:
    name = "gemini"
    title = "Gemini CLI"
    programs = ("gemini",)
    docs = (
        "geminicli.com/docs/hooks/reference",
        "geminicli.com/docs/tools/mcp-server",
        "geminicli.com/docs/cli/skills",
    )
    expands = ("$",)
    after = "Start gemini anew; /mcp, /hooks panel and /skills list show what is there."

    def home(self, place: Place) -> Path:
        above = place.folders("GEMINI_CLI_HOME") or place.home
        return (place.project if place.scope is Scope.PROJECT else above) / ".gemini"

    def settings(self, place: Place, command: Command) -> tuple[Settings, ...]:
        server = Entry(
            kind="member",
            path=("mcpServers", NAME),
            value={"command": command.serve[0], "args": list(command.serve[1:])},
            what="MCP server",
        )
        entries = (server, *groups(EVENTS, command, self.name, TIMEOUT))
        file = self.home(place) / "settings.json"
        return (Settings(paths=(file,), format=Format.JSON, entries=lambda _: entries),)

    def own(self, place: Place, command: Command) -> tuple[Own, ...]:
        return (skill(self.home(place) / "skills"),)


HOST = Gemini()
