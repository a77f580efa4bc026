"""A session in pieces: every readable word in exactly one of them, context before it, no larger than asked."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import session

from brain.agents.chunks import BEFORE_TOKENS, chunks, readable
from brain.text import est_tokens
from brain.types import Role, Trust, Turn

WORDS = st.text(alphabet="abcdef дія中文 \n.", min_size=0, max_size=900)


@settings(max_examples=80, deadline=None)
@given(texts=st.lists(WORDS, max_size=14), first=st.integers(1, 6), room=st.integers(60, 400))
def test_every_word_of_new_turns_is_in_exactly_one_piece(texts: list[str], first: int, room: int) -> None:
    talk = session(*(("user" if n % 2 else "assistant", text) for n, text in enumerate(texts)))
    found = chunks(talk.turns, first, room)
    read: dict[int, str] = {}
    for chunk in found:
        for turn in chunk.turns:
            read[turn.number] = read.get(turn.number, "") + turn.text
    wanted = {turn.number: turn.text for turn in talk.turns if turn.number >= first and readable(turn)}
    assert {n: "".join(text.split()) for n, text in read.items()} == {n: "".join(t.split()) for n, t in wanted.items()}


@settings(max_examples=80, deadline=None)
@given(texts=st.lists(WORDS, max_size=14), room=st.integers(60, 400))
def test_pieces_keep_to_their_room_and_context_comes_before(texts: list[str], room: int) -> None:
    talk = session(*(("user", text) for text in texts))
    for chunk in chunks(talk.turns, 1, room):
        assert len(chunk.turns) == 1 or sum(est_tokens(t.text) + 20 for t in chunk.turns) <= room
        assert all(est_tokens(turn.text) <= max(room, 120) * 1.5 for turn in chunk.turns)
        assert sum(est_tokens(t.text) + 20 for t in chunk.before) <= BEFORE_TOKENS
        assert all(turn.number <= chunk.first for turn in chunk.before)


def test_halves_hold_what_the_whole_held() -> None:
    (whole,) = chunks(session(*(("user", f"I saw stop {n}.") for n in range(1, 8))).turns, 1, 5_000)
    halves = whole.halves()
    assert halves is not None
    one, two = halves
    assert [t.number for t in (*one.turns, *two.turns)] == list(range(1, 8))
    assert [t.number for t in two.before] == [t.number for t in one.turns]


def test_one_long_turn_is_halved_and_a_short_one_is_not() -> None:
    (long,) = chunks(session(("user", "I walked along the river again. " * 30)).turns, 1, 5_000)
    halves = long.halves()
    assert halves is not None
    assert halves[0].range == halves[1].range == "t1"
    (short,) = chunks(session(("user", "I walked.")).turns, 1, 5_000)
    assert short.halves() is None


def test_outputs_and_outside_content_are_shown_by_their_ends() -> None:
    page = "Opening hours. " + "x" * 5_000 + " Closing hours."
    turns = (
        Turn(number=1, role=Role.TOOL, text=page, trust=Trust.EXTERNAL, name="browser"),
        Turn(number=2, role=Role.ASSISTANT, text="y" * 5_000, call="c1", name="Write"),
    )
    (chunk,) = chunks(turns, 1, 5_000)
    assert chunk.turns[0].text.startswith("Opening hours.")
    assert chunk.turns[0].text.endswith("Closing hours.")
    assert "characters left out" in chunk.turns[0].text
    assert len(chunk.turns[1].text) < 400


def test_pasted_text_is_shown_by_its_ends_and_speech_whole() -> None:
    pasted = "Rewrite the following: " + "The committee met in the town hall and the minutes were approved. " * 200
    spoken = "I met Haruka at the station and I told her what I think of the maps. " * 200
    (one, *_) = chunks(session(("user", pasted)).turns, 1, 50_000)
    (two, *_) = chunks(session(("user", spoken)).turns, 1, 50_000)
    assert len(one.turns[0].text) < 5_000
    assert two.turns[0].text == spoken


def test_what_was_taken_out_and_what_a_machine_says_is_not_shown() -> None:
    turns = (
        Turn(number=1, role=Role.SYSTEM, text="You are an assistant."),
        Turn(number=2, role=Role.USER, text="(redacted)", redacted="del_1"),
        Turn(number=3, role=Role.USER, text="   "),
    )
    assert chunks(turns, 1, 500) == []
