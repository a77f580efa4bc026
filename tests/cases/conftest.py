"""A memory for each test, with keys outside of it, nobody's git configuration, and search by words alone for speed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from lived import Lived

Living = Callable[..., Lived]


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Living:
    """`live("Mara")`: a new memory of Mara's; `live()` one words_in a known owner."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "BRAIN_"))]:
        if name != "BRAIN_TEST_DATA":
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", "none")
    return lambda owner=None, at="memory", **more: Lived(tmp_path / at, owner, **more)
