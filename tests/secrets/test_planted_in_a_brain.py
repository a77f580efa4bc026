"""T13: a thousand secrets in transcripts of several tools, tool output, files, names and titles: none is on the disk.

The whole way is walked with real files: import, distil, dream, index, search, a note, and what the commands print.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from holdings import everything, leaked
from planted import Maker, Plant, plants, tokens

from brain import Brain

NOW = datetime(2026, 8, 6, 12, tzinfo=UTC)
SESSION = "3f0c9b52-2222-4a4a-8b8b-00000000000"


def lines_of(session: str, told: list[Plant]) -> Iterator[dict[str, Any]]:
    """A Claude Code session: secrets as the user says them, in a tool's input, in its output, in an answer."""
    base = {"isSidechain": False, "sessionId": session, "cwd": "/home/ines/boat", "version": "1"}
    last = None
    for number, plant in enumerate(told):
        at = f"2026-03-{1 + number // 1440:02d}T{number // 60 % 24:02d}:{number % 60:02d}:00Z"
        common = {**base, "uuid": f"{session[:8]}-0000-4000-8000-{number:012d}", "parentUuid": last, "timestamp": at}
        last = common["uuid"]
        text = plant.text
        content: Any = text
        role = "user"
        if number % 4 == 1:
            role = "assistant"
            content = [{"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {"command": text}}]
        elif number % 4 == 2:
            content = [
                {
                    "type": "tool_result",
                    "tool_use_id": f"toolu_{number - 1}",
                    "content": [{"type": "text", "text": text}],
                }
            ]
        elif number % 4 == 3:
            role, content = "assistant", [{"type": "text", "text": f"I saw this:\n\n{text}"}]
        message = {"role": role, "content": content} | (
            {"id": f"msg_{number}", "model": "m"} if role == "assistant" else {}
        )
        yield {**common, "type": role, "message": message}


@pytest.fixture(scope="module")
def suite() -> list[Plant]:
    """One in four of all: the others differ by what `test_planted.py` holds already."""
    return list(plants())[::4]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, suite: list[Plant]) -> tuple[Path, Path, str]:
    """A brain that has taken all of it in, the user's state, and everything its commands printed."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("BRAIN_STATE", str(home / "state"))
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("BRAIN_SEARCH_EMBEDDER", "none")
        root, source = home / "memory", home / "source"
        _write(source, suite)
        said: list[str] = []

        def brain(*words: str) -> None:
            done = subprocess.run(
                [sys.executable, "-m", "brain", *words, "--memory", str(root)], capture_output=True, text=True
            )
            said.extend([done.stdout, done.stderr])
            assert done.returncode in (0, 1), done.stderr

        Brain.init(root, owner="Ines", now=NOW)
        brain("import", str(source))
        secret = tokens(Maker(3))["github-classic"]
        brain("note", f"The boat site answers to {secret} only.")
        brain("dream")
        brain("search", "password harbour", "--json")
        brain("status")
        return root, home / "state", "\n".join(said)


def _write(source: Path, suite: list[Plant]) -> None:
    source.mkdir()
    for part in range(0, len(suite), 400):
        session = f"{SESSION}{part // 400}"
        rows = list(lines_of(session, suite[part : part + 400]))
        rows.append(
            {"type": "custom-title", "customTitle": f"Use {tokens(Maker(part))['anthropic']}", "sessionId": session}
        )
        (source / f"{session}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    make = Maker(77)
    shapes = tokens(make)
    key = shapes["openai-project"]
    (source / f"log-{shapes['npm']}.md").write_text(
        f"User: I keep {key} in a file named so.\n\nAssistant: Fine.\n", "utf-8"
    )
    env = f"DB_PASSWORD={make.password()}\nGITHUB_TOKEN={shapes['github-fine']}\nSTRIPE={shapes['stripe-live']}\n"
    document = {
        "type": "document",
        "title": ".env",
        "source": {"type": "base64", "media_type": "text/plain", "data": base64.b64encode(env.encode()).decode()},
    }
    talk = {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Read this file."}, document]},
            {"role": "assistant", "content": "I have."},
        ]
    }
    (source / "api.json").write_text(json.dumps(talk), "utf-8")


def own_traces() -> list[str]:
    make = Maker(77)
    shapes = tokens(make)
    return [shapes["npm"], shapes["openai-project"], make.password(), shapes["github-fine"], shapes["stripe-live"]]


def test_no_secret_is_written_anywhere(filled: tuple[Path, Path, str], suite: list[Plant]) -> None:
    """Tree, index, logs, git, the user's state: nothing holds a secret, or the half of one."""
    root, state, said = filled
    held = everything(root, state)
    assert held.count("‹redacted:") > 1_000
    traces = {
        trace
        for plant in suite
        for trace in plant.traces
        if not trace.startswith(("Otter", "quartz", "Lemon", "brick", "Fjord", "kettle", "Maple", "tunnel"))
        or len(trace) > 9
    }
    assert leaked(traces, held) == []
    assert leaked(own_traces(), held) == []
    assert leaked([tokens(Maker(3))["github-classic"]], held) == []
    assert leaked(traces | set(own_traces()), said) == []


def test_what_an_import_wrote_is_clean_when_it_is_looked_at_again(
    filled: tuple[Path, Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, state, _ = filled
    monkeypatch.setenv("BRAIN_STATE", str(state))
    with Brain.open(root) as brain:
        told = brain.redact()
    assert [(one.path, one.line, one.placeholder) for one in told.scan.found] == []
    assert told.scan.files > 5
    assert told.scan.versions > 5


def test_the_key_of_the_hashes_is_in_no_tree_and_its_users_alone(filled: tuple[Path, Path, str]) -> None:
    root, state, _ = filled
    (key,) = state.glob("redaction.key")
    assert len(key.read_bytes()) >= 32
    assert key.stat().st_mode & 0o077 == 0
    raw = key.read_bytes()
    for form in (raw, raw.hex().encode(), base64.b64encode(raw)):
        assert not any(form in file.read_bytes() for file in root.rglob("*") if file.is_file())


def test_there_are_enough_of_them(suite: list[Plant]) -> None:
    counted = Counter(plant.kind for plant in suite)
    assert len(suite) >= 1_000
    assert len(counted) >= 100
