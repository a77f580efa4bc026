"""LongMemEval (MIT, read from a file you have): one question a haystack of chat sessions, one haystack a brain.

Reads the published JSON list and, for large variants, one JSON a line, `.xz` or plain. Dates have no zone and are read
as UTC. Sessions that share an id are told apart by their place. Abstentions (`…_abs`) have no evidence.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.bench.datasets.dialogue import Conversation, Question, Session
from brain.types import Role, Turn


def load(path: Path) -> Iterator[Conversation]:
    """The haystacks of a file, one by one."""
    if path.suffix == ".json":
        items = json.loads(path.read_text("utf-8"))
        yield from map(_conversation, items)
        return
    packed = path.suffix == ".xz"
    with lzma.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield _conversation(json.loads(line))


def _conversation(item: dict[str, Any]) -> Conversation:
    name = str(item["question_id"])
    gold = {str(id_) for id_ in item["answer_session_ids"]}
    haystack = zip(item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"], strict=True)
    sessions: list[Session] = []
    evidence: list[tuple[int, int]] = []
    answering: list[int] = []
    for number, (id_, date, messages) in enumerate(haystack, start=1):
        sessions.append(_session(name, number, str(id_), date, messages))
        if str(id_) in gold:
            answering.append(number)
            evidence += [(number, at) for at, message in enumerate(messages, start=1) if message.get("has_answer")]
    abstains = name.endswith("_abs")
    question = Question(
        id=name,
        text=str(item["question"]),
        category=str(item["question_type"]),
        answer=str(item["answer"]),
        evidence=() if abstains else tuple(evidence),
        sessions=() if abstains else tuple(answering),
        asked_at=_time(item["question_date"]),
    )
    return Conversation(id=name, source="longmemeval", speakers=(), sessions=tuple(sessions), questions=(question,))


def _session(name: str, number: int, id_: str, date: str, messages: list[dict[str, Any]]) -> Session:
    time = _time(date)
    turns = tuple(
        Turn(number=at, role=Role(str(message["role"])), time=time, text=str(message["content"] or ""))
        for at, message in enumerate(messages, start=1)
    )
    return Session(number=number, external_id=f"{name}/{number}/{id_}", title=id_, turns=turns, started_at=time)


def _time(text: str) -> datetime:
    """Read `2023/03/03 (Fri) 23:44`.

    >>> _time("2023/03/03 (Fri) 23:44").isoformat()
    '2023-03-03T23:44:00+00:00'
    """
    day, _, clock = text.split(" ")
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
