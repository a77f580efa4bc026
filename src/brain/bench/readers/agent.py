"""Reading by an agent: production's foreground agent on a model, or the command of a foreign one, over a working set.

What an arm keeps from it is kept here: the map in the first message, the memory agent. With the whole context, or with
no memory, a model is asked once, without tools.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from brain.agents.answerer import Answerer
from brain.agents.ledger import Ledger
from brain.agents.openings import Place
from brain.bench.asked import Asked, Given, Use
from brain.bench.desk import Desk
from brain.bench.readers.whole import answer_at_once
from brain.corpus.corpus import Corpus
from brain.engines import Engine, Engines, engines_for
from brain.errors import UsageError
from brain.explore.answer import Answer
from brain.explore.recall import Budget, Recall
from brain.text import one_line
from brain.tree.ids import new_run_id
from brain.tree.layout import KNOWLEDGE_INDEX
from brain.types import Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReader:
    """`engine` is model or command; `minutes` and `max_cost` in US dollars limit one question, 0 = no limit."""

    engine: str = "model"
    command: str = ""
    minutes: float = 0.0
    max_cost: float = 0.0

    @property
    def name(self) -> str:
        return self.engine if not self.command else f"{self.engine}: {Path(self.command.split(' ')[0]).name}"

    def answer(self, desk: Desk, asked: Asked) -> Given:
        """Raises BrainError when there is no answer."""
        desk.at(asked)
        began = time.monotonic()
        ledger = Ledger(
            None, new_run_id(desk.clock()), config=desk.brain.config, max_cost=self.max_cost, max_minutes=self.minutes
        )
        engines = engines_for(
            desk.brain.config,
            ledger,
            override=self.engine,
            command=self.command or None,
            time_limit=self.minutes or None,
        )
        with desk.brain.answering() as place:
            answer, read = self._answer(desk, place, engines, asked.text)
        return given(answer, ledger.totals, read, time.monotonic() - began)

    def _answer(self, desk: Desk, place: Place, engines: Engines, question: str) -> tuple[Answer, int]:
        arm = desk.arm
        if arm.context != "memory":
            if self.engine != Engine.MODEL:
                raise UsageError(f"arm {arm.name!r} asks a model at once", hint="--reader model")
            return answer_at_once(engines.ledger, place, question, whole=arm.context == "full")
        if not arm.has_map:
            hide(place.folder / KNOWLEDGE_INDEX)
        answerer = engines.answerer()
        if answerer is None:
            raise UsageError("nobody is set to answer", hint="--set models.answer=provider:name, or BRAIN_MODEL")
        if "search" in arm.kept_from:
            if not isinstance(answerer, Answerer):
                raise UsageError(
                    f"what a command may search is not ours to say: arm {arm.name!r}", hint="--reader model"
                )
            answerer.memory_agent = no_search
        return answerer.answer(place, question), 0


def no_search(corpus: Corpus, need: str, budget: Budget) -> Recall:
    """The memory agent of an arm without search. An agent reads it as the answer of its tool."""
    raise UsageError("there is no memory agent here: read the files of the folder")


def hide(file: Path) -> None:
    """Take a file out of a working set, whose folders nobody may write."""
    if file.exists():
        file.parent.chmod(0o700)
        file.unlink()
        file.parent.chmod(0o500)


def given(answer: Answer, spent: Spent, read: int, seconds: float) -> Given:
    """An agent's answer as judges take it. `missing` is what it says where it has nothing else."""
    text = " ".join(one_line(one.text) for one in answer.statements) or answer.missing
    cites = tuple(dict.fromkeys(cite.uri for one in answer.statements for cite in one.cites))
    use = Use(
        tokens_in=spent.input,
        tokens_out=spent.output,
        read=read or spent.input,
        calls=spent.calls,
        cost=None if spent.unpriced else spent.cost,
        seconds=round(seconds, 3),
    )
    return Given(
        text=text, found=answer.found, cites=cites, opened=tuple(_opened(answer)), unresolved=answer.nowhere, use=use
    )


def _opened(answer: Answer) -> Iterator[str]:
    """What its trace saw; of an agent whose calls nobody sees, what it cites."""
    yield from answer.opened or dict.fromkeys(cite.uri for one in answer.statements for cite in one.cites)
