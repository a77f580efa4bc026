"""How an agent's tools answer: what they return is fenced as material, and going round in a circle ends."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from brain.agents.prompts import fenced
from brain.errors import BudgetExceeded

WARNED, MOST = 3, 6
"""How often the same call may bring the same result: the agent is told, then the run ends (T18)."""

WITHIN = 24
"""Calls in which these count: asking again after other work is no circle."""


@dataclass
class Manners(AbstractCapability[None]):
    """Put first among an agent's capabilities; shared by an agent and its sub-agents, which count together."""

    seen: deque[str] = field(default_factory=lambda: deque(maxlen=WITHIN))

    async def wrap_tool_execute(
        self,
        ctx: RunContext[None],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        """Raises BudgetExceeded when the agent repeats itself without end."""
        result = await handler(args)
        if not isinstance(result, str):
            return result
        asked = f"{call.tool_name} {json.dumps(args, sort_keys=True, default=str)}"
        name = sha256(f"{asked}\n{result}".encode()).hexdigest()
        self.seen.append(name)
        times = self.seen.count(name)
        if times >= MOST:
            raise BudgetExceeded(f"the agent goes round in a circle: {MOST} times {asked[:120]}", limit="repeats")
        notice = f"Asked {times} times, and the answer is the same: do something else, or end.\n"
        return (notice if times >= WARNED else "") + fenced(call.tool_name, result)
