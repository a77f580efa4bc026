"""kill −9 at any moment: memory stays valid, nothing acknowledged is lost, and the next run ends where it should.

Each round works on a copy of one brain. A command is started in a process group of its own and the whole group is
killed, some times after a while, some times right after something shows on disk (the lock, a staging, a moved main).
Then the tree is held against everything it promises, and in the end the command is run undisturbed: what is there then
must be what a brain holds that was never disturbed.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

import brain.demo
from brain.config import Config
from brain.git import MAIN, Git
from brain.rules import check
from brain.rules.evidence import TreeEvidence
from brain.sync.lock import Lock
from brain.sync.staging import open_runs
from brain.tree import deletions
from brain.tree.files import FolderTree
from brain.tree.layout import DELETIONS, SESSION_INDEX, TRANSCRIPTS
from brain.tree.sessions import parse_rows
from brain.types import Severity

pytestmark = pytest.mark.slow

SEED = 20260806
ROUNDS, KILLS = 7, 4  # for each of the two commands: 56 kills in all
SESSIONS = Path(brain.demo.__file__).parent / "sessions"
MINE = "notes/facts/mine.md"
NOTE = "---\nid: notes/facts/mine\ntype: note\ntitle: Mine\nupdated_at: 2026-08-02T09:20:00Z\n---\n"

_VARIES = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
    (re.compile(r"- \d\d:\d\d · (\w+) · [0-9A-Za-z]{8} ·"), r"- TIME · \1 · RUN ·"),
    (re.compile(r"\d{4}-\d\d-\d\d · [0-9A-HJKMNP-TV-Z]{8} ·"), "DAY · RUN ·"),
    (re.compile(r"tree=[0-9a-f]{7}"), "tree=HASH"),
)


@dataclass(frozen=True)
class Disturbance:
    """When to kill: after some seconds, counted from the start or from when something shows on disk."""

    shows: Callable[[Path], bool] | None
    after: float


def _nothing(root: Path) -> bool:
    return True


def _locked(root: Path) -> bool:
    return (root / ".brain" / "lock").exists()


def _staged(root: Path) -> bool:
    return (root / ".brain" / "staging").is_dir() and any((root / ".brain" / "staging").iterdir())


def _moving(root: Path) -> bool:
    return (root / ".git" / "refs" / "heads" / "main.lock").exists() or (root / ".git" / "index.lock").exists()


def _written(root: Path) -> bool:
    return any((root / TRANSCRIPTS).rglob("*.md")) if (root / TRANSCRIPTS).is_dir() else False


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "BRAIN_"))}
    nobody = {"HOME": str(home), "XDG_STATE_HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull}
    return {**kept, **nobody, "BRAIN_SEARCH_EMBEDDER": "none"}


def run(environment: dict[str, str], *args: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "brain", *args], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"brain {' '.join(args)}: {done.stdout}{done.stderr}"


def disturbed(environment: dict[str, str], root: Path, args: list[str], how: Disturbance) -> bool:
    """Run a command and kill it with everything it started; True if it was still running then."""
    process = subprocess.Popen(
        [sys.executable, "-m", "brain", *args],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while process.poll() is None and how.shows is not None and not how.shows(root):
        time.sleep(0.0005)
    try:
        process.wait(how.after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return process.returncode == -signal.SIGKILL


def assert_sound(root: Path, before: str | None) -> str:
    """What must hold at any moment; the commit main is at."""
    subprocess.run(["git", "fsck", "--strict", "--no-dangling"], cwd=root, check=True, capture_output=True)
    with Git(root) as git:
        main = git.resolve(MAIN)
        assert main is not None
        if before is not None:
            git.run("merge-base", "--is-ancestor", before, main)
        tree = git.tree(main)
        for row in parse_rows(tree.read(SESSION_INDEX)):
            stored = (root / row.transcript).read_bytes()
            whole = sha256(stored).hexdigest() == row.transcript_sha256
            end = stored.find(f"\n## t{row.turns + 1} · ".encode())
            assert whole or sha256(stored[:end]).hexdigest() == row.transcript_sha256, row.transcript
        problems = check(
            tree,
            tree,
            config=Config.load(root, {}),
            evidence=TreeEvidence(FolderTree(root), {}),
            deletions=deletions.parse(tree.read(DELETIONS)),
            now=datetime.now(UTC) + timedelta(minutes=1),
        )
        assert [problem for problem in problems if problem.severity is Severity.E] == []
        lock = Lock(root, git.dir / "brain" / "epoch")
        lock.acquire(patience=2)
        lock.release()
    return main


def contents(root: Path) -> dict[str, str]:
    """Every file of the folder and of main, without what differs between two runs of the same: times and run ids."""
    with Git(root) as git:
        tree = git.tree(MAIN)
        found = {f"main:{path}": tree.read(path) for path in tree.paths()}
    folder = FolderTree(root)
    found |= {path: folder.read(path) for path in folder.paths()}
    for pattern, word in _VARIES:
        found = {path: pattern.sub(word, text) for path, text in found.items()}
    return found


def assert_done(root: Path, wanted: dict[str, str]) -> None:
    found = contents(root)
    assert sorted(found) == sorted(wanted)
    assert {path: text for path, text in found.items() if text != wanted[path]} == {}
    status = subprocess.run(["git", "status", "--porcelain"], cwd=root, check=True, capture_output=True, text=True)
    assert status.stdout == ""
    with Git(root) as git:
        assert open_runs(git) == []
        assert git.text("worktree", "list", "--porcelain").count("worktree ") == 1
        assert git.text("for-each-ref", "--format=%(refname)").split() == ["refs/brain/folder", MAIN]
    assert not [left for left in root.rglob(".tmp-*") if "staging" not in left.parts]


@pytest.fixture(scope="module")
def empty(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("empty") / "memory"
    run(environment, "init", str(root), "--owner", "Nadia")
    return root


@pytest.fixture(scope="module")
def imported(environment: dict[str, str], empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("imported") / "memory"
    shutil.copytree(empty, root)
    run(environment, *_import(root))
    return root


@pytest.fixture(scope="module")
def dreamed(environment: dict[str, str], imported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("dreamed") / "memory"
    shutil.copytree(imported, root)
    (root / MINE).parent.mkdir(parents=True, exist_ok=True)
    (root / MINE).write_text(NOTE)
    run(environment, *_dream(root))
    return root


def _import(root: Path) -> list[str]:
    return ["import", str(SESSIONS / "night-1"), str(SESSIONS / "night-2"), "--memory", str(root)]


def _dream(root: Path) -> list[str]:
    return ["dream", "--memory", str(root)]


def _seconds(environment: dict[str, str], args: list[str]) -> float:
    started = time.monotonic()
    run(environment, *args)
    return time.monotonic() - started


def _plans(seconds: float, shows: list[Callable[[Path], bool]], seed: int) -> list[list[Disturbance]]:
    """For each round its kills: every other one spread over the time the command takes, the rest tied to what shows."""
    chance = random.Random(seed)
    plans = []
    for number in range(ROUNDS):
        at = seconds * (0.25 + 0.75 * (number + chance.random()) / ROUNDS)
        plan = [Disturbance(None, at)]
        plan += [
            Disturbance(chance.choice(shows), chance.choice((0.0, 0.005, 0.02, 0.08)) * chance.random())
            for _ in range(KILLS - 1)
        ]
        chance.shuffle(plan)
        plans.append(plan)
    return plans


def test_an_import_killed_at_any_moment_loses_nothing(
    environment: dict[str, str], empty: Path, imported: Path, tmp_path: Path
) -> None:
    wanted = contents(imported)
    shutil.copytree(empty, tmp_path / "timed")
    seconds = _seconds(environment, _import(tmp_path / "timed"))
    killed = 0
    for number, plan in enumerate(_plans(seconds, [_locked, _moving, _written, _nothing], SEED)):
        root = tmp_path / f"round-{number}"
        shutil.copytree(empty, root)
        main = None
        for how in plan:
            killed += disturbed(environment, root, _import(root), how)
            main = assert_sound(root, main)
        run(environment, *_import(root))
        assert_sound(root, main)
        assert_done(root, wanted)
    assert killed >= ROUNDS * KILLS * 2 // 3, "most commands must have been running when they were killed"


def test_a_dream_killed_at_any_moment_loses_nothing(
    environment: dict[str, str], imported: Path, dreamed: Path, tmp_path: Path
) -> None:
    wanted = contents(dreamed)
    shutil.copytree(imported, tmp_path / "timed")
    seconds = _seconds(environment, _dream(tmp_path / "timed"))
    killed = 0
    for number, plan in enumerate(_plans(seconds, [_locked, _moving, _staged, _staged, _nothing], SEED + 1)):
        root = tmp_path / f"round-{number}"
        shutil.copytree(imported, root)
        (root / MINE).parent.mkdir(parents=True, exist_ok=True)
        (root / MINE).write_text(NOTE)
        main = None
        for how in plan:
            killed += disturbed(environment, root, _dream(root), how)
            main = assert_sound(root, main)
            assert (root / MINE).read_text() == NOTE
        run(environment, *_dream(root))
        assert_sound(root, main)
        assert_done(root, wanted)
    assert killed >= ROUNDS * KILLS * 2 // 3, "most commands must have been running when they were killed"
