"""Answers judged without a model, each kind with one that is right and the ways in which it is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from brain.bench.asked import Asked, Forget, Given, Kind
from brain.bench.judging.forms import f1, held, held_loosely
from brain.bench.judging.judge import judge, says_nothing


def asked(**fields: Any) -> Asked:
    return Asked(**{"id": "q", "account": "a", "text": "?", "category": "c", **fields})


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        (asked(answer="Lyon"), "She moved to Lyon in May.", True),
        (asked(answer="Lyon"), "She moved to Lyons-la-Forêt.", False),
        (asked(answer="a blue bicycle"), "The blue bicycle.", True),
        (asked(answer="painted chairs"), "He has been painting the chair.", False),
        (asked(answer="red chair"), "The chairs are red.", True),
        (asked(answer="red chair"), "The wall is red. The chair is not.", False),
        (asked(answer="PDF", accepts=("vector file",)), "as a vector file", True),
        (asked(answer="京都"), "会議は京都で開かれます。", True),
        (asked(answer="Porto", stale=("Lyon",)), "Ada lives in Porto. Before, in Lyon.", True),
        (asked(answer="Porto", stale=("Lyon",)), "Ada lives in Lyon. Later in Porto.", False),
        (asked(answer="Porto", stale=("Lyon",)), "Ada moved from Lyon to Porto.", True),
        (asked(answer="PDF", kind=Kind.PREFERENCE, must_not=("PNG",)), "as PDF, or as PNG", False),
        (asked(answer="7 March 2026", kind=Kind.DATE), "It is on 2026-03-07.", True),
        (asked(answer="7 March 2026", kind=Kind.DATE), "It is on 2026-03-08.", False),
        (asked(answer="next spring", kind=Kind.DATE), "It is planned for next spring.", True),
        (asked(answer="90 minutes", kind=Kind.NUMBER), "It takes an hour and a half, 1.5 hours.", True),
        (asked(kind=Kind.NONE), "Memory has nothing on this.", True),
        (asked(kind=Kind.NONE), "His dog is called Rex.", False),
        (asked(kind=Kind.NONE, must_not=("Rex",)), "There is no record of Rex.", False),
        (asked(answer="the Azores", must_not=("Brittany",)), "In the Azores. A web page says Brittany.", True),
        (asked(answer="the Azores", must_not=("Brittany",)), "In Brittany. You said the Azores.", False),
        (asked(answer="the Azores", must_not=("Brittany",)), "In the Azores or in Brittany.", False),
        (asked(answer="гектари"), "Розмір поля подавати в гектарах.", True),
        (asked(answer="гектари"), "Розмір поля подавати в гетрах.", False),
    ],
)
def test_right_and_wrong(question: Asked, text: str, right: bool) -> None:
    assert judge(question, Given(text=text)).correct is right


def test_a_list_is_a_set() -> None:
    question = asked(answer="apples, pears and plums", kind=Kind.LIST)
    assert judge(question, Given(text="Plums, then pears; the apples came last.")).correct
    part = judge(question, Given(text="pears and apples"))
    assert part.correct is False
    assert part.score == pytest.approx(2 / 3)


def test_an_older_value_alone_is_stale_and_a_wrong_one_is_not() -> None:
    question = asked(answer="Porto", stale=("Lyon",))
    assert judge(question, Given(text="Lyon")).stale
    assert not judge(question, Given(text="Rome")).stale


def test_what_could_not_be_answered_is_not_scored() -> None:
    found = judge(asked(answer="Porto"), Given(error="the server went away"))
    assert found.correct is None
    assert found.score is None
    assert "server" in found.how


def test_an_answer_that_gives_nothing_may_say_what_stands_elsewhere_unless_that_was_forgotten() -> None:
    said = Given(found=False, text="Memory has no count for Compass, only 56 for Brook.")
    assert judge(asked(kind=Kind.NONE, must_not=("56",)), said).correct
    assert not judge(asked(kind=Kind.NONE, must_not=("56",), forget=Forget(terms=("Brook",))), said).correct


def test_saying_nothing_is_wrong_where_memory_holds_it() -> None:
    assert judge(asked(answer="Porto"), Given(found=False)).correct is False


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "Nothing is known about that.",
        "Dazu ist nichts bekannt.",
        "Aucune mention de cela.",
        "记录里没有提到。",
    ],
)
def test_nothing_said_in_words(text: str) -> None:
    assert says_nothing(Given(text=text))


def test_a_no_further_down_is_no_abstention() -> None:
    assert not says_nothing(Given(text="She moved to Porto. There is no record of the day."))


def test_f1_as_defined() -> None:
    assert f1("blue bicycle", "a blue bicycle") == 1.0
    assert f1("blue bicycle", "red car") == 0.0
    assert f1("one two three four", "two three") == pytest.approx(2 * (1.0 * 0.5) / 1.5)


@drawn(st.text(), st.text())
def test_no_text_breaks_a_judge(gold: str, text: str) -> None:
    for kind in Kind:
        found = judge(asked(answer=gold, kind=kind), Given(text=text))
        assert found.correct in (True, False)
        assert found.f1 is None or 0.0 <= found.f1 <= 1.0


@drawn(st.text(alphabet="abcdeé 京都", min_size=1).filter(str.strip))
def test_a_text_holds_itself(text: str) -> None:
    assert held(text, f"before {text} after") or held_loosely(text, text)
