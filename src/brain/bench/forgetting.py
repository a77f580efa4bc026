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


def forget_in(copy: Path, root: Path, forget: Forget, now: datetime | None) -> str | None:
    """Make `copy` the brain at `root` with something forgotten; why not, where this version cannot forget."""
    act = getattr(Brain, "forget", None)
    if act is None:
        return "this version cannot forget"
    shutil.copytree(root, copy, symlinks=True)
    with Brain(copy, Config.load(copy), clock=lambda: now or datetime.now(UTC)) as brain:
        act(brain, sessions=forget.sessions, terms=forget.terms)
    return None


@contextmanager
def forgotten(root: Path, forget: Forget, now: datetime | None) -> Iterator[Path | str]:
    """The copy, gone after the block; or why there is none."""
    with TemporaryDirectory(prefix="brain-forget-") as folder:
        copy = Path(folder) / "memory"
        yield forget_in(copy, root, forget, now) or copy
