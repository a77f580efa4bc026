"""ChatGPT exports: one file or shards, branches, hidden context, missing fields, citations, tools."""

from __future__ import annotations

import json
from typing import Any

from foreign import Importing, conversation, message, named, said, shape

from brain.types import Role, Trust


def test_single_and_sharded_exports_and_one_saved_conversation_read_alike(brain: Importing) -> None:
    """I04, I06: conversations.json, conversations-000.json…, a lone {title, mapping}; other files do no harm."""
    talks = [conversation(f"Talk {n}", [None, message("user", f"Question {n}", 1_760_000_000.0 + n)]) for n in range(4)]
    brain.write("old/conversations.json", json.dumps(talks[:1]))
    brain.write("new/conversations-000.json", json.dumps(talks[1:2]))
    brain.write("new/conversations-001.json", json.dumps(talks[2:3], indent=2))
    brain.write("saved/talk.json", json.dumps(talks[3]))
    brain.write("new/user.json", '{"id": "user-1", "email": "ines@example.org"}')
    brain.write("new/export_manifest.json", '{"files": ["conversations-000.json"]}')
    brain.write("new/message_feedback.json", "[]")

    report = brain.take()

    assert report.exit_code == 0
    assert [said(one) for one in brain.stored()] == [["Question 0"], ["Question 1"], ["Question 2"], ["Question 3"]]
    assert {one.source for one in brain.stored()} == {"chatgpt"}
    assert "ines@example.org" not in brain.text()


def test_the_branch_of_the_current_node_is_the_conversation(brain: Importing) -> None:
    talk = conversation(
        "Tree", [None, message("user", "Joke?"), message("assistant", "First joke."), message("user", "Again.")]
    )
    talk["mapping"]["other"] = {
        "id": "other",
        "parent": "node-1",
        "children": [],
        "message": message("assistant", "Second joke."),
    }
    talk["mapping"]["node-1"]["children"].append("other")
    brain.write("conversations.json", json.dumps([talk]))

    report = brain.take()

    assert [text for _, text in shape(brain.one())] == ["Joke?", "First joke.", "Again."]
    assert report.skips.left_out["other branch"] == 1


def test_without_a_current_node_the_deepest_leaf_ends_the_conversation_and_cycles_end_too(brain: Importing) -> None:
    deep = conversation(
        "Deep", [None, message("user", "A"), message("assistant", "B"), message("user", "C")], current_node="gone"
    )
    deep["mapping"]["late"] = {
        "id": "late",
        "parent": "node-1",
        "children": [],
        "message": message("assistant", "short"),
    }
    for node in deep["mapping"].values():
        node.pop("children")
    cyclic = conversation("Cycle", [message("user", "X"), message("assistant", "Y")])
    cyclic["mapping"]["node-0"]["parent"] = "node-1"
    only_children = conversation("Parents lost", [None, message("user", "Up"), message("assistant", "Down")])
    for key in ("node-1", "node-2"):
        del only_children["mapping"][key]["parent"]
    brain.write("conversations.json", json.dumps([deep, cyclic, only_children]))

    assert brain.take().exit_code == 0

    texts = {one.title: [text for _, text in shape(one)] for one in brain.stored()}
    assert texts["Deep"] == ["A", "B", "C"]
    assert set(texts["Cycle"]) == {"X", "Y"}
    assert texts["Parents lost"] == ["Up", "Down"]


