"""Codex rollouts: three generations of the schema, two lanes of which one is read, forks, subagents, envelopes."""

from __future__ import annotations

import json
from typing import Any

from foreign import Importing, named, said, shape

from brain.types import Role, Trust

ID = "019a0000-1111-7a81-a09e-000000000001"


def line(kind: str, payload: dict[str, Any], second: int = 0, **more: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-02-03T10:00:{second:02d}.123Z", "type": kind, "payload": payload, **more}


def meta(id: str = ID, **more: Any) -> dict[str, Any]:
    return line("session_meta", {"id": id, "timestamp": "2026-02-03T10:00:00Z", "cwd": "/home/ines/boat", **more})


def item(role: str, text: str, second: int = 0) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return line("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}, second)


def test_the_two_lanes_are_one_conversation(brain: Importing) -> None:
    records = [
        meta(),
        line("turn_context", {"cwd": "/home/ines/boat", "timezone": "Europe/Paris", "model": "m"}),
        item("developer", "<permissions instructions>Never ask.</permissions instructions>"),
        item("user", "# AGENTS.md instructions for /home/ines\n\n<INSTRUCTIONS>\nAlways use tabs.\n</INSTRUCTIONS>"),
        item("user", "<environment_context>\n  <cwd>/home/ines/boat</cwd>\n</environment_context>"),
        line("event_msg", {"type": "user_message", "message": "Count the sails."}, 1),
        item("user", "Count the sails.", 1),
        line("event_msg", {"type": "item_completed", "item": {"type": "UserMessage", "content": []}}, 1),
        line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "abc"}, 2),
        line("event_msg", {"type": "agent_reasoning", "text": "Counting"}, 2),
        line(
            "response_item",
            {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c1"},
            3,
        ),
        line(
            "response_item",
            {
                "type": "function_call_output",
                "call_id": "c1",
                "output": '{"output":"jib\\nmain","metadata":{"exit_code":0}}',
            },
            4,
        ),
        line(
            "response_item",
            {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch", "call_id": "c2"},
            5,
        ),
        line(
            "response_item",
            {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "Success"}]},
            5,
        ),
        line(
            "response_item", {"type": "web_search_call", "id": "w1", "action": {"type": "search", "query": "sails"}}, 6
        ),
        line("event_msg", {"type": "agent_message", "message": "Two sails."}, 7),
        item("assistant", "Two sails.", 7),
        line(
            "compacted",
            {"message": "", "replacement_history": [{"type": "message", "role": "user", "content": "old"}]},
            8,
        ),
        line("event_msg", {"type": "turn_aborted", "reason": "interrupted"}, 9),
        line("something_new", {"type": "x"}, 9),
    ]
    brain.write(f"2026/02/03/rollout-2026-02-03T11-00-00-{ID}.jsonl", records)

    report = brain.take()

    one = brain.one()
    assert report.exit_code == 0
    assert (one.source, one.external_id, one.cwd) == ("codex", ID, "/home/ines/boat")
    assert said(one) == ["Count the sails."]
    assert said(one, Role.ASSISTANT) == ["Two sails."]
    assert [(turn.role, turn.name, turn.text) for turn in one.turns if turn.role is Role.TOOL] == [
        (Role.TOOL, "shell", "jib\nmain"),
        (Role.TOOL, "apply_patch", "Success"),
    ]
    assert [turn.text for turn in named(one, "interruption")] == ["[turn aborted: interrupted]"]
    assert "tabs" not in brain.text()


def test_a_prompt_behind_an_envelope_in_the_same_block_is_found(brain: Importing) -> None:
    ide = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nMake it faster.\n"
    brain.write(
        "rollout-1.jsonl",
        [meta(), item("user", "<environment_context>x</environment_context>\nHello."), item("user", ide, 1)],
    )

    brain.take()

    assert said(brain.one()) == ["Hello.", "Make it faster."]


