"""A home folder with nothing in it, and a small memory whose path has a space."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from brain.brain import Brain

NAMED = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home, where no variable leads elsewhere."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    for name in (*NAMED, "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "BRAIN_MEMORY", "BRAIN_RUN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("any") / "my memory"
    Brain.init(root, owner="entities/lena", now=datetime(2026, 6, 1, tzinfo=UTC))
    return root


@pytest.fixture
def brain(home: Path, memory: Path) -> Brain:
    return Brain.open(memory, background="no")
