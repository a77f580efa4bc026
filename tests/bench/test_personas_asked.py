"""Four generated personas from end to end: files written, imported, dreamed, asked with the wiki and without it."""

from __future__ import annotations

import pytest

from brain.bench import answered
from brain.bench.ablation import run
from brain.bench.answered import Answered
from brain.bench.arms import arm_of
from brain.bench.asked import Kind
from brain.bench.loading import Source
from brain.bench.personas.generate import generate
from brain.bench.plan import Dataset
from brain.bench.sources import share_held
from brain.bench.study import Study

pytestmark = pytest.mark.slow
WORDS = ["search.embedder=none"]  # vectors are two thirds of the time, and make no difference to what is tested


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Answered:
    home = tmp_path_factory.mktemp("smoke")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRAIN_CACHE", str(home / "cache"))
        patch.setenv("BRAIN_STATE", str(home / "state"))
        generate(home / "personas", seed=5, personas=4)
        arms = tuple(arm_of(f"{name}:{name}", WORDS) for name in ("wiki", "again", "no-wiki"))
        source = Source(dataset=Dataset.PERSONAS, data=home / "personas")
        return run(Study(source=source, arms=arms, every=60))  # a night a week is played by the small ones


def test_every_persona_is_filled_without_a_remark_and_every_question_answered(record: Answered) -> None:
    assert [one.account for one in record.accounts] == ["p01", "p02", "p03", "p04"]
    assert [one.remarks for one in record.accounts] == [()] * 4
    assert all(one.turns > 200 and one.pages and one.dreams > 1 for one in record.accounts)
    assert [one.question for one in record.of("wiki")] == [one.question for one in record.of("no-wiki")]
    assert {one.given.error for one in record.results} == {None}
    assert {one.judgement.correct for one in record.results} == {True, False}


def test_gold_turns_are_those_of_the_brain_and_answers_reach_them(record: Answered) -> None:
    bound = [one for one in record.of("wiki") if one.kind is not Kind.NONE and one.evidence]
    reached = [one for one in bound if share_held(one.evidence, (*one.given.cites, *one.given.opened))]
    assert len(reached) >= len(bound) // 3


def test_the_same_arm_once_more_gives_the_same(record: Answered) -> None:
    """The noise floor of the extractive reader is nothing at all."""
    first, again = (
        [(one.question, one.judgement, one.given.cites) for one in record.of(arm)] for arm in ("wiki", "again")
    )
    assert first == again


def test_what_was_forgotten_is_not_answered(record: Answered) -> None:
    gone = [one for one in record.results if one.forgotten and one.kind is Kind.NONE]
    assert gone
    assert [one.question for one in gone if "must not" in one.judgement.how] == []


def test_the_record_reads_as_it_was_written(record: Answered) -> None:
    assert answered.parse(answered.render(record)) == record
