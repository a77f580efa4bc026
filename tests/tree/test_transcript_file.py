"""Transcripts: what is written reads back, whatever a turn says (case T27, T29)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hostile_text import hostile, session_ids, times
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import FormatError
from brain.text import clean
from brain.tree import transcript
from brain.types import ROLE_TRUST, Role, Transcript, Trust, Turn

cleaned = hostile.map(clean)


@st.composite
def turns(draw: st.DrawFn, number: int) -> Turn:
    role = draw(st.sampled_from(Role))
    trust = draw(st.none() | st.sampled_from([t for t in Trust if t is not ROLE_TRUST[role]]))
    return Turn(
        number=number,
        role=role,
        text=draw(cleaned),
        time=draw(st.none() | times),
        name=draw(st.none() | cleaned),
        call=draw(st.none() | cleaned),
        trust=trust,
        redacted=draw(st.none() | st.just("del_01K2A9QXZZZZZZZZZZZZZZZZZZ")),
        attach=tuple(draw(st.lists(st.sampled_from(["file://artifacts/a%20b/c.txt", "file://artifacts/x#L1-L3"])))),
    )


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    count = draw(st.integers(0, 4))
    return Transcript(
        id=draw(session_ids),
        source=draw(st.sampled_from(["claude-code", "codex", "chatgpt"])),
        external_id=draw(cleaned),
        title=draw(cleaned),
        started_at=draw(st.none() | times),
        cwd=draw(st.none() | cleaned),
        participants=tuple(draw(st.lists(cleaned, max_size=3))),
        turns=tuple(draw(turns(n + 1)) for n in range(count)),
    )


@given(transcripts())
def test_a_transcript_reads_back_as_written(t: Transcript) -> None:
    assert transcript.parse(transcript.render(t)) == t


@given(transcripts(), st.data())
def test_growth_only_appends(t: Transcript, data: st.DataObject) -> None:
    before = transcript.render(t)
    turn = data.draw(turns(len(t.turns) + 1))
    assert transcript.parse(before + transcript.render_turn(turn)).turns == (*t.turns, turn)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_even_text_that_was_not_cleaned_reads_back(s: str) -> None:
    t = Transcript(id="a", source="b", external_id="c", title="d", turns=(Turn(number=1, role=Role.USER, text=s),))
    assert transcript.parse(transcript.render(t)) == t


def session(*texts: str) -> Transcript:
    return Transcript(
        id="1eaf53d4-09e0-5823-bb96-c8662f582708",
        source="codex",
        external_id="x-1",
        title="Kyoto: two hosts",
        started_at=datetime(2026, 6, 21, 9, 14, 3, tzinfo=UTC),
        participants=("Nadia",),
        turns=tuple(Turn(number=n, role=Role.USER, text=s) for n, s in enumerate(texts, start=1)),
    )


def test_a_fence_that_shows_a_head_is_still_text(tmp_path: Path) -> None:
    said = "Look:\n```\n## t3 · user · -\n\n[[projects/x]] [cite:1]\n```"
    file = tmp_path / "t.md"
    file.write_text(transcript.render(session("one", said, "three")), encoding="utf-8", newline="\n")
    assert [t.text for t in transcript.iter_turns(file)] == ["one", said, "three"]
    assert [t.number for t in transcript.read_turns(file, 2, 3)] == [2, 3]
    assert transcript.read_head(file).turns == ()
    assert transcript.read(file) == session("one", said, "three")


def test_the_file_is_as_the_format_says() -> None:
    assert transcript.render(session("Hello.")) == (
        "---\n"
        "id: 1eaf53d4-09e0-5823-bb96-c8662f582708\n"
        "type: transcript\n"
        "source: codex\n"
        "external_id: x-1\n"
        'title: "Kyoto: two hosts"\n'
        "started_at: 2026-06-21T09:14:03Z\n"
        "participants: [Nadia]\n"
        "---\n"
        "\n"
        "## t1 · user · -\n"
        "\n"
        "Hello.\n"
    )


def test_head_fields_stand_in_their_order() -> None:
    turn = Turn(
        number=12, role=Role.TOOL, text="", time=datetime(2026, 6, 21, tzinfo=UTC), name="Bash · x", call="c1",
        trust=Trust.EXTERNAL, redacted="del_1", attach=("file://artifacts/a",),
    )  # fmt: skip
    assert transcript.head_line(turn) == (
        "## t12 · tool · 2026-06-21T00:00:00Z · name=Bash %C2%B7 x · call=c1 · trust=external · redacted=del_1"
        " · attach=file://artifacts/a"
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("\n## t1 · user\n\nx\n", "not a turn head"),
        ("\n## t1 · boss · -\n\nx\n", "not a turn head"),
        ("\n## t1 · user · 2026-13-01T00:00:00Z\n\nx\n", "not a time"),
        ("\n## t1 · user · - · mood=good\n\nx\n", "unknown or repeated field"),
        ("\n## t1 · user · - · name=a · name=b\n\nx\n", "unknown or repeated field"),
        ("\n## t1 · user · -\nx\n", "an empty line"),
        ("stray\n\n## t1 · user · -\n\nx\n", "before the first turn"),
    ],
)
def test_a_broken_turn_is_told_with_its_line(body: str, reason: str) -> None:
    head = transcript.render(session())
    with pytest.raises(FormatError, match=reason) as told:
        transcript.parse(head + body, "sessions/transcripts/x.md")
    assert told.value.line >= head.count("\n")


def test_forty_thousand_turns_stream(tmp_path: Path) -> None:
    file = tmp_path / "big.md"
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.write(transcript.render_head(session()))
        for n in range(1, 40_001):
            out.write(transcript.render_turn(Turn(number=n, role=Role.USER, text=f"line {n}\n\n## t1 · user · -\nend")))
    assert sum(1 for _ in transcript.iter_turns(file)) == 40_000
    assert transcript.read_turns(file, 5, 6)[1].text.startswith("line 6")
