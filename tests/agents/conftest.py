"""No model is really asked, nobody's settings count, and there is a memory to read: Nadia's, after her three nights."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from pydantic_ai import models

from brain import Brain
from brain.demo.play import NIGHTS, SESSIONS

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


@pytest.fixture(scope="session")
def nadia(tmp_path_factory: pytest.TempPathFactory) -> Brain:
    """A brain to read; whoever changes it copies its folder first. It searches by words."""
    root = tmp_path_factory.mktemp("nadia") / "memory"
    Brain.init(root, owner="Nadia", tz="Europe/Paris", now=datetime(2026, 6, 1, tzinfo=UTC))
    place = root / ".brain" / "config.toml"
    place.write_text(place.read_text("utf-8").replace('# embedder = "minilm"', 'embedder = "none"'), "utf-8")
    for night, when in NIGHTS.items():
        mind = Brain.open(root, clock=partial(_at, when))
        mind.import_([SESSIONS / night])
        mind.dream()
    return Brain.open(root, clock=partial(_at, when))


def _at(when: datetime) -> datetime:
    return when
