"""Answers from memory: word for word, with evidence, dates and what was so before; or plainly nothing."""

from __future__ import annotations

from datetime import date

import pytest
from hosts_memory import Told

from brain.explore.ask import ask
from brain.explore.kinds import Kind, fits, kind_of
from brain.types import Surface


def test_a_question_about_two_things_is_answered_for_both(told: Told) -> None:
    answer = ask(told.index(), "Which organisations do I meet in Kyoto and Sendai?")
    said = " ".join(statement.text for statement in answer.statements)
    assert answer.found
    assert "Sora City Lab" in said
    assert "Sapphir" in said.replace("sapphir", "Sapphir")
    assert all(statement.cites for statement in answer.statements)


def test_a_preference_comes_with_the_turn_that_said_it(told: Told) -> None:
    answer = ask(told.index(), "How do I want figures delivered?")
    first = answer.statements[0]
    assert "PDF" in first.text
    assert first.day == date(2026, 6, 21)
    assert [cite.uri for cite in first.cites] == [f"session://{told.hosts}#t4"]
    assert first.cites[0].text == "Send figures as PDF, not PNG, please."


def test_the_newest_value_comes_first_and_names_what_it_replaced(told: Told) -> None:
    answer = ask(told.index(), "When is the stay in Kyoto?")
    now = next(s for s in answer.statements if "October" in s.text)
    assert now.day == date(2026, 7, 30)
    assert ["September" in old.text for old in now.superseded] == [True]
    order = [s.text for s in answer.statements]
    outdated = [at for at, text in enumerate(order) if "September" in text]
    assert not outdated or order.index(now.text) < min(outdated)
    assert any("before: " in line for line in answer.lines())


def test_a_statement_keeps_who_stands_behind_it(told: Told) -> None:
    answer = ask(told.index(), "Can I rent a minibus with a ramp?")
    claim = next(s for s in answer.statements if s.surface is Surface.PAGE)
    assert claim.qualifier == "assistant"


def test_statements_are_not_said_twice(told: Told) -> None:
    answer = ask(told.index(), "How do I want figures delivered?")
    assert [s.surface for s in answer.statements].count(Surface.TURN) == 0  # the note says it and cites the turn


@pytest.mark.parametrize(
    "question", ["What is the capital of Mongolia?", "Which port does the staging server use?", "猫の名前は？"]
)
def test_nothing_is_said_to_be_nothing(told: Told, question: str) -> None:
    answer = ask(told.index(), question)
    assert not answer.found
    assert answer.statements == ()
    assert next(iter(answer.lines())) == "Memory has nothing on this."


def test_it_answers_by_words_alone_and_says_so(told: Told) -> None:
    index = told.index(meaning=False)
    answer = ask(index, "How do I want figures delivered?")
    assert answer.found
    assert "words alone" in (answer.remark or "")
    assert not ask(index, "What is the capital of Mongolia?").found


@pytest.mark.parametrize(
    ("question", "kind", "fitting", "not_fitting"),
    [
        ("When did she move?", Kind.WHEN, "She moved in May 2023", "She moved"),
        ("Where do I meet them?", Kind.WHERE, "We meet in Kyoto", "we meet there"),
        ("Who hosts us?", Kind.WHO, "the host is Sora", "the host is nice"),
        ("How many guests came?", Kind.HOW_MANY, "twelve guests came", "guests came"),
        ("Why did it fail?", Kind.OTHER, "anything", ""),
    ],
)
def test_the_kind_of_answer_is_read_from_the_question(
    question: str, kind: Kind, fitting: str, not_fitting: str
) -> None:
    assert kind_of(question) is kind
    assert fits(kind, fitting)
    assert kind is Kind.OTHER or not fits(kind, not_fitting)
