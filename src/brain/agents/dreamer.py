"""The Dream by a model: an agent with a sandboxed shell over the proposed tree, tools over memory, and the skill.

Each part of the work is a fresh context: orientation in its order, then the turns of that part. What it leaves in the
tree goes through the same checks as anybody's; problems come back to it as text, at most twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.models import Model
from pydantic_ai.usage import UsageLimits
from pydantic_ai.workspaces import Workspace, WorkspaceError
from pydantic_ai_harness import FileSystem, Shell, SubAgent, SubAgents
from pydantic_ai_harness.compaction import ClearToolResults, SlidingWindowCompaction
from pydantic_ai_harness.tool_output_limits import Band, ToolOutputLimits, Truncate

from brain.agents.asking import ask_agent
from brain.agents.batches import Part, briefing_of, parts, room
from brain.agents.desk_tools import Writing
from brain.agents.ledger import Ledger
from brain.agents.manners import Manners
from brain.agents.metered import metered
from brain.agents.models import context_tokens
from brain.agents.outside import Outside
from brain.agents.prompts import fenced, prompt
from brain.agents.sandbox import Limits, insist, memory_of, sandbox
from brain.agents.tools import Reading, Tool
from brain.config import secret_key
from brain.connectors import Connectors
from brain.corpus.corpus import Corpus
from brain.corpus.local import LocalCorpus
from brain.corpus.search.index import SearchIndex
from brain.dream.checked import Checked
from brain.dream.engine import Desk, Update
from brain.dream.skill import skill
from brain.errors import BadOutput, BudgetExceeded, ContextOverflow, ModelFailed, UsageError
from brain.explore.recall import MemoryAgent, recall
from brain.ingest.redact import Redactor
from brain.sync.plain import plain
from brain.tree.files import make_folder
from brain.tree.layout import TYPE_DIRS

ROLE = "dream"
REQUESTS = 80
TOOL_CALLS = 300
"""Turns of one part's loop, and tool calls in it (T18)."""

MEND_REQUESTS = 40
SUBJECT_REQUESTS, SUBJECT_CALLS, SUBJECT_SECONDS = 25, 12, 600.0
COMMAND_SECONDS = 60.0
LONGEST_RESULT = 16_000
IN_A_ROW = 2
"""Parts that may fail one after the other before the run gives up."""

_FILE_TOOLS = (
    "read_file", "write_file", "edit_file", "list_directory", "create_directory", "search_files", "find_files",
)  # fmt: skip
_FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


class ModelDreamer:
    """Phases three and four by a model. `model` is the settings' model for the role unless given.

    Raises ConfigError when the model cannot be asked, or there can be no sandbox.
    """

    name = "model"
    in_tree = True
    rounds = 2

    def __init__(
        self,
        ledger: Ledger,
        *,
        model: Model | str | None = None,
        corpus: Corpus | None = None,
        memory_agent: MemoryAgent = recall,
        limits: Limits | None = None,
    ) -> None:
        self.ledger = ledger
        self.version = version("brain")
        self._model = metered(ledger, ROLE, model)
        insist(unsandboxed=ledger.config.run.unsandboxed)
        self.model: str | None = self._model.name
        self._corpus = corpus
        self._memory_agent = memory_agent
        self._limits = limits or Limits()

    @property
    def batch_tokens(self) -> int:
        """Tokens of turns that one context can take in."""
        return room(self._context)

    def update(self, desk: Desk) -> Update:
        update = Update()
        failed = 0
        with self._room(desk) as work:
            todo = parts(desk, self.batch_tokens)
            for part in todo:
                text = prompt(
                    "dream-part", desk.corpus, number=str(part.number), total=str(part.total), **briefing_of(desk, part)
                )
                try:
                    work.ask(text, REQUESTS)
                    failed = 0
                except (BudgetExceeded, BadOutput, ContextOverflow, ModelFailed) as error:
                    failed += 1
                    over = isinstance(error, BudgetExceeded) and error.limit in ("cost", "time")
                    ends = over or isinstance(error, ModelFailed) or failed >= IN_A_ROW
                    _give_back(desk, update, todo[part.number - 1 :] if ends else [part], error.message, told=not over)
                    if ends:
                        update.stopped = "budget" if isinstance(error, BudgetExceeded) else "error"
                        break
        return update

    def revise(self, desk: Desk, checked: Checked) -> Update:
        """Put the problems to a fresh context. What it cannot mend is taken out by whoever asked."""
        problems = fenced("check", _within(checked.lines(), LONGEST_RESULT))
        with self._room(desk) as work:
            try:
                work.ask(prompt("dream-mend", desk.corpus, problems=problems), MEND_REQUESTS)
            except (BudgetExceeded, BadOutput, ContextOverflow, ModelFailed) as error:
                self.ledger.say(f"mending ended early: {error.message}")
        return Update()

    @property
    def _context(self) -> int:
        return context_tokens(self.ledger.config, ROLE, self._model)

    @contextmanager
    def _room(self, desk: Desk) -> Iterator[_Room]:
        """The place one run is worked on in: a sandbox over its tree, and tools over memory."""
        if desk.folder is None or desk.corpus is None:
            raise UsageError("the model's dream works in a tree, and this run has none")
        tree, report = desk.folder / "tree", desk.folder / "report.md"
        for folder in TYPE_DIRS.values():
            make_folder(tree / "knowledge" / folder)
        beside = [desk.folder / name for name in ("BRIEFING.md", "FACTS.md")]
        place = sandbox(
            tree,
            readable=[*memory_of(desk.corpus), *(path for path in beside if path.exists())],
            files=[report] if report.exists() else [],
            unsandboxed=desk.config.run.unsandboxed,
            limits=self._limits,
        )
        with self._open(desk) as corpus, _connectors(desk) as connectors:
            reading = Reading(root=desk.corpus, config=desk.config, corpus=corpus, memory_agent=self._memory_agent)
            tools = [*reading.tools(), *Writing(desk=desk, reading=reading).tools()]
            if connectors.names:
                tools += Outside(connectors=connectors, reading=reading).tools()
            yield _Room(
                desk=desk, ledger=self.ledger, model=self._model, workspace=place.workspace(), tools=tools,
                tree=tree, context=self._context,
            )  # fmt: skip

    @contextmanager
    def _open(self, desk: Desk) -> Iterator[Corpus]:
        if self._corpus is not None:
            yield self._corpus
            return
        assert desk.corpus is not None
        index = SearchIndex(desk.corpus, desk.config)
        with LocalCorpus(desk.corpus, index, ready=lambda: _brought_up(index)) as corpus:
            yield corpus
        index.close()


