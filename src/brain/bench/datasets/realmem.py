"""RealMem (Apache-2.0, read from a folder you have): one person's long project dialogues, asked along the way.

    >>> persona = next(load(Path("realmem")))                                              # doctest: +SKIP
    >>> persona.questions[0].before, persona.questions[0].sessions                         # doctest: +SKIP
    (9, (2, 5))

A file a persona. A query is a user turn of a later session; the answer after it names the sessions that hold the
memory, and the memories themselves, each of which its session lists with the turn it was taken from:

    {"dialogues": [
      {"session_uuid": "a1", "current_time": "2025-12-15 (Monday)",
       "dialogue_turns": [{"speaker": "User", "content": "I train on Tuesdays."},
                          {"speaker": "Assistant", "content": "Noted."}],
       "extracted_memory": [{"content": "Trains on Tuesdays.", "source_turn": 1}]},
      {"session_uuid": "b2", "current_time": "2025-12-20 (Saturday)",
       "dialogue_turns": [{"speaker": "User", "content": "When do I train?", "is_query": true},
                          {"speaker": "Assistant", "content": "On Tuesdays.", "memory_session_uuids": ["a1"],
                           "memory_used": [{"session_uuid": "a1", "content": "Trains on Tuesdays."}]}]}]}

Only what came before counts, so `before` is the number of the asking session. Not every memory has a turn: gold turns
are those of the ones that do. Dates are days without a zone, read as UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.bench.datasets import reading
from brain.bench.datasets.dialogue import Conversation, Question, Session
from brain.errors import NotFound
from brain.types import Role, Turn

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def load(path: Path) -> Iterator[Conversation]:
    """Every persona of a folder (or one file), one brain each. Raises NotFound, FormatError."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise NotFound(f"no *.json in {str(path)!r}", hint="--data names the folder of personas, or one file")
    for file in files:
        data = reading.whole(file)
        with reading.item(file, "the file"):
            yield _conversation(file.stem.partition("_dialogues")[0], data["dialogues"])


def _conversation(name: str, dialogues: list[dict[str, Any]]) -> Conversation:
    numbers: dict[str, int] = {}
    for number, one in enumerate(dialogues, start=1):
        numbers.setdefault(str(one["session_uuid"]), number)
    sources = {
        (str(one["session_uuid"]), str(memory["content"])): int(memory.get("source_turn") or 0)
        for one in dialogues
        for memory in one.get("extracted_memory") or ()
    }
    asking = _Asking(name, numbers, sources)
    return Conversation(
        id=name,
        source="realmem",
        speakers=(),
        sessions=tuple(_session(name, number, one) for number, one in enumerate(dialogues, start=1)),
        questions=tuple(q for number, one in enumerate(dialogues, start=1) for q in asking.of(number, one)),
        owners=(name.replace("_", " "),),
    )


def _session(name: str, number: int, one: dict[str, Any]) -> Session:
    time = _time(one)
    turns = tuple(
        Turn(number=at, role=_role(turn), time=time, text=str(turn["content"] or ""))
        for at, turn in enumerate(one["dialogue_turns"], start=1)
    )
    return Session(
        number=number, external_id=f"{name}/{number}", title=f"Session {number}", turns=turns, started_at=time
    )


class _Asking:
    """Reads the queries of a persona. `sources` is the turn of each memory by its session and words, 0 = not known."""

    def __init__(self, name: str, numbers: Mapping[str, int], sources: Mapping[tuple[str, str], int]) -> None:
        self.name = name
        self.numbers = numbers
        self.sources = sources

    def of(self, number: int, one: dict[str, Any]) -> Iterator[Question]:
        turns = one["dialogue_turns"]
        for at, turn in enumerate(turns[:-1]):
            if not turn.get("is_query"):
                continue
            answer = turns[at + 1]
            named = answer.get("memory_session_uuids") or turn.get("memory_session_uuids") or ()
            gold = {self.numbers[str(uuid)] for uuid in named if self.numbers.get(str(uuid), number) < number}
            yield Question(
                id=f"{self.name}/{number}/{at + 1}",
                text=str(turn["content"]),
                category=str(turn.get("category_name") or "query"),
                answer=str(answer["content"]),
                evidence=tuple(sorted({turn for turn in self._turns(answer) if turn[0] in gold})),
                sessions=tuple(sorted(gold)),
                asked_at=_time(one),
                before=number,
            )

    def _turns(self, answer: dict[str, Any]) -> Iterator[tuple[int, int]]:
        for memory in answer.get("memory_used") or ():
            uuid = str(memory["session_uuid"])
            turn = self.sources.get((uuid, str(memory["content"])), 0)
            if turn and uuid in self.numbers:
                yield self.numbers[uuid], turn


def _role(turn: dict[str, Any]) -> Role:
    return Role.USER if str(turn["speaker"]).casefold() == "user" else Role.ASSISTANT


def _time(one: dict[str, Any]) -> datetime | None:
    found = _DAY.search(str(one.get("current_time", "")))
    return datetime.fromisoformat(found.group()).replace(tzinfo=UTC) if found else None
