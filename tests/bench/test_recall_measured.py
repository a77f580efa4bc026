"""Recall: evidence is looked for in the past alone, runs go on where they stopped, records hold no text of the data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import written
from numpy.typing import NDArray
from typer.testing import CliRunner

from brain.bench import datasets, runs
from brain.bench.brains import Plain, content_hash
from brain.bench.datasets.dialogue import Conversation
from brain.bench.plan import Arm, Dataset, Part, Plan, Unit, Vectors
from brain.bench.recall import Row, measure
from brain.bench.records import Record, parse, render
from brain.bench.runs import run
from brain.bench.tables import mean, strict, table, worst
from brain.bench.vectors import Kept
from brain.cli.app import app
from brain.corpus.search.catalogue import Catalogue
from brain.errors import FormatError
from brain.tree import layout


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRAIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    return tmp_path / "cache"


class Letters:
    """An embedder for tests: the letters of a text. It counts how many texts it was given."""

    id = "letters"
    dimensions = 26

    def __init__(self) -> None:
        self.given: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given += texts
        rows = np.array([[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts], np.float32)
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)


def row(*ranks: int | None, category: str = "a", question: str = "q") -> Row:
    return Row(conversation="c", question=question, category=category, arm=Arm.WORDS, unit=Unit.TURN, ranks=ranks)


def test_recall_is_the_mean_share_and_all_hit_the_share_of_whole_ones() -> None:
    rows = [row(1, 7), row(3), row(None, None)]
    assert mean(rows, 5) == pytest.approx((0.5 + 1 + 0) / 3)
    assert mean(rows, 10) == pytest.approx(2 / 3)
    assert strict(rows, 5) == pytest.approx(1 / 3)
    assert strict(rows, 10) == pytest.approx(2 / 3)


def test_a_table_leaves_categories_out_of_all_that_stand_apart() -> None:
    text = table([row(1), row(None, category="adversarial")], apart=["adversarial"], ks=[5])
    assert text.splitlines()[2:] == [
        "| turn | words | all | 1 | 1.000 | 1.000 |",
        "| turn | words | a | 1 | 1.000 | 1.000 |",
        "| turn | words | adversarial | 1 | 0.000 | 0.000 |",
    ]


def test_the_worst_are_those_with_the_least_and_latest_evidence() -> None:
    rows = [
        row(1, question="good"),
        row(12, question="late"),
        row(None, question="lost"),
        row(2, None, question="half"),
    ]
    assert [one.question for one in worst(rows, 3)] == ["lost", "late", "half"]


def test_later_sessions_are_not_there_when_a_question_is_asked(tmp_path: Path) -> None:
    """The later session repeats the question word for word: it would come first."""
    (persona,) = datasets.load(Dataset.REALMEM, written(tmp_path)["realmem"])
    brain = Plain(persona, tmp_path / "brain", Letters())
    rows = list(measure(persona, brain, [Arm.WORDS, Arm.FUSED]))
    assert {(one.unit, one.ranks) for one in rows} == {(Unit.TURN, (1,)), (Unit.SESSION, (1,))}
    assert len(list((tmp_path / "brain" / "sessions").rglob("*.md"))) == 1


def test_vectors_are_made_once_for_all_brains(tmp_path: Path) -> None:
    inner = Letters()
    kept = Kept(inner, tmp_path / "vectors.sqlite")
    first = kept.embed(["kayak", "lighthouse", "kayak"])
    kept.close()
    again = Kept(Letters(), tmp_path / "vectors.sqlite")
    assert inner.given == ["kayak", "lighthouse"]
    assert np.array_equal(again.embed(["lighthouse", "kayak"]), first[1:])
    assert isinstance(again.inner, Letters)
    assert again.inner.given == []
    again.close()


def test_with_users_only_all_that_users_said_has_a_vector(tmp_path: Path) -> None:
    haystack = next(datasets.load(Dataset.LONGMEMEVAL, written(tmp_path)["s"]))
    index = Plain(haystack, tmp_path / "brain", Letters(), users_only=True).reach(frozenset({1, 2}))
    catalogue = Catalogue(index.folder / "catalogue.sqlite")
    lacking = catalogue.rows(
        "SELECT DISTINCT role FROM docs JOIN units ON units.doc = docs.id LEFT JOIN vectors"
        " ON vectors.hash = units.hash WHERE vectors.hash IS NULL"
    )
    catalogue.close()
    assert ("user",) not in lacking


def test_a_run_goes_on_where_it_stopped_and_answers_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(dataset=Dataset.LOCOMO, data=written(tmp_path)["locomo"], part=Part.ALL, arms=(Arm.WORDS, Arm.FUSED))
    asked: list[str] = []

    def counted(conversation: Conversation, *rest: Any) -> Iterator[Row]:
        asked.append(conversation.id)
        return measure(conversation, *rest)

    monkeypatch.setattr(runs, "measure", counted)
    run(Plan(dataset=plan.dataset, data=plan.data, part=plan.part, arms=plan.arms, limit=1))
    whole = run(plan)
    assert asked == ["conv-26", "conv-99"]
    assert run(plan) == whole
    assert asked == ["conv-26", "conv-99"]
    assert len(whole.rows) == 2 * 4 * 2 * 2


def test_a_record_is_read_as_it_was_written() -> None:
    rows = (row(1, None), row(3, question="r", category="b"))
    record = Record(
        brain="1", plan={"split": "tune"}, files={"a.json": "00"}, code={}, weights={"words": 1.0}, embedder="letters",
        conversations=("c",), rows=rows, remarks=("a turn is missing",),
    )  # fmt: skip
    assert parse(render(record)) == record
    with pytest.raises(FormatError, match="no record of a run"):
        parse('{"brain": "1"}')


def test_a_record_names_what_it_depends_on_and_holds_no_text_of_the_data(tmp_path: Path) -> None:
    data = written(tmp_path)["locomo"]
    out = tmp_path / "record.json"
    words = ["bench", "recall", "locomo", "--data", str(data), "--arm", "words", "--out", str(out), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    record = json.loads(out.read_text())
    assert json.loads(done.stdout) == record
    assert record["plan"]["split"] == "held-out"
    assert list(record["files"]) == ["locomo.json"]
    assert record["conversations"] == ["conv-99"]
    assert {"finding"} == set(record["code"])
    assert record["embedder"] == "all-MiniLM-L6-v2-int8"
    assert "kayak" not in out.read_text()


def test_the_wiki_arm_asks_a_brain_filled_by_the_pipeline_and_keeps_it(tmp_path: Path, own_cache: Path) -> None:
    plan = Plan(
        dataset=Dataset.LOCOMO, data=written(tmp_path)["locomo"], arms=(Arm.FUSED, Arm.WIKI), units=(Unit.TURN,)
    )
    record = run(plan)
    assert record.remarks == ()
    assert [one.arm for one in record.rows] == [Arm.FUSED, Arm.WIKI] * 4
    assert all(one.recall(5) == 1.0 for one in record.rows)
    (conversation,) = datasets.load(plan.dataset, plan.data, plan.part)
    (kept,) = (own_cache / "bench" / "brains").glob(f"*-{content_hash(conversation)[:16]}")
    assert list((kept / layout.SUMMARIES).rglob("*.md"))


def test_the_command_prints_a_table_and_the_worst_questions(tmp_path: Path) -> None:
    data = written(tmp_path)["s"]
    words = ["bench", "recall", "longmemeval", "--data", str(data), "--split", "all", "--vectors", Vectors.USERS.value]
    done = CliRunner().invoke(app, [*words, "--arm", "fused", "--unit", "session", "--worst", "1"])
    assert done.exit_code == 0, done.output
    assert "| session | fused | all | 2 | 1.000 |" in done.stdout
    assert "Where is my bike locked?" in done.stdout
