"""What is worth a line on a page, what is cut from it, and when two statements are one."""

from __future__ import annotations

import pytest

from brain.dream.likeness import adds_nothing, same
from brain.dream.worth import condensed, substance


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Ida ran a race on 2026-05-20 - it was so rewarding.", "Ida ran a race on 2026-05-20."),
        ("Unfortunately, Ida lost her job at Nordkart.", "Ida lost her job at Nordkart."),
        ("Ida moved - it was to Bergen in 2025.", "Ida moved - it was to Bergen in 2025."),
        ('Ida: "We moved - it was fun."', 'Ida: "We moved - it was fun."'),
    ],
)
def test_remarks_that_say_nothing_are_cut_and_nothing_else(said: str, kept: str) -> None:
    assert condensed(said) == kept


def test_days_names_and_numbers_weigh_more_than_feelings() -> None:
    assert substance("Ida met Selma Berg in Turku on 2026-05-02.") > substance("Ida is so grateful and excited.")
    assert substance("It means the world.") < 0


def test_restating_adds_nothing_but_another_number_does() -> None:
    assert adds_nothing("Ida signed up for the pottery class", "Ida signed up for a pottery class on 2026-05-02.")
    assert not adds_nothing("The co-op runs 14 buses, not 18.", "The co-op runs 18 buses (as of 2026-05-01).")
    assert not same("Ida likes tea.", "Noor likes coffee.")
