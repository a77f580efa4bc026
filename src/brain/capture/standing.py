"""How capture stands in a brain: who is at work, and what waits."""

from __future__ import annotations

from pathlib import Path

from brain.capture import queue
from brain.capture.alone import WATCH, WORKER, taken
from brain.text import counted


def standing(root: Path) -> str | None:
    """In a few words, for a person; None when nothing is going on."""
    said = []
    if taken(root, WATCH):
        said.append("a watch runs")
    if count := len(queue.waiting(root)):
        by = "being brought in" if taken(root, WORKER) else "the next hook or brain watch brings them in"
        said.append(f"{counted(count, 'session')} left by hooks: {by}")
    return "; ".join(said) or None
