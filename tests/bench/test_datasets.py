"""Benchmark files, in small ones of our own shape: speakers, captions, dates, malformed evidence."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from brain.bench.datasets import locomo, longmemeval, realmem
from brain.types import Role

CHAT = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a red bicycle"},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Nice."},
        ],
        "session_2_date_time": "9:00 am on 1 June, 2023",  # some dates have no session
        "session_3_date_time": "unreadable",
        "session_3": [{"speaker": "Bo", "dia_id": "D3:1", "text": "Sold it."}],
    },
    "qa": [
        {"question": "What colour?", "answer": "red", "evidence": ["D1:1; D:3:01", "D9:9"], "category": 1},
        {"question": "How many?", "answer": 1, "evidence": [], "category": 4},
        {"question": "Why?", "adversarial_answer": "no reason", "evidence": ["D1:2"], "category": 5},
    ],
}


def test_a_locomo_conversation(tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([CHAT]))
    (found,) = locomo.load(file)
    assert [session.number for session in found.sessions] == [1, 3]
    first = found.sessions[0].turns[0]
    assert (first.role, first.name, first.text) == (Role.USER, "Ada", "Look!\n[image: a red bicycle]")
    assert first.time == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert found.sessions[1].started_at is None
    colour, many, why = found.questions
    assert (colour.category, colour.evidence, colour.sessions) == ("multi-hop", ((1, 1), (3, 1)), (1, 3))
    assert (many.answer, many.evidence) == ("1", ())
    assert (why.category, why.answer) == ("adversarial", None)
    assert [raw.external_id for raw in found.raw_sessions()] == ["conv-1/session_1", "conv-1/session_3"]
    assert [transcript.id for transcript in found.transcripts()] == [found.session_id(1), found.session_id(3)]


def test_a_longmemeval_haystack(tmp_path: Path) -> None:
    item = {
        "question_id": "q1", "question_type": "temporal", "question": "When?", "answer": 3,
        "question_date": "2023/03/03 (Fri) 23:44", "answer_session_ids": ["s2"],
        "haystack_session_ids": ["s1", "s2"], "haystack_dates": ["2023/03/01 (Wed) 10:00", "2023/03/02 (Thu) 11:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "x"}],
            [{"role": "user", "content": None}, {"role": "assistant", "content": "y", "has_answer": True}],
        ],
    }  # fmt: skip
    file = tmp_path / "s.jsonl"
    file.write_text(json.dumps(item) + "\n\n" + json.dumps({**item, "question_id": "q1_abs"}) + "\n")
    found, abstaining = longmemeval.load(file)
    (question,) = found.questions
    assert (question.sessions, question.evidence, question.answer) == ((2,), ((2, 2),), "3")
    assert abstaining.questions[0].sessions == ()


def test_a_realmem_persona_counts_only_what_came_before(tmp_path: Path) -> None:
    def said(content: str, speaker: str = "User", **more: object) -> dict[str, object]:
        return {"speaker": speaker, "content": content, "is_query": False, **more}

    query = said("And the tool?", is_query=True)
    reply = said("Fine.", "Assistant", memory_session_uuids=["a", "c"])
    dialogues = [
        {"session_uuid": "a", "current_time": "2025-12-15 (Monday)", "dialogue_turns": [said("We build a tool.")]},
        {"session_uuid": "b", "current_time": "2025-12-16 (Tuesday)", "dialogue_turns": [query, reply]},
        {"session_uuid": "c", "current_time": "", "dialogue_turns": [said("Later.")]},
    ]
    (tmp_path / "Ann.json").write_text(json.dumps({"dialogues": dialogues}))
    (found,) = realmem.load(tmp_path)
    (question,) = found.questions
    assert (question.sessions, question.before) == ((1,), 2)
    assert found.sessions[2].started_at is None
