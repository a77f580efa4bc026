"""LongMemEval (MIT, read from a file you have): one question a haystack of chat sessions, one haystack a brain.

    >>> haystack = next(load(Path("longmemeval_s.jsonl.xz")))                              # doctest: +SKIP
    >>> haystack.questions[0].text, haystack.questions[0].sessions                         # doctest: +SKIP
    ('What degree did I graduate with?', (37,))

Reads the published JSON list and, for large variants, one JSON a line, packed by xz or not. An item looks like

    {"question_id": "q1", "question_type": "single-session-user", "question": "Where is my bike?", "answer": "cellar",
     "question_date": "2023/05/30 (Tue) 23:40", "haystack_dates": ["2023/05/20 (Sat) 02:21"],
     "haystack_session_ids": ["s1"], "answer_session_ids": ["s1"],
     "haystack_sessions": [[{"role": "user", "content": "My bike is in the cellar.", "has_answer": true}]]}

Dates have no zone and are read as UTC, so that the day stays as written. Haystacks are not always in date order and
keep theirs. Sessions that share an id are told apart by their place; of those the first is the evidence.
Abstentions (`…_abs`) have no evidence and are a category of their own. An answer may be a number, a turn may be empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.bench.datasets import reading
from brain.bench.datasets.answers import kind_of
from brain.bench.datasets.dialogue import Conversation, Question, Session
from brain.types import Role, Turn

_ALSO = re.compile(r"(.+?)\. (.+?)(?: \([^)]*\))? (?:is|would be) also acceptable\.?")


def load(path: Path) -> Iterator[Conversation]:
    """The haystacks of a file, one by one. Raises NotFound, FormatError."""
    if path.suffix == ".json":
        items = reading.whole(path)
        with reading.item(path, "the file"):
            numbered = list(enumerate(_list(items), start=1))
        for number, item in numbered:
            yield _read(path, f"item {number}", item)
        return
    for number, item in reading.lines(path):
        yield _read(path, f"line {number}", item)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"a list of questions was expected, not {type(value).__name__}")
    return value


def _read(path: Path, place: str, item: Any) -> Conversation:
    with reading.item(path, place):
        return _conversation(item)


def _conversation(item: dict[str, Any]) -> Conversation:
    name = str(item["question_id"])
    gold = {str(id_) for id_ in item["answer_session_ids"]}
    haystack = zip(item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"], strict=True)
    sessions: list[Session] = []
    evidence: list[tuple[int, int]] = []
    answering: dict[str, int] = {}
    for number, (id_, date, messages) in enumerate(haystack, start=1):
        sessions.append(_session(name, number, date, messages))
        if str(id_) in gold and str(id_) not in answering:
            answering[str(id_)] = number
            evidence += [(number, at) for at, message in enumerate(messages, start=1) if message.get("has_answer")]
    abstains = name.endswith("_abs")
    answer, accepts = _answers(str(item["answer"]))
    question = Question(
        id=name,
        text=str(item["question"]),
        category="abstention" if abstains else str(item["question_type"]),
        answer=None if abstains else answer,
        accepts=() if abstains else accepts,
        kind=kind_of(None if abstains else answer),
        evidence=() if abstains else tuple(evidence),
        sessions=() if abstains else tuple(answering.values()),
        asked_at=_time(item["question_date"]),
    )
    return Conversation(id=name, source="longmemeval", speakers=(), sessions=tuple(sessions), questions=(question,))


def _answers(text: str) -> tuple[str, tuple[str, ...]]:
    """The answer, and what is said to be right too.

    >>> _answers("7 days. 8 days (including the last day) is also acceptable.")
    ('7 days', ('8 days',))
    """
    match = _ALSO.fullmatch(text.strip())
    return (match[1], (match[2],)) if match else (text, ())


def _session(name: str, number: int, date: str, messages: list[dict[str, Any]]) -> Session:
    """The id it has in the data may say that it holds an answer: nothing of it is kept."""
    time = _time(date)
    turns = tuple(
        Turn(number=at, role=Role(str(message["role"])), time=time, text=str(message["content"] or ""))
        for at, message in enumerate(messages, start=1)
    )
    return Session(
        number=number, external_id=f"{name}/{number}", title=f"Session {number}", turns=turns, started_at=time
    )


def _time(text: str) -> datetime:
    """Read `2023/03/03 (Fri) 23:44`.

    >>> _time("2023/03/03 (Fri) 23:44").isoformat()
    '2023-03-03T23:44:00+00:00'
    """
    day, _, clock = text.split(" ")
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