def test_the_oldest_schemas_still_read_and_times_they_lack_stay_unknown(brain: Importing) -> None:
    """I28 and T06: a strict schema rejected older rollouts; items of mid-2025 have no time and get none."""
    brain.write(
        "rollout-mid.jsonl",
        [
            {"id": "old-1", "timestamp": "2025-06-01T08:00:00.000Z", "instructions": None, "git": {}},
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Sort the list."}]},
            {"type": "reasoning", "summary": [], "encrypted_content": None},
            {"type": "function_call", "name": "shell", "arguments": '{"command":["sort"]}', "call_id": "c1"},
            {"type": "function_call_output", "call_id": "c1", "output": "sorted"},
            {"record_type": "state"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Sorted."}]},
        ],
    )
    brain.write(
        "rollout-early.jsonl",
        [
            {"timestamp": "2025-05-01T08:00:00Z", "role": "user", "content": "Translate hello.", "model": "m"},
            {
                "timestamp": "2025-05-01T08:00:01Z",
                "type": "tool_call",
                "function": {"name": "translate"},
                "arguments": '{"to":"fr"}',
            },
            {"timestamp": "2025-05-01T08:00:02Z", "type": "tool_result", "name": "translate", "result": "bonjour"},
            {"timestamp": "2025-05-01T08:00:03Z", "role": "assistant", "content": "bonjour"},
        ],
    )

    report = brain.take()

    assert report.exit_code == 0
    mid, early = sorted(brain.stored(), key=lambda one: one.external_id)
    early, mid = (mid, early) if mid.external_id != "old-1" else (early, mid)
    assert [text for _, text in shape(mid)][::3] == ["Sort the list.", "Sorted."]
    assert [turn.time for turn in mid.turns] == [None] * 4
    assert mid.started_at is not None
    assert [turn.role.value for turn in early.turns] == ["user", "assistant", "tool", "assistant"]
    assert all(turn.time for turn in early.turns)


def test_epochs_in_place_of_iso_times_read(brain: Importing) -> None:
    """I29."""
    record = item("user", "Hello.")
    record["timestamp"] = 1770112800.5
    brain.write("rollout-1.jsonl", [meta(), record])

    brain.take()

    (turn,) = brain.one().turns
    assert turn.time is not None
    assert turn.time.isoformat() == "2026-02-03T10:00:00+00:00"


def test_a_repeated_session_meta_is_no_second_session(brain: Importing) -> None:
    """I27: resuming writes session_meta again; the first one names the session."""
    brain.write("rollout-1.jsonl", [meta(), item("user", "One."), meta("other-id"), item("user", "Two.", 1)])

    brain.take()

    assert (brain.one().external_id, said(brain.one())) == (ID, ["One.", "Two."])


def test_a_fork_that_replays_its_parent_with_new_times_adds_only_what_is_new(brain: Importing) -> None:
    brain.write("rollout-a.jsonl", [meta(), item("user", "Shared.", 1), item("assistant", "Yes.", 2)])
    fork = [
        meta("fork-1", forked_from_id=ID),
        meta(),
        item("user", "Shared.", 31),
        item("assistant", "Yes.", 32),
        item("user", "Own.", 33),
    ]
    brain.write("rollout-b.jsonl", fork)

    brain.take()

    assert [said(one) for one in brain.stored()] == [["Shared."], ["Own."]]
    assert brain.take().unchanged == 2


def test_a_rollout_with_events_only_speaks_through_them(brain: Importing) -> None:
    events = [
        line("event_msg", {"type": "user_message", "message": "Hello."}),
        line("event_msg", {"type": "agent_message", "message": "Hi."}),
    ]
    brain.write("rollout-1.jsonl", [meta(), *events])

    brain.take()

    assert shape(brain.one()) == [("user", "Hello."), ("assistant", "Hi.")]


def test_user_content_as_an_array_of_bare_text_is_speech(brain: Importing) -> None:
    """I25: [{text}] without a type was taken for a tool result; the session came out empty."""
    record = line("response_item", {"role": "user", "content": [{"text": "Bare."}]})
    brain.write("rollout-1.jsonl", [meta(), record])

    brain.take()

    assert said(brain.one()) == ["Bare."]


def test_a_failed_command_says_so_and_a_fetched_page_is_external(brain: Importing) -> None:
    output = json.dumps({"output": "no such file", "metadata": {"exit_code": 2}})
    brain.write(
        "rollout-1.jsonl",
        [
            meta(),
            item("user", "Try."),
            line(
                "response_item",
                {
                    "type": "function_call",
                    "name": "shell",
                    "arguments": '{"command":["bash","-lc","cat x"]}',
                    "call_id": "c1",
                },
            ),
            line("response_item", {"type": "function_call_output", "call_id": "c1", "output": output}),
            line(
                "response_item",
                {
                    "type": "function_call",
                    "name": "shell",
                    "arguments": '{"command":["bash","-lc","curl -s https://example.org"]}',
                    "call_id": "c2",
                },
            ),
            line(
                "response_item",
                {"type": "function_call_output", "call_id": "c2", "output": {"content": "page", "success": True}},
            ),
        ],
    )

    brain.take()

    failed, fetched = (turn for turn in brain.one().turns if turn.role is Role.TOOL)
    assert failed.text == "Error: exit code 2\nno such file"
    assert (fetched.text, fetched.trust) == ("page", Trust.EXTERNAL)


def test_titles_come_from_the_session_index_beside_the_sessions(brain: Importing) -> None:
    brain.write("sessions/2026/02/03/rollout-1.jsonl", [meta(), item("user", "Hello.")])
    brain.write(
        "session_index.jsonl", [{"id": ID, "thread_name": "Sail counting", "updated_at": "2026-02-03T10:00:00Z"}]
    )

    brain.take()

    assert brain.one().title == "Sail counting"


def test_a_subagents_rollout_beside_its_parents_is_no_session(brain: Importing) -> None:
    brain.write(f"2026/02/03/rollout-a-{ID}.jsonl", [meta(), item("user", "Delegate.")])
    agent = meta("agent-1", source={"subagent": {"thread_spawn": {"parent_thread_id": ID}}}, parent_thread_id=ID)
    brain.write("2026/02/03/rollout-b-agent-1.jsonl", [agent, item("user", "You must search.")])

    report = brain.take()

    assert said(brain.one()) == ["Delegate."]
    assert report.skips.left_out["subagent transcript (its result is in the parent session)"] == 1
