"""A copy of a brain in which something was really forgotten, for the questions that are asked after that."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from brain.bench.asked import Forget
from brain.brain import Brain
from brain.config import Config


def forget_in(copy: Path, root: Path, forget: Forget, now: datetime | None) -> Path:
    """Make `copy` the brain at `root` with something forgotten. Raises NotFound, CheckFailed."""
    shutil.copytree(root, copy, symlinks=True)
    with Brain(copy, Config.load(copy), clock=lambda: now or datetime.now(UTC)) as brain:
        brain.forget(sessions=forget.sessions, terms=forget.terms)
    return copy


@contextmanager
def forgotten(root: Path, forget: Forget, now: datetime | None) -> Iterator[Path]:
    """The copy, gone after the block."""
    with TemporaryDirectory(prefix="brain-forget-") as folder:
        yield forget_in(Path(folder) / "memory", root, forget, now)
