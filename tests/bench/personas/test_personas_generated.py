"""A folder of personas: the same bytes for a seed, questions of every category, each proven by a real import."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from brain.bench.asked import Kind
from brain.bench.personas.choosing import PERSONAS, quotas
from brain.bench.personas.generate import generate
from brain.bench.personas.history import history
from brain.bench.personas.questions import CATEGORIES
from brain.bench.personas.validate import validate
from brain.errors import NotFound, UsageError

SEED = 7
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("personas") / "out"
    generate(out, seed=SEED, personas=2)
    return out


def _files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _questions(folder: Path, persona: str) -> Rows:
    return [json.loads(line) for line in (folder / persona / "questions.jsonl").read_text("utf-8").splitlines()]


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path / "again", seed=SEED, personas=2)
    assert _files(tmp_path / "again") == _files(folder)
    generate(tmp_path / "other", seed=SEED + 1, personas=1)
    assert _files(tmp_path / "other" / "p01") != _files(folder / "p01")


def test_a_persona_is_the_same_however_many_there_are(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path / "one", seed=SEED, personas=1)
    assert _files(tmp_path / "one" / "p01") == _files(folder / "p01")


def test_forty_four_personas_are_asked_640_questions_of_nine_categories() -> None:
    asked = [quotas(number) for number in range(1, PERSONAS + 1)]
    assert {name: sum(one[name] for one in asked) for name in CATEGORIES} == CATEGORIES
    assert sum(CATEGORIES.values()) == 640
    assert {sum(one.values()) for one in asked} <= {13, 14, 15, 16}


def test_every_question_is_answerable_from_its_evidence_and_from_nothing_else(folder: Path) -> None:
    found = validate(folder)
    assert found.problems == []
    assert found.personas == 2
    assert found.questions == sum(sum(quotas(number).values()) for number in (1, 2))
    assert found.overlap < 0.5  # questions say things in words of their own


def test_questions_have_the_kinds_that_judges_know(folder: Path) -> None:
    for question in _questions(folder, "p01") + _questions(folder, "p02"):
        assert Kind(question["kind"]) is not Kind.NONE or question["answer"] is None
        assert question["answer"] is not None or question["must_not"] or question["category"] == "abstention"


def _mutated(folder: Path, tmp_path: Path, change: Callable[[Rows], None]) -> list[str]:
    """The problems of a copy in which the questions of the first persona were changed."""
    copy = tmp_path / "copy"
    generate(copy, seed=SEED, personas=1)
    questions = _questions(copy, "p01")
    change(questions)
    lines = "".join(json.dumps(question, ensure_ascii=False) + "\n" for question in questions)
    (copy / "p01" / "questions.jsonl").write_text(lines, "utf-8")
    return validate(copy).problems


def _of(questions: Rows, how: str) -> dict[str, Any]:
    return next(q for q in questions if q["setting"]["how"] == how and all("turn" in e for e in q["evidence"]))


def test_evidence_that_does_not_hold_the_answer_is_found(folder: Path, tmp_path: Path) -> None:
    def move(questions: Rows) -> None:
        _of(questions, "stated")["evidence"][0]["turn"] += 1

    problems = _mutated(folder, tmp_path, move)
    assert any("does not stand in its evidence" in problem for problem in problems)
    assert any("gives it away" in problem for problem in problems)  # the turn that holds it is bound no more


def test_evidence_that_does_not_exist_and_wrong_arithmetic_are_found(folder: Path, tmp_path: Path) -> None:
    def spoil(questions: Rows) -> None:
        _of(questions, "stated")["evidence"][0]["session"] = "nowhere"
        _of(questions, "day")["answer"] = "2001-01-01"

    problems = _mutated(folder, tmp_path, spoil)
    assert any("does not exist" in problem for problem in problems)
    assert any("does not mean 2001-01-01" in problem for problem in problems)


def test_an_answer_that_is_told_elsewhere_too_is_found(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    generate(copy, seed=SEED, personas=1)
    question = _of(_questions(copy, "p01"), "stated")
    page = f"_**User (2025-12-01 09:00:00Z)**_\n\n{question['text']} {question['answer']}\n"
    (copy / "p01" / "sessions" / "extra.md").write_text(page, "utf-8")
    problems = validate(copy).problems
    assert any(question["id"] in problem and "gives it away" in problem for problem in problems)
    assert any("not those that were generated" in problem for problem in problems)


def test_sessions_do_not_overlap_and_come_in_bursts_with_gaps_between() -> None:
    for number in (1, 2, 3):
        life = history(SEED, number)
        sessions = life.sessions
        for before, after in pairwise(sessions):
            assert before.start < after.start
        days = Counter(session.start.date() for session in sessions)
        gaps = [(b - a).days for a, b in pairwise(sorted(days))]
        assert max(gaps) >= 5
        assert max(days.values()) >= 3
        lengths = [len(session.turns) for session in sessions]
        assert min(lengths) == 2
        assert max(lengths) >= 40
        assert 800 < sum(lengths) < 6000


def test_a_life_does_not_contradict_itself() -> None:
    for number in range(1, 9):
        life = history(SEED, number)
        joined = [fact.slots["p"] for fact in life.facts if fact.kind == "role"]
        assert len(joined) == len(set(joined)), "somebody lives in two places"
        rows = [fact.row for fact in life.facts if fact.kind in ("change", "prefer", "secret")]
        assert len(rows) == len(set(rows)), "the same thing has two histories"
        assert len({row.partition(":")[0] for row in rows}) <= 2, "one life is told in one language, and one work"


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.md").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        generate(tmp_path, seed=1, personas=1)
    with pytest.raises(NotFound, match="no personas"):
        validate(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.md"]


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    done = generate(tmp_path / "out", seed=SEED, personas=1, dry_run=True)
    assert done.questions == sum(quotas(1).values())
    assert not (tmp_path / "out").exists()
