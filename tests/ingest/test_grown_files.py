"""A file that grew is read from its end, and what is stored is what reading it whole would have stored."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from foreign import SESSION, Claude, Importing, shape

from brain.ingest import importer
from brain.ingest.formats import claude_code
from brain.ingest.formats.claude_code import ClaudeCode

NAME = f"{SESSION}.jsonl"
STEPS = 10


def text_of(log: Claude) -> str:
    return "".join(json.dumps(record) + "\n" for record in log.lines)


def deed(log: Claude, chance: random.Random) -> None:
    """Something that a session does, most often just going on."""
    number, kind = len(log.lines), chance.randrange(24)
    if kind < 8:
        log.user(f"Please look at item {number} of the list.")
    elif kind < 14:
        log.answer(f"Item {number} is in its place.")
    elif kind < 17:
        log.call("Read", {"file_path": f"list-{number}.md"}, f"toolu_{number}")
        log.result(f"toolu_{number}", f"what item {number} says")
    elif kind == 17:  # the result comes later, maybe in the next import
        log.call("Bash", {"command": f"ls {number}"}, f"toolu_{number}")
    elif kind == 18 and (open_ := [b["id"] for b in _blocks(log, "tool_use")]):
        log.result(chance.choice(open_), f"late result {number}")
    elif kind == 19:  # a message in pieces
        log.answer(f"First of {number}.", f"msg_piece_{number // 4}")
        log.answer(f"Second of {number}.", f"msg_piece_{number // 4}")
    elif kind == 20 and len(log.lines) > 6:  # a rewind
        log.user(f"Rather do {number}.", parent=chance.choice(log.lines[-6:])["uuid"])
    elif kind == 21 and len(log.lines) > 40:  # far back
        log.user(f"From the start again: {number}.", parent=chance.choice(log.lines[:10])["uuid"])
    elif kind == 22 and log.lines:  # a line comes back
        log.lines.append(dict(chance.choice(log.lines)))
    elif kind == 23:
        log.user(f"Aside {number}", isSidechain=True)


def _blocks(log: Claude, kind: str) -> list[dict[str, str]]:
    contents = [line["message"]["content"] for line in log.lines if isinstance(line["message"]["content"], list)]
    return [block for content in contents for block in content if block["type"] == kind]


def states(seed: int) -> list[str]:
    """A session's file as it is at each import."""
    chance, log = random.Random(seed), Claude()
    found = []
    for _ in range(STEPS):
        for _ in range(chance.choice((1, 1, 2, 5, 30))):
            deed(log, chance)
        whole = text_of(log)
        found.append(whole if chance.random() < 0.8 else whole[: -chance.randint(1, 40)])  # a line is being written
    return [*found, text_of(log)]


def stored_after_each(folder: Path, wanted: list[str]) -> list[list[tuple[str, str]]]:
    brain = Importing(folder / "memory", folder / "from")
    out = []
    for text in wanted:
        brain.write(NAME, text)
        brain.take()
        out.append(shape(brain.one()) if brain.files() else [])
    return out


@pytest.mark.parametrize("seed", range(6))
def test_read_from_its_end_or_whole_the_same_is_stored(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(claude_code, "BEFORE", 6_000)
    wanted = states(seed)
    grown = stored_after_each(tmp_path / "grown", wanted)
    monkeypatch.setattr(importer, "LARGEST", -1)
    assert grown == stored_after_each(tmp_path / "whole", wanted)


def test_what_only_grew_is_not_read_whole(brain: Importing, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Claude()
    for number in range(400):
        log.user(f"Question {number} " + "about the boat " * 300)
        log.answer(f"Answer {number}.")
    brain.write(NAME, log.lines)
    brain.take()
    log.call("Read", {"file_path": "a"}, "toolu_1")
    brain.write(NAME, log.lines)

    def refuse(*_: object) -> None:
        raise AssertionError("read whole")

    monkeypatch.setattr(ClaudeCode, "read", refuse)
    report = brain.take()
    assert report.exit_code == 0, report.json()
    log.result("toolu_1", "the log of the boat")
    log.answer("It is all in the log.")
    brain.write(NAME, log.lines)
    report = brain.take()
    assert report.turns == 2
    last = brain.one().turns[-2:]
    assert [(turn.role.value, turn.name, turn.text) for turn in last] == [
        ("tool", "Read", "the log of the boat"),
        ("assistant", None, "It is all in the log."),
    ]
    assert brain.take().turns == 0


def test_a_beginning_that_changed_is_read_whole(brain: Importing, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Claude()
    for number in range(400):
        log.user(f"Question {number} " + "about the boat " * 300)
    brain.write(NAME, log.lines)
    brain.take()
    log.lines[3]["message"]["content"] = "Another question"
    log.user("And one more.")
    brain.write(NAME, log.lines)
    brain.take()
    said = [turn.text for turn in brain.one().turns]
    assert said[-2:] == ["Another question", "And one more."]
    assert len(said) == 402
