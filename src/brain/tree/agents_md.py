"""AGENTS.md: the reader's guide at the top of every tree, the same for all, so that its hash tells a changed one."""

from __future__ import annotations

from importlib.resources import files

MAX_LINES = 60


def render() -> str:
    """The guide as this version ships it."""
    return files("brain.tree").joinpath("agents.md").read_text(encoding="utf-8")
