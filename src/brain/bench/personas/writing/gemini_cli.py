"""Gemini CLI: a JSON document a session, or a log of changes for later ones, with messages written twice or rewound."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Session, Turn
from brain.bench.personas.writing.stamps import home, put, put_lines, zulu

_TOOLS = {
    "read": "read_file",
    "run": "run_shell_command",
    "edit": "replace",
    "grep": "search_file_content",
    "fetch": "web_fetch",
}


def write(folder: Path, persona: Persona, sessions: list[Session], chance: Chance) -> None:
    for at, session in enumerate(sessions):
        cwd = home(persona, session)
        hashed = sha256(cwd.encode()).hexdigest()
        about = {
            "sessionId": session.id,
            "projectHash": hashed,
            "startTime": zulu(session.start),
            "lastUpdated": zulu(session.turns[-1].at),
            "kind": "main",
            "directories": [cwd],
            **({"summary": session.title} if session.title else {}),
        }
        messages = _messages(session, chance)
        place = folder / hashed / "chats" / f"session-{session.start:%Y-%m-%dT%H-%M}-{session.id[:8]}"
        if at * 2 < len(sessions):
            whole = {**about, "messages": messages}
            put(place.with_suffix(".json"), json.dumps(whole, ensure_ascii=False, indent=2))
        else:
            put_lines(place.with_suffix(".jsonl"), _log(about, messages, chance))


def _messages(session: Session, chance: Chance) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for turn in session.turns:
        if turn.role == "call":
            if not found or found[-1]["type"] != "gemini":
                found.append(_message("gemini", "", turn, chance))
            found[-1].setdefault("toolCalls", []).append(_call(turn, chance))
        elif turn.role == "result":
            call = found[-1]["toolCalls"][-1]
            answer = {"id": call["id"], "name": call["name"], "response": {"output": turn.text}}
            call["result"] = [{"functionResponse": answer}]
        else:
            found.append(_message("user" if turn.role == "user" else "gemini", turn.text, turn, chance))
            if turn.role == "assistant" and chance.happens(0.3):
                found[-1]["thoughts"] = [{"subject": "Planning", "description": ""}]
    return found


def _message(kind: str, content: str, turn: Turn, chance: Chance) -> dict[str, Any]:
    return {"id": chance.uuid(), "timestamp": zulu(turn.at), "type": kind, "content": content}


def _call(turn: Turn, chance: Chance) -> dict[str, Any]:
    name = _TOOLS[turn.tool]
    return {
        "id": f"{name}-{chance.hex(12)}", "name": name, "args": dict(turn.arguments), "status": "success",
        "timestamp": zulu(turn.at),
    }  # fmt: skip


def _log(about: dict[str, Any], messages: list[dict[str, Any]], chance: Chance) -> Iterator[dict[str, Any]]:
    yield {key: value for key, value in about.items() if key != "lastUpdated"}
    for message in messages:
        if message["type"] == "gemini" and chance.happens(0.2):
            yield {**message, "content": message["content"][: len(message["content"]) // 3], "toolCalls": []}
        if message["type"] == "user" and chance.happens(0.04):
            taken = {**message, "id": chance.uuid(), "content": message["content"][: len(message["content"]) // 2]}
            yield taken
            yield {"$rewindTo": taken["id"]}
        yield message
    yield {"$set": {"lastUpdated": about["lastUpdated"]}}
