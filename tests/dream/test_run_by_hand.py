"""The Dream by hand, as an agent with a shell plays it: the command line and edits of files, nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from brain import Brain
from brain.demo.play import SESSIONS
from brain.tree import page
from brain.types import Severity

STANDIN = Path(__file__).with_name("standin.py")


def run(root: Path, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("BRAIN_")}
    environment["BRAIN_SEARCH_BACKGROUND"] = "false"
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=cwd,
        env={**environment, "BRAIN_MEMORY": str(root)} if cwd is None else environment,
    )  # fmt: skip


def brain(root: Path, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run(root, "-m", "brain", *words, cwd=cwd)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two nights of the demo, dreamed by the stand-in alone."""
    root = tmp_path_factory.mktemp("by-hand") / "memory"
    Brain.init(root, owner="Nadia", tz="Europe/Paris")
    for night in ("night-1", "night-2"):
        Brain.open(root).import_([SESSIONS / night])
        done = run(root, str(STANDIN), "by-hand")
        assert done.returncode == 0, done.stdout + done.stderr
    return root


def test_stand_in_agent_makes_cited_pages_that_the_rules_accept(lived: Path) -> None:
    pages = {page for page, _ in Brain.open(lived).titles()}
    assert {"entities/nadia", "concepts/wayfinding-audit", "projects/japan-universal-design-sprint"} <= pages
    assert [p for p in Brain.open(lived).check() if p.severity is Severity.E] == []
    shown = page.parse((lived / "knowledge/entities/nadia.md").read_text("utf-8"))
    assert all(claim.is_cited for claim in shown.claims if claim.section == "Facts")
    assert len(shown.definitions) > 10


def test_what_changed_stands_in_history_with_both_sources(lived: Path) -> None:
    shown = page.parse((lived / "knowledge/projects/japan-universal-design-sprint.md").read_text("utf-8"))
    history = [claim for section in shown.sections if section.heading == "History" for claim in section.claims]
    moved = next(claim for claim in history if "September" in claim.words)
    assert len({uri.partition("#")[0] for uri in shown.uris(moved)}) == 2
    assert not [c for c in shown.claims if c.section == "Facts" and "planned for September" in c.words]


def test_commit_names_run_skill_sessions_and_who_wrote(lived: Path) -> None:
    commit = Brain.open(lived).log(limit=1)[0].message
    assert commit.kind == "dream"
    assert commit.trailer("Skill")
    assert commit.trailer("Dream-Run")
    assert commit.trailer("Model") == "stand-in"
    tested, _, of = (commit.trailer("Checks") or "").rpartition("sem=")[2].partition("/")
    assert int(tested) == int(of) > 10


def test_no_run_is_opened_when_nothing_is_pending(lived: Path) -> None:
    opened = brain(lived, "dream", "open", "--json")
    assert (opened.returncode, json.loads(opened.stdout)) == (0, None)
    assert brain(lived, "dream", "check").returncode == 3


def test_second_run_by_hand_is_refused_and_abort_leaves_nothing(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    Brain.init(root, owner="Nadia")
    Brain.open(root).import_([SESSIONS / "night-1"])
    opened = json.loads(brain(root, "dream", "open", "--json").stdout)
    tree = Path(opened["tree"])
    again = brain(root, "dream", "open")
    assert again.returncode == 2
    assert "is open already" in again.stderr
    assert opened["skill"].startswith("---\nname: dream\n")
    inside = brain(root, "dream", "check", "--json", cwd=tree)  # found from the folder, without a word about where
    assert inside.returncode == 1
    assert "STG006" in inside.stdout
    dropped = brain(root, "dream", "abort", cwd=tree / "knowledge")
    assert dropped.returncode == 0, dropped.stderr
    assert not tree.exists()
    assert not list((root / ".brain/staging").iterdir())
    assert Brain.open(root).status().pending.attach == 4
