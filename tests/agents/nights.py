"""Nights dreamed by scripted agents: a model that plays what the test wrote down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from room import START, Room

from brain.agents.dreamer import ModelDreamer
from brain.agents.ledger import Ledger
from brain.dream.run import DreamResult, dream


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: `Call("run_command", {"command": "ls"})`."""

    tool: str
    args: dict[str, Any] = field(default_factory=dict)


def sh(command: str) -> Call:
    return Call("run_command", {"command": command})


def write(page: str, text: str) -> Call:
    """Write a page with the shell; the file tools take several commands for it."""
    return sh(f"cat > knowledge/{page}.md <<'END OF PAGE'\n{text}END OF PAGE")


def paper(id: str, title: str, description: str, *sections: str) -> str:
    """A page as an author writes it: no times, no numbers, no references."""
    kind = {"entities": "entity", "projects": "project", "concepts": "concept", "learnings": "learning"}[
        id.split("/")[0]
    ]
    more = "entity_kind: person\n" if kind == "entity" else ""
    head = f"id: {id}\ntype: {kind}\ntitle: {title}\ndescription: {description}\nstatus: active\nlanguage: en\n{more}"
    return f"---\n{head}---\n# {title}\n\n" + "\n\n".join(sections) + "\n"


Said = str | Call | Sequence[Call]
Step = Said | Callable[["Player"], Said]


class Player:
    """Plays its steps, one a request, then says it is done. `subject` are the steps of the sub-agent.

    `prompts` are the first messages it was given, one a fresh context; `results` what its tools answered, by tool;
    `sent` the messages of the last request.
    """

    def __init__(self, *steps: Step, subject: Sequence[Step] = (), endless: bool = False) -> None:
        self.steps = list(steps)
        self.subject = list(subject)
        self.endless = endless
        self.requests = 0
        self.prompts: list[str] = []
        self.instructions = ""
        self.results: list[tuple[str, str]] = []
        self.tools: list[str] = []
        self.sent: list[ModelMessage] = []

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(self._answer, model_name="scripted")

    def last(self, tool: str) -> str:
        """What a tool answered last."""
        return next(text for name, text in reversed(self.results) if name == tool)

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.requests += 1
        self.sent = messages
        steps = self.subject if "one subject" in (info.instructions or "") else self.steps
        if steps is self.steps:
            self.instructions = info.instructions or ""
            self.tools = sorted(tool.name for tool in info.function_tools)
        self._read(messages)
        if not steps:
            return ModelResponse(parts=[TextPart("Done.")])
        step = steps[0] if self.endless else steps.pop(0)
        said = step(self) if callable(step) else step
        if isinstance(said, str):
            return ModelResponse(parts=[TextPart(said)])
        calls = [said] if isinstance(said, Call) else said
        return ModelResponse(parts=[ToolCallPart(tool_name=call.tool, args=call.args) for call in calls])

    def _read(self, messages: list[ModelMessage]) -> None:
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        for part in last.parts:
            if isinstance(part, UserPromptPart) and len(messages) == 1:
                self.prompts.append(str(part.content))
            if isinstance(part, ToolReturnPart):
                self.results.append((part.tool_name, str(part.content)))


def night(room: Room, player: Player, *, day: int = 28, **limits: Any) -> DreamResult:
    """One run with a scripted model. Where this machine has no bubblewrap its commands run without."""
    config = replace(room.config, run=replace(room.config.run, unsandboxed=True))
    ledger = Ledger(room.root, "scripted", config=config, **limits)
    engine = ModelDreamer(ledger, model=player.model)
    return dream(room.root, config, now=START + timedelta(days=day), engine=engine)
