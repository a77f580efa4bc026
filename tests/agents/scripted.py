"""Models that say what a test tells them to, sessions in a few words, and replies of the right shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from brain.types import Role, Transcript, Trust, Turn

SESSION = "5c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f"
WEDNESDAY = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)

ROLES = {"assistant": Role.ASSISTANT, "web": Role.TOOL, "system": Role.SYSTEM}
Reply = dict[str, Any] | str | ModelResponse
Said = Reply | Callable[[str], Reply]


class Script:
    """Gives the replies in order, the last for ever. `asked` are the messages it got, as text, one for each request."""

    def __init__(self, *replies: Said) -> None:
        self.replies = replies
        self.asked: list[str] = []
        self.instructions = ""

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(self._answer, model_name="scripted")

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        said = "\n".join(str(getattr(part, "content", "")) for part in messages[-1].parts)
        self.instructions = info.instructions or ""
        self.asked.append(said)
        reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
        if callable(reply):
            reply = reply(said)
        if isinstance(reply, ModelResponse):
            return reply
        if info.output_tools:
            args = reply if isinstance(reply, str) else json.dumps(reply)
            return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, args)])
        return ModelResponse(parts=[TextPart(reply if isinstance(reply, str) else json.dumps(reply))])


def cut_off(text: str = '{"notes": [{"sentence": "Nadia') -> ModelResponse:
    """An answer that ends at its token limit."""
    return ModelResponse(parts=[TextPart(text)], finish_reason="length")


def note(sentence: str, first: int, last: int | None = None, kind: str = "fact", **more: Any) -> dict[str, Any]:
    return {
        "sentence": sentence,
        "kind": kind,
        "topic": "facts",
        "first_turn": first,
        "last_turn": last or first,
    } | more


def distilled(*notes: dict[str, Any], paragraph: str = "They talked.", **summary: Any) -> dict[str, Any]:
    return {"notes": list(notes), "summary": {"paragraph": paragraph} | summary}


def verdict(claim: int, says: str = "supported", *failed: str, why: str = "") -> dict[str, Any]:
    return {"claim": claim, "verdict": says, "failed": list(failed), "why": why}


def session(*lines: tuple[str, str], at: datetime | None = WEDNESDAY, id: str = SESSION) -> Transcript:
    """A transcript: ("user", …), ("assistant", …), ("web", …), or a name for a person in a chat."""
    turns = []
    for number, (who, text) in enumerate(lines, start=1):
        role = {"user": Role.USER, "assistant": Role.ASSISTANT, "web": Role.TOOL, "system": Role.SYSTEM}.get(
            who, Role.USER
        )
        turns.append(
            Turn(
                number=number,
                role=role,
                text=text,
                time=at + timedelta(minutes=number) if at else None,
                name=None if who in ("user", "assistant", "system") else "browser" if who == "web" else who,
                trust=Trust.EXTERNAL if who == "web" else None,
            )
        )
    return Transcript(id=id, source="test", external_id="t", title="", started_at=at, turns=tuple(turns))
