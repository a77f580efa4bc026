"""What a person does in the folder is theirs: committed first under their name, and never written over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from small_brain import A, B, SmallBrain, page, uri

from brain.errors import SyncConflict
from brain.git import Git
from brain.sync import folder as folder_module
from brain.sync import history
from brain.sync.folder import Folder
from brain.sync.message import Kind
from brain.tree.layout import KNOWLEDGE_INDEX, LOG

PAGE = "knowledge/projects/harbour-map.md"
BODY = "## Status\n- **Host** — the library. [cite:1]\n- **Audit** — open. [cite:2]\n"
TEXT = page(body=BODY, sources=[uri(A), uri(A, "t5")])


@pytest.fixture
def paged(brain: SmallBrain) -> SmallBrain:
    brain.publish({PAGE: TEXT})
    return brain


def human(brain: SmallBrain) -> list[history.Commit]:
    return history.log(brain.git, kind=Kind.HUMAN)


def test_an_edit_is_committed_as_the_persons_own_before_anything_of_ours(paged: SmallBrain) -> None:
    paged.users_git("config", "user.name", "Nadia")
    paged.users_git("config", "user.email", "nadia@example.org")
    paged.write(PAGE, TEXT.replace("the library", "the museum"))
    result = paged.publish({"notes/facts/a.md": "a\n"}, kind="note", subject="add a")
    mine, theirs = history.log(paged.git, limit=2)
    assert (mine.message.kind, theirs.message.kind) == (Kind.NOTE, Kind.HUMAN)
    assert str(theirs.author) == "Nadia <nadia@example.org>"
    assert theirs.message.subject == "edit projects/harbour-map"
    assert result.human == theirs.id
    assert [diff.path for diff in history.diff(paged.git, theirs.id)] == [PAGE]
    assert "the museum" in (paged.on_main(PAGE) or "")
    assert paged.clean()


def test_without_a_git_identity_the_author_is_human(paged: SmallBrain) -> None:
    paged.write(PAGE, TEXT.replace("the library", "the museum"))
    paged.catch_up()
    assert str(human(paged)[0].author) == "human <human@brain.invalid>"


def test_a_new_page_is_taken_and_indexed_and_logged(paged: SmallBrain) -> None:
    paged.write(
        "knowledge/concepts/ramps.md", page("concepts/ramps", sources=[uri(A)], description="How ramps are measured")
    )
    paged.catch_up()
    assert "concepts/ramps — How ramps are measured" in paged.read(KNOWLEDGE_INDEX)
    assert f"human · {human(paged)[0].id[:8]} · +1 ~0 −0\n  - + concepts/ramps" in paged.read(LOG)
    assert paged.clean()


def test_a_deleted_page_is_deleted(paged: SmallBrain) -> None:
    (paged.root / PAGE).unlink()
    paged.catch_up()
    assert paged.on_main(PAGE) is None
    assert "harbour-map" not in paged.read(KNOWLEDGE_INDEX)
    assert not (paged.root / PAGE).exists()
    assert paged.clean()


def test_many_deletions_come_with_the_way_back(brain: SmallBrain) -> None:
    brain.publish({f"notes/facts/n{n}.md": f"{n}\n" for n in range(5)})
    for n in range(5):
        (brain.root / f"notes/facts/n{n}.md").unlink()
    result = brain.catch_up()
    assert any(f"brain revert {(result.human or '')[:10]}" in warning for warning in result.warnings)
    history.revert(brain.git, result.human or "", now=brain.now, config=brain.config)
    assert brain.read("notes/facts/n3.md") == "3\n"


def test_junk_is_left_alone_and_named(paged: SmallBrain) -> None:
    junk = {
        ".DS_Store",
        "knowledge/projects/.harbour-map.md.swp",
        "knowledge/projects/harbour-map.md~",
        "knowledge/Loose Page.md",
    }
    for path in junk:
        paged.write(path, "x")
    (paged.root / "knowledge/projects/linked.md").symlink_to(paged.root / PAGE)
    paged.write("notes/facts/binary.md", "a\0b")
    before = paged.main
    result = paged.catch_up()
    assert paged.main == before
    named = {warning.partition(": ")[0] for warning in result.warnings}
    assert named == junk | {"knowledge/projects/linked.md", "notes/facts/binary.md"}
    assert all((paged.root / path).exists() for path in junk)


def test_hundreds_of_foreign_files_are_counted_not_listed(paged: SmallBrain) -> None:
    for n in range(300):
        paged.write(f"node_modules/{n}.js", "x")
    warnings = paged.catch_up().warnings
    assert len(warnings) == folder_module.SHOWN + 1
    assert warnings[-1] == f"and {300 - folder_module.SHOWN} more files that are not memory's"


def test_transcripts_and_state_are_neither_committed_nor_named(paged: SmallBrain) -> None:
    paged.write("sessions/transcripts/2026/2026-08-06-x-1eaf53d4.md", "x\n")
    paged.write("sessions/artifacts/x/y.txt", "x\n")
    paged.write(".brain/index/catalogue.sqlite", "x\n")
    before = paged.main
    assert paged.catch_up().warnings == ()
    assert paged.main == before


def test_a_page_that_breaks_the_format_is_still_the_persons(paged: SmallBrain) -> None:
    paged.write(PAGE, "no frontmatter\n")
    (paged.root / "knowledge/concepts").mkdir(exist_ok=True)
    (paged.root / "knowledge/concepts/latin.md").write_bytes("caf\xe9\r\n".encode("latin-1"))
    paged.catch_up()
    assert paged.on_main(PAGE) == "no frontmatter\n"
    assert paged.git.tree(paged.main).bytes("knowledge/concepts/latin.md") == b"caf\xe9\n"
    assert paged.clean()


def test_a_generated_file_edited_by_hand_is_kept_in_history_and_rebuilt(paged: SmallBrain) -> None:
    built = paged.read(KNOWLEDGE_INDEX)
    paged.write(KNOWLEDGE_INDEX, "mine\n")
    paged.catch_up()
    assert paged.read(KNOWLEDGE_INDEX) == built
    assert paged.git.tree(human(paged)[0].id).read(KNOWLEDGE_INDEX) == "mine\n"


def test_a_generated_file_deleted_by_hand_is_back(paged: SmallBrain) -> None:
    built = paged.read(KNOWLEDGE_INDEX)
    (paged.root / KNOWLEDGE_INDEX).unlink()
    paged.catch_up()
    assert paged.read(KNOWLEDGE_INDEX) == built
    assert not human(paged)


def test_touching_or_chmodding_a_file_is_no_edit(paged: SmallBrain) -> None:
    os.utime(paged.root / PAGE, (1, 1))
    (paged.root / PAGE).chmod(0o755)
    before = paged.main
    paged.catch_up()
    assert paged.main == before


def test_a_folder_replaced_by_a_link_is_not_a_deletion(paged: SmallBrain, tmp_path: Path) -> None:
    (paged.root / "knowledge/projects").rename(tmp_path / "projects")
    (paged.root / "knowledge/projects").symlink_to(tmp_path / "projects")
    warnings = paged.catch_up().warnings
    assert any("behind a symbolic link" in warning for warning in warnings)
    assert paged.on_main(PAGE) == TEXT


def test_an_edit_made_between_reading_and_writing_is_merged(paged: SmallBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person saves after their edits were looked for, and before the new text is written."""
    person = TEXT.replace("- **Audit** — open.", "- **Audit** — nearly done.")
    look = Folder.edits

    def look_then_the_person_saves(self: Folder) -> folder_module.Edits:
        found = look(self)
        paged.write(PAGE, person)
        return found

    monkeypatch.setattr(Folder, "edits", look_then_the_person_saves)
    result = paged.publish({PAGE: TEXT.replace("the library", "the museum")})
    monkeypatch.undo()
    assert paged.read(PAGE) == person.replace("the library", "the museum")
    assert any("both changes are in it" in warning for warning in result.warnings)
    paged.catch_up()
    assert paged.on_main(PAGE) == person.replace("the library", "the museum")
    assert paged.clean()