def test_missing_and_null_fields_cost_nothing_but_what_they_were(brain: Importing) -> None:
    """I01, I02, I03, I08, T33: null title and times, no metadata, no parts, no author name, odd parts."""
    bare: dict[str, Any] = {
        "id": "b",
        "author": {"role": "user"},
        "content": {"content_type": "text", "parts": ["Bare."]},
    }
    no_parts = {"id": "c", "author": {"role": "assistant"}, "content": {"content_type": "text"}, "metadata": None}
    odd = message(
        "assistant", None, content={"content_type": "text", "parts": ["", {"text": "In a dict."}, None, "And text."]}
    )
    talk = conversation(None, [None, bare, no_parts, odd], create_time=None)
    talk.pop("update_time")
    no_mapping = {"title": "Empty shell", "create_time": 1.0, "id": "shell", "conversation_id": "shell"}
    brain.write("conversations.json", json.dumps([no_mapping, talk, "not a conversation", None]))

    report = brain.take()

    one = brain.one()
    assert shape(one) == [("user", "Bare."), ("assistant", "In a dict.\n\nAnd text.")]
    assert one.title == "Bare."
    assert (one.started_at, [turn.time for turn in one.turns]) == (None, [None, None])
    assert report.exit_code == 1
    assert report.skips.broken == {"conversation has no mapping": 1, "not a conversation": 2}
    assert any("conversation 1 (Empty shell)" in problem for problem in report.problems)


def test_source_order_is_truth_whatever_the_times_say(brain: Importing) -> None:
    """I05, I13: missing, equal and inverted times."""
    times = [1_760_000_300.0, None, 1_760_000_100.0, 1_760_000_100.0]
    talk = conversation("Times", [None, *(message("user", f"{n}", time) for n, time in enumerate(times))])
    brain.write("conversations.json", json.dumps([talk]))

    brain.take()

    assert said(brain.one()) == ["0", "1", "2", "3"]
    assert [turn.time and turn.time.minute for turn in brain.one().turns] == [58, None, 55, 55]


def test_hidden_context_is_not_speech(brain: Importing) -> None:
    instructions = {
        "content_type": "user_editable_context",
        "user_profile": "A skipper from Brest.",
        "user_instructions": "Be short.",
    }
    messages = [
        message("system", ""),
        message(
            "user",
            None,
            content=instructions,
            metadata={"is_user_system_message": True, "is_visually_hidden_from_conversation": True},
        ),
        message(
            "assistant", None, content={"content_type": "model_editable_context", "model_set_context": "1. Likes blue."}
        ),
        message("system", "Hidden rule.", metadata={"is_visually_hidden_from_conversation": True}),
        message("user", "Weightless.", weight=0),
        message("assistant", None, content={"content_type": "thoughts", "thoughts": [{"content": "secret thought"}]}),
        message("system", "You switched to voice."),
        message("user", "Real words."),
    ]
    brain.write("conversations.json", json.dumps([conversation("Hidden", messages)]))

    report = brain.take()

    one = brain.one()
    assert said(one) == ["Real words."]
    assert [turn.text for turn in named(one, "custom-instructions")] == ["A skipper from Brest.\n\nBe short."]
    assert said(one, Role.SYSTEM) == ["A skipper from Brest.\n\nBe short.", "You switched to voice."]
    assert "Likes blue" not in brain.text()
    assert "secret thought" not in brain.text()
    assert report.skips.left_out == {"recalled memory": 1, "hidden message": 2, "reasoning": 1}


def test_tools_are_calls_and_results_and_pages_are_external(brain: Importing) -> None:
    quote = {
        "content_type": "tether_quote",
        "url": "https://example.org/tides",
        "title": "Tides",
        "text": "High at noon.",
    }
    messages = [
        message("user", "When is high tide?"),
        message(
            "assistant",
            None,
            content={"content_type": "code", "language": "unknown", "text": 'search("tides")'},
            recipient="browser",
        ),
        message("tool", None, name="browser", content=quote, weight=0),
        message(
            "assistant",
            None,
            content={"content_type": "code", "language": "python", "text": "print(1)"},
            recipient="python",
        ),
        message("tool", None, name="python", content={"content_type": "execution_output", "text": "1"}),
        message("assistant", "User sails.", recipient="bio"),
        message("tool", "Model set context updated.", name="bio"),
        message("assistant", "At noon."),
    ]
    brain.write("conversations.json", json.dumps([conversation("Tools", messages)]))

    brain.take()

    one = brain.one()
    results = [(turn.name, turn.trust) for turn in one.turns if turn.role is Role.TOOL]
    assert results == [("browser", Trust.EXTERNAL), ("python", None), ("bio", None)]
    assert "Tides · https://example.org/tides" in one.turns[2].text
    assert one.turns[-1].text == "At noon."


