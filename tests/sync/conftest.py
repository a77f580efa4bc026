"""Fixtures of the sync tests: a brain of its own for each, and nobody's git configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_brain import SmallBrain


@pytest.fixture(autouse=True)
def _nobodys_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[SmallBrain]:
    made = SmallBrain.make(tmp_path / "memory")
    yield made
    made.git.close()
