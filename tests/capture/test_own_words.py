"""What memory puts into a session never comes back as something that was said there (T01), and our own runs are no

sessions of anybody's.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from living import NOW, OTHER, SESSION, Claude, Living, add_pages

from brain import Brain
from brain.capture import inject
from brain.config import Config

SAID = "My cat is called Olive."
FACT = "heron-001"


@pytest.fixture
def index(living: Living) -> str:
    """The block that a session of this brain is given."""
    text = inject.index_for(living.memory, Config.load(living.memory))
    assert FACT in text
    return text


def capture(living: Living, *paths: Path) -> str:
    """Bring files in, distil them, and give all text that memory got of it."""
    with Brain.open(living.memory, background="no", clock=lambda: NOW) as brain:
        brain.import_(list(paths))
        brain.distil(engine="extractive")
    folders = [living.memory / name for name in ("sessions", "notes")]
    return "\n".join(path.read_text("utf-8") for folder in folders for path in sorted(folder.rglob("*.md")))


def test_of_a_claude_code_session_only_what_was_said_is_kept(living: Living, index: str) -> None:
    """Each way in which its versions wrote a hook's context into the transcript, and one a person pasted it in."""
    chat = living.claude()
    attached = {"type": "hook_additional_context", "content": [index], "hookName": "SessionStart"}
    ran = {"type": "hook_success", "hookName": "SessionStart:startup", "content": index, "stdout": index}
    chat.write(chat.line("attachment", "", attachment=attached))
    chat.write(chat.line("attachment", "", attachment=ran))
    reminder = f"<system-reminder>\nSessionStart hook additional context: {index}\n</system-reminder>"
    chat.write(chat.line("user", reminder, isMeta=True))
    chat.write(chat.line("user", f"SessionStart hook additional context: {index}"))
    chat.write(chat.line("user", f"<user-prompt-submit-hook>{index}</user-prompt-submit-hook>\n{SAID}"))
    chat.write(chat.line("user", f"{index}\nFeed her at six."))
    chat.write(chat.line("assistant", "I will."))
    kept = capture(living, chat.path)
    assert living.texts() == {SESSION: [SAID, "Feed her at six.", "I will."]}
    assert FACT not in kept
    assert "brain-index" not in kept


def test_of_a_codex_session_only_what_was_said_is_kept(living: Living, index: str) -> None:
    records: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": SESSION, "timestamp": "2026-07-01T09:00:00Z", "cwd": "/home/ines"}},
        _codex("developer", index),
        _codex("user", f"<hook_context>\n{index}\n</hook_context>"),
        _codex("user", SAID),
        _codex("assistant", "A fine name."),
    ]
    path = living.home / f"rollout-2026-07-01T09-00-00-{SESSION}.jsonl"
    lines = [json.dumps({"timestamp": f"2026-07-01T09:00:0{n}Z", **record}) + "\n" for n, record in enumerate(records)]
    path.write_text("".join(lines), "utf-8")
    kept = capture(living, path)
    assert living.texts() == {SESSION: [SAID, "A fine name."]}
    assert FACT not in kept


def _codex(role: str, text: str) -> dict[str, Any]:
    return {
        "type": "response_item",
        "payload": {"type": "message", "role": role, "content": [{"type": "text", "text": text}]},
    }


def test_of_a_gemini_session_only_what_was_said_is_kept(living: Living, index: str) -> None:
    """Without a terminal it puts the context before the user's own prompt."""
    messages = [
        {
            "id": "1",
            "timestamp": "2026-07-01T09:00:00Z",
            "type": "user",
            "content": f"<hook_context>{index}</hook_context>\n\n{SAID}",
        },
        {"id": "2", "timestamp": "2026-07-01T09:00:02Z", "type": "gemini", "content": "A fine name."},
    ]
    path = living.home / "session-1.json"
    whole = {
        "sessionId": "g1", "projectHash": "x", "startTime": "2026-07-01T09:00:00Z",
        "lastUpdated": "2026-07-01T09:00:05Z", "messages": messages,
    }  # fmt: skip
    path.write_text(json.dumps(whole), "utf-8")
    kept = capture(living, path)
    assert living.texts() == {"g1": [SAID, "A fine name."]}
    assert FACT not in kept


