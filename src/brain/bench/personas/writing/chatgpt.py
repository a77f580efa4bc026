"""ChatGPT's data export: all conversations in one file, each a tree; some answers were generated twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Session, Turn
from brain.bench.personas.writing.stamps import put

_AGAIN = 0.06  # of answers: there is another one beside it, that was not kept
_TOOLS = {"read": "myfiles_browser", "run": "python", "edit": "canmore", "grep": "python", "fetch": "browser"}


def write(folder: Path, persona: Persona, sessions: list[Session], chance: Chance) -> None:
    newest_first = [_conversation(session, chance) for session in reversed(sessions)]
    put(folder / "conversations.json", json.dumps(newest_first, ensure_ascii=False, indent=1))


def _conversation(session: Session, chance: Chance) -> dict[str, Any]:
    root, hidden = "client-created-root", chance.uuid()
    mapping: dict[str, dict[str, Any]] = {root: {"id": root, "message": None, "parent": None, "children": []}}
    system = _message(hidden, "system", {"content_type": "text", "parts": [""]}, None)
    system["metadata"] = {"is_visually_hidden_from_conversation": True}
    _hang(mapping, root, hidden, {**system, "weight": 0.0})
    last = hidden
    for turn in session.turns:
        if turn.role == "assistant" and chance.happens(_AGAIN):
            other = {"content_type": "text", "parts": [turn.text[: len(turn.text) * 2 // 3]]}
            key = chance.uuid()
            _hang(mapping, last, key, _message(key, "assistant", other, turn.at.timestamp()))
        key = chance.uuid()
        _hang(mapping, last, key, _spoken(key, turn))
        last = key
    return {
        "title": session.title or None,
        "create_time": session.start.timestamp(),
        "update_time": session.turns[-1].at.timestamp(),
        "mapping": mapping,
        "current_node": last,
        "conversation_id": session.id,
        "default_model_slug": "gpt-5",
        "is_archived": False,
        "id": session.id,
    }


def _hang(mapping: dict[str, dict[str, Any]], parent: str, key: str, message: dict[str, Any]) -> None:
    mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
    mapping[parent]["children"].append(key)


def _spoken(key: str, turn: Turn) -> dict[str, Any]:
    at = turn.at.timestamp()
    if turn.role in ("user", "assistant"):
        return _message(key, turn.role, {"content_type": "text", "parts": [turn.text]}, at)
    name = _TOOLS[turn.tool]
    if turn.role == "call":
        content = {"content_type": "code", "language": "json", "text": json.dumps(turn.arguments, ensure_ascii=False)}
        return {**_message(key, "assistant", content, at), "recipient": name}
    if turn.tool == "fetch":
        content = {"content_type": "tether_browsing_display", "result": turn.text}
    else:
        content = {"content_type": "execution_output", "text": turn.text}
    message = _message(key, "tool", content, at)
    message["author"]["name"] = name
    return message


def _message(key: str, role: str, content: dict[str, Any], at: float | None) -> dict[str, Any]:
    return {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": content,
        "status": "finished_successfully",
        "end_turn": role == "assistant",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        "channel": None,
    }
