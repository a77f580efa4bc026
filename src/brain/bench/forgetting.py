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


@contextmanager
def forgotten(root: Path, forget: Forget, now: datetime | None) -> Iterator[Path | str]:
    """The copy, gone after the block; or why there is none: a version that cannot forget."""
    act = getattr(Brain, "forget", None)
    if act is None:
        yield "this version cannot forget"
        return
    with TemporaryDirectory(prefix="brain-forget-") as folder:
        copy = Path(folder) / "memory"
        shutil.copytree(root, copy, symlinks=True)
        with Brain(copy, Config.load(copy), clock=lambda: now or datetime.now(UTC)) as brain:
            act(brain, sessions=forget.sessions, terms=forget.terms)
        yield copy
