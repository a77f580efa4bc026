"""What a run says it did and used: `manifest.json` of staging (format §12), as frozen values and back."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from brain.errors import FormatError
from brain.tree.ids import format_time

BRAIN_FORMAT = 1
_STRICT = {"extra": "forbid"}


class Operation(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    RENAME = "rename"
    SPLIT = "split"
    MERGE = "merge"


class Why(StrEnum):
    """Why a claim was taken out."""

    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    STALE = "stale"
    DUPLICATE = "duplicate"
    FORGOTTEN = "forgotten"
    MOVED = "moved"


class StopReason(StrEnum):
    DONE = "done"
    BUDGET = "budget"
    NOOP = "noop"
    ERROR = "error"


class Outcome(StrEnum):
    CHANGES = "changes"
    NOOP = "noop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    name: str
    version: str
    skill_sha256: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInput:
    """Turns `from_turn`..`to_turn` of a session, both included. `skipped` says why no fact of them was attached."""

    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    id: str
    from_turn: int
    to_turn: int
    skipped: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorInput:
    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    sessions: tuple[SessionInput, ...] = ()
    connectors: tuple[ConnectorInput, ...] = ()
    instructions_sha256: str | None = None
    deletions_through: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedClaim:
    """A base claim that is gone or altered: sha256 of its line as it stood, why, and where it went."""

    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    text_sha: str
    why: Why
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """What happened to one file. `path` is relative to the memory tree; `note` (≤ 100 characters) goes to the log."""

    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    op: Operation
    path: str
    to: str | None = None
    reason: str = ""
    note: str = ""
    cites_added: tuple[int, ...] = ()
    claims_removed: tuple[RemovedClaim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    tokens_in: int = 0
    tokens_out: int = 0
    tool_calls: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT

    run_id: str
    base_commit: str
    agent: Agent
    trigger: str
    started_at: datetime
    finished_at: datetime | None = None
    stop_reason: StopReason | None = None
    inputs: Inputs = field(default_factory=Inputs)
    ops: tuple[Op, ...] = ()
    budget: Budget = field(default_factory=Budget)
    result: Outcome | None = None
    brain_format: int = BRAIN_FORMAT

    def with_ops(self, *ops: Op) -> Manifest:
        """With operations added; a later one for the same path takes the place of the earlier."""
        by_path = {op.path: op for op in (*self.ops, *ops)}
        return replace(self, ops=tuple(by_path[path] for path in sorted(by_path)))


def to_json(manifest: Manifest) -> str:
    return json.dumps(_plain(asdict(manifest)), ensure_ascii=False, indent=1) + "\n"


def from_json(text: str, path: str = "manifest.json") -> Manifest:
    """Raises FormatError on a missing or unknown key or a value of the wrong kind."""
    from pydantic import TypeAdapter, ValidationError  # only when a manifest is read back

    try:
        return TypeAdapter(Manifest).validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise FormatError(f"not a manifest: {place}: {first['msg']}", path=path) from error


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
