"""Which engine does the thinking, by name; what this version does not have is an error, never a silent other one."""

from __future__ import annotations

from brain.dream.engine import Dreamer
from brain.dream.extractive import Extractive
from brain.errors import ConfigError

EXTRACTIVE = "extractive"


def engine_named(name: str) -> Dreamer:
    """The engine of that name. Raises ConfigError."""
    if name in ("", EXTRACTIVE):
        return Extractive()
    raise ConfigError(f"no engine {name!r} in this version", hint='write engine = "extractive" in .brain/config.toml')


def why(name: str) -> str:
    """Why this engine does the work."""
    if name in ("", EXTRACTIVE):
        return "the embedded default; it selects what was said, needs no key and no network"
    return "as run.engine in .brain/config.toml says"
