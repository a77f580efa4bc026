"""Runs of software agents: SWE-agent, mini-swe-agent, OpenHands. The task is speech, what commands give back is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from foreign import Importing, said, shape

from brain.types import Role

CALLED = [{"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}]
HISTORY: list[Any] = [
    {"role": "system", "content": "You fix boats.", "message_type": "system_prompt"},
    {"role": "user", "content": "A demonstration.", "is_demo": True, "message_type": "demonstration"},
    {"role": "user", "content": [{"type": "text", "text": "Mend the tiller."}], "message_type": "observation"},
    {"role": "assistant", "content": "I look.", "tool_calls": CALLED, "action": "ls", "message_type": "action"},
    {"role": "tool", "content": "OBSERVATION:\ntiller.md", "tool_call_ids": ["call_1"], "message_type": "observation"},
]


def test_the_history_of_a_run(brain: Importing) -> None:
    history = [*HISTORY[:2], {**HISTORY[2], "message_type": "user"}, *HISTORY[3:], "odd"]
    whole = {"environment": "swe_main", "trajectory": [], "history": history, "info": {"exit_status": "submitted"}}
    brain.write("tiller__1.traj", json.dumps(whole, indent=1))

    report = brain.take()

    one = brain.one()
    assert (one.source, one.external_id) == ("swe-agent", "tiller__1")
    assert [(turn.role.value, turn.text) for turn in one.turns] == [
        ("system", "You fix boats."),
        ("user", "Mend the tiller."),
        ("assistant", "I look."),
        ("assistant", '```json\n{\n "command": "ls"\n}\n```'),
        ("tool", "tiller.md"),
    ]
    assert report.skips.left_out == {"demonstration": 1}
    assert report.skips.broken == {"not a message": 1}


def test_steps_alone_and_the_smaller_agent(brain: Importing) -> None:
    steps = [{"action": "ls", "observation": "tiller.md", "response": "I look.", "state": {}}]
    brain.write("a.traj", json.dumps({"environment": "e", "trajectory": steps, "history": [], "info": {}}))
    messages = [
        {"role": "system", "content": "You can use bash."},
        {"role": "user", "content": "Mend the tiller."},
        {"role": "assistant", "content": "I look."},
        {"role": "user", "content": "<returncode>0</returncode> tiller.md"},
    ]
    brain.write("b.traj.json", json.dumps({"trajectory_format": "mini-swe-agent-1", "info": {}, "messages": messages}))

    brain.take()

    steps_only, mini = brain.stored()
    assert [turn.role for turn in steps_only.turns] == [Role.ASSISTANT, Role.ASSISTANT, Role.TOOL]
    assert said(mini) == ["Mend the tiller."]
    assert mini.turns[-1].role is Role.TOOL


def event(number: int, source: str, **more: Any) -> dict[str, Any]:
    return {"id": number, "timestamp": f"2026-03-01T09:00:0{number}.123456", "source": source, **more}


EVENTS: list[Any] = [
    event(0, "agent", action="system", args={"content": "Long prompt."}),
    event(1, "user", action="message", args={"content": "Mend the tiller.", "image_urls": []}),
    event(2, "environment", action="change_agent_state", args={"agent_state": "running"}),
    event(3, "agent", action="run", args={"command": "ls", "thought": "I look."}),
    event(4, "agent", cause=3, observation="run", content="tiller.md", extras={"exit_code": 0}),
    event(5, "agent", action="finish", args={"final_thought": "Mended.", "outputs": {}}),
]


@pytest.mark.parametrize("form", ["list", "lines", "pairs"])
def test_events_of_a_run(brain: Importing, form: str) -> None:
    if form == "list":
        brain.write("events.json", json.dumps(EVENTS))
    elif form == "lines":
        brain.write(
            "output.jsonl", [{"instance_id": "tiller-1", "history": EVENTS}, {"instance_id": "b", "history": EVENTS}]
        )
    else:
        pairs = [EVENTS[0:2], EVENTS[2:4], EVENTS[4:6]]
        brain.write("output.jsonl", [{"instance_id": "tiller-1", "history": pairs}])

    report = brain.take()

    one = brain.stored()[-1]
    assert report.exit_code == 0
    assert len(brain.stored()) == (2 if form == "lines" else 1)
    assert shape(one) == [
        ("user", "Mend the tiller."),
        ("assistant", "I look."),
        ("assistant", '```json\n{\n "command": "ls"\n}\n```'),
        ("tool", "tiller.md"),
        ("assistant", "Mended."),
    ]
    assert one.turns[3].name == "run"
    assert one.turns[0].time
    assert one.turns[0].time.second == 1


def test_a_run_that_goes_on_grows(brain: Importing) -> None:
    brain.write("events.json", json.dumps(EVENTS[:3]))
    brain.take()
    brain.write("events.json", json.dumps(EVENTS))

    assert (brain.take().grown, len(brain.one().turns)) == (1, 5)
