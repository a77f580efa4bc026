"""Codex: command line, editor extension and app share one configuration.

Checked in November 2026 against its documentation: "Model Context Protocol" (`[mcp_servers.NAME]` in
`~/.codex/config.toml` and, of trusted projects, `.codex/config.toml`), "Hooks" (`hooks.json` beside it, on by default
since 2026-05, seconds as timeout, each command to be trusted once in `/hooks`), "Agent Skills" (`~/.agents/skills`,
`.agents/skills`), and the schema `codex-hooks` of SchemaStore (2026-08-07). Hooks go into hooks.json; it warns when
config.toml has some too, and runs both.
"""

from __future__ import annotations

from pathlib import Path

from brain.hosts.command import Command
from brain.hosts.host import NAME, Entry, Format, Own, Place, Scope, Settings, groups, skill

EVENTS = (("SessionStart", "session-start"), ("Stop", "turn-end"), ("PreCompact", "pre-compact"))
TIMEOUT = 10


class Codex:
    name = "codex"
    title = "Codex"
    programs = ("codex",)
    docs = (
        "developers.openai.com/codex/mcp",
        "developers.openai.com/codex/hooks",
        "developers.openai.com/codex/skills",
    )
    expands: tuple[str, ...] = ()
    after = "Start codex and trust the hooks in /hooks; a project's settings are read when the project is trusted."

    def home(self, place: Place) -> Path:
        return place.project / ".codex" if place.scope is Scope.PROJECT else place.folder("CODEX_HOME", ".codex")

    def settings(self, place: Place, command: Command) -> tuple[Settings, ...]:
        server = Entry(
            kind="member",
            path=("mcp_servers", NAME),
            value={"command": command.serve[0], "args": list(command.serve[1:])},
            what="MCP server",
        )
        hooks = groups(EVENTS, command, self.name, TIMEOUT)
        home = self.home(place)
        return (
            Settings(paths=(home / "config.toml",), format=Format.TOML, entries=lambda _: (server,)),
            Settings(paths=(home / "hooks.json",), format=Format.JSON, entries=lambda _: hooks),
        )

    def own(self, place: Place, command: Command) -> tuple[Own, ...]:
        above = place.project if place.scope is Scope.PROJECT else place.home
        return (skill(above / ".agents" / "skills"),)


HOST = Codex()
