"""Which turns are new: properties over any sessions, grown, copied, without times, with secrets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from brain.ingest.align import Stored, new_turns
from brain.ingest.prepare import Prepared
from brain.types import Role, Turn

START = datetime(2026, 1, 1, tzinfo=UTC)
turns = st.builds(
    Turn,
    number=st.just(0),
    role=st.sampled_from(Role),
    text=st.sampled_from(["yes", "no", "ok", "The boat is blue.", "‹redacted:token:abcdef›"]),
    time=st.none() | st.integers(0, 5).map(lambda n: START + timedelta(minutes=n)),
    name=st.sampled_from([None, "Jean", "Jean-Luc"]),
)
sessions = st.lists(turns, max_size=12)


def fresh(stored: list[Turn], seen: list[Turn]) -> list[Turn]:
    return [item.turn for item in new_turns(Stored(stored), (Prepared(turn=turn) for turn in seen))]


@settings(max_examples=300, deadline=None)
@given(sessions)
def test_what_is_stored_is_never_new(session: list[Turn]) -> None:
    assert fresh(session, session) == []


@settings(max_examples=300, deadline=None)
@given(sessions, sessions)
def test_what_a_session_grew_by_is_all_that_is_new(session: list[Turn], more: list[Turn]) -> None:
    assert [turn.text for turn in fresh(session, session + more)] == [turn.text for turn in more]


@settings(max_examples=300, deadline=None)
@given(sessions, sessions)
def test_storing_what_is_new_leaves_nothing_new(before: list[Turn], after: list[Turn]) -> None:
    grown = before + fresh(before, after)

    assert fresh(grown, after) == []


@settings(max_examples=200, deadline=None)
@given(sessions, sessions)
def test_nothing_that_was_said_is_lost(before: list[Turn], after: list[Turn]) -> None:
    timed = [replace(turn, time=START + timedelta(hours=n), name=None) for n, turn in enumerate(after)]
    grown = before + fresh(before, timed)

    assert not Counter(turn.text for turn in timed) - Counter(turn.text for turn in grown)
