"""With a small model behind an OpenAI-compatible address, named by BRAIN_TEST_LLM: the path holds, whatever it says."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from pydantic_ai import models
from scripted import session

from brain.agents.distiller import ModelDistiller
from brain.agents.ledger import Ledger
from brain.agents.verifier import ModelVerifier
from brain.config import Config
from brain.distil import DistilContext
from brain.dream.verification import Asked, Asks, Cited, Question, examine
from brain.types import Role, Turn

URL = os.environ.get("BRAIN_TEST_LLM", "")
NAME = os.environ.get("BRAIN_TEST_LLM_MODEL", "local")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not URL, reason="BRAIN_TEST_LLM names no server, such as http://127.0.0.1:8089/v1"),
]
PAGE = "knowledge/entities/nadia.md"
TALK = session(
    ("user", "I moved to Lyon last week, so meetings on Monday mornings no longer work for me."),
    ("assistant", "Noted. Shall I move the weekly meeting to Tuesday at ten?"),
    ("user", "Yes, Tuesday at ten. And from now on send figures as PDF, not PNG."),
    ("assistant", "Done: the weekly meeting is on Tuesdays. Figures will go out as PDF."),
)


@pytest.fixture(autouse=True)
def _really() -> Iterator[None]:
    with models.override_allow_model_requests(True):
        yield


def ledger(*more: str) -> Ledger:
    lines = ["[models]", f'default = "{NAME}"', f'base_url = "{URL}"', "timeout = 600.0", "max_tokens = 900", *more]
    return Ledger(None, "r", config=Config.parse("\n".join(lines)))


@pytest.mark.parametrize("stream", ["false", "true"])
def test_a_short_session_is_distilled_to_facts_that_its_turns_hold(stream: str) -> None:
    spent = ledger(f"stream = {stream}", "context = 8192")
    found = ModelDistiller(spent).distil(TALK, 1, DistilContext(owners=("Nadia",)))
    assert found.facts
    assert all(1 <= fact.first_turn <= fact.last_turn <= 4 for fact in found.facts)
    assert found.summary.summary
    assert spent.totals.output > 0


@pytest.mark.parametrize("stream", ["false", "true"])
def test_claims_get_a_verdict_each(stream: str) -> None:
    cited = (Cited(uri="session://x#t1", turn=Turn(number=1, role=Role.USER, text="I moved to Lyon last week.")),)
    claims = ("The user moved to Lyon.", "The user owns three boats in Porto.")
    questions = tuple(
        Question(
            path="knowledge/entities/nadia.md", claim=claim, asks=Asks.NEW, line=line, subject="Nadia", evidence=cited
        )
        for line, claim in enumerate(claims, start=9)
    )
    found = examine(Asked(questions=questions), ModelVerifier(ledger(f"stream = {stream}", "context = 8192")))
    assert found.asked == 2
    assert found.unexamined == 0
