"""A model as the ledger sees it: every request is checked, timed, priced, written down, and sent again in bounds."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from pydantic_ai import exceptions
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse, infer_model
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from brain.agents.ledger import Call, Ledger
from brain.agents.models import model_for, settings_for
from brain.agents.prices import priced
from brain.agents.roles import cast_of

WAIT_SECONDS = 0.5  # before the first retry; doubled for each further one
LONGEST_WAIT = 30.0
AWAY = (
    exceptions.ModelConnectionError,
    exceptions.ModelServerError,
    exceptions.ModelUnavailableError,
    exceptions.ModelRateLimitError,
)
"""What another try may mend: the server is away, busy or stumbling. A refusal is final."""


def metered(ledger: Ledger, role: str, model: Model | str | None = None) -> Metered:
    """A model under a ledger; one that is already under it keeps its role."""
    if isinstance(model, Metered) and model.ledger is ledger:
        return model
    if model is None:
        found = cast_of(ledger.config, role)
        real = model_for(ledger.config, role)
        return Metered(ledger, role, real, name=found.model if found else "", own_server=bool(found and found.base_url))
    real = infer_model(model)
    return Metered(ledger, role, real, name=f"{real.system}:{real.model_name}", own_server=False)


class Metered(WrapperModel):
    """One role's model under a ledger. With `models.stream` answers come as streams, which keeps slow servers alive."""

    def __init__(self, ledger: Ledger, role: str, wrapped: Model, *, name: str, own_server: bool) -> None:
        super().__init__(wrapped)
        self.ledger = ledger
        self.role = role
        self.name = name
        self.own_server = own_server

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        settings = self._merged(model_settings)
        tries = self.ledger.config.models.retries
        for attempt in range(tries + 1):
            self.ledger.check()
            start = monotonic()
            try:
                response = await self._once(messages, settings, model_request_parameters)
            except AWAY as error:
                self._failed(start, error)
                if attempt == tries:
                    raise
                self.ledger.say(f"{self.name} ({self.role}): {_short(error)}; trying again, {attempt + 1} of {tries}")
                await asyncio.sleep(self._wait(attempt, error))
            except BaseException as error:
                self._failed(start, error)
                raise
            else:
                self._done(start, response)
                return response
        raise AssertionError("the last try either returned or raised")

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: Any = None,
    ) -> AsyncIterator[StreamedResponse]:
        """A stream for a caller that reads it as it comes: written down at its end, and not sent again."""
        self.ledger.check()
        start = monotonic()
        settings = self._merged(model_settings)
        try:
            async with self.wrapped.request_stream(messages, settings, model_request_parameters, run_context) as stream:
                yield stream
                response = stream.get()
        except BaseException as error:
            self._failed(start, error)
            raise
        self._done(start, response)

    async def _once(
        self, messages: list[ModelMessage], settings: ModelSettings, parameters: ModelRequestParameters
    ) -> ModelResponse:
        if not self.ledger.config.models.stream:
            return await self.wrapped.request(messages, settings, parameters)
        async with self.wrapped.request_stream(messages, settings, parameters) as stream:
            async for _ in stream:
                pass
            return stream.get()

    def _merged(self, given: ModelSettings | None) -> ModelSettings:
        settings = ModelSettings(**{**settings_for(self.ledger.config, self.role), **(given or {})})
        left = self.ledger.seconds_left
        timeout = settings.get("timeout")
        if left is not None and isinstance(timeout, int | float):
            settings["timeout"] = max(0.1, min(float(timeout), left))
        return settings

    def _wait(self, attempt: int, error: Exception) -> float:
        asked = getattr(error, "retry_after", None)
        wait = float(asked) if isinstance(asked, int | float) else WAIT_SECONDS * 2**attempt
        return min(wait, LONGEST_WAIT) * random.uniform(0.8, 1.2)

    def _done(self, start: float, response: ModelResponse) -> None:
        usage = response.usage
        self.ledger.add(
            Call(
                role=self.role,
                model=self.name,
                input=usage.input_tokens,
                output=usage.output_tokens,
                cached=usage.cache_read_tokens,
                cost=priced(self.ledger.config, self.name, response, own_server=self.own_server),
                seconds=monotonic() - start,
            )
        )

    def _failed(self, start: float, error: BaseException) -> None:
        outcome = f"{type(error).__name__}: {_short(error)}"
        self.ledger.add(Call(role=self.role, model=self.name, seconds=monotonic() - start, outcome=outcome))


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
