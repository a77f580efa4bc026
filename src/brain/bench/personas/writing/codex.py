"""Codex: one rollout a session, each message twice (as an item and as an event), the folder's state around them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Session, Turn
from brain.bench.personas.writing.stamps import home, put_lines, zulu


def write(folder: Path, persona: Persona, sessions: list[Session], chance: Chance) -> None:
    for session in sessions:
        start = session.start
        name = f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{session.id}.jsonl"
        put_lines(folder / "sessions" / f"{start:%Y/%m/%d}" / name, _records(persona, session, chance))


def _records(persona: Persona, session: Session, chance: Chance) -> Iterator[dict[str, Any]]:
    start, cwd = zulu(session.start), home(persona, session)
    meta = {
        "id": session.id, "timestamp": start, "cwd": cwd, "originator": "codex_cli_rs", "cli_version": "0.60.1",
        "source": "cli", "model_provider": "openai",
    }  # fmt: skip
    yield {"timestamp": start, "type": "session_meta", "payload": meta}
    about = f"<environment_context>\n  <cwd>{cwd}</cwd>\n  <shell>bash</shell>\n</environment_context>"
    yield _item(start, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": about}]})
    context = {"cwd": cwd, "approval_policy": "on-request", "model": "gpt-5-codex", "timezone": persona.zone.key}
    yield {"timestamp": start, "type": "turn_context", "payload": context}
    call = ""
    for turn in session.turns:
        at = zulu(turn.at)
        if turn.role == "call":
            call = f"call_{chance.hex(22)}"
            if chance.happens(0.2):
                yield _item(at, {"type": "reasoning", "summary": [], "encrypted_content": chance.hex(60)})
        yield _item(at, _payload(turn, call))
        if turn.role in ("user", "assistant"):
            kind = "user_message" if turn.role == "user" else "agent_message"
            yield {"timestamp": at, "type": "event_msg", "payload": {"type": kind, "message": turn.text}}
        elif turn.role == "result" and chance.happens(0.3):
            used = {"total_token_usage": {"input_tokens": chance.number(4_000, 90_000)}}
            yield {"timestamp": at, "type": "event_msg", "payload": {"type": "token_count", "info": used}}


def _item(at: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": at, "type": "response_item", "payload": payload}


def _payload(turn: Turn, call: str) -> dict[str, Any]:
    if turn.role in ("user", "assistant"):
        kind = "input_text" if turn.role == "user" else "output_text"
        return {"type": "message", "role": turn.role, "content": [{"type": kind, "text": turn.text}]}
    if turn.role == "result":
        output = json.dumps({"output": turn.text, "metadata": {"exit_code": 0, "duration_seconds": 0.4}})
        return {"type": "function_call_output", "call_id": call, "output": output}
    name, arguments = _call(turn)
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": call}


def _call(turn: Turn) -> tuple[str, dict[str, Any]]:
    given = turn.arguments
    if turn.tool == "fetch":
        return "fetch_url", {"url": given["url"]}
    if turn.tool == "edit":
        patch = f"*** Begin Patch\n*** Update File: {given['file']}\n-{given['old']}\n+{given['new']}\n*** End Patch"
        return "apply_patch", {"input": patch}
    command = {
        "read": f"sed -n '1,160p' '{given.get('file')}'",
        "grep": f"rg -n '{given.get('pattern')}'",
        "run": given.get("command", ""),
    }[turn.tool]
    return "shell", {"command": ["bash", "-lc", command], "workdir": "."}
