"""Who plays which role: the model a role has by the settings, and where that is said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from brain.config import Config


class Role(StrEnum):
    DISTIL = "distil"
    DREAM = "dream"
    VERIFY = "verify"
    RECALL = "recall"
    ANSWER = "answer"
    JUDGE = "judge"


PARENT = {Role.VERIFY: Role.DREAM, Role.RECALL: Role.ANSWER, Role.JUDGE: Role.VERIFY}
"""Whose model a role has that has none of its own; `default` in the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The model of one role, the setting that names it, and where it is asked. `key` is a variable's NAME."""

    role: Role
    model: str
    why: str
    base_url: str = ""
    key: str = ""
    max_tokens: int = 0
    context: int = 0


def cast_of(config: Config, role: str) -> Cast | None:
    """The model of a role, None when neither it nor what it inherits from is set."""
    models = config.models
    wanted, asked = Role(role), Role(role)
    seen = []
    while not (name := str(getattr(models, asked))) and asked in PARENT:
        seen.append(asked)
        asked = PARENT[asked]
    name = name or models.default
    if not name:
        return None
    where = f"models.{asked}" if getattr(models, asked) else "models.default"
    own = models.roles.get(wanted) or next((models.roles[one] for one in (*seen, asked) if one in models.roles), None)
    return Cast(
        role=wanted,
        model=name,
        why=f"as {where} says" if where != "models.default" else "as models.default, or BRAIN_MODEL, says",
        base_url=(own.base_url if own and own.base_url else models.base_url),
        key=(own.key if own and (own.key or own.base_url) else models.key),
        max_tokens=(own.max_tokens if own else 0) or models.max_tokens,
        context=(own.context if own else 0) or models.context,
    )
