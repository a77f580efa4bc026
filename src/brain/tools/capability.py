"""Memory in Pydantic AI: a toolset with its tools, and a capability that brings the index along, once a run.

agent = Agent("anthropic:claude-sonnet-4-5", capabilities=[Memory(brain)])
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import FunctionToolset, RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability

from brain.brain import Brain
from brain.errors import BrainError
from brain.tools.callables import functions
from brain.tools.verbs import MANNER, NAMES, WRITES, Verbs, said


def toolset(brain: Brain | Verbs, *, notes: bool = True) -> FunctionToolset[Any]:
    """Memory's tools for an agent; without `note` when `notes` is False. They run one after the other."""
    names = [name for name in NAMES if notes or name not in WRITES]
    tools: list[Tool[Any]] = [Tool(one, takes_ctx=False) for one in functions(brain, names)]
    return FunctionToolset(tools, id="brain")


@dataclass
class Memory(AbstractCapability[Any]):
    """Memory's tools, how to use them, and the compact index, in an agent's instructions.

    The index is read when a run begins and stays the same throughout it, so that a prompt cache holds. `notes` lets the
    agent keep notes, `index` brings the index along.
    """

    brain: Brain
    notes: bool = True
    index: bool = True
    _verbs: Verbs | None = field(default=None, repr=False)
    _map: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        self._verbs = self._verbs or Verbs(self.brain)

    @classmethod
    def get_serialization_name(cls) -> str | None:
        """Not to be named in a specification: it needs an open brain."""
        return None

    async def for_run(self, ctx: RunContext[Any]) -> Memory:
        """The same for one run, with the index as it is now."""
        return replace(self, _map=self._index()) if self.index else self

    def get_instructions(self) -> str:
        return f"{MANNER}\n\n{self._map or self._index()}" if self.index else MANNER

    def get_toolset(self) -> FunctionToolset[Any]:
        assert self._verbs is not None
        return toolset(self._verbs, notes=self.notes)

    def _index(self) -> str:
        assert self._verbs is not None
        try:
            return self._verbs.index()
        except BrainError as error:
            return f"The index of memory cannot be read: {said(error)}"
