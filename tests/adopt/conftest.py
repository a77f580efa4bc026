"""Fixtures of the adopting tests: an empty brain, a day after everything in the folders, and nobody's git."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from brain import Brain

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _nobodys_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", "none")  # nothing here searches by meaning
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    root = tmp_path / "memory"
    Brain.init(root, owner="Nadia", now=NOW)
    return Brain.open(root, clock=lambda: NOW, background="no")
