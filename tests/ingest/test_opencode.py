"""opencode: the tree of small files, the database with its log, both at once, what is not speech."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from foreign import Importing, named, said, shape

from brain.types import Role

SESSION = {
    "id": "ses_kite01",
    "version": "1.1.0",
    "projectID": "p1",
    "directory": "/home/ines/boat",
    "title": "Reefing",
    "time": {"created": 1_767_000_000_000, "updated": 1_767_000_900_000},
}
TOOL = {
    "type": "tool",
    "callID": "call_1",
    "tool": "bash",
    "state": {
        "status": "completed",
        "input": {"command": "ls"},
        "output": "rig.md\n",
        "time": {"start": 1_767_000_020_000, "end": 1_767_000_021_000},
    },
}


def message(number: int, role: str) -> dict[str, Any]:
    time = {"created": 1_767_000_000_000 + number * 10_000}
    return {"id": f"msg_{number:03}", "sessionID": SESSION["id"], "role": role, "time": time}


TALK: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    (
        message(1, "user"),
        [{"type": "text", "text": "When do I reef?"}, {"type": "text", "text": "…", "synthetic": True}],
    ),
    (
        message(2, "assistant"),
        [
            {"type": "step-start"},
            {"type": "reasoning", "text": "Secret musing."},
            {"type": "text", "text": "I look."},
            TOOL,
            {"type": "text", "text": "At 18 knots."},
            {"type": "step-finish"},
        ],
    ),
    (
        message(3, "user"),
        [{"type": "file", "filename": "chart.pdf", "mime": "application/pdf", "url": "file:///c.pdf"}],
    ),
]
SPEECH = [
    ("user", "When do I reef?"),
    ("assistant", "I look."),
    ("assistant", '```json\n{\n "command": "ls"\n}\n```'),
    ("tool", "rig.md"),
    ("assistant", "At 18 knots."),
    ("user", "[file: chart.pdf]"),
]


def write_tree(brain: Importing, talk: list[tuple[dict[str, Any], list[dict[str, Any]]]], **about: Any) -> None:
    session = {**SESSION, **about}
    brain.write(f"storage/session/p1/{session['id']}.json", json.dumps(session))
    brain.write("storage/project/p1.json", json.dumps({"id": "p1", "worktree": "/home/ines/boat", "vcs": "git"}))
    for at, (one, parts) in enumerate(talk):
        one = one | {"sessionID": session["id"]}
        brain.write(f"storage/message/{session['id']}/{one['id']}.json", json.dumps(one))
        for number, part in enumerate(parts):
            part = {"id": f"prt_{at}{number}", "messageID": one["id"], **part}
            brain.write(f"storage/part/{one['id']}/{part['id']}.json", json.dumps(part))


def database(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
        "CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,"
        " time_created INTEGER);"
        "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);"
        "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);"
    )
    return db


def add(db: sqlite3.Connection, talk: list[tuple[dict[str, Any], list[dict[str, Any]]]], session: str) -> None:
    for one, parts in talk:
        data = {key: value for key, value in one.items() if key not in ("id", "sessionID")}
        db.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?)", (one["id"], session, one["time"]["created"], json.dumps(data))
        )
        for number, part in enumerate(parts):
            db.execute(
                "INSERT INTO part VALUES (?, ?, ?, ?)", (f"{one['id']}-{number}", one["id"], session, json.dumps(part))
            )


def test_a_tree_of_files_is_one_session(brain: Importing) -> None:
    write_tree(brain, TALK)

    report = brain.take()

    one = brain.one()
    assert report.exit_code == 0
    assert (one.source, one.title, one.cwd) == ("opencode", "Reefing", "/home/ines/boat")
    assert shape(one) == SPEECH
    assert [turn.role for turn in named(one, "bash")] == [Role.ASSISTANT, Role.TOOL]
    assert "Secret musing" not in brain.text()
    assert report.skips.left_out["synthetic text"] == 1


def test_a_new_message_grows_a_session_whose_own_file_did_not_change(brain: Importing) -> None:
    write_tree(brain, TALK[:2])
    brain.take()
    assert brain.take().unchanged == 1
    write_tree(brain, TALK)

    assert (brain.take().grown, shape(brain.one())) == (1, SPEECH)


def test_the_database_is_read_with_its_log_and_nothing_is_left_beside_it(brain: Importing) -> None:
    """I31: what is new lies in the write-ahead log while the program runs."""
    path = brain.write("opencode.db", b"")
    with closing(database(path)) as db:
        db.execute(
            "INSERT INTO session VALUES (?, 'p1', NULL, '/home/ines/boat', 'Reefing', 1767000000000)", (SESSION["id"],)
        )
        add(db, TALK[:2], str(SESSION["id"]))
        before = sorted(one.name for one in path.parent.iterdir())

        assert brain.take().new == 1
        assert shape(brain.one()) == SPEECH[:5]
        assert brain.take().unchanged == 1

        db.execute("BEGIN")  # the program is in the middle of writing
        add(db, TALK[2:], str(SESSION["id"]))
        db.execute("COMMIT")
        assert (brain.take().grown, shape(brain.one())) == (1, SPEECH)
        assert sorted(one.name for one in path.parent.iterdir()) == before


def test_an_install_that_was_moved_to_the_database_holds_both_and_gives_one_session(brain: Importing) -> None:
    write_tree(brain, TALK[:2])
    path = brain.write("opencode.db", b"")
    with closing(database(path)) as db:
        db.execute(
            "INSERT INTO session VALUES (?, 'p1', NULL, '/home/ines/boat', 'Reefing', 1767000000000)", (SESSION["id"],)
        )
        add(db, TALK, str(SESSION["id"]))

        brain.take()

    assert shape(brain.one()) == SPEECH


def test_a_subagents_session_and_damaged_pieces_cost_only_themselves(brain: Importing) -> None:
    write_tree(brain, TALK)
    write_tree(
        brain, [(message(9, "user"), [{"type": "text", "text": "Agent's order."}])], id="ses_sub", parentID="ses_kite01"
    )
    brain.write("storage/message/ses_kite01/msg_004.json", '{"id": "msg_004", "sessionID"')
    brain.write("other.db", b"SQLite format 3\x00" + b"\x00" * 200)
    broken = brain.write("opencode.db", b"SQLite format 3\x00" + b"\xff" * 5000)

    report = brain.take()

    assert said(brain.one())[0] == "When do I reef?"
    assert report.skips.left_out["session of a subagent"] == 1
    assert report.exit_code == 1
    assert any("msg_004.json" in problem for problem in report.problems)
    assert any(str(broken) in problem and "database" in problem for problem in report.problems)
