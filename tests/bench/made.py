"""Small invented data sets in the shape of the public ones."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

ADA = "Ada"
LIN = "Lin"


def locomo() -> list[dict[str, Any]]:
    """Two conversations. The first is in the tuning part; ids of evidence are as malformed as the real ones."""
    chat = {
        "speaker_a": ADA,
        "speaker_b": LIN,
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": ADA, "dia_id": "D1:1", "text": "I bought a red kayak for the lake!"},
            {"speaker": LIN, "dia_id": "D1:2", "text": "Lovely. I still work at the bakery in Dovre."},
            {"speaker": ADA, "dia_id": "D1:3", "text": "Look at this:", "blip_caption": "a photo of a lighthouse"},
        ],
        "session_2_date_time": "9:05 am on 20 May, 2023",
        "session_2": [
            {"speaker": LIN, "dia_id": "D2:1", "text": "I left the bakery, the flour made me cough."},
            {"speaker": ADA, "dia_id": "D2:2", "text": "The kayak leaks, so I repaired it with tape."},
        ],
        "session_3_date_time": "10:00 am on 1 June, 2023",
    }
    asked = [
        {
            "question": "What happened with Ada's kayak?",
            "answer": "repaired",
            "category": 1,
            "evidence": ["D1:1; D2:02"],
        },
        {"question": "When did Lin leave the bakery?", "answer": 2023, "category": 2, "evidence": ["D:2:1", "D9:9"]},
        {"question": "What does Ada's photo show?", "answer": "a lighthouse", "category": 4, "evidence": ["D1:3"]},
        {"question": "What did Lin buy?", "adversarial_answer": "a kayak", "category": 5, "evidence": ["D1:1"]},
        {"question": "Is Ada happy?", "answer": "perhaps", "category": 3, "evidence": []},
    ]
    return [{"sample_id": name, "conversation": chat, "qa": asked} for name in ("conv-26", "conv-99")]


def longmemeval() -> list[dict[str, Any]]:
    """Three haystacks: an answer, an abstention, a session id twice; out of order, later that day."""
    bike = [
        {"role": "user", "content": "My bike is locked in the cellar of number nine.", "has_answer": True},
        {"role": "assistant", "content": "Noted."},
    ]
    soup = [{"role": "user", "content": "How long does lentil soup keep?"}, {"role": "assistant", "content": ""}]
    moved = [{"role": "user", "content": "The bike is in the shed now.", "has_answer": False}]

    def item(name: str, **other: Any) -> dict[str, Any]:
        return {
            "question_id": name,
            "question_type": "single-session-user",
            "question": "Where is my bike locked?",
            "answer": "the cellar",
            "question_date": "2023/05/30 (Tue) 08:00",
            "haystack_session_ids": ["s2", "s1", "s3"],
            "haystack_dates": ["2023/05/30 (Tue) 21:00", "2023/05/20 (Sat) 02:21", "2023/06/01 (Thu) 10:00"],
            "haystack_sessions": [soup, bike, moved],
            "answer_session_ids": ["s1"],
            **other,
        }

    return [item("q1"), item("q2_abs"), item("q3", haystack_session_ids=["s1", "s1", "s3"], answer=3)]


def realmem() -> dict[str, Any]:
    def turn(speaker: str, content: str, **other: Any) -> dict[str, Any]:
        return {"speaker": speaker, "content": content, **other}

    return {
        "dialogues": [
            {
                "session_uuid": "a1",
                "current_time": "2025-12-15 (Monday)",
                "dialogue_turns": [turn("User", "I train for the marathon on Tuesdays."), turn("Assistant", "Noted.")],
                "extracted_memory": [
                    {"content": "Trains on Tuesdays.", "source_turn": 1},
                    {"content": "Runs marathons."},
                ],
            },
            {
                "session_uuid": "b2",
                "current_time": "2025-12-20 (Saturday)",
                "dialogue_turns": [
                    turn("User", "On which day do I train?", is_query=True, category_name="Static"),
                    turn(
                        "Assistant",
                        "On Tuesdays.",
                        memory_session_uuids=["a1", "c3", "zz"],
                        memory_used=[
                            {"session_uuid": "a1", "content": "Trains on Tuesdays."},
                            {"session_uuid": "a1", "content": "Runs marathons."},
                        ],
                    ),
                ],
                "extracted_memory": [],
            },
            {
                "session_uuid": "c3",
                "current_time": "2025-12-28 (Sunday)",
                "dialogue_turns": [turn("User", "On which day do I train? Thursdays from now on, I train then.")],
                "extracted_memory": [],
            },
        ]
    }


def written(folder: Path) -> dict[str, Path]:
    """All of them as files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "locomo": folder / "locomo.json",
        "oracle": folder / "oracle.json",
        "s": folder / "s.jsonl.xz",
        "realmem": folder / "personas",
    }
    files["locomo"].write_text(json.dumps(locomo()))
    files["oracle"].write_text(json.dumps(longmemeval()))
    with lzma.open(files["s"], "wt") as packed:
        packed.write("\n".join(json.dumps(one) for one in longmemeval()) + "\n\n")
    files["realmem"].mkdir(exist_ok=True)
    (files["realmem"] / "Tove_Dahl_dialogues.json").write_text(json.dumps(realmem()))
    return files


