"""T13: no secret reaches the disk, in whatever field of a transcript it stands."""

from __future__ import annotations

import json

from foreign import Claude, Importing, conversation, message

from brain.config import Config
from brain.ingest import RawSession, RawTurn
from brain.ingest.redact import PLACEHOLDER, redact
from brain.types import Role

TOKEN = "ghp_" + "A1b2C3d4E5f6" * 3
KEY = "sk-ant-api03-" + "Zx9Yw8Vu7Ts6" * 8


def test_text_tools_titles_folders_names_and_artifacts_are_redacted(brain: Importing) -> None:
    log = Claude()
    log.user(f"My token is {TOKEN}, use it.", cwd=f"/home/ines/{TOKEN}")
    log.call("Bash", {"command": f"curl -H 'Authorization: Bearer {KEY}' x"}, "toolu_1", "msg_1")
    log.result("toolu_1", "line\n" * 2000 + f"GITHUB_TOKEN={TOKEN}\n" + "line\n" * 2000)
    log.lines.append({"type": "custom-title", "customTitle": f"Use {TOKEN}", "sessionId": log.session})
    brain.write("a/s.jsonl", log.lines)
    brain.write("b/chat.md", f"User: The key is {KEY}\n\nAssistant: I saw {KEY}.\n")
    brain.write(
        "c/conversations.json", json.dumps([conversation(TOKEN, [None, message("user", "Hi")], conversation_id=TOKEN)])
    )

    report = brain.take()

    assert report.exit_code == 0
    stored = brain.text()
    assert TOKEN not in stored
    assert KEY not in stored
    assert "Zx9Yw8Vu7Ts6Zx9" not in stored
    assert sum(report.redacted.values()) >= 8
    assert "‹redacted:github-token:" in stored


def test_the_same_secret_has_the_same_placeholder_and_another_key_another_one() -> None:
    first, counts = redact(f"one {TOKEN} two {TOKEN}", b"k" * 32)
    again, _ = redact(f"{TOKEN}", b"k" * 32)
    other, _ = redact(f"{TOKEN}", b"o" * 32)

    (placeholder,) = set(PLACEHOLDER.finditer(again))
    assert first == f"one {placeholder.group()} two {placeholder.group()}"
    assert again != other
    assert sum(counts.values()) == 2


def test_redacting_twice_changes_nothing_and_plain_text_is_left_alone() -> None:
    once, _ = redact(f"password: hunter2hunter2 and {TOKEN}", b"k" * 32)
    twice, counts = redact(once, b"x" * 32)

    assert twice == once
    assert not counts
    assert redact("The commit 8c1f0e2 moved session 3f0c9b52-1111-4a4a-8b8b-000000000001.", b"k" * 32)[1] == {}


def test_a_lost_key_does_not_make_stored_turns_look_new(brain: Importing) -> None:
    brain.write("chat.md", f"User: My token is {TOKEN}\n\nAssistant: Noted.\n")
    brain.take()
    before = brain.files()[0].read_bytes()
    for key in (brain.root.parent / "state").iterdir():
        key.unlink()
    brain.write("chat.md", f"User: My token is {TOKEN}\n\nAssistant: Noted.\n\nUser: Go.\n")

    report = brain.take()

    assert (report.grown, report.turns) == (1, 1)
    assert brain.files()[0].read_bytes().startswith(before)


def test_strings_allowed_by_configuration_stay(brain: Importing) -> None:
    from dataclasses import replace

    brain.write("chat.md", f"User: The example is {TOKEN}\n\nAssistant: Fine.\n")
    config = Config()

    brain.take(config=replace(config, privacy=replace(config.privacy, redact_allow=(TOKEN,))))

    assert TOKEN in brain.text()


def test_files_and_keys_are_readable_by_the_user_alone(brain: Importing) -> None:
    brain.write("chat.md", "User: Hello.\n\nAssistant: Hi.\n")
    brain.take()

    for path in (*brain.files(), *(brain.root.parent / "state").iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path
    assert brain.files()[0].parent.stat().st_mode & 0o077 == 0
    assert not brain.root.is_relative_to(brain.root.parent / "state")


def test_sessions_in_memory_are_redacted_too(brain: Importing) -> None:
    turn = RawTurn(role=Role.USER, text=f"note {TOKEN}", name=f"Ines {TOKEN}")

    report = brain.take_sessions(RawSession(source="note", external_id="n1", turns=[turn]))

    assert report.new == 1
    assert TOKEN not in brain.text()


def test_a_password_is_known_again_where_nothing_says_what_it_is(brain: Importing) -> None:
    word = "Heron" + "-lake-" + "7719"
    log = Claude()
    log.user(f"The password for the harbour is {word}.")
    log.call("Bash", {"command": f"./open-harbour ines {word}"}, "toolu_1", "msg_1")
    log.result("toolu_1", f"tried {word}: open")
    log.user(f"And {word}9 is another word.")
    brain.write("a/s.jsonl", log.lines)

    report = brain.take()

    stored = brain.text()
    assert word not in stored.replace(f"{word}9 is another word", "")
    assert [turn.text.count("‹redacted:password:") for turn in brain.one().turns] == [1, 1, 1, 0]
    assert report.exit_code == 0


def test_secrets_in_attached_text_files_are_redacted(brain: Importing) -> None:
    from base64 import b64encode

    data = b64encode(f"HOST=boat\nTOKEN={TOKEN}\n".encode()).decode()
    document = {"type": "document", "source": {"type": "base64", "media_type": "text/plain", "data": data}}
    log = Claude()
    log.user([{"type": "text", "text": "Read it."}, document])
    brain.write("a/s.jsonl", log.lines)

    brain.take()

    assert TOKEN not in brain.text()
    assert "HOST=boat" in brain.text()


def test_what_the_report_quotes_is_redacted(brain: Importing) -> None:
    brain.write(
        "c/conversations.json",
        json.dumps([conversation(f"About {TOKEN}", [None, {**message("user", "Hi"), "author": {"role": TOKEN}}])]),
    )
    brain.write("c.jsonl", [{"role": "user", "content": "Hi"}, {"role": TOKEN, "content": "What?"}])

    report = brain.take()

    told = json.dumps(report.json(), default=str, ensure_ascii=False)
    assert TOKEN not in told
    assert "‹redacted:github-token:" in told
    assert TOKEN not in "\n".join(report.problems)
