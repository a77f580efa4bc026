"""The Claude Code plug-in in the repository: it keeps to what the published schemas demand, and is what install writes.

What is held here of `claude-code-plugin-manifest` and `claude-code-marketplace` (SchemaStore): the names that must be
there, their types, where paths may lead, and the events and fields of hooks.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from brain import __version__
from brain.hosts import plugin
from brain.hosts.kinds.claude_code import EVENTS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / plugin.FOLDER
MANIFEST = {  # field: type
    "$schema": str,
    "name": str,
    "version": str,
    "description": str,
    "author": dict,
    "homepage": str,
    "repository": str,
    "license": str,
    "keywords": list,
}
KNOWN_EVENTS = {"SessionStart", "SessionEnd", "Stop", "PreCompact", "PostCompact", "UserPromptSubmit", "SubagentStop"}
HANDLER = {"type": str, "command": str, "timeout": int, "async": bool, "statusMessage": str, "shell": str}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_manifest_keeps_to_the_schema() -> None:
    manifest = read(FOLDER / ".claude-plugin" / "plugin.json")
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", manifest["name"])
    assert manifest["version"] == __version__
    assert manifest["author"]["name"]
    for key, value in manifest.items():
        assert isinstance(value, MANIFEST[key]), key
    assert all(isinstance(word, str) for word in manifest["keywords"])


def test_only_the_manifest_lies_in_its_folder() -> None:
    """Everything else has its place at the top of the plug-in, where the host looks for it."""
    assert [path.name for path in (FOLDER / ".claude-plugin").iterdir()] == ["plugin.json"]
    assert (FOLDER / "hooks" / "hooks.json").is_file()
    assert (FOLDER / ".mcp.json").is_file()
    assert (FOLDER / "skills" / "brain-explore" / "SKILL.md").is_file()


def test_the_marketplace_leads_to_it() -> None:
    market = read(ROOT / ".claude-plugin" / "marketplace.json")
    assert market["name"]
    assert market["owner"]["name"]
    (entry,) = market["plugins"]
    assert entry["name"] == read(FOLDER / ".claude-plugin" / "plugin.json")["name"]
    assert entry["source"].startswith("./")
    assert ".." not in entry["source"]
    assert (ROOT / entry["source"]).resolve() == FOLDER


def test_its_hooks_are_events_of_the_host() -> None:
    hooks = read(FOLDER / "hooks" / "hooks.json")
    assert set(hooks) <= {"description", "hooks"}
    assert set(hooks["hooks"]) == {event for event, _ in EVENTS} <= KNOWN_EVENTS
    for groups in hooks["hooks"].values():
        for group in groups:
            assert set(group) <= {"matcher", "hooks"}
            for handler in group["hooks"]:
                assert handler["type"] == "command"
                assert handler["timeout"] > 0
                for key, value in handler.items():
                    assert isinstance(value, HANDLER[key]), key


def test_its_commands_exist() -> None:
    from brain.cli.app import COMMANDS, GROUPS

    server = read(FOLDER / ".mcp.json")["mcpServers"]["brain"]
    assert (server["command"], server["args"]) == ("brain", ["mcp"])
    assert "mcp" in COMMANDS
    verbs = {command.name for command in GROUPS["hook"].registered_commands}
    for groups in read(FOLDER / "hooks" / "hooks.json")["hooks"].values():
        words = groups[0]["hooks"][0]["command"].split()
        assert words[:2] == ["brain", "hook"]
        assert words[2] in verbs
        assert words[3:] == ["--host", "claude-code"]
