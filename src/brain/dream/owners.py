"""Whose memory a brain is: as configured, else by who speaks in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brain.config import Config
from brain.text import slugify
from brain.types import Fact


def owners_of(config: Config, speakers: Mapping[str, int], facts: Iterable[Fact]) -> dict[str, str]:
    """Page id → name of the owners as configured, else of those who speak half as often as the most.

    `speakers` counts turns by name; where none have names, whose facts they are counts.
    """
    if config.owners:
        return dict(zip(config.owners, config.owner_names, strict=True))
    spoken = dict(speakers) or {fact.speaker: 1 for fact in facts if fact.speaker and not fact.qualifier}
    most = max(spoken.values(), default=0)
    return {f"entities/{slugify(name)}": name for name in sorted(spoken) if spoken[name] * 2 >= most}
