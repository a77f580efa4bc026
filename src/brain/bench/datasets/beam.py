"""BEAM (CC BY-SA 4.0, read from a folder you have): long chats with an assistant, twenty questions each, of ten kinds.

    >>> chat = next(load(Path("BEAM/chats/100K")))                                          # doctest: +SKIP
    >>> chat.questions[6].text, chat.questions[6].evidence                                  # doctest: +SKIP
    ('When does my first sprint end?', ((1, 29),))

Reads both forms in which it is published: a folder a chat (`1/chat.json`, `1/probing_questions/probing_questions.json`)
as in its repository, and rows with `conversation_id`, `chat` and `probing_questions` as JSON Lines or a JSON list, as a
row of its published table is. A chat is batches of groups of messages:

    [{"batch_number": 1, "turns": [[{"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "Hi ->-> 1,1"},
                                    {"role": "assistant", "id": 1, "content": "Hello."}]]}]

A batch is a session, its first `time_anchor` its day, read as UTC. `->-> 1,1` at the end of a message is a mark of how
it was made and is left out. Evidence are the messages of `source_chat_ids`. What is asked of a question is in its
rubric; one that only says what to state is an accepted form of the answer. Kinds that ask for a way of answering
(instructions, preferences, summaries) need a model that judges.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.bench.asked import Kind
from brain.bench.datasets import reading
from brain.bench.datasets.answers import kind_of
from brain.bench.datasets.dialogue import Conversation, Question, Session
from brain.errors import FormatError, NotFound
from brain.types import Role, Turn

_MADE = re.compile(r"\s*->->\s*[\d,\s]*$")
_STATED = re.compile(r"LLM response should (?:state|mention|contain):\s*", re.IGNORECASE)
_ANSWERS = ("answer", "ideal_response", "ideal_answer", "ideal_summary", "expected_compliance")


def load(path: Path) -> Iterator[Conversation]:
    """The chats of a folder or a file, one brain each. Raises NotFound, FormatError."""
    if path.is_dir() and not (path / "chat.json").exists():
        folders = sorted(path.glob("*/chat.json"), key=lambda file: (len(file.parent.name), file.parent.name))
        if not folders:
            raise NotFound(f"no */chat.json in {str(path)!r}", hint="--data names a folder such as BEAM/chats/100K")
        for file in folders:
            yield from load(file.parent)
    elif path.is_dir():
        asked = path / "probing_questions" / "probing_questions.json"
        yield _conversation(path / "chat.json", path.name, reading.whole(path / "chat.json"), reading.whole(asked))
    elif path.suffix == ".parquet":
        raise FormatError("a table in Parquet is not read here", path=path.name, hint="write its rows as JSON Lines")
    else:
        rows = enumerate(reading.whole(path), start=1) if path.suffix == ".json" else reading.lines(path)
        for number, row in rows:
            with reading.item(path, f"row {number}"):
                name, chat, asked = str(row["conversation_id"]), row["chat"], row["probing_questions"]
            yield _conversation(path, name, chat, _literal(path, number, asked))


def _literal(path: Path, number: int, value: Any) -> Any:
    """Questions of a row: as JSON, or the text of a literal, as the published table has them."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError) as error:
            raise FormatError(f"row {number}: probing_questions does not read: {error}", path=path.name) from None


def _conversation(path: Path, name: str, chat: Any, asked: Any) -> Conversation:
    with reading.item(path, f"chat {name}"):
        places: dict[int, tuple[int, int]] = {}
        sessions = tuple(
            _session(name, number, batch, places) for number, batch in enumerate(_batches(chat), start=1) if batch
        )
        questions = tuple(
            _question(name, kind, number, item, places)
            for kind, items in asked.items()
            for number, item in enumerate(items, start=1)
        )
    return Conversation(id=f"beam-{name}", source="beam", speakers=(), sessions=sessions, questions=questions)


def _batches(chat: Any) -> Iterator[list[Mapping[str, Any]]]:
    """The messages of each batch, however deep they are nested: a chat of ten million tokens has plans around them."""
    for one in chat:
        if isinstance(one, Mapping) and "turns" in one:
            yield list(_messages(one["turns"]))
        elif isinstance(one, Mapping):
            for inner in one.values():
                yield from _batches(inner)
        else:
            yield list(_messages(one))


def _messages(value: Any) -> Iterator[Mapping[str, Any]]:
    for one in value:
        if isinstance(one, Mapping):
            yield one
        else:
            yield from _messages(one)


def _session(name: str, number: int, batch: list[Mapping[str, Any]], places: dict[int, tuple[int, int]]) -> Session:
    time = next((when for message in batch if (when := _day(message.get("time_anchor")))), None)
    turns = []
    for at, message in enumerate(batch, start=1):
        places[int(message["id"])] = (number, at)
        text = _MADE.sub("", str(message["content"]))
        turns.append(Turn(number=at, role=Role(str(message["role"])), time=time, text=text))
    return Session(
        number=number,
        external_id=f"{name}/{number}",
        title=f"Session {number}",
        turns=tuple(turns),
        started_at=time,
    )


def _day(text: Any) -> datetime | None:
    """Read `March-15-2024`; None when it does not read.

    >>> _day("March-15-2024").isoformat()
    '2024-03-15T00:00:00+00:00'
    """
    try:
        return datetime.strptime(str(text).strip(), "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _question(
    name: str, kind: str, number: int, item: Mapping[str, Any], places: Mapping[int, tuple[int, int]]
) -> Question:
    answer = None if kind == "abstention" else next((str(item[key]) for key in _ANSWERS if item.get(key)), "")
    rubric = [str(one) for one in item.get("rubric") or ()]
    stated = _STATED.sub("", rubric[0]) if len(rubric) == 1 and _STATED.match(rubric[0]) else ""
    found = dict.fromkeys(places[id_] for id_ in _ids(item.get("source_chat_ids")) if id_ in places)
    evidence = () if answer is None else tuple(found)
    return Question(
        id=f"beam-{name}-{kind}-{number}",
        text=str(item["question"]),
        category=kind.replace("_", "-"),
        answer=answer,
        kind=Kind.NONE if answer is None else kind_of(stated or answer),
        accepts=(stated,) if stated and answer is not None else (),
        evidence=evidence,
        sessions=tuple(dict.fromkeys(session for session, _ in evidence)),
    )


def _ids(value: Any) -> Iterator[int]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _ids(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _ids(inner)
    elif str(value).strip().isdigit():
        yield int(value)