def test_an_edit_of_the_very_line_being_written_stays_the_persons(
    paged: SmallBrain, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = TEXT.replace("the library", "the swimming pool")
    look = Folder.edits

    def look_then_the_person_saves(self: Folder) -> folder_module.Edits:
        found = look(self)
        paged.write(PAGE, person)
        return found

    monkeypatch.setattr(Folder, "edits", look_then_the_person_saves)
    paged.publish({PAGE: TEXT.replace("the library", "the museum")})
    monkeypatch.undo()
    assert "the swimming pool" in paged.read(PAGE)
    paged.catch_up()
    assert "the swimming pool" in (paged.on_main(PAGE) or "")


def test_a_file_made_in_the_place_of_a_new_one_is_not_written_over(
    brain: SmallBrain, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Folder.edits

    def look_then_the_person_saves(self: Folder) -> folder_module.Edits:
        found = look(self)
        brain.write(PAGE, "my own words\n")
        return found

    monkeypatch.setattr(Folder, "edits", look_then_the_person_saves)
    brain.publish({PAGE: TEXT})
    monkeypatch.undo()
    assert brain.read(PAGE) == "my own words\n"
    assert brain.on_main(PAGE) == TEXT


def test_another_branch_in_the_folder_is_left_alone(paged: SmallBrain) -> None:
    paged.users_git("switch", "-q", "-c", "draft")
    paged.write(PAGE, TEXT.replace("the library", "a draft"))
    result = paged.publish({"notes/facts/a.md": "a\n"}, kind="note")
    assert any("branch 'draft'" in warning for warning in result.warnings)
    assert paged.on_main("notes/facts/a.md") == "a\n"
    assert not (paged.root / "notes/facts/a.md").exists()
    assert paged.on_main(PAGE) == TEXT
    paged.users_git("stash")
    paged.users_git("switch", "-q", "main")
    assert paged.read("notes/facts/a.md") == "a\n"
    paged.catch_up()
    assert not human(paged)
    assert paged.clean()


def test_an_old_commit_in_the_folder_is_left_alone(paged: SmallBrain) -> None:
    paged.users_git("checkout", "-q", "--detach", "HEAD~1")
    result = paged.publish({"notes/facts/a.md": "a\n"}, kind="note")
    assert any("an old commit" in warning for warning in result.warnings)
    assert not (paged.root / PAGE).exists()
    paged.users_git("checkout", "-q", "main")
    paged.catch_up()
    assert paged.on_main(PAGE) == TEXT
    assert paged.clean()


def test_in_the_middle_of_a_merge_nothing_is_published(paged: SmallBrain) -> None:
    paged.users_git("switch", "-q", "-c", "draft")
    paged.write(PAGE, TEXT.replace("the library", "a draft"))
    paged.users_git("commit", "-q", "-a", "-m", "draft")
    paged.users_git("switch", "-q", "main")
    paged.publish({PAGE: TEXT.replace("the library", "the museum")})
    with pytest.raises(Exception, match="merge"):
        paged.users_git("merge", "-q", "draft")
    before = paged.main
    with pytest.raises(SyncConflict, match="MERGE_HEAD"):
        paged.publish({"notes/facts/a.md": "a\n"})
    assert paged.main == before
    paged.users_git("merge", "--abort")
    assert paged.publish({"notes/facts/a.md": "a\n"}).applied


def test_commits_of_the_users_own_git_are_kept_and_logged(paged: SmallBrain) -> None:
    paged.write(PAGE, TEXT.replace("the library", "the museum"))
    paged.users_git("commit", "-q", "-a", "-m", "My own words")
    own = paged.main
    paged.publish({"notes/facts/a.md": "a\n"}, kind="note")
    assert "the museum" in (paged.on_main(PAGE) or "")
    assert f"human · {own[:8]} · +0 ~1 −0\n  - ~ projects/harbour-map" in paged.read(LOG)
    assert paged.clean()


def test_a_merge_with_the_users_own_git_keeps_generated_files_for_the_next_command(paged: SmallBrain) -> None:
    paged.users_git("switch", "-q", "-c", "draft", "HEAD~1")
    paged.write("knowledge/concepts/ramps.md", page("concepts/ramps", sources=[uri(A)]))
    paged.write(KNOWLEDGE_INDEX, "theirs\n")
    paged.users_git("add", "-A")
    paged.users_git("commit", "-q", "-m", "On a branch")
    paged.users_git("switch", "-q", "main")
    paged.users_git("merge", "-q", "--no-edit", "draft")
    paged.catch_up()
    assert "concepts/ramps" in paged.read(KNOWLEDGE_INDEX)
    assert "projects/harbour-map" in paged.read(KNOWLEDGE_INDEX)
    assert paged.clean()


def test_a_place_with_spaces_and_any_script_is_fine(tmp_path: Path) -> None:
    made = SmallBrain.make(tmp_path / "mes notes 記憶")
    made.write("knowledge/concepts/ramps.md", page("concepts/ramps", sources=[uri(A)]))
    run = made.open_run(full=True)
    (run.work / "notes/facts").mkdir(parents=True)
    (run.work / "notes/facts/a.md").write_text("a\n")
    assert made.sync(run).human
    assert made.read("notes/facts/a.md") == "a\n"
    assert made.clean()
    made.git.close()


def test_main_wound_back_by_hand_keeps_what_the_folder_shows(paged: SmallBrain) -> None:
    paged.publish({PAGE: TEXT.replace("the library", "the museum")})
    paged.users_git("reset", "-q", "--soft", "HEAD~1")
    paged.catch_up()
    assert "the museum" in (paged.on_main(PAGE) or "")
    paged.users_git("reset", "-q", "--hard", "HEAD~2")
    paged.catch_up()
    assert "the library" in (paged.on_main(PAGE) or "")
    assert paged.clean()


def test_an_index_lock_left_by_a_killed_git_blocks_nothing(paged: SmallBrain) -> None:
    lock = paged.git.dir / "index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    result = paged.publish({PAGE: TEXT.replace("the library", "the museum")})
    assert result.applied
    assert "the museum" in paged.read(PAGE)
    assert any("index.lock" in warning for warning in result.warnings)
    lock.unlink()
    assert paged.catch_up().warnings == ()
    assert paged.clean()


def test_a_clone_is_a_brain_at_once(paged: SmallBrain, tmp_path: Path) -> None:
    paged.users_git("clone", "-q", str(paged.root), str(tmp_path / "clone"))
    clone = SmallBrain(root=tmp_path / "clone", git=Git(tmp_path / "clone"), now=paged.now)
    before = clone.main
    assert clone.catch_up().commit is None
    assert clone.main == before
    clone.write(PAGE, TEXT.replace("the library", "the museum"))
    clone.catch_up()
    assert "the museum" in (clone.on_main(PAGE) or "")
    assert clone.clean()
    clone.git.close()


def test_a_folder_left_half_way_is_not_taken_for_edits(paged: SmallBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after main moved, with some files written and others not."""
    other = "notes/facts/a.md"
    paged.publish({other: "old\n"})
    real = Folder._bring_one

    def die_at_the_second_file(
        self: Folder, path: str, *, had: str | None, wanted: str | None
    ) -> tuple[bool, str | None]:
        if path == other:
            raise KeyboardInterrupt
        return real(self, path, had=had, wanted=wanted)

    monkeypatch.setattr(Folder, "_bring_one", die_at_the_second_file)
    with pytest.raises(KeyboardInterrupt):
        paged.publish({PAGE: TEXT.replace("the library", "the museum"), other: "new\n"})
    monkeypatch.undo()
    assert "the museum" in paged.read(PAGE)
    assert paged.read(other) == "old\n"
    paged.catch_up()
    assert paged.read(other) == "new\n"
    assert not human(paged)
    assert paged.clean()


def test_killed_before_the_users_git_got_the_new_index(paged: SmallBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(self: Folder) -> list[str]:
        if "the museum" in paged.read(PAGE):
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr(Folder, "_show_to_git", die)
    with pytest.raises(KeyboardInterrupt):
        paged.publish({PAGE: TEXT.replace("the library", "the museum")})
    monkeypatch.undo()
    assert not paged.clean()
    paged.catch_up()
    assert paged.clean()


def test_in_a_new_folder_files_of_the_user_that_stand_in_the_way_are_kept(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    (root / "AGENTS.md").write_text("my own guide\n")
    brain = SmallBrain.make(root)
    assert brain.read("AGENTS.md") == "my own guide\n"
    brain.catch_up()
    assert brain.on_main("AGENTS.md") == "my own guide\n"
    brain.git.close()


def test_a_person_and_a_source_both_taken_keep_their_numbers(paged: SmallBrain) -> None:
    """A person cites a new source with the next number while main takes that number for another."""
    person = page(body=BODY + "- Mine. [cite:3]\n", sources=[uri(A), uri(A, "t5"), uri(B, "t1")])
    result = paged.publish({PAGE: page(body=BODY + "- Ours. [cite:3]\n", sources=[uri(A), uri(A, "t5"), uri(B, "t2")])})
    paged.git.update_ref("refs/brain/folder", f"{result.commit}", None)
    paged.write(PAGE, person)
    paged.catch_up()
    assert paged.on_main(PAGE) == person
