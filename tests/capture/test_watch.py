"""`brain watch` as a process, over folders that grow as hosts write them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from living import OTHER, SESSION, Claude, Living, settings, small_brain, until, watching

from brain import Brain
from brain.capture.folders import Place, places, whole
from brain.capture.nightly import Nightly
from brain.capture.queue import TRIES, Waiting, put
from brain.capture.watch import Watch
from brain.capture.worker import work
from brain.ingest import ImportReport
from brain.ingest.ledger import one_import


@pytest.fixture
def quick(living: Living) -> Living:
    settings(living.memory, "watch", "settle = 0.3")
    return living


def imported_at_once(living: Living, folder: Path, tmp_path: Path) -> dict[str, list[str]]:
    """What a brain holds that got the same folder in one import."""
    other = small_brain(tmp_path / "other")
    with Brain.open(other.memory, background="no") as brain:
        brain.import_([folder])
    return other.texts()


def test_a_claude_code_folder_that_grows_is_in_memory_as_it_grows(quick: Living, tmp_path: Path) -> None:
    """The round trip: turns come in while the session goes on, half a line does not, a new session does; and in the end

    memory holds what one import of the finished folder gives.
    """
    chat = quick.claude()
    chat.say("The Heron leaks at the stern.", "I will look at it.")
    projects = chat.path.parent.parent
    with watching(quick) as watch:
        until(lambda: len(quick.texts().get(SESSION, [])) == 2, "what was there before")
        whole_line = chat.line("user", "It is the propeller shaft.")
        chat.write(whole_line[:60])
        other = quick.claude(OTHER, "-home-ines-garden")
        other.say("The quince needs pruning.")
        until(lambda: len(quick.texts().get(OTHER, [])) == 2, "a session in a folder made meanwhile")
        assert len(quick.texts()[SESSION]) == 2, "half a line is not a turn yet"
        chat.write(whole_line[60:])
        chat.write(chat.line("assistant", "Then I order a new gland."))
        until(lambda: len(quick.texts()[SESSION]) == 4, "the line when it was whole")
        for number in range(5):
            chat.say(f"And {number} more.")
        until(lambda: len(quick.texts()[SESSION]) == 14, "many at once")
        watch.wait_for("1 grown, 10 turns")
        assert watch.stop(signal.SIGTERM) == 0
        assert watch.said.endswith("stopped\n")
        assert "broken" not in watch.said
    assert quick.texts() == imported_at_once(quick, projects, tmp_path)


def test_files_that_go_or_get_another_name_change_nothing_in_memory(quick: Living) -> None:
    chat = quick.claude()
    chat.say("The Heron leaks.")
    with watching(quick) as watch:
        until(lambda: SESSION in quick.texts(), "captured")
        chat.path = chat.path.rename(chat.path.with_name("archived.jsonl"))
        doomed = quick.claude(OTHER)
        doomed.say("The quince needs pruning.")
        until(lambda: OTHER in quick.texts(), "captured")
        doomed.path.unlink()
        chat.say("It is the shaft.")
        until(lambda: len(quick.texts()[SESSION]) == 4, "under its new name")
        assert set(quick.texts()) == {SESSION, OTHER}
        assert watch.stop(signal.SIGINT) == 0
        assert "Traceback" not in watch.said


def test_a_folder_that_comes_later_goes_and_comes_back_is_watched(quick: Living, tmp_path: Path) -> None:
    drive = tmp_path / "drive" / "sessions"
    with watching(quick, str(drive)) as watch:
        watch.wait_for("not there yet")
        chat = Claude(drive / f"{SESSION}.jsonl", SESSION)
        chat.say("The Heron leaks.")
        until(lambda: SESSION in quick.texts(), "from a folder that was not there")
        away = drive.rename(tmp_path / "unmounted")
        drive.mkdir()
        other = Claude(drive / f"{OTHER}.jsonl", OTHER)
        other.say("The quince needs pruning.")
        until(lambda: OTHER in quick.texts(), "from another folder of that name")
        shutil.rmtree(drive)
        away.rename(drive)
        chat.say("It is the shaft.")
        until(lambda: len(quick.texts()[SESSION]) == 4, "from the first one, come back")
        assert watch.stop(signal.SIGTERM) == 0


def test_a_drive_that_reports_nothing_is_looked_at(quick: Living, tmp_path: Path) -> None:
    chat = Claude(tmp_path / "drive" / f"{SESSION}.jsonl", SESSION)
    chat.say("The Heron leaks.")
    with watching(quick, str(tmp_path / "drive"), "--poll", "0.2") as watch:
        until(lambda: SESSION in quick.texts(), "captured")
        chat.say("It is the shaft.")
        until(lambda: len(quick.texts()[SESSION]) == 4, "by looking")
        assert watch.stop(signal.SIGTERM) == 0


def test_another_writer_is_waited_for(quick: Living) -> None:
    quick.claude().say("The Heron leaks.")
    with watching(quick) as watch:
        with one_import(quick.memory / ".brain" / "index"):
            watch.wait_for("watching")
            second = quick.run("watch", "--memory", str(quick.memory))
            assert second.returncode == 4, "one watch a brain"
            assert b"another watch" in second.stderr
            assert quick.stored() == []
        until(lambda: SESSION in quick.texts(), "when the other was done")
        assert watch.stop(signal.SIGTERM) == 0


def test_every_host_that_is_there_is_watched_without_a_word_of_settings(quick: Living) -> None:
    home = quick.home
    quick.claude().say("The Heron leaks.")
    gemini = home / ".gemini" / "tmp" / "boat"
    (gemini / "chats").mkdir(parents=True)
    (gemini / "logs.json").write_text(json.dumps([{"sessionId": "g", "type": "user", "message": "x"}]), "utf-8")
    chat = {
        "sessionId": "gemini-1",
        "projectHash": "boat",
        "startTime": "2026-07-01T09:00:00Z",
        "lastUpdated": "2026-07-01T09:00:05Z",
        "messages": [
            {"id": "1", "timestamp": "2026-07-01T09:00:00Z", "type": "user", "content": "Paint the hull."},
            {"id": "2", "timestamp": "2026-07-01T09:00:02Z", "type": "gemini", "content": "In blue."},
        ],
    }
    with watching(quick) as watch:
        until(lambda: SESSION in quick.texts(), "Claude Code")
        (gemini / "chats" / "session-1.json").write_text(json.dumps(chat), "utf-8")
        until(lambda: quick.texts().get("gemini-1") == ["Paint the hull.", "In blue."], "Gemini")
        assert watch.stop(signal.SIGTERM) == 0
        assert "(claude-code)" in watch.said
        assert "(gemini)" in watch.said
        assert "logs.json" not in watch.said


def test_a_damaged_line_is_named_once_and_costs_itself_only(quick: Living) -> None:
    chat = quick.claude()
    chat.say("The Heron leaks.")
    chat.write('{"type": "user", "message": {"role": "user", "conte\n')
    with watching(quick, "--json") as watch:
        until(lambda: len(quick.texts().get(SESSION, [])) == 2, "the rest of it")
        watch.wait_for("line 3")
        chat.say("It is the shaft.")
        until(lambda: len(quick.texts()[SESSION]) == 4, "what follows the damage")
        until(lambda: len(watch.printed) == 2, "a line on stdout each time")
        assert watch.stop(signal.SIGTERM) == 0
        assert watch.said.count("line 3") == 1
    first, second = watch.printed
    assert (first["new"], first["turns"], second["grown"], second["turns"]) == (1, 2, 1, 2)


def test_memory_inside_a_watched_folder_is_not_read_back(quick: Living, tmp_path: Path) -> None:
    chat = Claude(tmp_path / f"{SESSION}.jsonl", SESSION)
    chat.say("The Heron leaks.")
    with watching(quick, str(tmp_path)) as watch:
        until(lambda: SESSION in quick.texts(), "captured")
        chat.say("It is the shaft.")
        until(lambda: len(quick.texts()[SESSION]) == 4, "captured")
        assert watch.stop(signal.SIGTERM) == 0
    assert set(quick.texts()) == {SESSION}


def test_what_hooks_left_comes_in_with_a_watch(quick: Living, tmp_path: Path) -> None:
    chat = Claude(tmp_path / "elsewhere" / f"{SESSION}.jsonl", SESSION)
    chat.say("The Heron leaks.")
    queue = quick.memory / ".brain" / "index" / "capture" / "queue"
    queue.mkdir(parents=True)
    waiting = {"host": "claude-code", "session": SESSION, "path": str(chat.path), "since": 0.0, "due": 0.0, "tries": 0}
    (queue / "left.json").write_text(json.dumps(waiting), "utf-8")
    (queue / "odd.json").write_text("{", "utf-8")
    with watching(quick) as watch:
        until(lambda: SESSION in quick.texts(), "captured")
        assert watch.stop(signal.SIGTERM) == 0


def test_once_brings_in_what_is_there_and_ends(quick: Living) -> None:
    nothing = quick.run("watch", "--once", "--memory", str(quick.memory))
    assert nothing.returncode == 0
    assert b"no session folder is there" in nothing.stderr
    chat = quick.claude()
    chat.say("The Heron leaks.")
    dry = quick.run("watch", "--dry-run", "--json", "--memory", str(quick.memory))
    assert (dry.returncode, json.loads(dry.stdout)["new"], quick.stored()) == (0, 1, [])
    done = quick.run("watch", "--once", "--memory", str(quick.memory))
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"claude-code: 1 new, 2 turns\n"
    chat.write("{broken\n")
    assert quick.run("watch", "--once", "--memory", str(quick.memory)).returncode == 1


def test_without_a_brain_a_watch_says_what_to_type(living: Living) -> None:
    done = living.run("watch", "--memory", "nowhere")
    assert done.returncode == 2
    assert b"brain init" in done.stderr


def test_a_dream_runs_once_a_night_when_the_settings_name_an_hour(quick: Living) -> None:
    chat = quick.claude()
    chat.say("My boat is called the Heron. She was built by Tove Lind in 1987.")
    with Brain.open(quick.memory, background="no") as brain:
        brain.import_([chat.path])
    said: list[str] = []
    before = quick.commits("dream")
    night = Nightly(quick.memory, "03:30", ZoneInfo("Europe/Paris"), say=said.append)
    evening = datetime(2026, 8, 1, 20, tzinfo=UTC)
    night.tick(evening)  # 03:30 of this day has passed
    night.tick(evening + timedelta(hours=5, minutes=29))  # 03:29 in Paris
    assert said == []
    night.tick(evening + timedelta(hours=5, minutes=30))
    assert said == ["dreaming"]

    def done() -> bool:
        night.tick(evening + timedelta(hours=6))
        return len(said) > 1

    until(done, "the dream ended")
    assert said == ["dreaming", "the dream is done"]
    assert quick.commits("dream") > before
    late = Nightly(quick.memory, "03:30", ZoneInfo("Europe/Paris"), say=said.append)
    late.tick(evening + timedelta(hours=10))
    assert len(said) == 2, "one a night, whoever watches"
    late.tick(evening + timedelta(hours=30))
    assert said[-1] == "dreaming"  # the machine slept through the hour
    late.stop()


def test_never_is_the_default_for_dreams_and_an_odd_hour_is_refused(living: Living) -> None:
    with Brain.open(living.memory, background="no") as brain:
        assert brain.config.watch.dream == ""
    settings(living.memory, "watch", 'dream = "25:00"')
    done = living.run("watch", "--once", "--memory", str(living.memory))
    assert done.returncode == 2
    assert b"watch.dream" in done.stderr


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the owner of every file may read it; run as a user")
def test_a_locked_file_comes_in_when_it_is_free(quick: Living) -> None:
    chat = quick.claude()
    chat.say("The Heron leaks.")
    chat.path.chmod(0)
    with watching(quick) as watch:
        watch.wait_for("cannot be read")
        chat.path.chmod(0o600)
        until(lambda: SESSION in quick.texts(), "captured")
        assert watch.stop(signal.SIGTERM) == 0


def test_what_a_changed_file_is_a_part_of() -> None:
    assert whole(Path("/x/opencode.db-wal")) == Path("/x/opencode.db")
    assert whole(Path("/x/storage/part/msg_1/prt_1.json")) == Path("/x/storage/session")
    assert whole(Path("/x/storage/message/ses_1/msg_1.json")) == Path("/x/storage/session")
    assert whole(Path("/x/projects/storage/chat.jsonl")) == Path("/x/projects/storage/chat.jsonl")


def test_what_counts_as_a_session_file() -> None:
    claude = Place(folder=Path("/h/.claude/projects"))
    assert claude.counts(Path("/h/.claude/projects/p/a.jsonl"))
    assert not claude.counts(Path("/h/.claude/projects/p/a.jsonl.tmp"))
    assert not claude.counts(Path("/h/.claude/projects/p/.a.jsonl"))
    assert not claude.counts(Path("/h/.claude/projects/node_modules/a.jsonl"))
    assert not claude.counts(Path("/elsewhere/a.jsonl"))
    chats = Place(folder=Path("/h/.gemini/tmp"), inside="chats")
    assert chats.counts(Path("/h/.gemini/tmp/p/chats/a.json"))
    assert not chats.counts(Path("/h/.gemini/tmp/p/logs.json"))
    (folder,) = places((), [Path("relative")])
    assert folder.folder.is_absolute()


def test_status_says_who_captures_and_what_waits(quick: Living) -> None:
    def capture() -> object:
        return json.loads(quick.run("status", "--json", "--memory", str(quick.memory)).stdout)["capture"]

    assert capture() is None
    settings(quick.memory, "hooks", "settle = 600.0")
    chat = quick.claude()
    chat.say("The Heron leaks.")
    quick.hook("turn-end", "claude-code", chat.told())
    assert str(capture()).startswith("1 session left by hooks")
    with watching(quick) as watch:
        watch.wait_for("1 new")
        until(lambda: capture() == "a watch runs", "what it brought in waits for nobody else")


def test_a_file_that_ends_an_import_keeps_no_other_out(quick: Living) -> None:
    """Should a reader ever stop at a file, the others of its folder come in, now and later."""
    bad, good = quick.claude(), quick.claude(OTHER)  # the bad one comes first
    good.say("The Heron leaks.")
    bad.say("Never read.")
    stop, said, seen = threading.Event(), list[str](), list[int]()
    with Brain.open(quick.memory, background="no") as brain:

        def bring(paths: Sequence[Path]) -> ImportReport:
            if any(bad.path.is_relative_to(path) for path in paths):
                raise ValueError("a reader that stops")
            report = brain.import_(paths)
            seen.append(report.turns)
            if sum(seen) == 2:
                good.say("It is the shaft.")
            elif sum(seen) == 4:
                stop.set()
            return report

        nightly = Nightly(quick.memory, "", ZoneInfo("UTC"), say=said.append)
        Watch(
            quick.memory, places(["claude-code"], []), bring, settle=0.1, poll=0.1, nightly=nightly,
            clock=lambda: datetime(2026, 8, 1, tzinfo=UTC), say=said.append, brought=lambda _: None,
        ).run(stop)  # fmt: skip
    assert len(quick.texts()[OTHER]) == 4
    assert [line for line in said if "a reader that stops" in line and bad.path.name in line]


def test_sessions_that_hooks_left_do_not_keep_each_other_out(quick: Living) -> None:
    good, bad = quick.claude(), quick.claude(OTHER)
    said: list[str] = []
    for chat in (good, bad):
        chat.say("The Heron leaks.")
        os.utime(chat.path, (1, 1))
        one = Waiting(host="claude-code", session=chat.session, path=str(chat.path), tries=TRIES - 1)
        put(quick.memory, one, now=0.0, wait=0.0)
    with Brain.open(quick.memory, background="no") as brain:

        def bring(paths: Sequence[Path]) -> ImportReport:
            if bad.path in paths:
                raise ValueError("a reader that stops")
            return brain.import_(paths)

        work(quick.memory, bring, say=said.append)
    assert set(quick.texts()) == {SESSION}
    assert any("gave up" in line for line in said)
    assert quick.queue == []


def test_a_folder_behind_a_link_is_watched(quick: Living, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    with watching(quick, str(tmp_path / "link")) as watch:
        watch.wait_for("watching")
        chat = Claude(tmp_path / "real" / f"{SESSION}.jsonl", SESSION)
        chat.say("The Heron leaks.")
        until(lambda: SESSION in quick.texts(), "captured")
        assert watch.stop(signal.SIGTERM) == 0
