"""The plain check of benchmarks: what turns hold passes, what they do not is named."""

from __future__ import annotations

import doctest
from datetime import UTC, datetime

import pytest

import brain.bench.held
from brain.bench.held import altered, held
from brain.types import Role, Turn

WEDNESDAY = datetime(2026, 5, 13, 9, tzinfo=UTC)


def turn(text: str, name: str = "Ann") -> Turn:
    return Turn(number=1, role=Role.USER, name=name, text=text, time=WEDNESDAY)


def test_its_examples_hold() -> None:
    assert doctest.testmod(brain.bench.held).failed == 0


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("I sold two kites last week.", "Ann sold 2 kites in the week of 2026-05-04."),
        ("We met three months ago in Faro.", "Ann and others met in Faro about February 2026."),
        ("I started surfing five years ago.", "Ann started surfing about 2021."),
        ("The race is on the 20th.", "The race is on 2026-05-20."),
        ("I got a puppy two weeks ago!", "Ann got a puppy in the week of 2026-04-27."),
        ("Bo's party is next Friday.", "Bo's party is on 2026-05-22."),
        ("I paid 1,250 crowns.", "Ann paid 1,250 crowns (as of 2026-05-13)."),
    ],
)
def test_what_the_turn_holds_passes_and_altered_it_does_not(said: str, statement: str) -> None:
    assert held(statement, [turn(said)]).whole
    for false in altered(statement):
        assert not held(false, [turn(said)]).whole, false


def test_what_is_missing_is_named_by_kind() -> None:
    result = held("Ann met Zoe in Gent on 2026-01-02; they bought nine lamps.", [turn("I met someone.")])
    assert (result.numbers, result.dates, result.names) == (("9",), ("2026-01-02",), ("Zoe", "Gent"))
    assert not held("Ann lives in Oslo.", []).whole
