"""Claude.ai exports: bare arrays, branches, attachments, artifacts, empty texts, equal times."""

from __future__ import annotations

import json
from typing import Any

from foreign import Importing, named, said, shape

from brain.types import Role, Trust

ROOT = "00000000-0000-4000-8000-000000000000"


def message(sender: str, text: str, at: str = "09:00:00", **more: Any) -> dict[str, Any]:
    """One message as the export writes it."""
    content = more.pop("content", [{"type": "text", "text": text, "citations": []}] if text else [])
    return {
        "uuid": more.pop("uuid", f"m-{sender}-{text[:20]}-{at}"),
        "sender": sender,
        "text": more.pop("plain", text),
        "content": content,
        "created_at": f"2026-03-01T{at}.120000Z",
        "updated_at": "2026-06-21T20:47:54Z",
        "attachments": more.pop("attachments", []),
        "files": more.pop("files", []),
        **more,
    }


def talk(*messages: dict[str, Any], name: str = "Antifouling", **more: Any) -> dict[str, Any]:
    return {
        "uuid": f"talk-{name}",
        "name": name,
        "created_at": "2026-03-01T08:59:00Z",
        "updated_at": "2026-06-21T20:47:54Z",
        "account": {"uuid": "account-1"},
        "chat_messages": list(messages),
        **more,
    }


def test_a_bare_array_is_one_session_a_conversation_not_one_blob(brain: Importing) -> None:
    """I10, T34."""
    brain.write(
        "conversations.json",
        json.dumps(
            [
                talk(message("human", "Which paint for aluminium?"), message("assistant", "Copper-free.")),
                talk(message("human", "And the keel?", "10:00:00"), name=""),
            ]
        ),
    )
    brain.write("users.json", '[{"uuid": "account-1", "email_address": "ines@example.org", "full_name": "Inès"}]')
    brain.write("projects.json", '[{"uuid": "p1", "name": "Refit", "docs": [{"content": "survey"}]}]')

    report = brain.take()

    assert report.exit_code == 0
    assert [(one.source, said(one)) for one in brain.stored()] == [
        ("claude-ai", ["And the keel?"]),
        ("claude-ai", ["Which paint for aluminium?"]),
    ]
    assert "ines@example.org" not in brain.text()
    assert brain.take().new == 0


def test_the_list_is_the_order_where_question_and_answer_share_their_time(brain: Importing) -> None:
    """I13: updated_at is the day of a migration and no message's time."""
    brain.write(
        "conversations.json",
        json.dumps(
            [
                talk(
                    message("human", "First?", "09:00:00"),
                    message("assistant", "Second.", "09:00:00"),
                    message("human", "Third?", "08:00:00"),
                )
            ]
        ),
    )

    brain.take()

    assert [text for _, text in shape(brain.one())] == ["First?", "Second.", "Third?"]
    assert [turn.time and turn.time.strftime("%m-%d %H") for turn in brain.one().turns] == ["03-01 09"] * 2 + [
        "03-01 08"
    ]


def test_an_edited_question_leaves_only_its_last_version(brain: Importing) -> None:
    first = message("human", "How much?", uuid="a", parent_message_uuid=ROOT)
    old = message("assistant", "Forty litres.", uuid="b", parent_message_uuid="a")
    edited = message("human", "How much for two coats?", uuid="c", parent_message_uuid=ROOT)
    new = message("assistant", "Eighty litres.", uuid="d", parent_message_uuid="c")
    brain.write("saved.json", json.dumps(talk(first, edited, old, new, current_leaf_message_uuid="d")))

    report = brain.take()

    assert [text for _, text in shape(brain.one())] == ["How much for two coats?", "Eighty litres."]
    assert report.skips.left_out["other branch"] == 2


def test_text_of_attachments_is_kept_as_outside_text_and_pasted_text_as_the_users(brain: Importing) -> None:
    """I12."""
    document = {"file_name": "survey.md", "file_type": "text", "file_size": 9, "extracted_content": "Hull: 4 mm loss."}
    pasted = {"file_name": "", "file_type": "txt", "file_size": 9, "extracted_content": "My list: rollers, tape."}
    photo = {"file_name": "keel.jpg", "file_uuid": "f-1"}
    brain.write(
        "conversations.json",
        json.dumps(
            [
                talk(message("human", "Read this.", attachments=[document], files=[photo, photo])),
                talk(message("human", "", "10:00:00", attachments=[pasted]), name="Pasted"),
            ]
        ),
    )

    brain.take()

    whole, paste = sorted(brain.stored(), key=lambda one: one.title == "Pasted")
    assert shape(whole) == [("user", "Read this.\n\n[file: keel.jpg]"), ("tool", "[file: survey.md]\nHull: 4 mm loss.")]
    assert named(whole, "attachment")[0].trust is Trust.EXTERNAL
    assert shape(paste) == [("user", "My list: rollers, tape.")]


def test_artifacts_tools_and_thoughts(brain: Importing) -> None:
    """I14: the placeholder in `text` stands for what `content` holds."""
    blocks = [
        {"type": "thinking", "thinking": "Secret musing."},
        {"type": "text", "text": "<antThinking>Hm.</antThinking>Here it is."},
        {"type": "tool_use", "name": "artifacts", "input": {"command": "create", "id": "plan", "content": "# Plan"}},
        {"type": "tool_result", "name": "artifacts", "content": [{"type": "text", "text": "OK"}], "is_error": False},
        {"type": "token_budget"},
        {"type": "text", "text": "```\nThis block is not supported on your current device yet.\n```"},
    ]
    brain.write(
        "conversations.json",
        json.dumps(
            [talk(message("human", "A plan, please."), message("assistant", "", content=blocks, plain="Viewing…"))]
        ),
    )

    report = brain.take()

    one = brain.one()
    assert [turn.role for turn in one.turns] == [Role.USER, Role.ASSISTANT, Role.ASSISTANT, Role.TOOL]
    assert one.turns[1].text == "Here it is."
    assert '"content": "# Plan"' in one.turns[2].text
    assert one.turns[3].text == "OK"
    assert "Secret musing" not in brain.text()
    assert report.skips.left_out["reasoning"] == 2


def test_text_stands_in_where_content_is_empty_and_empty_conversations_are_counted(brain: Importing) -> None:
    blank = talk(
        message("human", "", content=[], plain=""), message("assistant", "", content=[], plain=""), name="Blank"
    )
    plain = talk(message("human", "Only text.", content=[]), message("assistant", "Fine.", content=None))
    odd = talk("not a message", message("dolphin", "Eee"), message("human", "Still here."), name="Odd")  # type: ignore[arg-type]
    brain.write("conversations.json", json.dumps([blank, plain, odd, {"uuid": "no messages"}]))

    report = brain.take()

    assert sorted(said(one)[0] for one in brain.stored()) == ["Only text.", "Still here."]
    assert report.skips.left_out["empty message"] == 2
    assert report.skips.broken == {
        "not a message": 1,
        "sender 'dolphin' is not known": 1,
        "not a conversation": 1,
    }
    assert report.exit_code == 1


def test_a_second_export_with_more_messages_grows_the_session(brain: Importing) -> None:
    begun = [message("human", "Day one."), message("assistant", "Noted.", "09:01:00")]
    brain.write("conversations.json", json.dumps([talk(*begun)]))
    brain.take()
    brain.write("conversations.json", json.dumps([talk(*begun, message("human", "Day two.", "10:00:00"))]))

    report = brain.take()

    assert (report.new, report.grown) == (0, 1)
    assert said(brain.one()) == ["Day one.", "Day two."]
