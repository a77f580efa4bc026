"""Recall, working sets and the server, through the command line, as an agent in a sandbox uses them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from brain import Brain
from brain.demo.play import NIGHTS, SESSIONS

TOKEN = "a-token-for-this-test-only"


def brain(*words: str, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
    clean["BRAIN_SEARCH_BACKGROUND"] = "false"
    return subprocess.run(
        [sys.executable, "-m", "brain", *words], cwd=cwd, env=clean | (env or {}), capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nadia's memory after her three nights."""
    root = tmp_path_factory.mktemp("near") / "memory"
    Brain.init(root, owner="Nadia", tz="Europe/Paris", now=datetime(2026, 6, 1, tzinfo=UTC))
    for night, when in NIGHTS.items():
        mind = Brain.open(root, clock=partial(_at, when))
        mind.import_([SESSIONS / night])
        mind.dream()
    return root


def _at(when: datetime) -> datetime:
    return when


@contextmanager
def serving(memory: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "brain", "serve", "--port", "0", "--memory", str(memory)],
        env={**os.environ, "BRAIN_TOKEN": TOKEN}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout:
            process.stdout.close()


def test_recall_brings_what_a_question_needs_in_one_call(memory: Path, tmp_path: Path) -> None:
    done = brain("recall", "Which organisations do I meet in Kyoto and Sendai?", "--into", "set", "--json",
                 "--memory", str(memory), cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    brought = json.loads(done.stdout)
    said = " ".join(told["text"] for told in brought["recall"]["statements"])
    assert "Sora City Lab" in said
    assert "Sapphir Mobility Coop" in said
    assert len(brought["recall"]["records"]) <= 20
    texts = "".join(path.read_text() for path in (tmp_path / "set").rglob("*.md"))
    assert re.search(r"meet Sora City Lab in Kyoto on Monday 12 October", texts)
    assert (tmp_path / "set" / "AGENTS.md").exists()
    assert (tmp_path / "set" / "knowledge" / "index.md").exists()


def test_inside_a_working_set_commands_find_the_corpus_again(memory: Path, tmp_path: Path) -> None:
    assert brain("workset", "boot", "set", "--memory", str(memory), cwd=tmp_path).returncode == 0
    inside = tmp_path / "set" / "knowledge"
    shown = brain("show", "entities/nadia", cwd=inside)
    assert "# Nadia" in shown.stdout
    session = json.loads(brain("session", "list", "--json", "-n", "1", "--memory", str(memory), cwd=tmp_path).stdout)[0]
    turns = brain("session", "fetch", session["id"][:8], "--turns", "t1-t2", cwd=inside)
    assert re.findall(r"^## (t\d+) ", turns.stdout, re.MULTILINE) == ["t1", "t2"]
    added = brain("workset", "add", "..", session["id"], cwd=inside)
    assert session["transcript"] in added.stdout
    assert (tmp_path / "set" / session["transcript"]).exists()
    unknown = brain("workset", "add", "..", "No Such Thing", cwd=inside)
    assert unknown.returncode == 3
    assert "brain search" in unknown.stderr


def test_the_session_a_question_is_about_comes_first(memory: Path, tmp_path: Path) -> None:
    asked = ("session", "find", "When do I meet Sora City Lab in Kyoto?", "--memory", str(memory), "-k", "3")
    best, *others = json.loads(brain(*asked, "--json", cwd=tmp_path).stdout)
    assert len(others) == 2
    assert best["score"] >= others[0]["score"] >= others[1]["score"]
    assert "Sora City Lab" in (memory / best["session"]["transcript"]).read_text()
    printed = brain(*asked, cwd=tmp_path).stdout.splitlines()
    assert [line.split()[1] for line in printed] == [best["session"]["id"], *(one["session"]["id"] for one in others)]


def test_a_sandbox_needs_only_the_address_and_the_token(memory: Path, tmp_path: Path) -> None:
    with serving(memory) as address:
        env = {"BRAIN_SERVER": address, "BRAIN_TOKEN": TOKEN}
        booted = brain("workset", "boot", "set", "--budget", "400k/60", cwd=tmp_path, env=env)
        assert booted.returncode == 0, booted.stderr
        inside = tmp_path / "set"
        token = {"BRAIN_TOKEN": TOKEN}  # the set itself says where its server is
        found = brain("search", "figures PDF", "--json", cwd=inside, env=token)
        assert any("PDF" in hit["text"] for hit in json.loads(found.stdout))
        recalled = brain("recall", "how do I want figures delivered?", "--into", ".", cwd=inside, env=token)
        assert "PDF" in recalled.stdout, recalled.stderr
        assert "# Nadia" in brain("show", "entities/nadia", cwd=inside, env=token).stdout
        status = json.loads(brain("workset", "status", ".", "--json", cwd=inside, env=token).stdout)
        assert status["newest"] == status["manifest"]["commit"]
        refused = brain("search", "figures", cwd=inside, env={"BRAIN_TOKEN": "not-the-right-token"})
        assert refused.returncode == 5
        assert "refuses the token" in refused.stderr
    away = brain("show", "entities/nadia", cwd=inside, env=token)
    assert away.returncode == 5
    assert "brain serve" in away.stderr


@pytest.mark.parametrize("budget", ["", "much", "0", "2M/0", "-1", "2T"])
def test_a_budget_that_is_none_is_an_error_with_an_example(memory: Path, tmp_path: Path, budget: str) -> None:
    done = brain("workset", "boot", "set", f"--budget={budget}", "--memory", str(memory), cwd=tmp_path)
    assert done.returncode == 2
    assert "2M/400" in done.stderr
    assert not (tmp_path / "set").exists()


def test_memory_without_anything_on_it_says_so(memory: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    Brain.init(empty)
    done = brain("recall", "quantum chromodynamics homework", "--memory", str(empty), cwd=tmp_path)
    assert done.returncode == 0
    assert "Memory has nothing on this." in done.stdout


def test_what_memory_does_not_hold_is_said_and_nothing_is_brought(memory: Path, tmp_path: Path) -> None:
    done = brain(
        "recall", "violin strings for the quartet", "--into", "set", "--json", "--memory", str(memory), cwd=tmp_path
    )
    brought = json.loads(done.stdout)
    assert (brought["recall"]["found"], brought["recall"]["records"]) == (False, [])
    assert brought["changed"]["added"] == []


def test_commands_of_the_brain_itself_work_inside_a_working_set(memory: Path, tmp_path: Path) -> None:
    assert brain("workset", "boot", "set", "--memory", str(memory), cwd=tmp_path).returncode == 0
    inside = tmp_path / "set" / "knowledge"
    assert "dream: " in brain("log", cwd=inside).stdout
    done = brain("diff", cwd=inside)
    assert done.returncode == 0, done.stderr


def test_what_a_server_does_not_offer_is_said_to_be_elsewhere(memory: Path, tmp_path: Path) -> None:
    with serving(memory) as address:
        env = {"BRAIN_SERVER": address, "BRAIN_TOKEN": TOKEN}
        assert brain("workset", "boot", "set", cwd=tmp_path, env=env).returncode == 0
        done = brain("log", cwd=tmp_path / "set", env={"BRAIN_TOKEN": TOKEN})
    assert done.returncode == 2
    assert f"working set of {address}" in done.stderr
    assert "brain init" not in done.stderr


def test_a_server_without_a_token_does_not_start(memory: Path, tmp_path: Path) -> None:
    done = brain("serve", "--port", "0", "--memory", str(memory), cwd=tmp_path)
    assert done.returncode == 2
    assert "token" in done.stderr
    short = brain("serve", "--port", "0", "--memory", str(memory), cwd=tmp_path, env={"BRAIN_TOKEN": "short"})
    assert short.returncode == 2
