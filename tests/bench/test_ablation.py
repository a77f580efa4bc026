"""Runs of questions over matched brains: arms differ in one thing, killed runs go on, records hold no text."""

from __future__ import annotations

import doctest
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest
from made import persona, written
from typer.testing import CliRunner

from brain.agents.sandbox import missing
from brain.bench import answered, arms, changes
from brain.bench.ablation import run
from brain.bench.accounts import Account
from brain.bench.answered import Answered, Result
from brain.bench.arms import Arm, arm_of
from brain.bench.asked import Asked, Given, Judgement
from brain.bench.datasets import answers, beam, longmemeval
from brain.bench.filling import Filling
from brain.bench.loading import Source
from brain.bench.plan import Dataset
from brain.bench.study import Study
from brain.cli.app import app
from brain.errors import ConfigError, UsageError


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRAIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    return tmp_path / "cache" / "bench"


def of_persona(tmp_path: Path, *arms: Arm) -> Study:
    folder = tmp_path / "personas"
    if not folder.exists():
        persona(folder)
    return Study(source=Source(dataset=Dataset.PERSONAS, data=folder), arms=arms or (arm_of("wiki"),), processes=1)


def by_id(record: Answered, arm: str = "wiki") -> dict[str, Result]:
    return {one.question: one for one in record.of(arm)}


def judged(record: Answered) -> list[tuple[str, str, Judgement, tuple[str, ...]]]:
    """All but the seconds."""
    return [(one.question, one.arm, one.judgement, one.given.cites) for one in record.results]


def test_transcript_files_go_through_import_and_dream_and_questions_are_answered_from_them(tmp_path: Path) -> None:
    record = run(of_persona(tmp_path))
    results = by_id(record)
    (filled,) = record.accounts
    assert (filled.sessions, filled.turns, filled.dreams, filled.remarks) == (2, 6, 2, ())
    assert filled.pages > 0
    assert all(results[f"p01-q{n}"].judgement.correct for n in (1, 2, 3))
    assert results["p01-q1"].evidence[0] in results["p01-q1"].given.cites
    assert "red kayak" in results["p01-q1"].given.text


def test_a_question_knows_nothing_of_what_came_after_it(tmp_path: Path) -> None:
    early = by_id(run(of_persona(tmp_path)))["p01-q5"]
    assert early.judgement.correct
    assert "Larvik" not in early.given.text


