"""A question in the first person is about who asks: what users said comes before what was answered to them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from written import ASSISTANT, USER, put_session, session

from brain.config import Config
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.question import is_of_oneself

WORDS_ONLY = Config.parse('[search]\nembedder = "none"\n')


@pytest.mark.parametrize(
    "query",
    [
        "Which ferry do I take on Mondays?",
        "my sister's allergies",
        "Could you remind me where I keep the spare key?",
        "Was ist meine Schuhgröße?",
        "Où j'ai rangé les clés ?",
        "¿Cuál es mi talla?",
        "Де я живу?",
        "где мой паспорт",
        "我的鞋码是多少",
        "私の靴のサイズは",
    ],
)
def test_questions_about_who_asks(query: str) -> None:
    assert is_of_oneself(query)


@pytest.mark.parametrize(
    "query",
    [
        "ferry on Mondays",
        "What did you recommend to me for the ferry?",
        "Can you list the ferries?",
        "When did Caroline paint?",
        "Was hast du mir empfohlen?",
        "Minibus, mines and meetings",
        "你给我推荐了什么",
    ],
)
def test_other_questions(query: str) -> None:
    assert not is_of_oneself(query)


def test_what_users_said_of_themselves_comes_before_the_answers(tmp_path: Path) -> None:
    said = [
        (USER, "By the way, I take the ferry on Mondays now, the one from the old pier."),
        (
            ASSISTANT,
            "The Monday ferry: a ferry on Mondays leaves hourly. Take the Monday ferry early, ferry tickets sell.",
        ),
    ]
    put_session(tmp_path, session("a", date(2026, 6, 21), said))
    index = SearchIndex(tmp_path, WORDS_ONLY)
    index.update()
    assert index.search("Which ferry do I take on Mondays?")[0].first_turn == 1
    message = "I take the ferry on Mondays, I think. Monday ferry tickets leave early, ferry on Mondays."
    assert index.search(message)[0].first_turn == 2
    assert index.search("ferry on Mondays")[0].first_turn == 2
