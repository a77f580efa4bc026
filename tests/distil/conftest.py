"""Transcripts of invented people, told in a few words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from brain.types import Role, Transcript, Trust, Turn

SESSION = "4b6a0f64-7c1e-5a60-9a7e-5d2f7f1f0c11"
WEDNESDAY = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)

Line = tuple[str, str]
Say = Callable[..., Transcript]


@pytest.fixture
def say() -> Say:
    """`say(("user", "…"), ("assistant", "…"))`: roles, or "external"/"tool:Write", or a person's name in a chat."""

    def transcript(
        *lines: Line, at: datetime | None = WEDNESDAY, cwd: str | None = None, step: timedelta = timedelta(minutes=1)
    ) -> Transcript:
        turns = tuple(_turn(i, who, text, at + step * i if at else None) for i, (who, text) in enumerate(lines))
        return Transcript(id=SESSION, source="test", external_id="t", title="", started_at=at, cwd=cwd, turns=turns)

    return transcript


def _turn(index: int, who: str, text: str, when: datetime | None) -> Turn:
    number = index + 1
    if who in ("user", "assistant", "system"):
        return Turn(number=number, role=Role(who), text=text, time=when)
    if who == "external":
        return Turn(
            number=number, role=Role.TOOL, text=text, time=when, name="browser", call="c1", trust=Trust.EXTERNAL
        )
    if who.startswith("call:"):
        return Turn(number=number, role=Role.ASSISTANT, text=text, time=when, name=who[5:], call="c2")
    if who.startswith("tool:"):
        return Turn(number=number, role=Role.TOOL, text=text, time=when, name=who[5:], call="c2")
    return Turn(number=number, role=Role.USER, text=text, time=when, name=who)
