"""Verification by a model (format §15): a few claims a call, each with its evidence, in a context of its own.

A batch that cannot be judged is cut in two, down to one claim; what then has no verdict counts as not passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from brain.agents.asking import ask_agent
from brain.agents.form import answer_tokens, form_agent
from brain.agents.ledger import Ledger
from brain.agents.metered import Metered, metered
from brain.agents.models import context_tokens
from brain.agents.prompts import prompt, quoted
from brain.agents.replies import Judged, Judgements
from brain.agents.roles import Role
from brain.dream.verification import NO_VERDICT, Asks, Question, Verdict
from brain.errors import BadOutput, BrainError, ConfigError, ContextOverflow
from brain.rules.verify import Support
from brain.text import clip, est_tokens, one_line
from brain.types import Turn

if TYPE_CHECKING:
    from pydantic_ai import Agent, RunContext
    from pydantic_ai.models import Model

BATCH = 4
BATCH_TOKENS = 5_000
REPAIRS = 2
ANSWER_TOKENS = 1_200
"""Claims and tokens of one call, and of its answer when the settings do not say."""

_AROUND = 1_500
"""Tokens left for the schema and the frame."""


class ModelVerifier:
    """A verifier on any model. It never sees the run that wrote the claims, only the questions."""

    name = "model"

    def __init__(self, ledger: Ledger, *, model: Model | str | None = None) -> None:
        self.ledger = ledger
        self._given = model

    @cached_property
    def _model(self) -> Metered:
        return metered(self.ledger, Role.VERIFY, self._given)

    @property
    def model(self) -> str:
        return self._model.name

    def judge(self, questions: Sequence[Question], standing: Sequence[str] = ()) -> list[Verdict | None]:
        """A verdict for each question; one that could not be had says why. Raises ConfigError."""
        found: list[Verdict | None] = []
        stopped = ""
        for batch in self._batches(questions):
            if stopped:
                found += [_unexamined(stopped)] * len(batch)
                continue
            try:
                found += self._judged(batch, standing)
            except ConfigError:
                raise
            except BrainError as error:  # the server is away, or the run's money is used up: nobody judges the rest
                stopped = error.message
                found += [_unexamined(stopped)] * len(batch)
        return found

    def _judged(self, batch: Sequence[Question], standing: Sequence[str]) -> list[Verdict | None]:
        try:
            verdicts = self._asked(batch, standing)
        except (BadOutput, ContextOverflow) as error:
            if len(batch) == 1:
                return [_unexamined(error.message)]
            half = len(batch) // 2
            return [*self._judged(batch[:half], standing), *self._judged(batch[half:], standing)]
        return [verdicts.get(number) for number in range(1, len(batch) + 1)]

    def _asked(self, batch: Sequence[Question], standing: Sequence[str]) -> dict[int, Verdict]:
        numbers = [str(n) for n in range(1, len(batch) + 1)]
        bench = _Bench(batch=tuple(batch))
        ask_agent(
            self.ledger,
            self._agent,
            prompt(
                "claims",
                self.ledger.root,
                standing="\n".join(f"- {one_line(rule)}" for rule in standing) or "(none)",
                claims="\n\n".join(shown(number, one) for number, one in enumerate(batch, start=1)),
                count=f"{len(batch)} verdicts" if len(batch) > 1 else "one verdict",
                numbers=", ".join(numbers),
            ),
            role=Role.VERIFY,
            model=self._model,
            deps=bench,
            requests=REPAIRS + 1,
        )
        return bench.verdicts

    @cached_property
    def _agent(self) -> Agent[_Bench, Judgements]:
        agent = form_agent(
            self.ledger,
            self._model,
            Judgements,
            deps=_Bench,
            instructions=self._instructions,
            answer=self._answer,
            repairs=REPAIRS,
        )
        agent.output_validator(_checked)
        return agent

    @cached_property
    def _instructions(self) -> str:
        return prompt("verify", self.ledger.root)

    @property
    def _answer(self) -> int:
        return answer_tokens(self.ledger, Role.VERIFY, ANSWER_TOKENS)

    def _batches(self, questions: Sequence[Question]) -> Iterator[list[Question]]:
        if not questions:
            return
        context = context_tokens(self.ledger.config, Role.VERIFY, self._model)
        room = max(500, min(BATCH_TOKENS, context - est_tokens(self._instructions) - self._answer - _AROUND))
        batch: list[Question] = []
        size = 0
        for question in questions:
            tokens = est_tokens(shown(1, question))
            if batch and (len(batch) == BATCH or size + tokens > room):
                yield batch
                batch, size = [], 0
            batch.append(question)
            size += tokens
        yield batch


@dataclass(slots=True, kw_only=True)
class _Bench:
    """The claims of one call and the verdicts on them so far."""

    batch: tuple[Question, ...]
    verdicts: dict[int, Verdict] = field(default_factory=dict)


def _checked(ctx: RunContext[_Bench], reply: Judgements) -> Judgements:
    """Sends back a reply without a verdict for each claim; the last one is taken as it is."""
    from pydantic_ai import ModelRetry

    bench = ctx.deps
    bench.verdicts = {}
    wrong: list[str] = []
    for one in reply.verdicts:
        if not 1 <= one.claim <= len(bench.batch):
            wrong.append(f"there is no claim {one.claim}, only 1 to {len(bench.batch)}")
        elif one.claim in bench.verdicts:
            wrong.append(f"claim {one.claim} has two verdicts")
            bench.verdicts[one.claim] = replace(NO_VERDICT, why="the verifier gave two verdicts")
        else:
            bench.verdicts[one.claim] = _verdict(one)
    missing = [str(n) for n in range(1, len(bench.batch) + 1) if n not in bench.verdicts]
    if missing:
        wrong.append(f"no verdict for claim {', '.join(missing)}")
    if wrong and ctx.retry < ctx.max_retries:
        raise ModelRetry("Return all verdicts again, one for each claim: " + "; ".join(wrong))
    return reply


def _verdict(one: Judged) -> Verdict:
    return Verdict(
        support=Support(one.verdict),
        failed=tuple(dict.fromkeys(one.failed)),
        why=clip(one_line(one.why), 200),
        fix=clip(one_line(one.suggested_fix), 200),
    )


def _unexamined(why: str) -> Verdict:
    return replace(NO_VERDICT, why=f"not examined: {clip(one_line(why), 160)}")


_ASKED = {
    Asks.NEW: "a new claim",
    Asks.CHANGED: "a changed claim",
    Asks.REMOVED: "a claim that was removed",
    Asks.PAGE: "the head of a page",
    Asks.DRIFT: "a claim that has stood for a while",
}


def shown(number: int, question: Question) -> str:
    """One claim as the verifier reads it: everything foreign behind bars."""
    place = f", under {question.section}" if question.section else ""
    parts = [f"## Claim {number}: {_ASKED[question.asks]}, on the page {one_line(question.subject)!r}{place}"]
    mark = f" ^[{question.qualifier.value}]" if question.qualifier else ""
    parts.append(quoted(question.claim + mark))
    if question.was:
        parts.append(f"It was:\n{quoted(question.was)}")
    if question.reason:
        parts.append(f"The reason given: {one_line(question.reason)}")
    if question.doubt:
        parts.append(f"A program remarks: {one_line(question.doubt)}")
    if question.evidence:
        parts.append("Cited:\n" + "\n".join(_turn(cited.turn) for cited in question.evidence))
    elif question.asks is not Asks.PAGE:
        parts.append("Cited: nothing that can be read")
    if question.near:
        head = "The body of the page:" if question.asks is Asks.PAGE else "Near it:"
        parts.append(head + "\n" + "\n".join(f"{one_line(n.where)}\n{quoted(n.text)}" for n in question.near))
    return "\n".join(parts)


def _turn(turn: Turn) -> str:
    day = f", {turn.time.date().isoformat()}" if turn.time else ""
    name = one_line(turn.name)[:60] if turn.name else turn.role.value
    return f"[t{turn.number}] {name} ({turn.trusted_as.value}{day})\n{quoted(turn.text)}"
