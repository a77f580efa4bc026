"""Who does the thinking in each role, by the settings or as asked; what cannot is an error, never a silent other one.

    >>> engines = engines_for(config, ledger)                                        # doctest: +SKIP
    >>> engines.seat("dream").why, engines.dreamer()                                 # doctest: +SKIP

Each engine is made when it is asked for, so that a key that only answering needs does not stop a dream.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from brain.agents.ledger import Ledger
from brain.agents.roles import Cast, Role, cast_of
from brain.config import Config
from brain.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from brain.agents.answerer import Answerer
    from brain.agents.commanded import CommandAnswerer
    from brain.distil import Distiller
    from brain.dream.engine import Dreamer
    from brain.dream.verification import Verifier
    from brain.explore.recall import MemoryAgent


class Engine(StrEnum):
    EXTRACTIVE = "extractive"
    MODEL = "model"
    COMMAND = "command"


SEATS = (Role.DISTIL, Role.DREAM, Role.VERIFY, Role.RECALL, Role.ANSWER)
"""The roles of a brain at work, in the order of the story; `judge` is for measuring."""

COMMANDED = {Role.DREAM, Role.ANSWER}
"""What an agent's command line can do; the other roles do as the settings say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who plays a role, and why. `cast` is the model that does, None when none does."""

    role: Role
    engine: Engine
    why: str
    cast: Cast | None = None


def seat_of(config: Config, role: str, override: str | None = None) -> Seat:
    """Who plays a role: as `override` says, else as `run.engine` says, else a model where one is set."""
    part = Role(role)
    engine = _known(override or config.run.engine)
    said = f"as --engine {engine} says" if override else f"as run.engine = {str(engine)!r} says"
    found = cast_of(config, part)
    if engine is Engine.COMMAND and part in COMMANDED:
        return Seat(role=part, engine=Engine.COMMAND, why=said)
    if engine is Engine.EXTRACTIVE:
        return Seat(role=part, engine=Engine.EXTRACTIVE, why=said)
    if found is not None:
        return Seat(role=part, engine=Engine.MODEL, why=found.why, cast=found)
    if engine is Engine.MODEL:
        return Seat(role=part, engine=Engine.MODEL, why=said)
    return Seat(role=part, engine=Engine.EXTRACTIVE, why="no model is set for it")


class Engines:
    """The engines of one run, made as they are needed, all under one ledger."""

    def __init__(
        self,
        config: Config,
        ledger: Ledger,
        *,
        override: str | None = None,
        command: str | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.config = config
        self.ledger = ledger
        self.override = override
        self.command = command or config.run.command
        self.time_limit = time_limit

    def seat(self, role: str) -> Seat:
        return seat_of(self.config, role, self.override)

    def distiller(self) -> Distiller | None:
        """None means the extractive one. A command only dreams, so then it is as the settings say."""
        if not self._by_model(Role.DISTIL):
            return None
        from brain.agents.distiller import ModelDistiller

        return ModelDistiller(self.ledger)

    def dreamer(self) -> Dreamer:
        from brain.dream.extractive import Extractive

        if self.seat(Role.DREAM).engine is Engine.COMMAND:
            from brain.agents.command import CommandDreamer

            return CommandDreamer(self.command, config=self.config, minutes=self._minutes(), ledger=self.ledger)
        if not self._by_model(Role.DREAM):
            return Extractive()
        from brain.agents.dreamer import ModelDreamer
        from brain.explore.recall import recall

        return ModelDreamer(self.ledger, memory_agent=self.memory_agent() or recall)

    def verifier(self) -> Verifier | None:
        """None means that rules and deterministic verification alone judge."""
        if not self._by_model(Role.VERIFY):
            return None
        from brain.agents.verifier import ModelVerifier

        return ModelVerifier(self.ledger)

    def memory_agent(self) -> MemoryAgent | None:
        """None means the one without a model. Raises UsageError for a command: that dreams and answers."""
        if self.override == Engine.COMMAND:
            raise UsageError("a command dreams and answers, it does not recall", hint="--engine model, or extractive")
        if not self._by_model(Role.RECALL):
            return None
        from brain.agents.recaller import Recaller

        return Recaller(self.ledger)

    def answerer(self) -> Answerer | CommandAnswerer | None:
        """None means the best statements of memory, word for word."""
        if self.seat(Role.ANSWER).engine is Engine.COMMAND:
            from brain.agents.commanded import CommandAnswerer

            return CommandAnswerer(self.command, ledger=self.ledger, minutes=self._minutes())
        if not self._by_model(Role.ANSWER):
            return None
        from brain.agents.answerer import Answerer
        from brain.explore.recall import recall

        return Answerer(self.ledger, memory_agent=self.memory_agent() or recall)

    def _minutes(self) -> float:
        """How long a command may take. Raises UsageError when its cost is to be limited, which nobody can see."""
        if self.ledger.max_cost:
            raise UsageError(
                f"what a command costs is not seen here, so a limit of ${self.ledger.max_cost:g} cannot be held",
                hint="--max-cost 0 --time-limit 20, and let the command limit itself",
            )
        return self.time_limit or self.ledger.max_minutes

    def _by_model(self, role: Role) -> bool:
        """Whether a model plays a role. Raises ConfigError when one is to and cannot, before anything begins."""
        if self.seat(role).engine is not Engine.MODEL:
            return False
        from brain.agents.models import model_for

        model_for(self.config, role)
        return True


def engines_for(
    config: Config,
    ledger: Ledger,
    *,
    override: str | None = None,
    command: str | None = None,
    time_limit: float | None = None,
) -> Engines:
    """The engines that the settings name, or that `override` (`--engine`) does. Raises ConfigError for unknown ones.

    `time_limit` is in minutes, for the command of an agent.
    """
    if override is not None:
        _known(override)
    return Engines(config, ledger, override=override, command=command, time_limit=time_limit)


def _known(name: str) -> Engine | None:
    if not name:
        return None
    try:
        return Engine(name)
    except ValueError:
        raise ConfigError(f"no engine {name!r}", hint=f"known: {', '.join(Engine)}") from None
