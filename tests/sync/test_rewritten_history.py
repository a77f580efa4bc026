"""History written anew: what was taken out is in no object, all else is as it was, and a writer in between is safe."""

from __future__ import annotations

import subprocess
import zlib
from pathlib import Path

import pytest
from small_brain import A, SmallBrain, page, uri

from brain.errors import SyncConflict
from brain.git import MAIN
from brain.sync.rewrite import rewrite

PAGE = "knowledge/projects/harbour-map.md"
OTHER = "knowledge/projects/lift.md"
WORD = "Mother-of-Pearl-77"


def without(path: str, content: bytes) -> bytes | None:
    return content.replace(WORD.encode(), b"[gone]")


def everything(root: Path) -> bytes:
    """All that lies in a repository, as far as it unpacks."""
    git = ["git", f"--git-dir={root / '.git'}"]
    listed = subprocess.run(
        [*git, "cat-file", "--batch-all-objects", "--batch"], capture_output=True, check=True
    ).stdout
    plain = b"".join(file.read_bytes() for file in sorted((root / ".git").rglob("*")) if file.is_file())
    loose = b"".join(zlib.decompress(file.read_bytes()) for file in sorted((root / ".git" / "objects").glob("??/*")))
    return listed + plain + loose


@pytest.fixture
def told(brain: SmallBrain) -> SmallBrain:
    """Said in one commit and in its message, tagged and branched, and taken back in a later one."""
    brain.publish({OTHER: page("projects/lift", sources=[uri(A)])})
    brain.publish(
        {PAGE: page(body=f"- The door opens with {WORD}. [cite:1]\n", sources=[uri(A)])}, subject=f"note {WORD}"
    )
    said = brain.main
    brain.git.run("tag", "-a", "-m", f"said {WORD}", "told", said)
    brain.git.run("branch", "aside", said)
    brain.publish({PAGE: page(body="- The door opens. [cite:1]\n", sources=[uri(A)])}, subject=f"take back {said[:12]}")
    return brain


def test_what_is_taken_out_is_in_no_object_message_or_log(told: SmallBrain) -> None:
    assert WORD.encode() in everything(told.root)
    before = {path: told.git.tree(told.main).bytes(path) for path in told.git.entries(told.main)}

    done = rewrite(told.git, without, messages=lambda text: text.replace(WORD, "[gone]"))

    assert WORD.encode() not in everything(told.root)
    assert done.still == ()
    assert done.contents >= 1
    after = {path: told.git.tree(told.main).bytes(path) for path in told.git.entries(told.main)}
    assert {path: text for path, text in after.items() if path != "knowledge/log.md"} == {
        path: text for path, text in before.items() if path != "knowledge/log.md"
    }
    assert b"[gone]" in told.git.blob(f"aside:{PAGE}")
    assert told.git.text("cat-file", "-t", "told") == "tag"
    told.git.run("fsck", "--full", "--strict")
    assert told.git.text("status", "--porcelain") == ""
    assert not told.catch_up().human


def test_commits_before_the_first_change_keep_their_names_and_messages_follow_the_others(told: SmallBrain) -> None:
    untouched = told.git.resolve("main~2")
    said = told.git.resolve("aside")
    assert said is not None

    done = rewrite(told.git, without, messages=lambda text: text.replace(WORD, "[gone]"))

    assert told.git.resolve("main~2") == untouched
    assert done.commits[said] == told.git.resolve("aside")
    assert f"take back {done.commits[said][:12]}" in told.git.text("log", "-1", "--format=%s", "main")
    assert rewrite(told.git, without).commits == {}


def test_a_file_can_never_have_been_there(told: SmallBrain) -> None:
    rewrite(told.git, lambda path, content: None if path == OTHER else content)

    assert all(OTHER not in told.git.entries(name) for name in told.git.text("rev-list", "--all").split())
    assert not (told.root / OTHER).exists()
    assert told.git.text("status", "--porcelain") == ""


def test_edits_of_a_person_that_are_not_committed_yet_survive(told: SmallBrain) -> None:
    (told.root / OTHER).write_text(page("projects/lift", body="- Mine. [cite:1]\n", sources=[uri(A)]), "utf-8")

    rewrite(told.git, without)

    assert "- Mine." in (told.root / OTHER).read_text("utf-8")
    assert told.catch_up().human


def test_it_waits_for_runs_and_for_the_folder(told: SmallBrain) -> None:
    run = told.open_run()
    with pytest.raises(SyncConflict, match=run.manifest.run_id):
        rewrite(told.git, without)
    run.close()
    told.git.run("checkout", "-q", "aside")
    before = told.git.resolve(MAIN)
    with pytest.raises(SyncConflict, match="does not show main"):
        rewrite(told.git, without)
    assert told.git.resolve(MAIN) == before


def test_a_commit_in_between_ends_it_with_nothing_changed(told: SmallBrain) -> None:
    before = told.main

    def meddling(path: str, content: bytes) -> bytes | None:
        if told.git.resolve(MAIN) == before:
            told.git.run(
                "update-ref", MAIN, told.git.text("commit-tree", f"{before}^{{tree}}", "-p", before, "-m", "x")
            )
        return without(path, content)

    with pytest.raises(SyncConflict, match="moved"):
        rewrite(told.git, meddling)

    assert told.git.resolve("main~1") == before
    assert WORD.encode() in told.git.blob(f"aside:{PAGE}")
