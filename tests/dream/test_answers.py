"""Open questions go when a statement answers them, in one night or a later one."""

from __future__ import annotations

from brain.dream.answers import answered
from brain.dream.draft import Line

ASKED = Line(head="Open questions", text="Is the Hansa hall step-free or not?", said="2026-05-02")


def test_a_later_statement_with_the_words_of_a_question_answers_it() -> None:
    told = Line(head="Facts", text="The Hansa hall is step-free by the side entrance only.", said="2026-05-09")
    lines, past = answered([ASKED, told])
    assert lines == [told]
    assert [(one.old, one.new) for one in past] == [(ASKED, told)]


def test_a_statement_on_something_else_leaves_the_question_open() -> None:
    told = Line(head="Facts", text="The Hansa hall has a new floor.", said="2026-05-09")
    assert answered([ASKED, told]) == ([ASKED, told], [])
