"""A session that came along with pages, only its cited turns with it, and is then imported itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brain import Brain
from brain.tree.transcript import ABSENT, parse

SAID = (
    ("user", "I live in Oslo and I work as a nurse at Sandvik Clinic."),
    ("assistant", "Noted. What shall we do today?"),
    ("user", "My sister Maren Dahl lives in Bergen and plans the food of the Fjord Tour."),
    ("assistant", "That is a long list."),
    ("user", "Please always send me figures as PDF, never as PNG."),
    ("assistant", "As PDF, then."),
)
LATER = (("user", "The Fjord Tour starts in Larvik on 4 July 2026."), ("assistant", "Good."))


def session(place: Path, said: tuple[tuple[str, str], ...]) -> Path:
    lines = [
        {
            "type": role, "uuid": f"u{at}", "parentUuid": f"u{at - 1}" if at else None,
            "sessionId": "7d0c31a0-1111-4222-8333-444455556666", "cwd": "/home/ada/tour", "isSidechain": False,
            "timestamp": f"2026-05-02T09:{at:02}:00.000Z", "message": {"role": role, "content": text},
        }
        for at, (role, text) in enumerate(said)
    ]  # fmt: skip
    place.mkdir(exist_ok=True)
    file = place / "7d0c31a0-1111-4222-8333-444455556666.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return file


@pytest.fixture
def moved(tmp_path: Path, brain: Brain) -> Brain:
    """A memory that holds another's pages and of its session the cited turns."""
    first = tmp_path / "first"
    Brain.init(first, owner="Ada Berg")
    with Brain.open(first, background="no") as other:
        other.import_([session(tmp_path / "host", SAID)])
        other.dream(engine="extractive")
        other.export("okf", tmp_path / "out")
    brain.adopt([tmp_path / "out"])
    assert ABSENT in texts(brain)
    assert SAID[0][1] in texts(brain)
    return brain


def texts(brain: Brain) -> list[str]:
    (place,) = (brain.root / "sessions" / "transcripts").glob("*/*.md")
    return [turn.text for turn in parse(place.read_text("utf-8"), str(place)).turns]


@pytest.mark.parametrize("said", [SAID, SAID + LATER], ids=["the same", "grown"])
def test_turns_that_had_not_come_along_take_their_places(
    moved: Brain, tmp_path: Path, said: tuple[tuple[str, str], ...]
) -> None:
    missing = texts(moved).count(ABSENT)
    file = session(tmp_path / "host", said)
    foreseen = moved.import_([file], dry_run=True)
    assert ABSENT in texts(moved)
    done = moved.import_([file])
    assert texts(moved) == [text for _, text in said]
    assert foreseen.turns == done.turns == missing + len(said) - len(SAID)
    assert [problem for problem in moved.check() if problem.severity == "E"] == []
    assert moved.import_([file]).turns == 0


def test_another_telling_of_it_is_added_and_nothing_is_lost(moved: Brain, tmp_path: Path) -> None:
    before = texts(moved)
    moved.import_([session(tmp_path / "host", (("user", "Something else was said first."), *SAID[1:]))])
    after = texts(moved)
    assert after[: len(before)] == before
    assert "Something else was said first." in after


def test_what_was_forgotten_meanwhile_stays_forgotten(moved: Brain, tmp_path: Path) -> None:
    (row,) = moved.sessions()
    moved.forget(f"{row.id}#t1")
    assert SAID[0][1] not in texts(moved)
    kept = texts(moved)[0]
    moved.import_([session(tmp_path / "host", SAID + LATER)])
    assert texts(moved) == [kept, *(text for _, text in (SAID + LATER)[1:])]
