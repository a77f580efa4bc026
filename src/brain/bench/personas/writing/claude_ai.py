"""Claude.ai's data export: conversations in one file, messages as a flat list that names parents; some were edited."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Session, Turn
from brain.bench.personas.writing.stamps import put, zulu

_ROOT = "00000000-0000-4000-8000-000000000000"
_EDITED = 0.05  # of questions: an earlier version is still in the list
_TOOLS = {"read": "view", "run": "repl", "edit": "artifacts", "grep": "repl", "fetch": "web_fetch"}


def write(folder: Path, persona: Persona, sessions: list[Session], chance: Chance) -> None:
    found = [_conversation(session, chance) for session in sessions]
    for _ in range(len(sessions) // 4):  # opened, and never written in
        at = zulu(chance.pick(sessions).start)
        found.append(
            {"uuid": chance.uuid(), "name": "", "created_at": at, "updated_at": at, "chat_messages": []}
        )  # fmt: skip
    put(folder / "conversations.json", json.dumps(found, ensure_ascii=False, indent=1))


def _conversation(session: Session, chance: Chance) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    parent = _ROOT
    for turn in session.turns:
        if turn.role == "user":
            if chance.happens(_EDITED) and messages:
                messages.append(_message(turn, [_text(turn.text[: len(turn.text) // 2])], parent, chance))
            messages.append(_message(turn, [_text(turn.text)], parent, chance))
        elif turn.role == "assistant" or messages[-1]["sender"] == "human":
            messages.append(_message(turn, [_block(turn)], parent, chance))
        else:
            messages[-1]["content"].append(_block(turn))
        parent = messages[-1]["uuid"]
    return {
        "uuid": session.id,
        "name": session.title,
        "created_at": zulu(session.start),
        "updated_at": zulu(session.turns[-1].at),
        "account": {"uuid": _ROOT},
        "chat_messages": messages,
        "current_leaf_message_uuid": parent,
    }


def _message(turn: Turn, content: list[dict[str, Any]], parent: str, chance: Chance) -> dict[str, Any]:
    return {
        "uuid": chance.uuid(),
        "text": "".join(block.get("text", "") for block in content),
        "content": content,
        "sender": "human" if turn.role == "user" else "assistant",
        "created_at": zulu(turn.at),
        "updated_at": zulu(turn.at),
        "attachments": [],
        "files": [],
        "parent_message_uuid": parent,
    }


def _block(turn: Turn) -> dict[str, Any]:
    if turn.role == "call":
        return {"type": "tool_use", "name": _TOOLS[turn.tool], "input": dict(turn.arguments)}
    if turn.role == "result":
        content = [{"type": "text", "text": turn.text}]
        return {"type": "tool_result", "name": _TOOLS[turn.tool], "content": content, "is_error": False}
    return _text(turn.text)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": []}
