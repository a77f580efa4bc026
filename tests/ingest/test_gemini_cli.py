"""Gemini CLI chats: the object, the log of changes, rewinds, tool calls, the tool's own notices."""

from __future__ import annotations

import json
from typing import Any

from foreign import Importing, named, said, shape

from brain.types import Role


def message(id: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-04-29T21:39:33.155Z", "type": kind, "content": content, **more}


ABOUT = {"sessionId": "s-kite", "projectHash": "0b7d", "startTime": "2026-04-29T21:39:22Z", "kind": "main"}
READ = {
    "id": "call_1",
    "name": "read_file",
    "args": {"file_path": "rig.md"},
    "status": "success",
    "result": [{"functionResponse": {"id": "call_1", "name": "read_file", "response": {"output": "Mast: 14 m"}}}],
}


def test_a_chat_object_with_tools_and_notices(brain: Importing) -> None:
    messages = [
        message("n", "info", "Welcome"),
        message("u", "user", [{"text": "How tall is the mast?"}]),
        message(
            "g", "gemini", "I look it up.", toolCalls=[READ], thoughts=[{"subject": "Plan", "description": "read"}]
        ),
        message("e", "error", "Quota"),
        message("g2", "gemini", "Fourteen metres."),
    ]
    brain.write("chats/session-1.json", json.dumps({**ABOUT, "messages": messages, "summary": "Mast height"}))
    brain.write(".project_root", "/home/ines/boat\n")

    report = brain.take()

    one = brain.one()
    assert (one.source, one.title, one.cwd) == ("gemini-cli", "Mast height", "/home/ines/boat")
    assert [turn.role for turn in one.turns] == [Role.USER, Role.ASSISTANT, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert [turn.text for turn in named(one, "read_file") if turn.role is Role.TOOL] == ["Mast: 14 m"]
    assert report.skips.left_out == {"notice of the tool (info)": 1, "notice of the tool (error)": 1, "reasoning": 1,
                                     "not a transcript": 1}  # fmt: skip


def test_the_log_of_changes_comes_to_what_the_tool_would_show(brain: Importing) -> None:
    brain.write(
        "chats/session-2.jsonl",
        [
            ABOUT,
            message("u1", "user", [{"text": "Reef at 20 knots?"}]),
            message("g1", "gemini", "Wor"),
            {"$set": {"lastUpdated": "2026-04-29T21:40:00Z", "summary": "Reefing"}},
            message("g1", "gemini", "Working on it: yes."),
            message("u2", "user", "Wrong question."),
            message("g2", "gemini", "Wrong answer."),
            {"$rewindTo": "u2"},
            message("u3", "user", "And at 30?"),
        ],
    )

    report = brain.take()

    assert shape(brain.one()) == [
        ("user", "Reef at 20 knots?"),
        ("assistant", "Working on it: yes."),
        ("user", "And at 30?"),
    ]
    assert brain.one().title == "Reefing"
    assert report.skips.left_out == {"earlier version of a message": 1, "message taken back by a rewind": 2}


def test_set_messages_replaces_all_and_an_unknown_rewind_takes_all(brain: Importing) -> None:
    brain.write(
        "a.jsonl",
        [
            ABOUT,
            message("u1", "user", "Old."),
            {"$set": {"messages": [message("u9", "user", "New.")]}},
            message("u10", "user", "Newer."),
        ],
    )
    brain.write(
        "b.jsonl",
        [
            {**ABOUT, "sessionId": "s-b"},
            message("u1", "user", "Gone."),
            {"$rewindTo": "?"},
            message("u2", "user", "Kept."),
        ],
    )

    brain.take()

    assert [said(one) for one in brain.stored()] == [["Kept."], ["New.", "Newer."]]


def test_damage_costs_only_itself(brain: Importing) -> None:
    lines = [json.dumps(ABOUT), json.dumps(message("u1", "user", "Before.")), '{"id": "u2", "type": "us', "[]"]
    lines += [
        json.dumps(message("x", "hologram", "?")),
        json.dumps(message("u3", "user", "After.")),
        '{"id": "u4", "ty',
    ]
    brain.write("cut.jsonl", "\n".join(lines))

    report = brain.take()

    assert said(brain.one()) == ["Before.", "After."]
    assert report.skips.broken == {
        "line is not JSON": 1,
        "line is not an object": 1,
        "message type 'hologram' is not known": 1,
        "last line is cut off (is it still being written?)": 1,
    }
    assert report.exit_code == 1


def test_a_chat_that_goes_on_grows(brain: Importing) -> None:
    begun = [ABOUT, message("u1", "user", "One.")]
    brain.write("s.jsonl", begun)
    brain.take()
    brain.write("s.jsonl", [*begun, message("g1", "gemini", "Two."), message("u2", "user", "Three.")])

    assert (brain.take().grown, said(brain.one())) == (1, ["One.", "Three."])


def test_pictures_and_function_answers_inside_a_prompt(brain: Importing) -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgoAAAANSUhEUg=="}}
    answer = {"functionResponse": {"id": "c", "name": "ls", "response": {"error": "no such folder"}}}
    brain.write(
        "p.json", json.dumps({**ABOUT, "messages": [message("u", "user", [{"text": "See:"}, picture, answer])]})
    )

    brain.take()

    one = brain.one()
    assert [turn.role for turn in one.turns] == [Role.TOOL, Role.USER]
    assert one.turns[0].text.startswith("Error: no such folder")
    assert one.turns[1].attach
