"""What an import promises: idempotent, append-only, atomic, counted, and honest about what it did."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from foreign import SESSION, Claude, Importing, conversation, message, said, shape

from brain.errors import LockHeld, NotFound
from brain.ingest import RawSession, RawTurn
from brain.ingest.ledger import one_import
from brain.lines import of_import
from brain.tree import transcript
from brain.tree.layout import FileClass, classify
from brain.tree.sessions import SessionRow, SessionState, render_rows
from brain.types import Role, Turn


def three_sources(brain: Importing) -> None:
    log = Claude()
    log.user("Build it.")
    log.answer("Built.")
    brain.write(f"claude/{SESSION}.jsonl", log.lines)
    brain.write("chatgpt/conversations.json", json.dumps([conversation("Talk", [None, message("user", "Hi", 1.7e9)])]))
    brain.write("notes/chat.md", "User: Hello.\n\nAssistant: Hi.\n")


def snapshot(brain: Importing) -> dict[str, bytes]:
    return {
        str(p.relative_to(brain.root)): p.read_bytes() for p in sorted(brain.root.glob("sessions/**/*")) if p.is_file()
    }


def test_importing_again_changes_no_byte_with_and_without_the_ledger(brain: Importing) -> None:
    three_sources(brain)
    first = brain.take()
    before = snapshot(brain)

    second = brain.take()
    shutil.rmtree(brain.root / ".brain")
    third = brain.take()

    assert (first.new, first.grown, first.unchanged) == (3, 0, 0)
    assert (second.new, second.grown, second.unchanged) == (0, 0, 3)
    assert (third.new, third.grown, third.unchanged) == (0, 0, 3)
    assert [r.exit_code for r in (first, second, third)] == [0, 0, 0]
    assert snapshot(brain) == before
    assert second.rows == third.rows == []


def test_rows_say_what_the_transcripts_hold(brain: Importing) -> None:
    three_sources(brain)
    report = brain.take()

    rows = brain.rows()
    assert sorted(row.id for row in rows) == sorted(row.id for row in report.rows)
    for row in rows:
        place = brain.root / row.transcript
        whole = transcript.read(place)
        assert classify(row.transcript) is FileClass.TRANSCRIPT
        assert (whole.id, whole.title, len(whole.turns)) == (row.id, row.title, row.turns)
        assert (row.through_turn, row.attached_through, row.summary) == (0, 0, None)
        assert __import__("hashlib").sha256(place.read_bytes()).hexdigest() == row.transcript_sha256


def test_a_session_that_grew_gets_only_its_new_turns(brain: Importing) -> None:
    log = Claude()
    log.user("One.")
    log.answer("Two.")
    brain.write(f"{SESSION}.jsonl", log.lines)
    brain.take()
    (row,) = brain.rows()
    seen = replace(row, through_turn=2, attached_through=1, summary="sessions/summaries/x.md", sensitivity="private")
    (brain.root / "sessions" / "index.jsonl").write_text(render_rows([seen]))
    before = brain.files()[0].read_bytes()
    log.user("Three.")
    log.lines.append({"type": "custom-title", "customTitle": "Another title", "sessionId": SESSION})
    brain.write(f"{SESSION}.jsonl", log.lines)

    report = brain.take()

    assert (report.new, report.grown, report.turns) == (0, 1, 1)
    assert brain.files()[0].read_bytes().startswith(before)
    (grown,) = brain.rows()
    assert (grown.turns, grown.through_turn, grown.attached_through) == (3, 2, 1)
    assert (grown.summary, grown.sensitivity) == ("sessions/summaries/x.md", "private")
    assert grown.last_turn_at != row.last_turn_at


def test_only_the_end_of_a_session_that_grew_is_worked_on(brain: Importing) -> None:
    """T31: each import of a long live session costs what is new in it, not what is old."""
    secret = "ghp_" + "A1b2C3d4E5f6" * 3
    log = Claude()
    for n in range(50):
        log.user(f"Question {n}, token {secret}?")
        log.answer(f"Answer {n}.")
    brain.write(f"{SESSION}.jsonl", log.lines)
    assert sum(brain.take().redacted.values()) == 50
    for n in range(3):
        log.user(f"More {n}?")
        log.answer(f"More {n}, {secret}.")
        brain.write(f"{SESSION}.jsonl", log.lines)

        report = brain.take()

        assert (report.grown, report.turns) == (1, 2)
        assert sum(report.redacted.values()) == 1
    assert len(brain.one().turns) == 106


@pytest.mark.parametrize("first", ["short", "long"])
def test_copies_of_a_session_in_several_files_grow_without_repeating_turns(brain: Importing, first: str) -> None:
    def write(name: str, count: int) -> None:
        log = Claude()
        for n in range(count):
            log.user(f"Question {n}?")
        brain.write(f"{name}/{SESSION}.jsonl", log.lines)

    names = ["a", "b"] if first == "short" else ["b", "a"]
    write(names[0], 3)
    write(names[1], 5)
    brain.take()
    for count in range(6, 9):
        write(names[count % 2], count)
        brain.take()
        assert said(brain.one()) == [f"Question {n}?" for n in range(count)]


def test_a_session_whose_beginning_was_rewritten_is_compared_in_full(brain: Importing) -> None:
    talks = [
        conversation(f"T{n}", [None, message("user", f"A{n}", 1.7e9), message("assistant", "B", 1.7e9 + 1)])
        for n in range(3)
    ]
    brain.write("conversations.json", json.dumps(talks))
    brain.take()
    talks[0] = conversation(
        "T0",
        [None, message("user", "A0", 1.7e9), message("assistant", "B", 1.7e9 + 1), message("user", "C", 1.7e9 + 2)],
    )
    talks[1] = conversation(
        "T1",
        [None, message("user", "A1", 1.7e9), message("assistant", "B2", 1.7e9 + 5), message("user", "C", 1.7e9 + 6)],
    )
    brain.write("conversations.json", json.dumps(talks))

    report = brain.take()

    assert (report.new, report.grown, report.unchanged, report.turns) == (0, 2, 1, 3)
    assert [[text for _, text in shape(one)] for one in brain.stored()] == [
        ["A0", "B", "C"],
        ["A1", "B", "B2", "C"],
        ["A2", "B"],
    ]


def test_a_message_stored_while_it_grew_comes_back_as_its_remainder_once(brain: Importing) -> None:
    def write(text: str, *after: str) -> None:
        log = Claude()
        log.user("Tell me.")
        log.answer(text, "msg_1")
        for more in after:
            log.user(more)
        brain.write(f"{SESSION}.jsonl", log.lines)

    write("The boat")
    brain.take()
    write("The boat is blue.")
    brain.take()
    write("The boat is blue.", "Thanks.")
    brain.take()
    write("The boat is blue.", "Thanks.", "Bye.")
    brain.take()

    assert [text for _, text in shape(brain.one())] == ["Tell me.", "The boat", " is blue.", "Thanks.", "Bye."]


def test_a_source_that_rewrote_its_past_only_adds(brain: Importing) -> None:
    talk = [None, message("user", "A", 1.7e9), message("assistant", "B", 1.7e9 + 1), message("user", "C", 1.7e9 + 2)]
    brain.write("conversations.json", json.dumps([conversation("T", talk)]))
    brain.take()
    before = brain.files()[0].read_bytes()
    edited = [
        None,
        talk[1],
        message("assistant", "B again", 1.7e9 + 9),
        message("user", "C", 1.7e9 + 2),
        message("user", "D", 1.7e9 + 12),
    ]
    brain.write("conversations.json", json.dumps([conversation("T", edited)]))

    brain.take()

    assert brain.files()[0].read_bytes().startswith(before)
    assert [text for _, text in shape(brain.one())] == ["A", "B", "C", "B again", "D"]
    assert brain.take().turns == 0


def test_deleted_sessions_and_redacted_turns_do_not_come_back(brain: Importing) -> None:
    """T10 at the door: forgetting would be useless if the next import learned it again."""
    three_sources(brain)
    brain.take()
    rows = brain.rows()
    gone = next(row for row in rows if row.source == "chatgpt")
    (brain.root / gone.transcript).unlink()
    claude = next(row for row in rows if row.source == "claude-code")
    place = brain.root / claude.transcript
    whole = transcript.read(place)
    stub = replace(whole.turns[0], text="", redacted="del_01K2A9QXAAAAAAAAAAAAAAAAAA")
    place.write_text(transcript.render(replace(whole, turns=(stub, *whole.turns[1:]))))
    marked = [replace(row, state=SessionState.DELETED) if row.id == gone.id else row for row in rows]
    marked = [replace(row, state=SessionState.REDACTED) if row.id == claude.id else row for row in marked]
    (brain.root / "sessions" / "index.jsonl").write_text(render_rows(marked))
    shutil.rmtree(brain.root / ".brain")
    log = Claude()
    log.user("Build it.")
    log.answer("Built.")
    log.user("Ship it.")
    brain.write(f"claude/{SESSION}.jsonl", log.lines)

    report = brain.take()

    assert not (brain.root / gone.transcript).exists()
    assert report.count("deleted") == 1
    assert said(transcript.read(place)) == ["", "Ship it."]
    assert "Build it." not in place.read_text().split("---", 2)[2]


def test_a_transcript_that_vanished_is_imported_again_although_its_file_did_not_change(brain: Importing) -> None:
    three_sources(brain)
    brain.take()
    brain.files()[0].unlink()

    assert brain.take().new == 1
    assert len(brain.files()) == 3


def test_a_dry_run_says_what_would_happen_and_writes_nothing(brain: Importing) -> None:
    three_sources(brain)

    report = brain.take(dry_run=True)

    assert (report.new, report.turns, report.exit_code) == (3, 5, 0)
    assert not brain.root.exists()
    brain.take()
    brain.write("notes/chat.md", "User: Hello.\n\nAssistant: Hi.\n\nUser: More.\n")
    before = snapshot(brain)
    again = brain.take(dry_run=True)
    assert (again.new, again.grown, again.unchanged, again.turns) == (0, 1, 2, 1)
    assert snapshot(brain) == before


def test_publishing_happens_once_after_everything_is_on_disk(brain: Importing) -> None:
    three_sources(brain)
    calls: list[list[SessionRow]] = []

    def publish(rows: list[SessionRow]) -> None:
        assert all((brain.root / row.transcript).is_file() for row in rows)
        calls.append(rows)

    brain.take(publish=publish)

    assert [len(rows) for rows in calls] == [3]
    assert not (brain.root / "sessions" / "index.jsonl").exists()


def test_what_was_not_published_is_published_by_the_next_import(brain: Importing) -> None:
    """A kill between the transcripts and the index: whatever source comes next, the rows appear."""
    three_sources(brain)

    def killed(rows: list[SessionRow]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        brain.take(publish=killed)
    assert len(brain.files()) == 3

    report = brain.take(brain.source / "notes")

    assert len(brain.rows()) == 3
    assert len([note for note in report.notes if "recovered" in note]) == 3
    assert brain.take().unchanged == 3


def test_what_a_killed_import_left_half_written_is_swept(brain: Importing) -> None:
    three_sources(brain)
    brain.take()
    left = [brain.files()[0].parent / ".tmp-abcdefgh", brain.root / "sessions" / "artifacts" / "x" / ".tmp-abcdefgh"]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("half a turn")

    brain.take(dry_run=True)
    assert all(path.exists() for path in left)
    brain.take()
    assert not any(path.exists() for path in left)


def test_growth_that_was_not_published_is_recovered_and_hand_edits_are_not_signed(brain: Importing) -> None:
    three_sources(brain)
    brain.take()
    row = next(row for row in brain.rows() if row.source == "dialogue")
    place = brain.root / row.transcript
    with place.open("a") as file:
        file.write(transcript.render_turn(Turn(number=3, role=Role.USER, text="More.")))
    brain.take()
    grown = next(one for one in brain.rows() if one.id == row.id)
    assert (grown.turns, grown.transcript_sha256 != row.transcript_sha256) == (3, True)

    place.write_text(place.read_text().replace("Hello.", "Goodbye."))
    report = brain.take()
    assert next(one for one in brain.rows() if one.id == row.id) == grown
    assert any("changed by hand" in note for note in report.notes)


def test_a_folder_may_hold_anything_and_a_file_that_was_asked_for_must_be_a_transcript(brain: Importing) -> None:
    three_sources(brain)
    other = brain.write("notes/todo.csv", "a,b\n1,2\n")
    brain.write("notes/picture.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 100)
    with ZipFile(brain.write("notes/export.zip", b""), "w") as archive:
        archive.writestr("budget.csv", "a,b\n")
    brain.write("notes/empty.jsonl", "")

    folder = brain.take()
    asked = brain.take(other, brain.source / "notes" / "export.zip", brain.source / "notes" / "chat.md")

    assert folder.exit_code == 0
    assert folder.skips.left_out["not a transcript"] == 4  # the archive's file among them
    assert asked.exit_code == 1
    assert asked.unchanged == 1
    assert any("todo.csv: no line says who speaks" in problem for problem in asked.problems)
    assert any("export.zip: the archive holds no transcript" in problem for problem in asked.problems)


def test_nothing_found_is_never_a_success(brain: Importing) -> None:
    brain.write("notes/todo.csv", "a,b\n")

    report = brain.take()

    assert report.exit_code == 1
    assert report.problems[0].startswith("no session found in any file; formats that are read: ai-studio, ")
    empty = brain.source / "nothing"
    empty.mkdir()
    assert brain.take(empty).exit_code == 1
    with pytest.raises(NotFound, match="no file or folder"):
        brain.take(brain.source / "missing")


def test_a_reader_that_fails_does_not_stop_the_others(brain: Importing) -> None:
    three_sources(brain)
    broken = brain.write("claude/locked.jsonl", "{}\n")
    broken.unlink()
    broken.symlink_to(brain.source / "nowhere.jsonl")
    stored = brain.take()
    assert stored.new == 3
    place = next(path for path in brain.files() if "build-it" in path.name)
    place.write_text("no longer a transcript")
    shutil.rmtree(brain.root / ".brain")

    report = brain.take()

    assert report.unchanged == 2
    assert place.read_text() == "no longer a transcript"


def test_progress_is_told_in_bytes(brain: Importing) -> None:
    three_sources(brain)
    told: list[tuple[int, int, str]] = []

    brain.take(progress=lambda done, total, what: told.append((done, total, what)))

    total = sum(path.stat().st_size for path in brain.source.rglob("*") if path.is_file())
    assert told[0][:2] == (0, total)
    assert told[-1] == (total, total, "")
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)


def test_two_imports_at_once_do_not_meet(brain: Importing) -> None:
    three_sources(brain)
    with one_import(brain.root / ".brain" / "index"), pytest.raises(LockHeld):
        brain.take()
    assert brain.take().new == 3


def test_a_broken_ledger_is_begun_again(brain: Importing) -> None:
    three_sources(brain)
    brain.take()
    (brain.root / ".brain" / "index" / "imports.sqlite").write_bytes(b"not a database" * 100)
    for path in (brain.root / ".brain" / "index").glob("imports.sqlite-*"):
        path.unlink()

    assert brain.take().unchanged == 3


def test_long_tool_output_goes_to_an_artifact_and_the_turn_keeps_both_ends(brain: Importing) -> None:
    log = Claude()
    log.user("Run it.")
    log.call("Bash", {"command": "make"}, "toolu_1", "msg_1")
    output = "\n".join(f"line {n} of the build" for n in range(1000))
    log.result("toolu_1", output)
    brain.write(f"{SESSION}.jsonl", log.lines)
    brain.take()

    turn = brain.one().turns[2]
    assert turn.text.startswith("line 0 of the build\n")
    assert turn.text.endswith("\nline 999 of the build")
    assert f"[… {len(output)} bytes in all" in turn.text
    assert len(turn.text) < 4096
    (uri,) = turn.attach
    assert uri.startswith(f"file://artifacts/{brain.one().id}/")
    assert (brain.root / "sessions" / uri.removeprefix("file://")).read_text() == output + "\n"
    log.user("Again.")
    brain.write(f"{SESSION}.jsonl", log.lines)
    assert brain.take().turns == 1
    assert len(list((brain.root / "sessions" / "artifacts").rglob("*.txt"))) == 1


def test_the_report_has_a_row_a_source_and_a_form_for_programs(brain: Importing) -> None:
    three_sources(brain)
    brain.write(
        "claude/broken.jsonl", '{"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": "Hi"}}\n{"typ\n'
    )
    report = brain.take()

    assert [row[:6] for row in report.table()] == [
        ("chatgpt", 1, 1, 0, 0, 1),
        ("claude-code", 2, 2, 0, 0, 3),
        ("dialogue", 1, 1, 0, 0, 2),
    ]
    form = json.loads(json.dumps(report.json()))
    assert (form["exit_code"], form["new"], form["turns"]) == (1, 4, 6)
    assert form["broken"] == {"line is not JSON": 1} or list(form["broken"]) == ["line is not JSON"]


def test_a_session_in_memory_comes_in_by_the_same_door(brain: Importing) -> None:
    note = RawSession(
        source="note", external_id="note-1", title="A note", turns=[RawTurn(role=Role.USER, text="Ines sails.")]
    )

    assert brain.take_sessions(note).new == 1
    again = RawSession(
        source="note", external_id="note-1", title="A note", turns=[RawTurn(role=Role.USER, text="Ines sails.")]
    )
    report = brain.take_sessions(again)

    assert (report.unchanged, report.exit_code) == (1, 0)
    assert shape(brain.one()) == [("user", "Ines sails.")]


def test_the_same_file_under_two_names_is_read_once(brain: Importing) -> None:
    three_sources(brain)
    (brain.source / "notes" / "Chat.md").symlink_to(brain.source / "notes" / "chat.md")

    report = brain.take()

    assert len(brain.files()) == 3
    assert report.new == 3


def test_paths_are_compared_by_what_they_hold_not_by_where_they_lie(brain: Importing, tmp_path: Path) -> None:
    three_sources(brain)
    brain.take()
    moved = tmp_path / "moved"
    brain.source.rename(moved)

    report = brain.take(moved)

    assert (report.new, report.grown, report.unchanged) == (0, 0, 3)


def test_the_report_says_of_each_source_what_was_left_out_and_why(brain: Importing) -> None:
    log = Claude()
    log.user("<system-reminder>Be brief.</system-reminder>Where is the oar?")
    log.blocks([{"type": "thinking", "thinking": "In the shed?"}, {"type": "text", "text": "In the shed."}])
    brain.write(f"{SESSION}.jsonl", log.lines)

    report = brain.take()

    assert report.left_out() == {"claude-code": {"reasoning": 1, "system reminder": 1}}
    assert "left out of claude-code: 1 reasoning, 1 system reminder" in list(of_import(report))
