"""No model is really asked, nobody's settings count, and search is by words alone for speed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from pydantic_ai import models

sys.path.append(str(Path(__file__).parents[1] / "dream"))  # the room that nights are dreamed in
models.ALLOW_MODEL_REQUESTS = False


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("GIT_", "BRAIN_"))]:
        if name != "BRAIN_TEST_DATA":
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BRAIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", "none")
