"""OpenClaw.

Checked in November 2026 against its documentation: "MCP" (`mcp.servers` in `~/.openclaw/openclaw.json`, which is
JSON5), "Hooks" (a folder with HOOK.md and a handler in `~/.openclaw/hooks`, `agent:bootstrap`, `command:new`,
`command:reset`, enabled in `hooks.internal.entries`), "Skills" (`~/.openclaw/skills`, `<workspace>/skills`). A hook of
a workspace stays off until its owner turns it on, so with `--scope project` there are the skill and nothing else.
"""

from __future__ import annotations

from pathlib import Path

from brain.hosts.command import Command
from brain.hosts.host import NAME, Entry, Format, Own, Place, Scope, Settings, code, skill

HOOK = "brain-memory"


class Openclaw:
    name = "openclaw"
    title = "OpenClaw"
    programs = ("openclaw",)
    docs = ("docs.openclaw.ai/cli/mcp", "docs.openclaw.ai/automation/hooks", "docs.openclaw.ai/tools/skills")
    expands = ("${",)
    after = "Restart the gateway; openclaw hooks list and openclaw mcp status show what is there."

    def home(self, place: Place) -> Path:
        if place.scope is Scope.PROJECT:
            return place.project
        return place.folder("OPENCLAW_STATE_DIR", ".openclaw")

    def settings(self, place: Place, command: Command) -> tuple[Settings, ...]:
        if place.scope is Scope.PROJECT:
            return ()
        value = {"command": command.serve[0], "args": list(command.serve[1:])}
        entries = (
            Entry(kind="member", path=("mcp", "servers", NAME), value=value, what="MCP server"),
            Entry(kind="default", path=("hooks", "internal", "enabled"), value=True, what="hooks are on"),
            Entry(
                kind="member", path=("hooks", "internal", "entries", HOOK), value={"enabled": True}, what="hook is on"
            ),
        )
        file = place.folders("OPENCLAW_CONFIG_PATH") or self.home(place) / "openclaw.json"
        return (Settings(paths=(file,), format=Format.JSON, entries=lambda _: entries),)

    def own(self, place: Place, command: Command) -> tuple[Own, ...]:
        home = self.home(place)
        if place.scope is Scope.PROJECT:
            return (skill(home / "skills"),)
        folder = home / "hooks" / HOOK
        handler = code("openclaw.js", command=list(command.words), memory=command.memory)
        return (
            Own(path=folder / "HOOK.md", text=code("openclaw.md"), what="hook"),
            Own(path=folder / "handler.js", text=handler, what="hook"),
            skill(home / "skills"),
        )


HOST = Openclaw()
