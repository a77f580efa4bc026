"""The memory that these tests read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hosts_memory import Told, write


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return write(tmp_path)
