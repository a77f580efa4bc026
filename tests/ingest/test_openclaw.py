"""OpenClaw and pi: trees of entries, messages from channels, and damage that costs itself only."""

from __future__ import annotations

import json
from typing import Any

from conformance import FIXTURES
from foreign import Importing, said, shape

from brain.types import Role

HEAD = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-07-01T09:00:00.000Z", "cwd": "/home/ines"}


def entry(id: str, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": content, **more}
    return {
        "type": "message",
        "id": id,
        "parentId": parent,
        "timestamp": "2026-07-01T09:01:00.000Z",
        "message": message,
    }


def test_the_branch_that_lived_on_is_kept_with_calls_results_and_summary(brain: Importing) -> None:
    report = brain.take(FIXTURES / "openclaw" / "branches")

    assert shape(brain.one()) == [
        ("user", "Which grease does the winch want?"),
        ("assistant", "I look it up."),
        ("assistant", '```json\n{\n "path": "winch.md"\n}\n```'),
        ("tool", "Use lithium grease."),
        ("assistant", "Lithium grease."),
        ("user", "Order two tubes."),
        ("assistant", "Two tubes are on the list."),
        ("system", "The winch gets lithium grease; two tubes are ordered."),
        ("tool", "$ ls tubes\nnone yet"),
        ("user", "And a brush."),
    ]
    assert brain.one().title == "The winch"
    assert report.skips.left_out["abandoned branch"] == 2
    assert report.skips.left_out["reasoning"] == 1


def test_the_envelope_of_a_channel_is_nobodys_speech(brain: Importing) -> None:
    brain.take(FIXTURES / "openclaw" / "channel-version-1")

    assert said(brain.one()) == ["The mooring is paid until October.", "See the bill:\n\n[image]"]


def test_a_bracket_that_a_person_wrote_stays(brain: Importing) -> None:
    brain.write(
        "a.jsonl", [HEAD, entry("a", None, "user", "[urgent] Call Mai."), entry("b", "a", "assistant", "Done.")]
    )
    brain.take()

    assert said(brain.one()) == ["[urgent] Call Mai."]


def test_the_index_that_a_hook_put_in_is_left_out(brain: Importing) -> None:
    index = "<brain-memory>\n<!-- brain-index v1 -->\nentities/heron — a boat · 2026-07-01\n</brain-memory>"
    records = [HEAD, entry("a", None, "user", f"{index}\nPaint the hull."), entry("b", "a", "assistant", "In blue.")]
    brain.write("a.jsonl", records)
    brain.take()

    assert shape(brain.one()) == [("user", "Paint the hull."), ("assistant", "In blue.")]


def test_a_session_grows_and_odd_values_cost_themselves(brain: Importing) -> None:
    lines = [HEAD, entry("a", None, "user", "One."), entry("b", "a", "assistant", "Two.")]
    path = brain.write("a.jsonl", lines)
    brain.take()
    odd = [
        {"type": "label", "id": 7, "parentId": []},
        entry("c", "b", "user", {"type": {}}),
        {"type": "message", "id": "d", "parentId": "b", "message": []},
        entry("e", "b", "toolResult", None, toolCallId=[], toolName={}),
        entry("f", "b", "assistant", [{"type": "toolCall", "id": 3, "name": None, "arguments": "x"}, "text", 9]),
    ]
    path.write_text(path.read_text("utf-8") + "".join(json.dumps(one) + "\n" for one in odd) + "{broken\n", "utf-8")
    last = entry("g", "f", "user", "Three.")
    path.write_text(path.read_text("utf-8") + json.dumps(last) + "\n", "utf-8")
    report = brain.take()

    assert said(brain.one(), Role.USER) == ["One.", "Three."]
    assert sum(report.skips.broken.values()) == 1
