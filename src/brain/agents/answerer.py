"""Answering by a model: a foreground agent with the map in its first message and a read-only shell over a working set.

It decides itself when to ask the memory agent and when to verify a citation. What it returns is followed to its
evidence by code: a citation that leads nowhere is sent back, then left out, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from brain.agents.asking import ask_agent
from brain.agents.citing import Citing
from brain.agents.ledger import Ledger
from brain.agents.manners import Manners
from brain.agents.metered import Metered, metered
from brain.agents.models import context_tokens, shaped
from brain.agents.openings import TOOLS, Place, instructions, opening
from brain.agents.replied import Reply, ReplyReader
from brain.agents.roles import Role
from brain.agents.sandbox import Limits, missing, sandbox
from brain.agents.tools import Reading
from brain.agents.trace import Trace, opened
from brain.config import Config
from brain.corpus.corpus import Corpus
from brain.explore.answer import Answer
from brain.explore.recall import Budget, MemoryAgent, Recall
from brain.explore.recall import recall as plain_recall
from brain.workset import workset

if TYPE_CHECKING:
    from pydantic_ai import Agent, RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.models import Model
    from pydantic_ai.workspaces import WorkspaceBackend

REQUESTS = 30
TOOL_CALLS = 60
REPAIRS = 2
STATEMENTS = 8
COMMAND_SECONDS = 20.0
LONGEST_RESULT = 12_000
FILE_TOOLS = ("read_file", "list_directory", "search_files", "find_files")


class Answerer:
    """A foreground agent on any model. `model` is the settings' model for the role unless given."""

    def __init__(
        self, ledger: Ledger, *, model: Model | str | None = None, memory_agent: MemoryAgent = plain_recall
    ) -> None:
        self.ledger = ledger
        self.memory_agent = memory_agent
        self._model = metered(ledger, Role.ANSWER, model)

    @property
    def model(self) -> str:
        return self._model.name

    def answer(self, place: Place, question: str) -> Answer:
        """Raises BudgetExceeded, BadOutput, ModelFailed, ContextOverflow, ConfigError."""
        from pydantic_ai.messages import CachePoint

        desk, trace = ReplyReader(citing=Citing(place.root, place.config)), Trace()
        with _shell(place) as (workspace, has_shell):
            if not has_shell:
                self.ledger.say(f"no shell for the agent, it reads files one by one: {missing()}")
            first, rest = opening(place, question, has_shell=has_shell)
            ask_agent(
                self.ledger,
                self._agent(place, trace, has_shell=has_shell),
                [first, CachePoint(), rest],
                role=Role.ANSWER,
                model=self._model,
                deps=desk,
                requests=REQUESTS,
                tool_calls=TOOL_CALLS,
                workspace=workspace,
            )
        answer = desk.answer(question, f"model {self._model.name}")
        return replace(answer, opened=opened(trace.used, desk.citing, place.folder))

    def _agent(self, place: Place, trace: Trace, *, has_shell: bool) -> Agent[ReplyReader, Reply]:
        from pydantic_ai import Agent

        reading = Reading(
            root=place.root, config=place.config, corpus=place.corpus, memory_agent=_bringing(self.memory_agent, place)
        )
        agent: Agent[ReplyReader, Reply] = Agent(
            self._model,
            output_type=shaped(self.ledger.config, self._model, Reply, tools=True),
            deps_type=ReplyReader,
            instructions=instructions(place.root, TOOLS),
            tools=[reading.recall, reading.show],
            retries={"output": REPAIRS},
            capabilities=cast(Any, _capabilities(self.ledger.config, self._model, trace, has_shell=has_shell)),
        )
        agent.output_validator(_checked)
        return agent


def _capabilities(config: Config, model: Metered, trace: Trace, *, has_shell: bool) -> list[AbstractCapability[Any]]:
    from pydantic_ai_harness import FileSystem, Shell
    from pydantic_ai_harness.compaction import ClearToolResults
    from pydantic_ai_harness.tool_output_limits import Band, ToolOutputLimits, Truncate

    context = context_tokens(config, Role.ANSWER, model)
    tools: AbstractCapability[Any] = (
        Shell(
            tools=["run_command"],
            denied_commands=[],
            default_timeout=COMMAND_SECONDS,
            max_output_chars=LONGEST_RESULT,
        )
        if has_shell
        else FileSystem(tools=FILE_TOOLS, content_hashes=False)
    )
    return [
        cast(Any, Manners()),
        cast(Any, trace),
        tools,
        ToolOutputLimits(bands=[Band(over=LONGEST_RESULT, action=Truncate(max_chars=LONGEST_RESULT))]),
        ClearToolResults(max_tokens=int(context * 0.7), keep_pairs=4),
    ]


@contextmanager
def _shell(place: Place) -> Iterator[tuple[WorkspaceBackend, bool]]:
    """Where the agent reads: a sandbox over the working set, or, on a machine without one, the files alone."""
    unsandboxed = place.config.run.unsandboxed
    if missing() is None or unsandboxed:
        held = sandbox(place.folder, writable=False, unsandboxed=unsandboxed, limits=Limits(seconds=COMMAND_SECONDS))
        yield held.workspace(), True
        return
    from pydantic_ai.workspaces import LocalWorkspaceBackend

    yield LocalWorkspaceBackend(place.folder), False


def _bringing(agent: MemoryAgent, place: Place) -> MemoryAgent:
    """A memory agent whose files come into the working set, so that the shell finds them."""

    def recall(corpus: Corpus, need: str, budget: Budget) -> Recall:
        found = agent(corpus, need, budget)
        if found.records:
            workset.add(corpus, place.folder, {one.path: f"recall: {one.why}" for one in found.records})
        return found

    return recall


def _checked(ctx: RunContext[ReplyReader], reply: Reply) -> Reply:
    """Sends an answer back with the citations that lead nowhere; the last one is taken without them."""
    from pydantic_ai import ModelRetry

    faults = ctx.deps.read(reply)
    if faults and ctx.retry < ctx.max_retries:
        listed = "\n".join(f"- {fault}" for fault in faults[:12])
        raise ModelRetry(f"Mend these and return the whole answer again:\n{listed}")
    return reply
