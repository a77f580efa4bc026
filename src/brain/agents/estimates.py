"""What a run is likely to take, before it runs: counted from the new turns, by rough shares seen in practice.

An estimate is for deciding whether to start, not a promise; `--max-cost` and `--max-minutes` are what holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Protocol

from brain.agents.prices import estimate
from brain.agents.roles import Cast, Role
from brain.config import Config
from brain.dream.orient import Work
from brain.types import Expected

BYTES_A_TOKEN = 3.5
CHUNK = 8_000  # tokens of turns in one request of a distiller
FRAME = 2_500  # tokens of instructions, shape and context around them
NOTED = 0.15  # of the turns' tokens, what a distiller writes
LOOK, STEP = 9_000, 350  # what one request of a dreaming agent sends on the average, and what it answers
STEPS, STEPS_A_SESSION = 12, 6  # its requests: for orientation, and for each session
KEPT = 0.75  # of what it sends, what a provider that caches prompts has already
CLAIM_IN, CLAIM_OUT, CLAIMS_A_CHUNK = 900, 120, 12  # of verification, a claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How much there is to read: sessions with new turns, their tokens, and the requests that distilling them takes."""

    sessions: int = 0
    tokens: int = 0
    chunks: int = 0


class Seated(Protocol):
    """A role and the model that plays it."""

    @property
    def role(self) -> Role: ...
    @property
    def cast(self) -> Cast | None: ...


def load_of(work: Iterable[Work], root: Path) -> Load:
    """The new turns of sessions, by the size of their files."""
    sizes = [
        ceil(_bytes(root / one.row.transcript) * one.turns / max(1, one.row.turns) / BYTES_A_TOKEN) for one in work
    ]
    return Load(sessions=len(sizes), tokens=sum(sizes), chunks=sum(ceil(size / CHUNK) for size in sizes))


def expected(config: Config, seats: Iterable[Seated], load: Load) -> tuple[Expected, ...]:
    """What each role that a model plays is likely to take."""
    return tuple(_of(config, seat.role, seat.cast, load) for seat in seats if seat.cast and load.sessions)


def _of(config: Config, role: Role, cast: Cast, load: Load) -> Expected:
    cached = 0
    if role is Role.DREAM:
        steps = STEPS + STEPS_A_SESSION * load.sessions
        read, written, cached = steps * LOOK + load.tokens, steps * STEP, int(steps * LOOK * KEPT)
    elif role is Role.VERIFY:
        claims = CLAIMS_A_CHUNK * load.chunks
        read, written = claims * CLAIM_IN, claims * CLAIM_OUT
    else:
        read, written = load.tokens + load.chunks * FRAME, int(load.tokens * NOTED) + 300 * load.chunks
    own_server = bool(cast.base_url)
    cost = estimate(config, cast.model, tokens_in=read, tokens_out=written, cached=cached, own_server=own_server)
    return Expected(role=role.value, model=cast.model, input=read, output=written, cached=cached, cost=cost)


def _bytes(place: Path) -> int:
    try:
        return place.stat().st_size
    except OSError:
        return 0
