"""The plug-in folder for Claude Code: the same server, hooks and skill as `brain install claude-code`, as a plug-in.

It lies in the repository under `plugins/`, with a marketplace beside it, and starts the `brain` that is on the PATH,
for the memory that BRAIN_MEMORY or the folder names. Written by `make docs` from here, so that nobody edits a copy.
Checked against the schemas `claude-code-plugin-manifest` and `claude-code-marketplace` of SchemaStore (2026-08-07).
"""

from __future__ import annotations

import json
from importlib.metadata import metadata

from brain.hosts.host import NAME, SKILL, skill_text
from brain.hosts.kinds.claude_code import EVENTS, TIMEOUT

FOLDER = "plugins/brain"
SAID = "Memory of past sessions: a linked, cited wiki that the agent reads, and that grows when sessions end."


def files() -> dict[str, str]:
    """The files of the plug-in and of its marketplace, by their path in the repository."""
    about = metadata(NAME)
    author = {"name": "The Brain authors"}
    manifest = {
        "name": NAME,
        "version": about["Version"],
        "description": SAID,
        "author": author,
        "license": "Apache-2.0",
        "keywords": ["memory", "wiki", "mcp"],
    }
    hooks = {
        "description": "Shows the index of memory once a session, and brings sessions into memory.",
        "hooks": {
            event: [
                {"hooks": [{"type": "command", "command": f"brain hook {call} --host claude-code", "timeout": TIMEOUT}]}
            ]
            for event, call in EVENTS
        },
    }
    market = {
        "name": NAME,
        "owner": author,
        "description": "Brain: memory for agents",
        "plugins": [{"name": NAME, "source": f"./{FOLDER}", "description": SAID}],
    }
    return {
        ".claude-plugin/marketplace.json": _json(market),
        f"{FOLDER}/.claude-plugin/plugin.json": _json(manifest),
        f"{FOLDER}/.mcp.json": _json({"mcpServers": {NAME: {"type": "stdio", "command": "brain", "args": ["mcp"]}}}),
        f"{FOLDER}/hooks/hooks.json": _json(hooks),
        f"{FOLDER}/skills/{SKILL}/SKILL.md": skill_text(),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
