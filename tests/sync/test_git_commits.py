"""Git in a closed environment: nobody's configuration takes part, and no work tree is needed to commit."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from small_brain import NOW, SmallBrain

from brain.errors import GitError, NotABrain, NotFound
from brain.git import DREAM, MAIN, Git, process


@pytest.fixture
def git(tmp_path: Path) -> Git:
    return Git.init(tmp_path / "memory")


def commit(git: Git, base: str | None, files: dict[str, bytes | None], message: str = "fix: x\n") -> str:
    return git.commit_files(base, files, message, author=DREAM, when=NOW)


def test_a_commit_holds_what_was_given_and_moves_nothing(git: Git) -> None:
    first = commit(git, None, {"notes/ä b.md": "ü\n".encode(), "a": b"1"})
    second = commit(git, first, {"a": None, 'odd "name"\\.md': b"2"})
    assert git.resolve(MAIN) is None
    assert git.text("for-each-ref") == ""
    assert {path: git.tree(second).bytes(path) for path in git.tree(second).paths()} == {
        "notes/ä b.md": "ü\n".encode(),
        'odd "name"\\.md': b"2",
    }
    assert git.text("log", "-1", "--format=%an <%ae> %cn %aI", second) == (
        "Brain Dream <dream@brain.invalid> brain-sync 2026-08-06T07:51:00+00:00"
    )


def test_the_same_commit_has_the_same_name_everywhere(git: Git, tmp_path: Path) -> None:
    other = Git.init(tmp_path / "other")
    assert commit(git, None, {"a": b"1"}) == commit(other, None, {"a": b"1"})


def test_a_reference_moves_only_from_where_it_was(git: Git) -> None:
    first = commit(git, None, {"a": b"1"})
    second = commit(git, first, {"a": b"2"})
    assert git.update_ref(MAIN, first, None)
    assert not git.update_ref(MAIN, second, None)
    assert git.update_ref(MAIN, second, first)
    assert not git.update_ref(MAIN, first, first)
    assert git.resolve(MAIN) == second


def test_hooks_signing_and_filters_of_the_user_take_no_part(git: Git, tmp_path: Path) -> None:
    hook = git.dir / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o700)
    for key, value in (("commit.gpgSign", "true"), ("core.autocrlf", "true"), ("user.name", "Somebody")):
        git.run("config", key, value)
    made = commit(git, None, {"a.md": b"line\n"})
    assert git.update_ref(MAIN, made, None)
    assert git.tree(MAIN).bytes("a.md") == b"line\n"


def test_a_brain_inside_another_repository_is_one_of_its_own(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    brain = SmallBrain.make(tmp_path / "memory")
    assert brain.clean()
    outer = subprocess.run(["git", "log"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "does not have any commits" in outer.stderr
    brain.git.close()


def test_variables_of_an_outer_git_do_not_lead_astray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    git = Git.init(tmp_path / "memory")
    commit(git, None, {"a": b"1"})
    assert not (tmp_path / "elsewhere.git").exists()


def test_without_git_the_user_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    process._found.cache_clear()
    try:
        with pytest.raises(GitError, match="git is not installed"):
            Git.init(tmp_path / "memory")
    finally:
        monkeypatch.undo()
        process._found.cache_clear()


def test_a_folder_without_repository_is_no_brain(tmp_path: Path) -> None:
    with pytest.raises(NotABrain):
        Git(tmp_path).resolve(MAIN)


def test_an_error_of_git_says_what_git_said(git: Git) -> None:
    with pytest.raises(GitError, match="rev-parse failed"):
        git.run("rev-parse", "--verify", "nothing")
    with pytest.raises(NotFound):
        git.blob("0" * 40)


def test_a_lock_left_by_a_killed_git_is_cleared(git: Git) -> None:
    lock = git.dir / "refs" / "heads" / "main.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    os.utime(lock, (time.time() - 60, time.time() - 60))
    assert git.update_ref(MAIN, commit(git, None, {"a": b"1"}), None)


def test_loose_objects_are_packed_when_there_are_many(git: Git) -> None:
    made: str | None = None
    for number in range(3):
        made = commit(git, made, {f"{number}-{n}": f"{number} {n}\n".encode() for n in range(60)})
    assert git.update_ref(MAIN, made or "", None)
    assert git.tidy(above=0)
    assert git.text("count-objects") == "0 objects, 0 kilobytes"
    assert len(list(git.tree(MAIN).paths())) == 180


def test_a_relative_place_is_meant_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = Git.init(Path("somewhere/memory"))
    assert made.update_ref(MAIN, commit(made, None, {"a": b"1"}), None)
    assert (tmp_path / "somewhere" / "memory" / ".git").is_dir()


def test_init_again_changes_nothing(git: Git) -> None:
    made = commit(git, None, {"a": b"1"})
    git.update_ref(MAIN, made, None)
    assert Git.init(git.root).resolve(MAIN) == made


def test_files_of_git_are_for_their_owner_only(git: Git) -> None:
    assert (git.dir / "config").stat().st_mode & 0o077 == 0
    assert git.root.stat().st_mode & 0o077 == 0
