"""Claude Code.

Checked in November 2026 against its documentation: "Hooks reference" (events, `hooks` in settings files, seconds as
timeout, SessionEnd hooks get little time unless they ask for more), "Connect to tools via MCP" (user servers in
`~/.claude.json`, project servers in `.mcp.json`), "Skills" (`~/.claude/skills`, `.claude/skills`), "Settings"
(`settings.local.json` is for one person, CLAUDE_CONFIG_DIR), and the schemas `claude-code-settings`,
`claude-code-plugin-manifest` and `claude-code-marketplace` of SchemaStore (2026-08-07).
"""

from __future__ import annotations

from pathlib import Path

from brain.hosts.command import Command
from brain.hosts.host import NAME, Entry, Format, Own, Place, Scope, Settings, groups, skill

EVENTS = (
    ("SessionStart", "session-start"),
    ("Stop", "turn-end"),
    ("PreCompact", "pre-compact"),
    ("SessionEnd", "session-end"),
)
TIMEOUT = 10


class ClaudeCode:
    name = "claude-code"
    title = "Claude Code"
    programs = ("claude",)
    docs = ("code.claude.com/docs/en/hooks", "code.claude.com/docs/en/mcp", "code.claude.com/docs/en/skills")
    expands = ("${",)
    after = "Start a new session; /mcp and /hooks show what is there."

    def home(self, place: Place) -> Path:
        if place.scope is Scope.PROJECT:
            return place.project / ".claude"
        return place.folder("CLAUDE_CONFIG_DIR", ".claude")

    def settings(self, place: Place, command: Command) -> tuple[Settings, ...]:
        server = Entry(
            kind="member",
            path=("mcpServers", NAME),
            value={"type": "stdio", "command": command.serve[0], "args": list(command.serve[1:])},
            what="MCP server",
        )
        hooks = groups(EVENTS, command, self.name, TIMEOUT)
        home = self.home(place)
        if place.scope is Scope.PROJECT:
            servers, file = place.project / ".mcp.json", home / "settings.local.json"
        else:
            servers = (place.folders("CLAUDE_CONFIG_DIR") or place.home) / ".claude.json"
            file = home / "settings.json"
        return (
            Settings(paths=(servers,), format=Format.JSON, entries=lambda _: (server,)),
            Settings(paths=(file,), format=Format.JSON, entries=lambda _: hooks),
        )

    def own(self, place: Place, command: Command) -> tuple[Own, ...]:
        return (skill(self.home(place) / "skills"),)


HOST = ClaudeCode()