@dataclass(slots=True, kw_only=True)
class _Room:
    """One run's sandbox and tools, and the agents that are built on them."""

    desk: Desk
    ledger: Ledger
    model: Model
    workspace: Workspace
    tools: list[Tool]
    tree: Path
    context: int
    manners: Manners = field(default_factory=Manners)

    def ask(self, text: str, requests: int) -> str:
        """Run the agent to its end in a fresh context; its last words. Afterwards the tree holds plain files only."""
        self.manners.seen.clear()
        try:
            result = ask_agent(
                self.ledger,
                self._agent(),
                text,
                role=ROLE,
                model=self.model,
                requests=requests,
                tool_calls=TOOL_CALLS,
                workspace=self.workspace,
            )
        except WorkspaceError as error:
            raise BadOutput(f"the agent's sandbox did not go on: {error}") from error
        finally:
            for strange in plain(self.tree):
                self.ledger.say(strange)
        return result.output

    def _agent(self) -> Agent[None, str]:
        desk = self.desk
        return Agent(
            name="dream",
            instructions=prompt(
                "dream",
                desk.corpus,
                skill=_FRONTMATTER.sub("", skill()).strip(),
                tree=str(self.tree),
                report=str(self.tree.parent / "report.md"),
                memory=str(desk.corpus),
            ),
            tools=self.tools,
            capabilities=[*self._capabilities(), SubAgents(agents=[self._subject()])],
        )

    def _subject(self) -> SubAgent[None]:
        """A sub-agent for one page, with the same place and the same tools."""
        agent: Agent[None, str] = Agent(
            name="subject",
            description="Brings one page up to date: tell it the page, the turns to read, and what to look for.",
            instructions=prompt("dream-subject", self.desk.corpus),
            tools=self.tools,
            capabilities=self._capabilities(),
        )
        return SubAgent(
            agent,
            usage_limits=UsageLimits(request_limit=SUBJECT_REQUESTS),
            max_calls=SUBJECT_CALLS,
            timeout_seconds=SUBJECT_SECONDS,
        )

    def _capabilities(self) -> list[AbstractCapability[None]]:
        cut = Truncate(max_chars=LONGEST_RESULT)
        return [
            self.manners,
            Shell(
                tools=["run_command"],
                denied_commands=[],
                default_timeout=COMMAND_SECONDS,
                max_output_chars=LONGEST_RESULT,
            ),
            FileSystem(root_dir=self.desk.corpus, tools=_FILE_TOOLS, content_hashes=False),
            ToolOutputLimits(bands=[Band(over=LONGEST_RESULT, action=cut)]),
            ClearToolResults(max_tokens=int(self.context * 0.6), keep_pairs=6),
            SlidingWindowCompaction(max_tokens=int(self.context * 0.8), keep_tokens=int(self.context * 0.4)),
        ]


def _give_back(desk: Desk, update: Update, left: list[Part], why: str, *, told: bool) -> None:
    """Leave the sessions of unfinished parts to the next run; as failed, unless it was only the budget."""
    for session in dict.fromkeys(session for part in left for session in part.sessions):
        desk.leave(session, why)
        if told:
            update.failed[session] = why


def _within(lines: Iterable[str], most: int) -> str:
    """As many lines as fit, in their order (what blocks comes first), and how many more there are."""
    kept: list[str] = []
    more, free = 0, most
    for line in lines:
        free -= len(line)
        if free < 0 and kept:
            more += 1
        else:
            kept.append(line)
    return "\n".join([*kept, f"… and {more} lines more: call `check` when these are mended"] if more else kept)


def _connectors(desk: Desk) -> Connectors:
    """The outside sources that the settings name; what is read of them is redacted before it is kept."""
    assert desk.corpus is not None
    redactor = Redactor(secret_key("redaction"), desk.config.privacy.redact_allow)
    return Connectors(desk.corpus, desk.config, redact=redactor.redact, clock=lambda: desk.now)


def _brought_up(index: SearchIndex) -> None:
    index.update()
