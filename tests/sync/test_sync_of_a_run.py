"""A run's proposal becomes one commit: merged with what main became, checked, recorded, and never applied twice."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from small_brain import NOW, A, B, SmallBrain, page, uri

from brain.errors import FormatError, NotFound, UsageError
from brain.rules import CommitDraft, check
from brain.rules.evidence import TreeEvidence
from brain.sync import history, staging
from brain.sync.manifest import Manifest, Op, Operation, StopReason, from_json, to_json
from brain.sync.message import Kind
from brain.sync.staging import Staging
from brain.sync.sync import sync
from brain.tree import deletions
from brain.tree.files import FolderTree, Tree
from brain.tree.layout import DELETIONS, KNOWLEDGE_INDEX, LOG, SESSION_INDEX, SESSION_INDEX_MD
from brain.tree.page import parse
from brain.tree.sessions import SessionRow, parse_rows, render_rows
from brain.types import Problem, Severity

PAGE = "knowledge/projects/harbour-map.md"
BODY = "## Status\n- **Host** — the library. [cite:1]\n- **Audit** — open. [cite:2]\n"
TEXT = page(body=BODY, sources=[uri(A), uri(A, "t5")])
SUMMARY = "sessions/summaries/2026/2026-08-02-harbour-1eaf53d4.md"


def summary(through: int, attached: int, session: str = A) -> str:
    return (
        f"---\nid: {session}\ntype: session_summary\ntitle: Harbour\nsource: codex\nstarted_at: 2026-08-02T09:00:00Z\n"
        f"ended_at: 2026-08-02T10:00:00Z\nturns: 9\nthrough_turn: {through}\nattached_through: {attached}\n"
        "transcript_sha256: 00\noutcome: done\nprojects: []\ntopics: []\nsensitivity: normal\n"
        "updated_by: dream/0.1\n---\n"
        "## Summary\nThey spoke of steps.\n"
    )


@pytest.fixture
def paged(brain: SmallBrain) -> SmallBrain:
    row = SessionRow(id=A, source="codex", external_id="x", title="Harbour", turns=9)
    brain.publish({PAGE: TEXT, SESSION_INDEX: render_rows([row])})
    return brain


def test_one_commit_with_trailers_log_index_and_stamps(paged: SmallBrain) -> None:
    run = paged.open_run(sessions=[A])
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"), note="audit is done")
    run.write(SUMMARY, summary(9, 9))
    before = paged.main
    result = paged.sync(run)
    assert result.applied
    commit = history.log(paged.git)[0]
    assert commit.id == result.commit
    assert paged.git.resolve(f"{commit.id}~1") == before
    assert str(commit.author) == "Brain Dream <dream@brain.invalid>"
    assert (commit.message.kind, commit.message.subject) == (Kind.DREAM, "update projects/harbour-map")
    assert dict(commit.message.trailers) == {
        "Dream-Run": run.manifest.run_id,
        "Base": before,
        "Sessions": f"{A} t1-t9",
        "Pages": "+0 ~1 -0",
        "Checks": "det=0E/0W",
        "Brain-Format": "1",
    }
    read = parse(paged.read(PAGE))
    assert (read.get("updated_at"), read.get("updated_by")) == ("2026-08-06T07:51:03Z", "dream/0.1")
    assert read.get("created_at") == "2026-06-21T04:10:00Z"
    assert f"dream · {run.manifest.run_id[:8]} · +0 ~1 −0\n  - ~ projects/harbour-map — audit is done" in paged.read(
        LOG
    )
    assert "· 2026-08-06" in paged.read(KNOWLEDGE_INDEX)
    (row,) = parse_rows(paged.read(SESSION_INDEX))
    assert (row.summary, row.through_turn, row.attached_through) == (SUMMARY, 9, 9)
    assert SUMMARY in paged.read(SESSION_INDEX_MD)
    assert paged.clean()


def test_untouched_lines_stay_byte_for_byte(paged: SmallBrain) -> None:
    """T21: a run that changes one claim changes one line, and what sync owns."""
    run = paged.open_run()
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"))
    paged.sync(run)
    (diff,) = history.diff(paged.git, run.manifest.run_id)
    changed = [line for line in diff.patch.splitlines() if line[0] in "+-" and not line.startswith(("+++", "---"))]
    assert changed == [
        "-updated_at: 2026-06-21T04:10:00Z",
        "+updated_at: 2026-08-06T07:51:03Z",
        "-- **Audit** — open. [cite:2]",
        "+- **Audit** — done. [cite:2]",
    ]


def test_an_edit_made_while_the_run_was_thinking_is_kept(paged: SmallBrain) -> None:
    """T36: read, think for long, write: what a person wrote meanwhile stays, on other lines and on the same one."""
    run = paged.open_run(sessions=[A])
    run.write(PAGE, TEXT.replace("the library", "the museum").replace("Audit** — open", "Audit** — done"))
    run.write(SUMMARY, summary(9, 9))
    paged.write(PAGE, TEXT.replace("the library", "the swimming pool"))
    result = paged.sync(run)
    text = paged.read(PAGE)
    assert "the swimming pool" in text
    assert "museum" not in text
    assert "Audit** — done" in text
    assert [commit.message.kind for commit in history.log(paged.git, limit=2)] == [Kind.DREAM, Kind.HUMAN]
    assert [conflict.incoming for conflict in result.conflicts] == ["- **Host** — the museum. [cite:1]"]
    (row,) = parse_rows(paged.read(SESSION_INDEX))
    assert (row.through_turn, row.attached_through) == (9, 0), "the next run sees both texts and the evidence"


def test_two_runs_from_one_base_both_land(paged: SmallBrain) -> None:
    one, two = paged.open_run(), paged.open_run()
    sources = [uri(A), uri(A, "t5")]
    one.write(PAGE, page(body=BODY + "- First. [cite:3]\n", sources=[*sources, uri(B, "t1")]))
    two.write(PAGE, page(body=BODY + "- Second. [cite:3]\n", sources=[*sources, uri(B, "t2")]))
    two.write("knowledge/concepts/ramps.md", page("concepts/ramps", sources=[uri(B)]))
    assert paged.sync(one).applied
    assert paged.sync(two).applied
    read = parse(paged.read(PAGE))
    cited = {claim.words: read.uris(claim) for claim in read.claims}
    assert (cited["First."], cited["Second."]) == ([uri(B, "t1")], [uri(B, "t2")])
    assert paged.clean()


def test_a_run_is_published_once(paged: SmallBrain) -> None:
    run = paged.open_run()
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"))
    changes, manifest = run.changes(), run.manifest
    first = paged.sync(run)
    again = sync(paged.git, changes, manifest, check=None, now=paged.now, config=paged.config)
    assert again.replayed
    assert again.commit == first.commit == paged.main


def test_nothing_proposed_is_no_commit(paged: SmallBrain) -> None:
    before = paged.main
    run = paged.open_run()
    run.write(PAGE, TEXT)
    result = paged.sync(run)
    assert (result.commit, paged.main) == (None, before)
    record = json.loads(paged.read(f".brain/runs/{run.manifest.run_id}.json"))
    assert (record["result"], record["stop_reason"]) == ("noop", "noop")


def refuse(rule: str, words: str) -> object:
    def check(staged: Tree, base: Tree, changed: frozenset[str], manifest: Manifest | None) -> Sequence[Problem]:
        return [
            Problem(rule=rule, severity=Severity.E, path=path, message=words)
            for path in staged.paths("knowledge/")
            if path in staged and words in staged.read(path)
        ]

    return check


def test_a_new_problem_blocks_and_the_staging_is_kept(paged: SmallBrain) -> None:
    before = paged.main
    run = paged.open_run()
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — yesterday"))
    result = paged.sync(run, check=refuse("TXT001", "yesterday"))  # type: ignore[arg-type]
    assert result.blocked
    assert not result.applied
    assert paged.main == before
    assert Staging.find(paged.git, run.manifest.run_id).manifest.stop_reason is StopReason.ERROR
    assert json.loads(paged.read(f".brain/runs/{run.manifest.run_id}.json"))["sync"]["problems"][0]["rule"] == "TXT001"
    assert staging.clear(paged.git, now=NOW + timedelta(days=6)) == []
    assert staging.clear(paged.git, now=NOW + timedelta(days=8)) == [run.manifest.run_id]
    assert paged.git.text("worktree", "list").count("\n") == 0
    assert paged.git.text("branch", "--list", "staging/*") == ""


def test_a_problem_a_persons_page_already_has_does_not_block_a_run(paged: SmallBrain) -> None:
    paged.write("knowledge/concepts/mine.md", "I saw it yesterday\n")
    run = paged.open_run()
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"))
    assert paged.sync(run, check=refuse("TXT001", "yesterday")).applied  # type: ignore[arg-type]
    assert paged.on_main("knowledge/concepts/mine.md") == "I saw it yesterday\n"


def test_a_persons_edit_is_committed_even_when_the_run_is_refused(paged: SmallBrain) -> None:
    run = paged.open_run()
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — yesterday"))
    paged.write("knowledge/concepts/mine.md", page("concepts/mine", sources=[uri(A)]))
    result = paged.sync(run, check=refuse("TXT001", "yesterday"))  # type: ignore[arg-type]
    assert result.human == paged.git.resolve("main~1")
    assert "concepts/mine" in paged.read(KNOWLEDGE_INDEX)
    assert paged.clean()


def test_a_page_forgotten_meanwhile_stays_gone(paged: SmallBrain) -> None:
    run = paged.open_run()
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"))
    stone = deletions.Tombstone(
        id="del_01K2A9QX00000000000000000A",
        at=NOW,
        by="human:nadia",
        effect=deletions.Effect.SUPPRESS,
        pages=("projects/harbour-map",),
    )
    paged.publish({PAGE: None, DELETIONS: deletions.render(stone) + "\n"}, kind="forget", subject="forget a page")
    result = paged.sync(run)
    assert paged.on_main(PAGE) is None
    assert result.conflicts


def test_a_deletion_must_be_in_the_manifest(paged: SmallBrain) -> None:
    run = paged.open_run(full=True)
    (run.work / PAGE).unlink()
    assert run.changes() == {}
    assert run.unlisted() == [PAGE]
    run.delete(PAGE, reason="merged into another")
    assert run.changes() == {PAGE: None}
    paged.sync(run)
    assert paged.on_main(PAGE) is None
    assert "− projects/harbour-map" in paged.read(LOG)


def test_a_full_work_tree_takes_what_a_shell_changed(paged: SmallBrain) -> None:
    run = paged.open_run(full=True)
    place = run.work / PAGE
    place.write_text(place.read_text().replace("Audit** — open", "Audit** — done"))
    (run.work / "knowledge/concepts").mkdir()
    (run.work / "knowledge/concepts/ramps.md").write_text(page("concepts/ramps", sources=[uri(A)]))
    assert set(run.changes()) == {PAGE, "knowledge/concepts/ramps.md"}
    assert paged.sync(run).applied
    assert paged.clean()


def test_a_run_may_write_pages_notes_and_summaries_only(paged: SmallBrain) -> None:
    run = paged.open_run()
    for path in ("AGENTS.md", ".brain/config.toml", KNOWLEDGE_INDEX, "sessions/transcripts/2026/x.md", "../x.md", "x"):
        with pytest.raises(UsageError):
            run.write(path, "x")
    run.close()


def test_reading_in_a_run_sees_what_it_wrote_and_deleted(paged: SmallBrain) -> None:
    run = paged.open_run()
    assert run.read(PAGE) == TEXT
    run.write(PAGE, "new\n")
    assert (run.read(PAGE), run.tree().read(PAGE)) == ("new\n", "new\n")
    run.delete(PAGE)
    assert PAGE not in run
    assert PAGE not in run.tree()
    with pytest.raises(NotFound):
        run.read(PAGE)
    run.write("notes/facts/a.md", "a\n")
    run.delete("notes/facts/a.md")
    assert [op.path for op in run.manifest.ops] == [PAGE]
    run.close()


def test_generated_files_a_run_wrote_are_not_taken(paged: SmallBrain) -> None:
    run = paged.open_run(full=True)
    (run.work / KNOWLEDGE_INDEX).write_text("mine\n")
    built = paged.read(KNOWLEDGE_INDEX)
    paged.sync(run)
    assert paged.read(KNOWLEDGE_INDEX) == built


def test_the_manifest_tells_what_really_happened_to_main(paged: SmallBrain) -> None:
    seen: list[Manifest | None] = []

    def check(staged: Tree, base: Tree, changed: frozenset[str], manifest: Manifest | None) -> Sequence[Problem]:
        seen.append(manifest)
        return []

    run = paged.open_run()
    run.write("knowledge/concepts/ramps.md", page("concepts/ramps", sources=[uri(A)]), note="made")
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"))
    paged.publish({PAGE: TEXT.replace("Audit** — open", "Audit** — done")})
    paged.sync(run, check=check)
    assert seen[0] is not None
    assert [(op.op, op.path, op.note) for op in seen[0].ops] == [
        (Operation.CREATE, "knowledge/concepts/ramps.md", "made")
    ]


def test_a_manifest_reads_back_as_it_was_written(paged: SmallBrain) -> None:
    run = paged.open_run(sessions=[A, B])
    manifest = replace(run.manifest, finished_at=NOW, stop_reason=StopReason.DONE).with_ops(
        Op(op=Operation.CREATE, path=PAGE, cites_added=(1, 2), note="x")
    )
    assert from_json(to_json(manifest)) == manifest
    with pytest.raises(FormatError, match="run_id"):
        from_json(to_json(manifest).replace('"run_id"', '"rum_id"'))
    run.close()


def test_a_run_killed_after_it_moved_main_gets_its_record_later(paged: SmallBrain) -> None:
    run = paged.open_run()
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"))
    kept = run.path.with_name("kept")
    run.path.rename(kept)
    changes, manifest = {PAGE: TEXT.replace("Audit** — open", "Audit** — done")}, run.manifest
    landed = sync(paged.git, changes, manifest, check=None, now=paged.now, config=paged.config)
    (paged.root / ".brain/runs" / f"{manifest.run_id}.json").unlink()
    kept.rename(run.path)
    owner = run.path / "owner.json"
    owner.write_text(owner.read_text().replace(f'"pid": {os.getpid()}', '"pid": 999999999'))
    paged.catch_up()
    assert json.loads(paged.read(f".brain/runs/{manifest.run_id}.json"))["sync"]["commit"] == landed.commit
    assert not run.path.exists()


def test_lines_a_person_wrote_are_known_until_a_run_changes_the_file(paged: SmallBrain) -> None:
    first = paged.open_run()
    first.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"))
    paged.sync(first)
    paged.write(PAGE, paged.read(PAGE).replace("the library", "the museum").replace("next_cite: 3", "next_cite: 4"))
    paged.catch_up()
    wanted = {PAGE: frozenset({"- **Host** — the museum. [cite:1]"})}
    assert history.human_lines(paged.git, paged.main, [PAGE, SUMMARY]) == wanted
    second = paged.open_run()
    second.write(PAGE, paged.read(PAGE).replace("Audit** — done", "Audit** — over"))
    paged.sync(second)
    assert history.human_lines(paged.git, paged.main, [PAGE]) == {}


def test_every_commit_has_the_form_the_rules_ask_for(paged: SmallBrain) -> None:
    paged.write("knowledge/concepts/mine.md", page("concepts/mine", sources=[uri(A)]))
    run = paged.open_run(sessions=[A, B])
    run.write(PAGE, TEXT.replace("Audit** — open", "Audit** — done"), note="audit is done")
    for number in range(20):
        run.write(f"knowledge/concepts/c{number}.md", page(f"concepts/c{number}", sources=[uri(A)]), note="made " * 40)
    run.delete(PAGE, reason="merged")
    paged.sync(run)
    history.revert(paged.git, run.manifest.run_id, now=paged.now, config=paged.config)
    commits = history.log(paged.git)
    assert [commit.message.kind for commit in commits] == ["restore", "dream", "human", "fix", "migrate"]
    for commit in commits[:-1]:
        git = paged.git
        fields = git.text("log", "-1", "--format=%an <%ae>%x00%cn <%ce>%x00%B", commit.id).split("\0")
        problems = check(
            git.tree(commit.id),
            git.tree(f"{commit.id}~1"),
            config=paged.config,
            evidence=TreeEvidence(FolderTree(paged.root), {}),
            deletions=deletions.Deletions(),
            now=paged.now,
            commit=CommitDraft(author=fields[0], committer=fields[1], message=fields[2]),
            only=["GIT001"],
        )
        assert problems == []


def test_a_spoilt_session_index_does_not_stop_the_next_import(paged: SmallBrain) -> None:
    paged.write(SESSION_INDEX, paged.read(SESSION_INDEX) + "spoilt by hand\n")
    row = SessionRow(id=B, source="codex", external_id="y", title="Other", turns=1)
    paged.publish(lambda main: {SESSION_INDEX: render_rows([*parse_rows(main.read(SESSION_INDEX)), row])})
    assert {found.id for found in parse_rows(paged.read(SESSION_INDEX))} == {A, B}