def test_without_the_wiki_no_page_answers_and_the_rest_is_byte_for_byte_the_same(
    tmp_path: Path, own_cache: Path
) -> None:
    run(of_persona(tmp_path, arm_of("wiki"), arm_of("no-wiki"), arm_of("transcripts")))
    (account,) = (own_cache / "accounts").iterdir()
    whole, less, least = (account / name for name in ("state-1", "state-1-no-wiki", "state-1-no-wiki-notes-summaries"))
    assert list((whole / "knowledge").rglob("*.md"))
    assert not list((less / "knowledge").rglob("*"))
    assert not list((least / "notes").rglob("*.md"))
    for kept in ("notes", "sessions/summaries", "sessions/transcripts"):
        files = [path.relative_to(whole) for path in (whole / kept).rglob("*.md")]
        assert files
        assert all((less / path).read_bytes() == (whole / path).read_bytes() for path in files)
    shown = subprocess.run(
        [sys.executable, "-m", "brain", "search", "kayak", "--json", "--memory", str(less)],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    surfaces = {hit["surface"] for hit in json.loads(shown.stdout)}
    assert "page" not in surfaces
    assert "note" in surfaces


def test_an_arm_that_differs_at_reading_compiles_nothing_anew_and_one_at_filling_does(
    tmp_path: Path, own_cache: Path
) -> None:
    first = run(of_persona(tmp_path, arm_of("wiki"), arm_of("no-notes"), arm_of("words", ["search.embedder=none"])))
    assert len(list((own_cache / "accounts").iterdir())) == len(first.accounts) == 1
    second = run(of_persona(tmp_path, arm_of("wiki"), arm_of("short", ["index.max_tokens=700"]), arm_of("one-dream")))
    assert len(list((own_cache / "accounts").iterdir())) == len(second.accounts) == 3
    assert [one.dreams for one in second.accounts] == [2, 2, 2]
    assert second.arms["short"] == {"settings": {"index.max_tokens": 700}}


def test_what_a_model_compiled_is_kept_by_the_model_that_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    account = Account(id="a", source="made", inputs=(), states=())
    keys = set()
    for engine in ("model", "extractive"):
        for name in ("one:a", "one:b"):
            monkeypatch.setenv("BRAIN_MODEL", name)
            keys.add(Filling(engine=engine).key(account))
    assert len(keys) == 3


def test_no_memory_is_the_floor(tmp_path: Path) -> None:
    results = by_id(run(of_persona(tmp_path, arm_of("no-memory"))), "no-memory")
    assert [one.question for one in results.values() if one.judgement.correct] == ["p01-q4"]


def test_a_question_with_a_forget_is_asked_of_a_copy_and_leaves_the_brain_as_it_was(
    tmp_path: Path, own_cache: Path
) -> None:
    study = of_persona(tmp_path)
    file = tmp_path / "personas" / "p01" / "questions.jsonl"
    raw = json.loads(file.read_text().splitlines()[0])
    gone = raw | {
        "id": "p01-q6",
        "forget": {"sessions": ["kayak-1"]},
        "answer": None,
        "kind": "none",
        "must_not": ["red"],
    }
    file.write_text(file.read_text() + json.dumps({**gone, "evidence": []}) + "\n")
    results = by_id(run(study))
    assert results["p01-q6"].forgotten
    assert results["p01-q1"].judgement.correct
    assert results["p01-q6"].given.error is None
    assert results["p01-q6"].judgement.correct
    assert "red" not in results["p01-q6"].given.text


@pytest.mark.skipif(missing() is not None, reason=f"no sandbox on this machine: {missing()}")
def test_an_agent_that_fails_is_recorded_for_each_question_counted_and_asked_again(tmp_path: Path) -> None:
    persona(tmp_path / "personas")
    flag, script = tmp_path / "works", tmp_path / "agent.sh"
    script.write_text(f"""test -e {flag} && echo '{{"statements": [], "missing": "nothing"}}'\n""")
    words = ["bench", "run", "personas", "--data", str(tmp_path / "personas"), "--arm", "wiki", "--processes", "1",
             "--reader", "command", "--command", f"sh {script}", "--category", "abstention"]  # fmt: skip
    failed = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "first.json")])
    assert failed.exit_code == 1
    assert "1 question without an answer: ModelFailed" in failed.stderr
    (first,) = answered.parse((tmp_path / "first.json").read_text()).results
    assert first.judgement.correct is None
    flag.touch()
    done = CliRunner().invoke(app, [*words, "--json"])
    (second,) = answered.parse(done.stdout).results
    assert second.judgement.correct


def test_a_judge_that_costs_is_asked_once_for_the_same_and_again_for_what_it_left_open(tmp_path: Path) -> None:
    study = of_persona(tmp_path)
    asked: list[str] = []

    def judge(question: Asked, given: Given) -> Judgement:
        asked.append(question.id)
        unclear = question.id == "p01-q1"
        return Judgement(correct=None if unclear else given.found, score=None, how="as it looked")

    first = run(study, judge=judge, judged_by="costly")
    assert len(asked) == 5
    assert run(study, judge=judge, judged_by="costly").results == first.results
    assert asked[5:] == ["p01-q1"]
    assert first.plan["judge"] == "costly"
    run(study, judge=judge, judged_by="another")
    assert len(asked) == 11


def test_a_study_that_cannot_be_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no arm 'wikki'"):
        arm_of("wikki")
    with pytest.raises(UsageError, match="is not KEY=VALUE"):
        arm_of("mine", ["index"])
    with pytest.raises(UsageError, match="two arms are called 'wiki'"):
        of_persona(tmp_path, arm_of("wiki"), arm_of("wiki"))
    with pytest.raises(UsageError, match="nothing for the extractive reader"):
        of_persona(tmp_path, arm_of("no-index"))
    with pytest.raises(ConfigError, match=r"index.max_tokens = 'many' is not a number"):
        of_persona(tmp_path, arm_of("many", ["index.max_tokens=many"]))


