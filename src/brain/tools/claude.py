"""The memory tool for the `anthropic` package: `client.beta.messages.tool_runner(tools=[claude_memory(brain)], …)`."""

from __future__ import annotations

from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anyio import to_thread
from pydantic import BaseModel

from brain.brain import Brain
from brain.errors import BrainError
from brain.tools.memory_tool import MemoryTool
from brain.tools.verbs import said


def claude_memory(brain: Brain, *, run: str | None = None) -> BetaAbstractMemoryTool:
    """For `Anthropic()`. With `run`, an open run's proposed tree may be written beside notes."""
    return _Claude(MemoryTool(brain, run=run))


def claude_memory_async(brain: Brain, *, run: str | None = None) -> BetaAsyncAbstractMemoryTool:
    """For `AsyncAnthropic()`."""
    return _AsyncClaude(MemoryTool(brain, run=run))


class _Claude(BetaAbstractMemoryTool):
    def __init__(self, tool: MemoryTool) -> None:
        super().__init__()
        self._tool = tool

    def execute(self, command: Any) -> str:
        return _told(self._tool, command)

    view = create = str_replace = insert = delete = rename = execute


class _AsyncClaude(BetaAsyncAbstractMemoryTool):
    def __init__(self, tool: MemoryTool) -> None:
        super().__init__()
        self._tool = tool

    async def execute(self, command: Any) -> str:
        return await to_thread.run_sync(_told, self._tool, command)

    view = create = str_replace = insert = delete = rename = execute


def _told(tool: MemoryTool, command: Any) -> str:
    try:
        return tool.execute(command.model_dump() if isinstance(command, BaseModel) else command)
    except BrainError as error:
        raise ToolError(said(error)) from error
