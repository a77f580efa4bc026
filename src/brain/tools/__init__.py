"""Memory for agents of any framework: one definition of its tools, and the doors through which agents take them.

    Memory(brain)                   for Pydantic AI: a capability, tools and index; `toolset(brain)` the tools alone
    functions(brain)                plain typed functions, for any framework that takes callables
    schemas(brain), call(brain, …)  the same as JSON schemas and a dispatcher, for APIs that take tools as data
    MemoryTool(brain)               the commands of Anthropic's memory tool; `claude_memory(brain)` for their package

`brain mcp` and `/mcp` of `brain serve` are made of the same functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brain.tools.callables import call, functions, schemas
    from brain.tools.capability import Memory, toolset
    from brain.tools.claude import claude_memory, claude_memory_async
    from brain.tools.memory_tool import MemoryTool

_WHERE = {
    "Memory": "capability",
    "toolset": "capability",
    "claude_memory": "claude",
    "claude_memory_async": "claude",
    "call": "callables",
    "functions": "callables",
    "schemas": "callables",
    "MemoryTool": "memory_tool",
}
__all__ = [
    "Memory",
    "MemoryTool",
    "call",
    "claude_memory",
    "claude_memory_async",
    "functions",
    "schemas",
    "toolset",
]


def __getattr__(name: str) -> object:
    """Import what is asked for: an MCP server must not load an agent framework."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
