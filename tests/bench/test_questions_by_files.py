"""Questions as folders: an agent that has only such a folder answers, and its answers are read, followed and judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from made import persona
from typer.testing import CliRunner

from brain.bench import answered
from brain.bench.answered import Result
from brain.cli.app import app
from brain.errors import NotFound

STAND_IN = Path(__file__).with_name("stand_in.py")
ARMS = ["--arm", "wiki", "--arm", "no-wiki", "--arm", "no-index", "--arm", "no-search", "--arm", "no-memory",
        "--arm", "full-context", "--processes", "1"]  # fmt: skip


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One persona's questions under six arms, answered by the stand-in, but for one folder that it never saw, and one
    whose answer is broken."""
    home = tmp_path_factory.mktemp("files")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRAIN_CACHE", str(home / "cache"))
        patch.setenv("BRAIN_STATE", str(home / "state"))
        persona(home / "personas")
        out = home / "asked"
        words = ["bench", "export", "personas", "--data", str(home / "personas"), "--out", str(out), *ARMS]
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        assert "30 folders" in done.stdout
    for number, row in rows(out).items():
        if (row["arm"], row["question"]) == ("no-wiki", "p01-q4"):
            continue
        subprocess.run([sys.executable, str(STAND_IN)], cwd=out / number, check=True)
        if (row["arm"], row["question"]) == ("no-wiki", "p01-q3"):
            (out / number / "answer.json").write_text('{"statements": [{"text": 3}]}')
    return out


def rows(out: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((out / "run.json").read_text())["folders"]
    return found


def folder(out: Path, arm: str, question: str = "p01-q2") -> Path:
    return next(out / number for number, row in rows(out).items() if (row["arm"], row["question"]) == (arm, question))


def scored(out: Path) -> tuple[dict[tuple[str, str], Result], Any]:
    done = CliRunner().invoke(app, ["bench", "score", str(out), "--json"])
    record = answered.parse(done.stdout)
    return {(one.arm, one.question): one for one in record.results}, done


def test_answers_are_judged_and_their_citations_followed(exported: Path) -> None:
    results, _ = scored(exported)
    right = results["wiki", "p01-q1"]
    assert right.judgement.correct
    assert right.given.cites == right.evidence
    assert results["no-memory", "p01-q4"].judgement.correct
    assert not results["no-memory", "p01-q2"].judgement.correct


def test_what_the_agent_asked_of_memory_is_its_trace(exported: Path) -> None:
    results, _ = scored(exported)
    opened = results["wiki", "p01-q1"].given.opened
    assert set(results["wiki", "p01-q1"].evidence) <= set(opened)
    assert "knowledge/entities/ada-berg.md" in opened
    assert not any(path.startswith("knowledge/") for path in results["no-wiki", "p01-q2"].given.opened)


def test_missing_and_broken_answers_are_counted_and_named(exported: Path) -> None:
    results, done = scored(exported)
    assert done.exit_code == 1
    assert results["no-wiki", "p01-q4"].given.error == "no answer.json"
    assert results["no-wiki", "p01-q4"].judgement.correct is None
    assert "answer.json does not read: statements.0" in str(results["no-wiki", "p01-q3"].given.error)
    for question in ("p01-q3", "p01-q4"):
        assert folder(exported, "no-wiki", question).name in done.stderr


def test_each_arm_keeps_from_the_agent_what_it_says(exported: Path) -> None:
    wiki, less, blind, deaf = (folder(exported, arm) for arm in ("wiki", "no-wiki", "no-index", "no-search"))
    assert "entities/ada-berg" in (wiki / "start.md").read_text()
    assert list((wiki / "tree" / "knowledge").rglob("*.md"))
    assert not list((less / "tree").glob("knowledge/**/*.md"))
    assert "The wiki has no pages yet." in (blind / "start.md").read_text()
    assert (blind / "tree" / "knowledge" / "entities" / "ada-berg.md").exists()
    assert "no memory agent here" in asked(deaf, "recall", "the kayak")
    assert "red kayak" in asked(deaf, "show", "entities/ada-berg", "cite:1")


def test_the_ends_of_the_scale_have_everything_or_nothing(exported: Path) -> None:
    whole, nothing = folder(exported, "full-context"), folder(exported, "no-memory")
    assert "I keep it in Larvik now" in (whole / "tree" / "sessions.md").read_text()
    assert list((nothing / "tree").iterdir()) == []
    for one in (whole, nothing):
        assert not (one / "memory").exists()
        assert "Where do I keep the kayak?" in (one / "start.md").read_text()


def test_nothing_in_a_folder_tells_the_answer(exported: Path) -> None:
    """Of a question whose answer stands nowhere before memory is asked: an export without a map or a tree."""
    nothing = folder(exported, "no-memory")
    text = "".join(path.read_text() for path in nothing.rglob("*") if path.is_file() and path.name != "answer.json")
    assert "Larvik" not in text
    assert "Larvik" not in (exported / "run.json").read_text()


def test_exporting_again_keeps_the_answers(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = exported.parent
    monkeypatch.setenv("BRAIN_CACHE", str(home / "cache"))
    monkeypatch.setenv("BRAIN_STATE", str(home / "state"))
    before = scored(exported)[0]
    words = ["bench", "export", "personas", "--data", str(home / "personas"), "--out", str(exported), *ARMS]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert scored(exported)[0] == before


def test_a_folder_that_is_no_export_says_how_to_make_one(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["bench", "score", str(tmp_path)])
    assert isinstance(done.exception, NotFound)
    assert "brain bench export" in str(done.exception.hint)


def asked(folder: Path, *words: str) -> str:
    done = subprocess.run([str(folder / "memory"), *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
