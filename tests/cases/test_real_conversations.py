"""Whole histories where they are at hand: a LoCoMo conversation, and transcripts of real tools."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from lived import Lived

from brain.bench import wiki
from brain.bench.datasets import locomo

Living = Callable[..., Lived]
DATA = os.environ.get("BRAIN_TEST_DATA")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA, reason="set BRAIN_TEST_DATA to a folder with data/locomo/ and samples/ to run"),
]


def test_a_long_conversation_becomes_a_clean_cited_wiki(live: Living, tmp_path: Path) -> None:
    """One LoCoMo conversation: no error, every citation resolves, the second dream does and commits nothing."""
    conversation = locomo.load(Path(DATA or "") / "data/locomo/locomo_dev6.json")[1]

    measured = wiki.measure(conversation, tmp_path / "memory")

    assert {rule: number for rule, number in measured.problems.items() if rule.startswith("E ")} == {}
    assert measured.citations > 100
    assert measured.resolved == measured.citations
    assert measured.quiet_again == 1
    assert measured.failed == 0
    assert measured.pages >= 5
    assert measured.claims.share >= 0.98
    assert measured.notes.share >= 0.98


@pytest.mark.parametrize("folder", ["claude-code", "codex", "chatgpt", "markdown"])
def test_samples_of_real_tools_become_a_clean_memory(live: Living, folder: str) -> None:
    """Every sample of a format: imported, dreamed, checked; the second night changes nothing."""
    life = live()

    report = life.take(Path(DATA or "") / "samples" / folder)
    result = life.dream()

    assert report.exit_code == 0, report.problems
    assert report.new > 0
    assert (result.exit_code, result.failed) == (0, {})
    assert life.errors() == []
    head = life.head
    assert life.dream().noop
    assert life.head == head
