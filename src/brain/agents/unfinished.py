"""An answer that was cut off at its token limit is an error at once: asked again, it would be cut off again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brain.errors import BadOutput

if TYPE_CHECKING:
    from pydantic_ai.capabilities import Hooks


class Unfinished(BadOutput):
    """The answer ends before its end."""


def unfinished() -> Hooks[Any]:
    """A capability that raises Unfinished for an answer whose finish reason is its length."""
    from pydantic_ai.capabilities import Hooks
    from pydantic_ai.messages import ModelResponse

    async def look(ctx: Any, *, request_context: Any, response: ModelResponse) -> ModelResponse:
        if response.finish_reason == "length":
            spent = response.usage.output_tokens
            raise Unfinished(
                f"{response.model_name}: the answer was cut off after {spent} tokens",
                hint="raise models.max_tokens, or take a model that says less",
            )
        return response

    return Hooks(after_model_request=look)
