"""LoCoMo (CC BY-NC 4.0, read from a file you have): long chats between two people, with questions and gold turns.

    >>> conversations = load(Path("locomo10.json"))                                        # doctest: +SKIP
    >>> conversations[0].sessions[0].turns[2].text                                         # doctest: +SKIP
    'I went to a support group yesterday and it was so powerful.'

A sample looks like

    {"sample_id": "conv-1",
     "conversation": {"speaker_a": "Ada", "speaker_b": "Lin", "session_1_date_time": "1:56 pm on 8 May, 2023",
                      "session_1": [{"speaker": "Ada", "dia_id": "D1:1", "text": "I bought a kayak!"}]},
     "qa": [{"question": "What did Ada buy?", "answer": "a kayak", "category": 4, "evidence": ["D1:1"]}]}

Evidence ids are `D<session>:<turn>`, some of them malformed; ids that name no turn are dropped, a time without a
session is ignored. Both speakers are users with their own names: this is two people's memory, nobody in it is an
assistant. A shared picture becomes text, `[image: <caption>]`, since evidence may live in its caption alone. The data
has one local time a session and no zone; every turn of it carries that time, read as UTC: the day stays as written.
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
from brain.errors import FormatError
from brain.types import Role, Turn

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")  # some ids are malformed: "D8:6; D9:17", "D:11:26", "D30:05"


def load(path: Path) -> tuple[Conversation, ...]:
    """Read a LoCoMo JSON file: a list of samples, each one conversation with its questions.

    Raises NotFound, FormatError.
    """
    samples = reading.whole(path)
    if not isinstance(samples, list):
        raise FormatError(f"a list of samples was expected, not {type(samples).__name__}", path=path.name)
    found = []
    for number, sample in enumerate(samples, start=1):
        with reading.item(path, f"sample {number}"):
            found.append(_conversation(sample))
    return tuple(found)


def _conversation(sample: dict[str, Any]) -> Conversation:
    chat = sample["conversation"]
    speakers = (str(chat["speaker_a"]), str(chat["speaker_b"]))
    name = str(sample["sample_id"])
    sessions = tuple(_sessions(name, chat, speakers))
    known = {(session.number, turn.number) for session in sessions for turn in session.turns}
    questions = tuple(_question(name, at, item, known) for at, item in enumerate(sample.get("qa", ())))
    return Conversation(id=name, source="locomo", speakers=speakers, sessions=sessions, questions=questions)


def _sessions(name: str, chat: dict[str, Any], speakers: tuple[str, str]) -> Iterator[Session]:
    numbers = sorted(int(key.removeprefix("session_")) for key in chat if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        time = session_time(chat.get(f"session_{number}_date_time"))
        turns = tuple(
            Turn(number=at, role=Role.USER, name=str(item["speaker"]), time=time, text=_text(item))
            for at, item in enumerate(chat[f"session_{number}"], start=1)
        )
        if turns:
            yield Session(
                number=number,
                external_id=f"{name}/session_{number}",
                title=f"{speakers[0]} and {speakers[1]}, session {number}",
                turns=turns,
                started_at=time,
                participants=speakers,
            )


def _text(item: dict[str, Any]) -> str:
    caption = item.get("blip_caption")
    picture = f"[image: {caption}]" if caption else ""
    return "\n".join(part for part in (str(item.get("text") or "").strip(), picture) if part)


def session_time(text: str | None) -> datetime | None:
    """Read `1:56 pm on 8 May, 2023`; None when it does not read.

    >>> session_time("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00+00:00'
    """
    try:
        return datetime.strptime((text or "").strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _question(name: str, at: int, item: dict[str, Any], known: set[tuple[int, int]]) -> Question:
    found = dict.fromkeys((int(s), int(t)) for s, t in _EVIDENCE.findall(" ".join(map(str, item.get("evidence", ())))))
    evidence = tuple(pair for pair in found if pair in known)
    category = CATEGORIES[int(item["category"])]
    answer = None if category == "adversarial" else item.get("answer")
    said = None if answer is None else str(answer)
    return Question(
        id=f"{name}_qa{at}",
        text=str(item["question"]),
        category=category,
        answer=said,
        kind=kind_of(said),
        evidence=evidence,
        sessions=tuple(dict.fromkeys(session for session, _ in evidence)),
    )
