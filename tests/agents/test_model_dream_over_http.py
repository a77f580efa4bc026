"""A whole night through the public door: settings name models on a server of this machine, which is asked over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chat_server import serving
from nights import paper
from room import START, Room

from brain.brain import Brain

SISTER = "My sister Ines runs the ceramics fair in Porto."


def scribe(session: str) -> Any:
    """Writes a page with a true and a false claim, and leaves it at that."""
    cite = f"[cite:session://{session[:8]}#t1]"
    text = paper(
        "entities/ines", "Ines", "Mara's sister; runs the ceramics fair in Porto", f"Ines is Mara's sister. {cite}",
        f"## Facts\n- Ines runs the ceramics fair in Porto. {cite}\n- Ines is in charge of a fair for ceramics. {cite}",
    )  # fmt: skip
    steps: list[Any] = [[("write_file", {"path": "knowledge/entities/ines.md", "content": text})], "Done."]
    return lambda payload: steps.pop(0) if steps else "I leave it."


def judge(payload: dict[str, Any]) -> str:
    """Does not believe what is told in other words."""
    text = "\n".join(str(message["content"]) for message in payload["messages"])
    claims = text.split("## Claim")[1:]
    verdicts = []
    for number, claim in enumerate(claims, start=1):
        false = "in charge" in claim.splitlines()[1]
        verdict = {
            "claim": number,
            "verdict": "unsupported" if false else "supported",
            "why": "t1",
            "suggested_fix": "",
        }
        verdicts.append(verdict | {"failed": ["SEM001"] if false else []})
    return json.dumps({"verdicts": verdicts})


def test_models_on_a_server_write_and_judge_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "key-of-the-person")
    room = Room(tmp_path / "memory", "Mara")
    session = room.say(1, SISTER)
    with serving(scribe=scribe(session), judge=judge) as server:
        for name, value in {"DREAM": "scribe", "VERIFY": "judge", "BASE_URL": server.url, "KEY": "MY_KEY"}.items():
            monkeypatch.setenv(f"BRAIN_MODELS_{name}", value)
        monkeypatch.setenv("BRAIN_RUN_UNSANDBOXED", "true")
        brain = Brain.open(room.root, clock=lambda: START)
        result = brain.dream()
    assert (result.created, result.engine, result.failed) == (("entities/ines",), "model", {})
    assert "runs the ceramics fair in Porto" in room.page("entities/ines")
    assert "in charge" not in room.page("entities/ines")
    assert {model for model, _ in server.asked} == {"scribe", "judge"}
    assert server.keys == {"Bearer key-of-the-person"}
    assert result.spent is not None
    assert result.spent.calls == len(server.asked)
    kept = [
        json.loads(line) for line in next((room.root / ".brain/runs").glob("*.calls.jsonl")).read_text().splitlines()
    ]
    assert {line["role"] for line in kept} == {"dream", "verify"}
    assert all("key-of-the-person" not in path.read_text() for path in (room.root / ".brain/runs").iterdir())


def test_a_run_by_hand_says_what_its_verifier_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path / "memory", "Mara")
    session = room.say(1, SISTER)
    with serving(judge=judge) as server:
        for name, value in {"VERIFY": "judge", "BASE_URL": server.url}.items():
            monkeypatch.setenv(f"BRAIN_MODELS_{name}", value)
        brain = Brain.open(room.root, clock=lambda: START)
        opened = brain.runs.open()
        assert opened is not None
        calls = scribe(session)({})[0][1]
        place = opened.tree / calls["path"]
        place.parent.mkdir(exist_ok=True)
        place.write_text(calls["content"], "utf-8")
        result = brain.runs.close()
    assert result.created == ("entities/ines",)
    assert "in charge" not in room.page("entities/ines")
    assert result.spent is not None
    assert result.spent.calls == len(server.asked) > 0
