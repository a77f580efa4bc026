"""Reading what happened, and taking it back without losing what came later."""

from __future__ import annotations

import pytest
from small_brain import A, B, SmallBrain, page, uri

from brain.errors import NotFound, UsageError
from brain.sync import history
from brain.sync.message import Kind
from brain.tree.layout import KNOWLEDGE_INDEX, LOG
from brain.tree.page import parse

PAGE = "knowledge/projects/harbour-map.md"
OTHER = "knowledge/concepts/ramps.md"
BODY = "## Status\n- **Host** — the library. [cite:1]\n- **Audit** — open. [cite:2]\n"
TEXT = page(body=BODY, sources=[uri(A), uri(A, "t5")])


@pytest.fixture
def dreamed(brain: SmallBrain) -> tuple[SmallBrain, str]:
    """A page by hand, then a run that changes it and makes another one."""
    brain.publish({PAGE: TEXT})
    run = brain.open_run()
    sources = [uri(A), uri(A, "t5"), uri(B)]
    run.write(PAGE, page(body=BODY + "- **Lift** — broken. [cite:3]\n", sources=sources))
    run.write(OTHER, page("concepts/ramps", sources=[uri(A)]))
    brain.sync(run)
    return brain, run.manifest.run_id


def test_a_run_is_found_by_its_id_or_the_start_of_it(dreamed: tuple[SmallBrain, str]) -> None:
    brain, run = dreamed
    assert history.find(brain.git, run) == brain.main
    assert history.find(brain.git, run[:12].lower()) == brain.main
    assert history.find(brain.git, brain.main[:10]) == brain.main
    with pytest.raises(NotFound):
        history.find(brain.git, "01K2A9QX00000000000000000A")
    with pytest.raises(NotFound):
        history.find(brain.git, "--all")
    second = brain.open_run(run_id=run[:20] + ("000000" if run[20:] != "000000" else "000001"))
    second.write(OTHER, page("concepts/ramps", sources=[uri(B)]))
    brain.sync(second)
    with pytest.raises(UsageError, match="several runs"):
        history.find(brain.git, run[:20])


def test_the_diff_of_a_run_leaves_generated_files_out(dreamed: tuple[SmallBrain, str]) -> None:
    brain, run = dreamed
    assert [(diff.sign, diff.path) for diff in history.diff(brain.git, run)] == [("+", OTHER), ("~", PAGE)]
    every = [diff.path for diff in history.diff(brain.git, run, generated=True)]
    assert every == [OTHER, KNOWLEDGE_INDEX, LOG, PAGE]
    (one,) = history.diff(brain.git, f"{brain.git.resolve('main~2')}", run, path=PAGE)
    assert one.sign == "+"


def test_the_log_of_one_file(dreamed: tuple[SmallBrain, str]) -> None:
    brain, run = dreamed
    commits = history.log(brain.git, path=PAGE)
    assert [(commit.run, str(commit.pages)) for commit in commits] == [(run, "+0 ~1 -0"), (None, "+1 ~0 -0")]


def test_taking_a_run_back_restores_its_pages(dreamed: tuple[SmallBrain, str]) -> None:
    brain, run = dreamed
    result = history.revert(brain.git, run, now=brain.now, config=brain.config)
    assert result.applied
    assert brain.read(PAGE) == TEXT
    assert brain.on_main(OTHER) is None
    commit = history.log(brain.git)[0]
    assert commit.message.kind is Kind.RESTORE
    assert commit.message.trailer("Reverts-Run") == run
    assert f"restore · {run[:8]} · +0 ~1 −1" in brain.read(LOG)
    assert "concepts/ramps" not in brain.read(KNOWLEDGE_INDEX)
    assert brain.clean()


def test_later_edits_elsewhere_stay_and_numbers_are_not_used_again(dreamed: tuple[SmallBrain, str]) -> None:
    brain, run = dreamed
    brain.write(PAGE, brain.read(PAGE).replace("the library", "the museum"))
    assert history.revert(brain.git, run, now=brain.now, config=brain.config).applied
    read = parse(brain.read(PAGE))
    assert "the museum" in read.text
    assert "Lift" not in read.text
    assert read.get("next_cite") == "4"
    assert set(read.references) == {1, 2}


def test_a_later_edit_of_the_same_line_refuses_and_is_named(dreamed: tuple[SmallBrain, str]) -> None:
    brain, run = dreamed
    brain.write(PAGE, brain.read(PAGE).replace("Lift** — broken", "Lift** — repaired"))
    brain.catch_up()
    before = brain.main
    result = history.revert(brain.git, run, now=brain.now, config=brain.config)
    assert not result.applied
    assert brain.main == before
    assert [problem.path for problem in result.problems] == [PAGE]
    assert "human: edit projects/harbour-map" in result.problems[0].message


def test_a_revert_can_be_taken_back(dreamed: tuple[SmallBrain, str]) -> None:
    brain, run = dreamed
    made = history.revert(brain.git, run, now=brain.now, config=brain.config).commit
    assert history.revert(brain.git, made or "", now=brain.now, config=brain.config).applied
    assert "Lift** — broken" in brain.read(PAGE)
    assert brain.on_main(OTHER) is not None
