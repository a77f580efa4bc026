"""A study: what to ask of which accounts, under which arms, by which reader; plain values that processes share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from brain.bench.accounts import Account
from brain.bench.arms import Arm
from brain.bench.asked import Asked, Given
from brain.bench.brains import code_hash
from brain.bench.changes import at_filling, changed
from brain.bench.desk import Desk
from brain.bench.filling import Filling
from brain.bench.loading import Source
from brain.bench.readers.extractive import TOKENS, Extractive
from brain.errors import UsageError

READING = (
    "explore", "corpus", "facade", "text", "language", "near", "workset", "forgetting",
    "bench/readers", "bench/desk.py", "bench/variant.py", "bench/forgetting.py",
)  # fmt: skip
AGENTS = ("agents", "engines", "prompts")
"""Rooms that an answer rests on, the last ones when an agent reads."""


class By(StrEnum):
    """Who answers."""

    EXTRACTIVE = "extractive"
    MODEL = "model"
    COMMAND = "command"
    FILES = "files"  # whoever writes the answers into exported folders


class Reader(Protocol):
    """Answers one question at a desk; what cannot be answered raises a BrainError."""

    @property
    def name(self) -> str: ...

    def answer(self, desk: Desk, asked: Asked) -> Given: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Who reads. `tokens` are what an extractive answer may have, `command` is an agent's; limits hold a question."""

    by: By = By.EXTRACTIVE
    tokens: int = TOKENS
    command: str = ""
    minutes: float = 0.0
    max_cost: float = 0.0

    def reader(self) -> Reader:
        if self.by is By.EXTRACTIVE:
            return Extractive(tokens=self.tokens)
        if self.by is By.FILES:
            raise UsageError("who answers by files is not run here", hint="brain bench export, then brain bench score")
        from brain.bench.readers.agent import AgentReader

        return AgentReader(engine=self.by.value, command=self.command, minutes=self.minutes, max_cost=self.max_cost)

    @property
    def code(self) -> str:
        """Hash of the code that reads."""
        return code_hash((*READING, *(() if self.by is By.EXTRACTIVE else AGENTS)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """`every` days a dream and `engine` compile, unless an arm says otherwise. `questions` of them all at most, drawn
    by `seed`; `only` some categories."""

    source: Source
    arms: tuple[Arm, ...]
    reading: Reading = Reading()
    every: int = 7
    engine: str = "extractive"
    questions: int | None = None
    only: tuple[str, ...] = ()
    seed: int = 0
    processes: int = 2

    def __post_init__(self) -> None:
        if not self.arms:
            raise UsageError("no arm to run", hint="--arm wiki --arm no-wiki")
        doubled = sorted({arm.name for arm in self.arms if sum(arm.name == one.name for one in self.arms) > 1})
        if doubled:
            raise UsageError(f"two arms are called {doubled[0]!r}")
        for arm in self.arms:
            changed("", arm.settings)
        if self.reading.by is By.EXTRACTIVE and (told := [arm.name for arm in self.arms if arm.by_model]):
            raise UsageError(
                f"arm {told[0]!r} changes what an agent gets, and nothing for the extractive reader",
                hint="--reader model, or --reader command",
            )

    def filling(self, arm: Arm) -> Filling:
        """How the brains of an arm are filled."""
        engine = arm.engine or self.engine
        return Filling(
            every=self.every if arm.every is None else arm.every,
            engine=engine,
            settings=at_filling(arm.settings, by_model=engine != By.EXTRACTIVE),
        )

    def wanted(self, account: Account) -> frozenset[str]:
        """The ids of an account's questions that may be asked."""
        return frozenset(one.id for one in account.questions if not self.only or one.category in self.only)

    @property
    def samples(self) -> bool:
        """Whether not every question is asked."""
        return self.questions is not None or bool(self.only)

    def drawn(self, ids: Iterable[str]) -> frozenset[str]:
        """The sample of some questions: the same for a seed, whatever the order they are given in."""
        every = sorted(ids, key=lambda one: sha256(f"{self.seed} {one}".encode()).digest())
        return frozenset(every[: self.questions])

    def json(self) -> dict[str, object]:
        """For a record. No place on this machine is in it."""
        return {
            "dataset": self.source.dataset.value,
            "part": self.source.part.value,
            "limit": self.source.limit,
            "corrections": self.source.corrections.name if self.source.corrections else None,
            "every": self.every,
            "engine": self.engine,
            "questions": self.questions,
            "only": list(self.only),
            "seed": self.seed,
        }


def cache_place(cache: Path) -> tuple[Path, Path, Path]:
    """Where filled accounts, answers and vectors are kept."""
    return cache / "accounts", cache / "answers", cache / "vectors.sqlite"