def test_of_a_cursor_transcript_only_what_was_said_is_kept(living: Living, index: str) -> None:
    lines = [("user", f"{index}\n<user_query>\n{SAID}\n</user_query>"), ("assistant", "A fine name.")]
    path = living.home / "agent-transcripts" / f"{SESSION}.jsonl"
    path.parent.mkdir()
    records = [{"role": role, "message": {"content": [{"type": "text", "text": text}]}} for role, text in lines]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    kept = capture(living, path)
    assert SAID in kept
    assert FACT not in kept


def test_recalled_memory_and_a_system_prompt_in_a_users_turn_become_no_facts(living: Living) -> None:
    chat = living.claude()
    recalled = "<recalled_memory>\n- The user lives in Oslo\n- The user is John Doe\n</recalled_memory>"
    system = "<system-prompt>You are a helpful assistant. The user prefers short answers.</system-prompt>"
    chat.say(f"{recalled}\n{system}\nI moved to Bergen last week.")
    chat.say("<relevant-memories>\n- The user owns a piano\n</relevant-memories>\nI sold my bicycle.")
    kept = capture(living, chat.path)
    assert "Bergen" in kept
    assert "bicycle" in kept
    for invented in ("Oslo", "John Doe", "short answers", "piano"):
        assert invented not in kept


def test_night_after_night_memory_does_not_feed_on_itself(living: Living) -> None:
    """Each session begins with what memory says, and says one new thing: memory grows by that thing alone."""
    grown = []
    for night in range(4):
        index = inject.index_for(living.memory, Config.load(living.memory))
        chat = living.claude(f"3f0c9b52-1111-4a4a-8b8b-00000000002{night}")
        chat.write(chat.line("user", f"SessionStart hook additional context: {index}"))
        chat.say(f"{index}\nI bought {night + 3} new fenders for the boat.")
        with Brain.open(living.memory, background="no", clock=lambda: NOW) as brain:
            brain.import_([chat.path])
            brain.dream(engine="extractive")
        notes = [path.read_text("utf-8") for path in sorted((living.memory / "notes").rglob("*.md"))]
        grown.append(sum(text.count("\n- ") for text in notes))
        assert not [text for text in notes if "brain-index" in text or "a boat of the club" in text]
    steps = [after - before for before, after in pairwise(grown)]
    assert len(set(steps)) == 1 <= steps[0], f"each night adds as much as the one before: {grown}"


def test_sessions_of_our_own_runs_and_of_their_helpers_are_left_out(living: Living) -> None:
    run = "01K1B2C3D4E5F6G7H8J9KMNPQR"
    theirs = living.claude()
    theirs.say(f"brain-run: {run}\n\nYou compile notes into pages. The user prefers tea.")
    helper = Claude(living.home / ".claude" / "projects" / "p" / f"{OTHER}.jsonl", OTHER)
    work = str(living.memory / ".brain" / "staging" / run / "tree")
    helper.write(helper.line("user", "Read the page on tea. The user prefers tea.", cwd=work))
    helper.write(helper.line("assistant", "Read.", cwd=work))
    asked = living.claude("3f0c9b52-3333-4a4a-8b8b-000000000003")
    asked.write(asked.line("user", "Look at the map.", cwd="/tmp/brain-ask-x1y2z3/tree"))
    with Brain.open(living.memory, background="no", clock=lambda: NOW) as brain:
        report = brain.import_([living.home / ".claude"])
    assert living.stored() == []
    assert report.skips.left_out["session of one of our own runs"] == 3


def test_the_index_is_the_same_bytes_until_memory_changes(living: Living, index: str) -> None:
    config = Config.load(living.memory)
    assert inject.index_for(living.memory, config) == index
    add_pages(living.memory, 1, description="a new boat.")
    assert inject.index_for(living.memory, config) != index