def persona(folder: Path) -> Path:
    """One invented person in the layout of `brain bench personas`: two hosts, a calendar, five questions."""
    home = folder / "p01"
    (home / "sessions" / "chats").mkdir(parents=True)
    (home / "connectors").mkdir()
    (home / "sessions" / "chats" / "kayak.md").write_text(
        "Title: Boats\nDate: 2026-03-02\nID: kayak-1\n\n**User:** I bought a red kayak and I keep it in Dovre.\n\n"
        "**Assistant:** Noted.\n\n**User:** Please send me figures as PDF, never as PNG.\n\n**Assistant:** Will do.\n"
    )
    lines = [
        ("user", "2026-04-10T09:00:00Z", "The kayak has moved: I keep it in Larvik now."),
        ("assistant", "2026-04-10T09:00:09Z", "Understood."),
    ]
    (home / "sessions" / "later.jsonl").write_text(
        "".join(json.dumps(_claude_line(number, *line)) + "\n" for number, line in enumerate(lines))
    )
    (home / "connectors" / "calendar.ics").write_text(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//made//EN\r\nBEGIN:VEVENT\r\nUID:lock-1\r\n"
        "DTSTAMP:20260301T000000Z\r\nDTSTART:20260412T080000Z\r\nSUMMARY:Boat house in Larvik\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    asked = [
        question("p01-q1", "What colour is my kayak?", "single-fact", "text", "red", evidence=[("kayak-1", 1)]),
        question("p01-q2", "Where do I keep the kayak?", "knowledge-update", "text", "Larvik", stale=["Dovre"],
                 evidence=[("later", 1)]),
        question("p01-q3", "In which format do I want figures?", "preference", "preference", "PDF",
                 evidence=[("kayak-1", 3)]),
        question("p01-q4", "What is the name of my dentist?", "abstention", "none", None),
        question("p01-q5", "Where do I keep the kayak?", "temporal", "text", "Dovre", asked_at="2026-03-20T08:00:00Z",
                 evidence=[("kayak-1", 1)]),
    ]  # fmt: skip
    (home / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    listed = {"version": 1, "seed": 0, "personas": [{"id": "p01", "sha256": "", "name": "Ada Berg", "tz": "UTC"}]}
    (folder / "personas.json").write_text(json.dumps(listed))
    return folder


def question(
    id: str, text: str, category: str, kind: str, answer: str | None, *, evidence: Any = (), **more: Any
) -> dict[str, Any]:
    bound = [{"session": session, "turn": turn} for session, turn in evidence]
    return {"id": id, "text": text, "category": category, "kind": kind, "answer": answer, "accepts": [], "stale": [],
            "must_not": [], "asked_at": "2026-06-01T08:00:00Z", "forget": None, "evidence": bound, **more}  # fmt: skip


def _claude_line(number: int, role: str, time: str, text: str) -> dict[str, Any]:
    content: Any = text if role == "user" else [{"type": "text", "text": text}]
    return {
        "type": role, "uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": "later",
        "timestamp": time, "cwd": "/srv/boats", "version": "1.0.0", "isSidechain": False, "userType": "external",
        "message": {"role": role, "content": content},
    }  # fmt: skip


def beam(folder: Path) -> Path:
    """One chat in the layout of BEAM's repository; message ids run through its batches."""
    chat = [
        {"batch_number": 1, "turns": [[
            {"role": "user", "id": 0, "time_anchor": "March-15-2024",
             "content": "My sprint ends on March 29. ->-> 1,1"},
            {"role": "assistant", "id": 1, "content": "Noted."},
        ]]},
        {"batch_number": 2, "turns": [
            [{"role": "user", "id": 2, "time_anchor": "April-02-2024", "content": "It has 150 commits."}],
            [{"role": "user", "id": 3, "content": "Now it has 165 commits."}],
        ]},
    ]  # fmt: skip
    asked = {
        "information_extraction": [{"question": "When does my sprint end?", "answer": "It ends on March 29.",
                                    "source_chat_ids": [0], "rubric": ["LLM response should state: March 29"]}],
        "knowledge_update": [{"question": "How many commits are there?", "answer": "165 commits are merged.",
                              "source_chat_ids": {"original_info": [2], "updated_info": [3, 99]},
                              "rubric": ["LLM response should state: 165 commits"]}],
        "abstention": [{"question": "Who is my dentist?", "ideal_response": "Nothing on it.", "rubric": ["x"]}],
    }  # fmt: skip
    home = folder / "7"
    (home / "probing_questions").mkdir(parents=True)
    (home / "chat.json").write_text(json.dumps(chat))
    (home / "probing_questions" / "probing_questions.json").write_text(json.dumps(asked))
    row = {"conversation_id": "7", "chat": [batch["turns"] for batch in chat], "probing_questions": repr(asked)}
    (folder / "rows.jsonl").write_text(json.dumps(row) + "\n")
    return folder
