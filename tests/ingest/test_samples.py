"""Real transcripts, where they are at hand: none crashes, user turns are speech."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from foreign import Importing

from brain.types import Role

DATA = os.environ.get("BRAIN_TEST_DATA")
FORMATS = {
    "claude-code": 10,
    "codex": 9,
    "chatgpt": 7,
    "markdown": 5,
    "claude-ai": 10,
    "gemini-cli": 6,
    "sharegpt": 500,
}
NOISE = re.compile(
    r"<(?:system-reminder|command-|local-command|environment_context|user_instructions|bash-|ide_)|^Caveat:|^# AGENTS"
    r"|^\[Request inter|^This session is being continued|hook feedback"
)

pytestmark = pytest.mark.skipif(not DATA, reason="set BRAIN_TEST_DATA to a folder with samples/ to run")


@pytest.mark.parametrize("folder", sorted(FORMATS))
def test_every_sample_imports_and_its_user_turns_are_speech(brain: Importing, folder: str) -> None:
    report = brain.take(Path(DATA or "") / "samples" / folder)

    assert report.exit_code == 0, report.problems
    assert report.new >= FORMATS[folder]
    spoken = [turn.text for one in brain.stored() for turn in one.turns if turn.role is Role.USER]
    assert spoken
    assert [text for text in spoken if NOISE.search(text)] == []
    assert brain.take(Path(DATA or "") / "samples" / folder).unchanged == report.new


def test_all_samples_import_together_and_only_a_page_in_another_language_is_refused(brain: Importing) -> None:
    report = brain.take(Path(DATA or "") / "samples")

    assert report.new >= sum(FORMATS.values())
    assert [reason for reason in report.skips.broken if "export your activity in English" not in reason] == []
