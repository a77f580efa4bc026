"""A session that its source dates as a whole dates its turns; one with times of its own is left as it is."""

from __future__ import annotations

from datetime import UTC, datetime

from brain.tree.transcript import dated
from brain.types import Role, Turn

START = datetime(2023, 1, 20, 16, 4, tzinfo=UTC)


def turn(number: int, time: datetime | None = None) -> Turn:
    return Turn(number=number, role=Role.USER, text="I lost my job yesterday.", time=time)


def test_turns_without_any_time_count_as_said_when_the_session_began() -> None:
    assert [one.time for one in dated([turn(1), turn(2)], START)] == [START, START]


def test_nothing_is_dated_when_the_source_has_no_time_at_all() -> None:
    assert dated([turn(1), turn(2)], None) == (turn(1), turn(2))


def test_a_turn_without_time_among_dated_ones_stays_without() -> None:
    later = datetime(2023, 3, 1, tzinfo=UTC)
    assert dated([turn(1, later), turn(2)], START) == (turn(1, later), turn(2))
