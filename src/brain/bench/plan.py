"""What to measure, in the words of the command line: data sets, parts, arms, units."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Dataset(StrEnum):
    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    REALMEM = "realmem"
    BEAM = "beam"
    PERSONAS = "personas"


class Part(StrEnum):
    """What weights and rules may be chosen on, and what is kept to judge them (`datasets/parts.py`)."""

    TUNE = "tune"
    HELD_OUT = "held-out"
    ALL = "all"


class Arm(StrEnum):
    """What a search may use."""

    WORDS = "words"
    MEANING = "meaning"
    FUSED = "fused"  # words, meaning, neighbours, speaker, session, time
    WIKI = "fused+wiki"  # and the pages, notes and summaries that cite a turn


class Unit(StrEnum):
    """What counts as found: the turn itself, or the session it is of."""

    TURN = "turn"
    SESSION = "session"


class Vectors(StrEnum):
    """Whose words have vectors: everybody's, or the users' alone, as while an import is still under way."""

    ALL = "all"
    USERS = "users"


APART = {Dataset.LOCOMO: ("adversarial",)}
"""Categories that do not count towards a data set's "all"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to measure: `limit` conversations at most; `nights` days pass between two dreams."""

    dataset: Dataset
    data: Path
    part: Part = Part.HELD_OUT
    arms: tuple[Arm, ...] = (Arm.WORDS, Arm.MEANING, Arm.FUSED)
    units: tuple[Unit, ...] = (Unit.TURN, Unit.SESSION)
    limit: int | None = None
    vectors: Vectors = Vectors.ALL
    nights: int = 7

    @property
    def dreamed(self) -> bool:
        return Arm.WIKI in self.arms

    @property
    def apart(self) -> tuple[str, ...]:
        return APART.get(self.dataset, ())
