"""A brain folder of its own for each test, with keys outside of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from foreign import Importing


@pytest.fixture
def brain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Importing:
    """An empty memory folder and the means to import into it."""
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    return Importing(tmp_path / "memory", tmp_path / "from")
