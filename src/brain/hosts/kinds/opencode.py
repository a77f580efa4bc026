"""opencode, version 1 (from 1.18.29) and version 2.

Checked in November 2026 against its documentation: "MCP servers" (`mcp` in `opencode.json` or `opencode.jsonc`; version
2 has `mcp.servers` and still reads the older form), "Config" (`~/.config/opencode`, the project's own folder),
"Plugins" of version 1 (`plugins/*.js`, `experimental.chat.system.transform`, `session.idle`), "Migrate plugins from V1"
(`id` and `setup`, `session.hook("context")`, `event.subscribe`), "Agent Skills" (`skills/NAME/SKILL.md`).
"""

from __future__ import annotations

from pathlib import Path

from brain.hosts.command import Command
from brain.hosts.host import NAME, Entry, Format, Own, Place, Scope, Settings, code, skill


class Opencode:
    name = "opencode"
    title = "opencode"
    programs = ("opencode",)
    docs = ("opencode.ai/docs/mcp-servers", "opencode.ai/docs/build/plugins/migrate-v1", "opencode.ai/docs/skills")
    expands = ("{env:", "{file:")
    after = "Start opencode anew."

    def home(self, place: Place) -> Path:
        if place.scope is Scope.PROJECT:
            return place.project / ".opencode"
        named = place.folders("OPENCODE_CONFIG_DIR")
        base = place.folders("XDG_CONFIG_HOME") or place.home / ".config"
        return named or base / "opencode"

    def settings(self, place: Place, command: Command) -> tuple[Settings, ...]:
        start = {"type": "local", "command": list(command.serve)}

        def entries(values: object) -> tuple[Entry, ...]:
            mcp = values.get("mcp") if isinstance(values, dict) else None
            servers = mcp.get("servers") if isinstance(mcp, dict) else None
            if isinstance(servers, dict) and not {"type", "command", "url"} & set(servers):  # version 2
                return (Entry(kind="member", path=("mcp", "servers", NAME), value=start, what="MCP server"),)
            value = {**start, "enabled": True}
            return (Entry(kind="member", path=("mcp", NAME), value=value, what="MCP server"),)

        base = place.project if place.scope is Scope.PROJECT else self.home(place)
        paths = (base / "opencode.json", base / "opencode.jsonc")
        return (Settings(paths=paths, format=Format.JSON, entries=entries),)

    def own(self, place: Place, command: Command) -> tuple[Own, ...]:
        home = self.home(place)
        text = code("opencode.js", command=list(command.words), memory=command.memory)
        return (Own(path=home / "plugins" / "brain.js", text=text, what="plug-in"), skill(home / "skills"))


HOST = Opencode()
