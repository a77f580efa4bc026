"""The plug-ins for hosts that are extended by code, run by node on a real memory, called as the hosts call them."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from brain.brain import Brain
from brain.git import Git
from brain.sync.publish import publish

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not here: it runs the hosts' plug-ins")
NOW = datetime(2026, 6, 1, tzinfo=UTC)
PAGE = """---
id: entities/heron
type: entity
title: Heron
description: "A boat of the club."
status: active
created_at: 2026-06-01T00:00:00Z
updated_at: 2026-06-01T00:00:00Z
updated_by: person
next_cite: 1
entity_kind: thing
---
# Heron

Heron is a boat of the club.
"""


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory whose index has one line."""
    root = tmp_path_factory.mktemp("boats") / "the memory"
    Brain.init(root, now=NOW)
    with Brain.open(root, background="no") as brain, Git(root) as git:
        files = {"knowledge/entities/heron.md": PAGE.encode()}
        publish(git, files, kind="dream", subject="add a page", now=NOW, config=brain.config)
    return root


def node(code: str, cwd: Path) -> dict[str, Any]:
    """What a module prints as its last line."""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code], cwd=cwd, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def module(path: Path, folder: Path) -> str:
    """A copy that node takes for a module whatever folder it lies in, as the hosts do."""
    copy = folder / "plugin.mjs"
    shutil.copy(path, copy)
    return json.dumps(copy.as_uri())


def test_opencode_of_version_1_gets_the_index_once_a_session(home: Path, boats: Path, tmp_path: Path) -> None:
    Brain.open(boats, background="no").install("opencode")
    where = module(home / ".config" / "opencode" / "plugins" / "brain.js", tmp_path)
    found = node(
        f"""
        const {{ default: plugin }} = await import({where})
        const hooks = await plugin.server({{ directory: process.cwd() }})
        const ask = async (sessionID) => {{
          const output = {{ system: ["own"] }}
          await hooks["experimental.chat.system.transform"]({{ sessionID }}, output)
          return output.system
        }}
        const [one, again, other] = [await ask("a"), await ask("a"), await ask("b")]
        await hooks.event({{ event: {{ type: "session.idle", properties: {{ sessionID: "a" }} }} }})
        await hooks.event({{ event: {{ type: "file.edited", properties: {{}} }} }})
        console.log(JSON.stringify({{ id: plugin.id, one, again, other }}))
        """,
        home,
    )
    assert found["id"] == "brain"
    assert found["one"] == found["again"] == found["other"]
    own, index = found["one"]
    assert own == "own"
    assert "entities/heron" in index
    assert "A boat of the club." in index


def test_opencode_of_version_2_gets_it_too(home: Path, boats: Path, tmp_path: Path) -> None:
    Brain.open(boats, background="no").install("opencode")
    where = module(home / ".config" / "opencode" / "plugins" / "brain.js", tmp_path)
    found = node(
        f"""
        const {{ default: plugin }} = await import({where})
        const hooks = {{}}
        const ended = {{ type: "session.execution.succeeded", data: {{ sessionID: "a" }} }}
        const events = async function* () {{ yield ended }}
        const ctx = {{
          location: {{ directory: process.cwd() }},
          session: {{ hook: async (name, work) => {{ hooks[name] = work }} }},
          event: {{ subscribe: events }},
        }}
        const stop = await plugin.setup(ctx)
        const event = {{ sessionID: "a", system: [{{ type: "text", text: "own" }}] }}
        await hooks.context(event)
        stop()
        console.log(JSON.stringify({{ system: event.system }}))
        """,
        home,
    )
    first, second = found["system"]
    assert first == {"type": "text", "text": "own"}
    assert second["type"] == "text"
    assert "entities/heron" in second["text"]


def test_openclaw_gets_it_as_a_file_to_start_with(home: Path, boats: Path, tmp_path: Path) -> None:
    Brain.open(boats, background="no").install("openclaw")
    where = module(home / ".openclaw" / "hooks" / "brain-memory" / "handler.js", tmp_path)
    found = node(
        f"""
        const {{ default: handler }} = await import({where})
        const start = async () => {{
          const context = {{ bootstrapFiles: [{{ name: "AGENTS.md" }}], workspaceDir: process.cwd(), sessionId: "a" }}
          await handler({{ type: "agent", action: "bootstrap", sessionKey: "k", context }})
          return context.bootstrapFiles
        }}
        const [one, again] = [await start(), await start()]
        await handler({{ type: "command", action: "new", context: {{ sessionEntry: {{ sessionId: "a" }} }} }})
        await handler({{ type: "message", action: "sent", context: {{}} }})
        console.log(JSON.stringify({{ one, again }}))
        """,
        home,
    )
    assert found["one"] == found["again"]
    own, ours = found["one"]
    assert own == {"name": "AGENTS.md"}
    assert "entities/heron" in ours["content"]
    assert ours["path"].endswith("/knowledge/index.md")


def test_a_program_that_is_gone_disturbs_nobody(home: Path, boats: Path, tmp_path: Path) -> None:
    Brain.open(boats, background="no").install("opencode")
    path = home / ".config" / "opencode" / "plugins" / "brain.js"
    text = path.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("const COMMAND"))
    path.write_text(text.replace(line, 'const COMMAND = ["/nowhere/brain"]'), encoding="utf-8")
    found = node(
        f"""
        const {{ default: plugin }} = await import({module(path, tmp_path)})
        const hooks = await plugin.server({{ directory: process.cwd() }})
        const output = {{ system: [] }}
        await hooks["experimental.chat.system.transform"]({{ sessionID: "a" }}, output)
        await hooks.event({{ event: {{ type: "session.idle", properties: {{}} }} }})
        console.log(JSON.stringify(output))
        """,
        home,
    )
    assert found == {"system": []}