def test_citation_glyphs_become_links_or_nothing(brain: Importing) -> None:
    cited = (
        "It rains.\ue200cite\ue202turn0search1\ue202turn0search2\ue201 Take boots.\ue200cite\ue202turn9\ue201 Or not"
    )
    cited += "【4†source】【5†source】."
    start = cited.index("【4")
    metadata = {
        "content_references": [
            {
                "matched_text": "\ue200cite\ue202turn0search1\ue202turn0search2\ue201",
                "items": [{"title": "Weather", "url": "https://example.org/w"}],
            }
        ],
        "citations": [
            {"start_ix": start, "end_ix": start + 10, "metadata": {"title": "Boots", "url": "https://example.org/b"}}
        ],
    }
    brain.write(
        "conversations.json",
        json.dumps([conversation("Cites", [message("user", "?"), message("assistant", cited, metadata=metadata)])]),
    )

    brain.take()

    text = said(brain.one(), Role.ASSISTANT)[0]
    assert text == "It rains. ([Weather](https://example.org/w)) Take boots. Or not ([Boots](https://example.org/b))."


def test_voice_pictures_and_attachments_leave_words_and_markers(brain: Importing) -> None:
    spoken = {
        "content_type": "multimodal_text",
        "parts": [
            {"content_type": "audio_transcription", "text": "Read this aloud.", "direction": "in"},
            {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://x"},
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://y"},
            "Thanks.",
        ],
    }
    metadata = {"attachments": [{"name": "menu.pdf", "id": "f1"}]}
    brain.write(
        "conversations.json",
        json.dumps([conversation("Voice", [message("user", None, content=spoken, metadata=metadata)])]),
    )

    brain.take()

    assert said(brain.one()) == ["Read this aloud.\n\n[image]\n\nThanks.\n[file: menu.pdf]"]


def test_one_conversation_that_is_not_json_does_not_stop_the_rest(brain: Importing) -> None:
    whole = [json.dumps(conversation(f"Talk {n}", [None, message("user", f"Q{n}")])) for n in range(3)]
    broken = whole[1].replace('"create_time": ', '"create_time": ,,', 1)
    brain.write("a/conversations.json", f"[{whole[0]}, {broken}, {whole[2]}]")
    brain.write("b/conversations.json", f"[{whole[0]}, {whole[1]}, {whole[2][:-30]}")

    report = brain.take()

    assert [said(one) for one in brain.stored()] == [["Q0"], ["Q1"], ["Q2"]]
    assert report.exit_code == 1
    assert report.skips.broken == {"item is not JSON": 1, "file ends inside this item": 1}


def test_a_re_export_with_more_messages_adds_only_those(brain: Importing) -> None:
    """T35."""
    first = [None, message("user", "One?", 1_760_000_000.0), message("assistant", "One.", 1_760_000_001.0)]
    more = [*first, message("user", "Two?", 1_760_000_002.0)]
    brain.write("conversations.json", json.dumps([conversation("Grows", first)]))
    brain.take()
    brain.write("conversations.json", json.dumps([conversation("Renamed", more, conversation_id="conv-Grows")]))

    report = brain.take()

    assert (report.new, report.grown, report.turns) == (0, 1, 1)
    assert said(brain.one()) == ["One?", "Two?"]
    assert brain.one().title == "Grows"


def test_a_claude_ai_export_is_not_taken_for_chatgpt(brain: Importing) -> None:
    """I10: a bare array of conversations with chat_messages."""
    export = [{"uuid": "u1", "name": "Talk", "chat_messages": [{"uuid": "m1", "sender": "human", "text": "Hi"}]}]
    path = brain.write("conversations.json", json.dumps(export))

    report = brain.take(path)

    assert report.files[0].source != "chatgpt"
    if report.files[0].source is None:
        assert report.exit_code == 1
        assert "keys chat_messages, name, uuid" in report.problems[0]
