"""An agent that fills in a form: one request, a reply in a fixed shape, sent back with the exact fault a few times."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from brain.agents.ledger import Ledger
from brain.agents.metered import Metered
from brain.agents.models import shaped
from brain.agents.roles import Role, cast_of
from brain.agents.unfinished import unfinished

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_ai import Agent

D = TypeVar("D")
F = TypeVar("F", bound="BaseModel")


def form_agent(
    ledger: Ledger, model: Metered, form: type[F], *, deps: type[D], instructions: str, answer: int, repairs: int
) -> Agent[D, F]:
    """An agent that returns `form`; `answer` is the most tokens of its reply.

    A reply that is not in the form is sent back up to `repairs` times.
    """
    from pydantic_ai import Agent

    return Agent(
        model,
        output_type=shaped(ledger.config, model, form),
        deps_type=deps,
        instructions=instructions,
        retries={"output": repairs},
        capabilities=[unfinished()],
        model_settings={"max_tokens": answer},
    )


def answer_tokens(ledger: Ledger, role: Role, default: int) -> int:
    """The most tokens of a role's reply, as the settings say, else `default`."""
    found = cast_of(ledger.config, role)
    return found.max_tokens if found and found.max_tokens else default
