"""A brain to ask, made once and copied for each test, which has a state of its own and searches by words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from agents_memory import made


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BRAIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", "none")
    monkeypatch.delenv("BRAIN_RUN", raising=False)


@pytest.fixture(scope="session")
def _first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("agents-memory")
    with pytest.MonkeyPatch.context() as set_:
        set_.setenv("BRAIN_STATE", str(folder / "state"))
        set_.setenv("BRAIN_CACHE", str(folder / "cache"))
        set_.setenv("BRAIN_SEARCH_EMBEDDER", "none")
        return made(folder)


@pytest.fixture
def root(tmp_path: Path, _first: Path) -> Path:
    """A brain that heard who hosts whom and how figures are wanted."""
    return Path(shutil.copytree(_first, tmp_path / "memory", symlinks=True))
