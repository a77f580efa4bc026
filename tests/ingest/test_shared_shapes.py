"""Conversations in the shapes that training sets, agent libraries and prompt studios write: no ids, no times."""

from __future__ import annotations

import json
from typing import Any

import pytest
from foreign import Importing, named, said, shape

from brain.types import Role


def test_sharegpt_with_tools_html_and_odd_entries(brain: Importing) -> None:
    talks: list[Any] = [
        {
            "id": "kite_1",
            "conversations": [
                {"from": "system", "value": "Be brief."},
                {"from": "human", "value": "Tide at Brest?"},
                {"from": "function_call", "value": '{"name": "tide", "arguments": {"port": "Brest"}}'},
                {"from": "observation", "value": "High 06:12"},
                {"from": "gpt", "value": "<div><p>High water at <b>06:12</b>.</p><pre><code>06:12</code></pre></div>"},
                {"from": "human", "value": "Use a <div> in the page, please."},
            ],
        },
        {"id": "kite_1", "conversations": [{"from": "human", "value": "Same id, other talk."}]},
        {"id": "odd", "items": [{"from": "parrot", "value": "Squawk"}, {"from": "user", "value": "Hello"}, "text"]},
        {"nothing": 1},
    ]
    brain.write("set.json", json.dumps(talks))

    report = brain.take()

    first, second, odd = brain.stored()
    assert shape(first) == [
        ("system", "Be brief."),
        ("user", "Tide at Brest?"),
        ("assistant", '```json\n{\n "port": "Brest"\n}\n```'),
        ("tool", "High 06:12"),
        ("assistant", "High water at 06:12.\n\n```\n06:12\n```"),
        ("user", "Use a <div> in the page, please."),
    ]
    assert [turn.role for turn in named(first, "tide")] == [Role.ASSISTANT, Role.TOOL]
    assert (second.external_id, said(second), said(odd)) == ("kite_1-2", ["Same id, other talk."], ["Hello"])
    assert report.skips.broken == {"speaker 'parrot' is not known": 1, "not a message": 1, "not a conversation": 1}
    assert all(turn.time is None for one in brain.stored() for turn in one.turns)


def test_single_exchanges_are_conversations_too(brain: Importing) -> None:
    record = {
        "instruction": "Name the sail.",
        "input": "It is set downwind.",
        "output": "A spinnaker.",
        "history": [["Hi", "Hello!"]],
        "system": "You sail.",
    }
    brain.write("pairs.json", json.dumps([record]))

    brain.take()

    assert [text for _, text in shape(brain.one())] == [
        "You sail.",
        "Hi",
        "Hello!",
        "Name the sail.\n\nIt is set downwind.",
        "A spinnaker.",
    ]


CALL = {"name": "tide", "args": {"port": "Brest"}, "id": "call_9", "type": "tool_call"}
FLAT: list[dict[str, Any]] = [
    {"type": "system", "content": "Be brief.", "additional_kwargs": {}},
    {"type": "human", "content": [{"type": "text", "text": "Tide at Brest?"}], "additional_kwargs": {}},
    {"type": "ai", "content": "", "tool_calls": [CALL], "additional_kwargs": {}},
    {"type": "tool", "content": "High 06:12", "tool_call_id": "call_9", "name": "tide", "status": "success"},
    {"type": "ai", "content": "At 06:12.", "tool_calls": [], "additional_kwargs": {}},
]
WORDS = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessageChunk", "tool": "ToolMessage"}


def as_dict(one: dict[str, Any]) -> dict[str, Any]:
    return {"type": one["type"], "data": {key: value for key, value in one.items() if key != "type"}}


def as_constructor(one: dict[str, Any]) -> dict[str, Any]:
    place = ["langchain", "schema", "messages", WORDS[one["type"]]]
    return {"lc": 1, "type": "constructor", "id": place, "kwargs": one}


@pytest.mark.parametrize("form", [dict, as_dict, as_constructor])
@pytest.mark.parametrize("wrapped", ["list", "object", "lists"])
def test_the_three_shapes_of_langchain_messages_read_alike(brain: Importing, form: Any, wrapped: str) -> None:
    listed = [form(one) for one in FLAT]
    whole = {"list": listed, "object": {"thread_id": "t-1", "messages": listed}, "lists": [listed]}[wrapped]
    brain.write("saved.json", json.dumps(whole))

    report = brain.take()

    one = brain.one()
    assert report.exit_code == 0
    assert one.source == "langchain"
    assert [turn.role for turn in one.turns] == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert one.turns[2].text == '```json\n{\n "port": "Brest"\n}\n```'
    assert (one.turns[3].text, one.turns[3].call, one.turns[4].text) == ("High 06:12", "call_9", "At 06:12.")
    assert (one.external_id == "t-1") == (wrapped == "object")


def test_a_langchain_history_that_grows_is_the_same_session(brain: Importing) -> None:
    brain.write("history.json", json.dumps([as_dict(one) for one in FLAT[:3]]))
    brain.take()
    brain.write("history.json", json.dumps([as_dict(one) for one in [*FLAT, {"type": "human", "content": "Thanks"}]]))

    report = brain.take()

    assert (report.new, report.grown) == (0, 1)
    assert said(brain.one()) == ["Tide at Brest?", "Thanks"]


def test_openai_and_anthropic_messages_are_still_theirs(brain: Importing) -> None:
    brain.write("openai.json", json.dumps([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]))

    brain.take()

    assert brain.one().source == "openai-messages"


def test_a_studio_prompt_without_an_extension(brain: Importing) -> None:
    chunks: list[Any] = [
        {"role": "user", "text": "Look at this chart.", "driveImage": {"id": "x"}},
        {"role": "model", "text": "Musing about depths.", "isThought": True},
        {"role": "model", "parts": [{"text": "Shallow "}, {"text": "here."}, {"text": "hm", "thought": True}]},
        {"role": "user", "driveDocument": {"id": "y"}},
        "broken",
    ]
    prompt = {
        "runSettings": {"temperature": 1},
        "systemInstruction": {"parts": [{"text": "You are a pilot."}]},
        "chunkedPrompt": {"chunks": chunks, "pendingInputs": [{"text": "", "role": "user"}]},
    }
    brain.write("Chart talk", json.dumps(prompt, indent=2))

    report = brain.take()

    one = brain.one()
    assert (one.source, one.title) == ("ai-studio", "Chart talk")
    assert shape(one) == [
        ("system", "You are a pilot."),
        ("user", "Look at this chart.\n\n[image]"),
        ("assistant", "Shallow here."),
        ("user", "[file]"),
    ]
    assert report.skips.left_out == {"reasoning": 1}
    assert report.skips.broken == {"not a chunk": 1}
