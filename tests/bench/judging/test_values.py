"""Days and numbers by value, in the ways people and machines write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.bench.judging.values import numbers, same_day, same_number, spans
from brain.rules.when import When, days


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-07", "7 March 2026", "March 7th, 2026", "the 7th of March, 2026", "7 mars 2026", "7. März 2026",
        "07.03.2026", "7 de marzo de 2026", "7 березня 2026", "7 марта 2026 года", "2026年3月7日", "2026/03/07",
    ],
)  # fmt: skip
def test_one_day_in_many_forms(text: str) -> None:
    assert days(f"It was on {text}, I think.") == [When(2026, 3, 7)]


@pytest.mark.parametrize(
    "text", ["market 5", "I may 3 times", "decide 12", "31 February 2026", "12026", "version 20.26.1"]
)
def test_what_is_no_day(text: str) -> None:
    assert not [when for when in days(text) if when.day]


@pytest.mark.parametrize(
    ("gold", "given", "same"),
    [
        ("2026-03-07", "on 7 March", True),
        ("2026-03-07", "on 7 March 2025", False),
        ("March 2026", "on 2026-03-07", True),
        ("2026-03-07", "in March 2026", False),
        ("2026", "on 2026-03-07", True),
        ("2026", "in March", False),
        ("the week before 9 June 2023", "on 2023-06-05", True),
        ("the week before 9 June 2023", "on 2023-06-09", False),
        ("The sunday before 25 May 2023", "2023-05-21", True),
        ("The sunday before 25 May 2023", "the Sunday before 25 May 2023", True),
        ("the friday after 1 May 2026", "2026-05-08", True),
        ("a Tuesday", "2026-03-10", None),
    ],
)
def test_an_answer_gives_the_day_of_the_gold_one(gold: str, given: str, same: bool | None) -> None:
    assert same_day(gold, given) is same


def test_the_span_of_a_weekend_before_a_day() -> None:
    assert spans("the weekend before 10 June 2026") == [(date(2026, 6, 2), date(2026, 6, 9))]


@pytest.mark.parametrize(
    ("gold", "given", "same"),
    [
        ("3", "three of them", True),
        ("12,500", "about 12500 people", True),
        ("1.200,50", "1,200.50", True),
        ("90 minutes", "1.5 hours", True),
        ("an hour", "60 min", True),
        ("2 kg", "2000 g", True),
        ("2 kg", "2 g", False),
        ("4", "14", False),
        ("4", "on 4 May 2026", False),
        ("trois", "3", True),
        ("blue", "3", None),
        ("15 %", "15%", True),
    ],
)
def test_numbers_by_value(gold: str, given: str, same: bool | None) -> None:
    assert same_number(gold, given) is same


def test_the_digits_of_a_day_are_no_number() -> None:
    assert numbers("On 7 March 2026 we sold 40 chairs.")[0].value == 40
    assert len(numbers("On 7 March 2026 we sold 40 chairs.")) == 1


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_every_day_is_the_same_as_itself_in_words(day: date) -> None:
    words = f"{day.day} {day.strftime('%B')} {day.year}"
    assert same_day(day.isoformat(), words)
    assert same_day(words, day.isoformat())


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    days(text)
    spans(text)
    numbers(text)


@given(st.integers(min_value=0, max_value=10**9))
def test_a_whole_number_with_and_without_separators(value: int) -> None:
    assert same_number(str(value), f"{value:,} things")