@pytest.mark.parametrize("module", [answers, arms, beam, changes, longmemeval], ids=lambda one: str(one.__name__))
def test_examples_in_docstrings_hold(module: ModuleType) -> None:
    done = doctest.testmod(module)
    assert (done.failed, done.attempted > 0) == (0, True)


def test_a_sample_is_the_same_for_a_seed_and_another_for_another(tmp_path: Path) -> None:
    study = of_persona(tmp_path)
    ids = [f"q{n}" for n in range(50)]
    few = Study(source=study.source, arms=study.arms, questions=10, seed=1)
    assert few.drawn(ids) == few.drawn(reversed(ids))
    assert few.drawn(ids) != Study(source=study.source, arms=study.arms, questions=10, seed=2).drawn(ids)


def test_a_record_of_a_licensed_data_set_holds_no_text_and_reads_as_it_was_written(tmp_path: Path) -> None:
    source = Source(dataset=Dataset.LOCOMO, data=written(tmp_path)["locomo"])
    record = run(Study(source=source, arms=(arm_of("wiki"), arm_of("no-wiki")), processes=1))
    text = answered.render(record)
    assert answered.parse(text) == record
    assert len(record.results) == 2 * 2 * 5
    for word in ("kayak", "bakery", "lighthouse", "Ada", str(tmp_path)):
        assert word not in text


def test_the_command_line_runs_in_two_processes_and_writes_the_record(tmp_path: Path) -> None:
    data, out = written(tmp_path)["locomo"], tmp_path / "record.json"
    words = ["bench", "run", "locomo", "--data", str(data), "--arm", "wiki", "--out", str(out)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    record = answered.parse(out.read_text())
    assert {one.account for one in record.accounts} == {"conv-26", "conv-99"}
    assert "multi-hop" in done.stdout
    again = CliRunner().invoke(app, [*words[:-2], "--json"])
    assert judged(answered.parse(again.stdout)) == judged(record)


def test_a_run_killed_in_the_middle_goes_on_and_gives_the_same(tmp_path: Path, own_cache: Path) -> None:
    data = written(tmp_path)["locomo"]
    words = [sys.executable, "-m", "brain", "bench", "run", "locomo", "--data", str(data), "--processes", "1", "--json"]
    calm = subprocess.run(
        words, capture_output=True, check=True, env={**os.environ, "BRAIN_CACHE": str(tmp_path / "other")}
    )
    killed = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while killed.poll() is None and not list(own_cache.glob("answers/*.jsonl")):
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    (first, *_) = sorted(own_cache.glob("answers/*.jsonl"))
    with first.open("a") as torn:
        torn.write('{"id": "conv-26_q')
    before = first.read_text().splitlines()[:-1]
    went_on = subprocess.run(words, capture_output=True, check=True)
    assert first.read_text().splitlines()[: len(before)] == before  # nothing is asked twice
    one, other = (judged(answered.parse(text.stdout.decode())) for text in (calm, went_on))
    assert one == other
    assert len(one) == 2 * 2 * 5


def test_a_filling_killed_between_two_nights_goes_on_with_the_next(tmp_path: Path, own_cache: Path) -> None:
    persona(tmp_path / "personas")
    words = [sys.executable, "-m", "brain", "bench", "run", "personas", "--data", str(tmp_path / "personas"),
             "--processes", "1", "--arm", "wiki", "--json"]  # fmt: skip
    killed = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while killed.poll() is None and not list(own_cache.glob("accounts/*/progress.json")):
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    (account,) = (own_cache / "accounts").iterdir()
    assert not (account / "filled.json").exists()
    done = subprocess.run(words, capture_output=True, check=True)
    (filled,) = answered.parse(done.stdout.decode()).accounts
    assert (filled.sessions, filled.turns, filled.dreams) == (2, 6, 2)
