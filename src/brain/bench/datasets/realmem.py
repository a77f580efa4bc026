"""RealMem (Apache-2.0, read from a folder you have): one person's long project dialogues, asked along the way.

A query is a user turn of a later session; its gold sessions are named on the answer that follows. Only what came before
counts, so `asked_at` is the session's day and the session itself is left out by `before`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.bench.datasets.dialogue import Conversation, Question, Session
from brain.types import Role, Turn

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def load(path: Path) -> Iterator[Conversation]:
    """Every persona of a folder (or one file), one brain each."""
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        yield _conversation(file.stem, json.loads(file.read_text("utf-8"))["dialogues"])


def _conversation(name: str, dialogues: list[dict[str, Any]]) -> Conversation:
    numbers = {str(one["session_uuid"]): number for number, one in enumerate(dialogues, start=1)}
    sessions = tuple(_session(name, number, one) for number, one in enumerate(dialogues, start=1))
    questions = tuple(
        q for number, one in enumerate(dialogues, start=1) for q in _questions(name, number, one, numbers)
    )
    return Conversation(id=name, source="realmem", speakers=(), sessions=sessions, questions=questions)


def _session(name: str, number: int, one: dict[str, Any]) -> Session:
    time = _time(one)
    turns = tuple(
        Turn(number=at, role=_role(turn), time=time, text=str(turn["content"] or ""))
        for at, turn in enumerate(one["dialogue_turns"], start=1)
    )
    uuid = str(one["session_uuid"])
    return Session(number=number, external_id=f"{name}/{uuid}", title=uuid, turns=turns, started_at=time)


def _questions(name: str, number: int, one: dict[str, Any], numbers: dict[str, int]) -> Iterator[Question]:
    turns = one["dialogue_turns"]
    for at, turn in enumerate(turns[:-1]):
        if not turn.get("is_query"):
            continue
        named = turns[at + 1].get("memory_session_uuids") or turn.get("memory_session_uuids") or ()
        gold = sorted({numbers[str(uuid)] for uuid in named if str(uuid) in numbers and numbers[str(uuid)] < number})
        yield Question(
            id=f"{name}/{number}/{at + 1}",
            text=str(turn["content"]),
            category=str(turn.get("category_name") or "query"),
            answer=str(turns[at + 1]["content"]),
            sessions=tuple(gold),
            asked_at=_time(one),
            before=number,
        )


def _role(turn: dict[str, Any]) -> Role:
    return Role.USER if str(turn["speaker"]).casefold() == "user" else Role.ASSISTANT


def _time(one: dict[str, Any]) -> datetime | None:
    found = _DAY.search(str(one.get("current_time", "")))
    return datetime.fromisoformat(found.group()).replace(tzinfo=UTC) if found else None
