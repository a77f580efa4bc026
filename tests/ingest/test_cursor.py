"""Cursor: the chat rows of a database that holds more, headers that order bubbles, old tabs, agent transcripts."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from foreign import Importing, named, said, shape

from brain.types import Role

CHAT = "c0ffee00-0000-4000-8000-000000000001"


def vscdb(path: Path, **tables: dict[str, Any]) -> Path:
    """A database with rows of JSON by table; a value None is NULL."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        for table, rows in tables.items():
            db.execute(f"CREATE TABLE IF NOT EXISTS {table} (key TEXT PRIMARY KEY, value BLOB)")
            for key, value in rows.items():
                text = value if value is None or isinstance(value, str) else json.dumps(value)
                db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", (key, text))
    return path


def bubble(kind: int, text: str, minute: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "text": text, "createdAt": f"2026-02-03T10:{minute:02}:00.000Z", **more}


def chat(*ids: str, **more: Any) -> dict[str, Any]:
    headers = [{"bubbleId": one, "type": 1} for one in ids]
    return {
        "composerId": CHAT,
        "name": "Rigging",
        "createdAt": 1_770_112_800_000,
        "fullConversationHeadersOnly": headers,
        **more,
    }


TOOL = {
    "toolCallId": "call_1",
    "name": "read_file",
    "rawArgs": '{"path": "rig.md"}',
    "result": "Mast: 14 m",
    "status": "completed",
}
ROWS: dict[str, Any] = {
    f"composerData:{CHAT}": chat("b-z", "b-a", "b-m", "gone", "b-null"),
    f"bubbleId:{CHAT}:b-a": bubble(2, "I look it up.", 1),
    f"bubbleId:{CHAT}:b-z": bubble(1, "How tall is the mast?", 0),
    f"bubbleId:{CHAT}:b-m": bubble(2, "", 2, toolFormerData=TOOL, thinking={"text": "Secret musing."}),
    f"bubbleId:{CHAT}:b-null": None,
    f"bubbleId:{CHAT}:b-old": bubble(1, "Question before the edit.", 0),
    "composerData:empty": None,
}


def test_bubbles_stand_in_the_order_of_the_headers(brain: Importing) -> None:
    """I32: chats are rows of cursorDiskKV; values may be missing, other bubbles left over."""
    vscdb(
        brain.source / "User/globalStorage/state.vscdb",
        cursorDiskKV=ROWS,
        ItemTable={"cursorAuth/accessToken": "tok-ZZ9"},
    )
    vscdb(
        brain.source / "User/workspaceStorage/ab12/state.vscdb",
        ItemTable={"composer.composerData": {"allComposers": [{"composerId": CHAT}]}},
    )
    brain.write("User/workspaceStorage/ab12/workspace.json", '{"folder": "file:///home/ines/my%20boat"}')

    report = brain.take()

    one = brain.one()
    assert report.exit_code == 0
    assert (one.source, one.title, one.cwd, one.external_id) == ("cursor", "Rigging", "/home/ines/my boat", CHAT)
    assert shape(one) == [
        ("user", "How tall is the mast?"),
        ("assistant", "I look it up."),
        ("assistant", '```json\n{\n "path": "rig.md"\n}\n```'),
        ("tool", "Mast: 14 m"),
    ]
    assert [turn.role for turn in named(one, "read_file")] == [Role.ASSISTANT, Role.TOOL]
    assert report.skips.left_out["bubble left over from an edit"] == 1
    assert report.skips.left_out["row without a value"] == 2
    assert "tok-ZZ9" not in brain.text()
    assert "Secret musing" not in brain.text()


def test_a_chat_that_goes_on_grows_and_the_original_is_left_alone(brain: Importing) -> None:
    path = vscdb(brain.source / "globalStorage/state.vscdb", cursorDiskKV=ROWS)
    brain.take()
    later = {
        f"composerData:{CHAT}": chat("b-z", "b-a", "b-m", "b-new"),
        f"bubbleId:{CHAT}:b-new": bubble(1, "And the boom?", 9),
    }
    vscdb(path, cursorDiskKV=later)
    before = path.read_bytes()

    assert (brain.take().grown, said(brain.one())) == (1, ["How tall is the mast?", "And the boom?"])
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == ["state.vscdb"]


def test_chats_written_inline_and_chats_in_tabs(brain: Importing) -> None:
    inline = {"composerId": "old", "createdAt": 1_700_000_000_000, "conversation": [bubble(1, "Inline?", 0), "odd"]}
    tabs = {
        "tabs": [
            {
                "tabId": "t-1",
                "chatTitle": "Knots",
                "bubbles": [{"type": "user", "text": "Best knot?"}, {"type": "ai", "rawText": "Bowline."}],
            },
            {"tabId": "t-2"},
        ]
    }
    folder = brain.source / "User/workspaceStorage/ff01"
    vscdb(
        folder / "state.vscdb",
        cursorDiskKV={"composerData:old": inline},
        ItemTable={"workbench.panel.aichat.view.aichat.chatdata": tabs},
    )
    brain.write("User/workspaceStorage/ff01/workspace.json", '{"folder": "file:///srv/knots"}')

    report = brain.take()

    assert [(one.external_id, [text for _, text in shape(one)]) for one in brain.stored()] == [
        ("old", ["Inline?"]),
        ("t-1", ["Best knot?", "Bowline."]),
    ]
    assert brain.stored()[1].cwd == "/srv/knots"
    assert report.skips.broken == {"not a bubble": 1, "not a chat": 1}


def test_transcripts_of_agents(brain: Importing) -> None:
    ask = "<user_query>\nList the sails.\n</user_query>"
    lines = [
        {"role": "user", "message": {"content": [{"type": "text", "text": ask}]}},
        {
            "role": "assistant",
            "message": {
                "content": [
                    {"type": "text", "text": "I list."},
                    {"type": "tool_use", "name": "Shell", "input": {"command": "ls"}},
                ]
            },
        },
        {"type": "turn_ended", "status": "success"},
    ]
    brain.write("agent-transcripts/9a.jsonl", lines)
    brain.write("agent-transcripts/9a/subagents/9b.jsonl", lines)

    report = brain.take()

    one = brain.one()
    assert (one.external_id, said(one)) == ("9a", ["List the sails."])
    assert [turn.name for turn in one.turns] == [None, None, "Shell"]
    assert report.skips.left_out == {"record of the tool": 1, "session of a subagent": 1}


def test_a_database_that_its_program_holds_locked_is_read_from_a_copy(brain: Importing) -> None:
    """What was committed is read, what the program is about to write is not, and the lock is left alone."""
    for mode in ("delete", "wal"):
        place = vscdb(brain.source / mode / "state.vscdb", cursorDiskKV=ROWS)
        with closing(sqlite3.connect(place, isolation_level=None, timeout=0)) as program:
            program.execute(f"PRAGMA journal_mode={mode}")
            program.execute("PRAGMA cache_size=1")
            program.execute("BEGIN EXCLUSIVE")
            program.execute("UPDATE cursorDiskKV SET value = replace(value, 'mast', 'boom')")
            for n in range(60):
                program.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (f"filler:{n}", "x" * 4000))

            report = brain.take(place)

            assert report.exit_code == 0, report.problems
            program.execute("ROLLBACK")
        assert "mast" in said(brain.one())[0]
        assert brain.take(place).turns == 0
