"""Running an agent from plain code: one event loop for all, the ledger's limits, errors that say what is wrong."""

from __future__ import annotations

import asyncio
import atexit
import re
import threading
from collections.abc import Coroutine, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_ai import Agent, exceptions
from pydantic_ai.run import AgentRunResult
from pydantic_ai.usage import UsageLimits

from brain.agents.ledger import Ledger
from brain.agents.metered import metered
from brain.agents.prices import check_price
from brain.errors import BadOutput, BrainError, BudgetExceeded, ConfigError, ContextOverflow, ModelFailed

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, UserContent
    from pydantic_ai.models import Model

D = TypeVar("D")
O = TypeVar("O")  # noqa: E741
R = TypeVar("R")
REQUESTS = 50
_ADDRESS = re.compile(r"\s*For further information visit \S+|\s*Consider raising the limit, or see the docs.*")
OVERFLOW = ("context size", "context length", "context window", "too many tokens", "prompt is too long")
"""How servers that have no code for it word that a prompt is longer than what the model takes."""


def ask_agent(
    ledger: Ledger,
    agent: Agent[D, O],
    prompt: str | Sequence[UserContent] | None,
    *,
    role: str,
    model: Model | str | None = None,
    deps: D = None,  # type: ignore[assignment]
    requests: int = REQUESTS,
    tool_calls: int | None = None,
    history: Sequence[ModelMessage] | None = None,
    **options: Any,
) -> AgentRunResult[O]:
    """Run an agent to its end under a ledger, from any thread; `options` go to `Agent.run` as they are.

    `model` is the settings' model for the role unless given; a model that the agent brings itself is put under the
    ledger too. `requests` bounds the turns of its loop.

    Raises BudgetExceeded, ContextOverflow, BadOutput (the form was wrong after the agent's own retries), ModelFailed,
    ConfigError (the key is refused).
    """
    metered_model = metered(ledger, role, model if model is not None else agent.model)
    check_price(ledger.config, metered_model.name, ledger.max_cost, own_server=metered_model.own_server)
    ledger.check()
    limits = UsageLimits(request_limit=requests, tool_calls_limit=tool_calls)

    async def asked() -> AgentRunResult[O]:
        async with metered_model:  # closes its connections when nobody asks it any more
            return await agent.run(
                prompt,
                model=metered_model,
                deps=deps,
                usage_limits=limits,
                message_history=history,
                timeout=ledger.seconds_left,
                **options,
            )

    try:
        return run(asked())
    except BrainError:
        raise
    except (exceptions.AgentRunError, exceptions.UserError, ExceptionGroup) as error:
        raise explained(error, f"{metered_model.name} ({role})", requests) from error


def explained(error: BaseException, who: str, requests: int = REQUESTS) -> BrainError:
    """The error of ours behind one of the agent loop's."""
    if isinstance(error, BaseExceptionGroup):
        ours = next((one for one in error.exceptions if isinstance(one, BrainError)), None)
        return ours or explained(error.exceptions[0], who, requests)
    said = _plain(error)[:400]
    if isinstance(error, exceptions.UsageLimitExceeded):
        return BudgetExceeded(f"{who} did not come to an end within {requests} requests: {said}", limit="requests")
    if isinstance(error, exceptions.RunTimedOut):
        return BudgetExceeded(f"{who} did not come to an end in time", limit="time", hint="--max-minutes")
    if isinstance(error, exceptions.ModelContextWindowExceededError) or any(w in said.lower() for w in OVERFLOW):
        return ContextOverflow(
            f"{who}: the prompt is longer than what the model takes: {said}",
            hint="set models.context to the tokens it takes, or take a model with a longer context",
        )
    if isinstance(error, exceptions.ModelAuthenticationError):
        return ConfigError(f"{who} refuses the key: {said}", hint="brain status names the variable that holds it")
    if isinstance(error, exceptions.ModelNotFoundError):
        return ConfigError(f"{who} is not a model of this server: {said}", hint="brain status says where it is named")
    if isinstance(error, exceptions.ModelConnectionError):
        return ModelFailed(f"{who} cannot be reached, or went away: {said}", hint="is the server up? then run it again")
    if isinstance(error, exceptions.ModelAPIError):
        return ModelFailed(f"{who} failed: {said}", hint="run it again later; what is done stays done")
    if isinstance(error, exceptions.UnexpectedModelBehavior):
        cause = f": {_plain(error.__cause__)[:300]}" if error.__cause__ else ""
        return BadOutput(f"{who} did not answer in the form asked for: {said}{cause}")
    return ModelFailed(f"{who}: {said}")


def _plain(error: BaseException) -> str:
    """What an error says, on one line, without the addresses that a library adds to it."""
    return " ".join(_ADDRESS.sub("", str(error)).split())


def run(work: Coroutine[Any, Any, R]) -> R:
    """The result of a coroutine that runs on the one loop of this process, so that clients can be shared by threads."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="brain-agents", daemon=True)
    thread.start()

    def stop() -> None:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()

    atexit.register(stop)
    return loop
