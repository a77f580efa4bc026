"""Fixtures of the export tests: the demo's memory, made once, and a small one full of hostile words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from harbour_export import hostile_memory

from brain import Brain
from brain.demo.play import play


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No vectors: nothing here searches by meaning. Not for the whole session: other rooms share its process."""
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", "none")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The memory of the demo. Nothing may write into it."""
    root = tmp_path_factory.mktemp("demo") / "memory"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRAIN_SEARCH_EMBEDDER", "none")
        play(root, lambda _: None)
    return root


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory whose titles, words and turns try to be markup. Nothing may write into it."""
    root = tmp_path_factory.mktemp("hostile") / "memory"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRAIN_SEARCH_EMBEDDER", "none")
        hostile_memory(root)
    return root


@pytest.fixture
def empty(tmp_path: Path, demo: Path) -> Brain:
    """A brain with nothing in it, set up as the demo's is."""
    root = tmp_path / "other" / "memory"
    Brain.init(root, owner="Nadia", tz="Europe/Paris")
    shutil.copy(demo / ".brain/config.toml", root / ".brain/config.toml")
    return Brain.open(root, background="no")
