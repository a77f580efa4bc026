"""A brain with pages and a home folder of its own for each test; processes see nothing of the developer's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from living import Living, small_brain


@pytest.fixture
def living(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Living]:
    """An invented person's brain and home, and the means to run commands on them."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("BRAIN_RUN", "BRAIN_MEMORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    yield small_brain(tmp_path)
    shutil.rmtree(tmp_path / "memory" / ".brain" / "index" / "capture" / "queue", ignore_errors=True)  # ends a worker
