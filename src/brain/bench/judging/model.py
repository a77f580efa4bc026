"""A model as judge: one question a call, by a published prompt (`prompts/judge.md`), blind to the arm it judges.

What code settles is not asked: an answer that could not be had, and "memory holds nothing". A reply that cannot be read
after its repairs leaves the answer unscored, which is counted; it is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from brain.agents.asking import ask_agent
from brain.agents.form import answer_tokens, form_agent
from brain.agents.ledger import Ledger
from brain.agents.metered import Metered, metered
from brain.agents.prompts import prompt, quoted
from brain.agents.roles import Role, cast_of
from brain.bench.asked import Asked, Given, Judgement
from brain.bench.judging.forms import f1
from brain.bench.judging.judge import judge
from brain.config import Config
from brain.errors import BadOutput, ContextOverflow, ModelFailed
from brain.text import clip, one_line

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.models import Model

REPAIRS = 1
ANSWER_TOKENS = 200
GIVEN_CHARACTERS = 6_000
"""A longer answer is judged by its beginning."""


class Ruling(BaseModel):
    """Whether the answer is right."""

    why: str = ""
    verdict: Literal["right", "wrong"]


def judge_of(model: str, *, config: Config, max_cost: float | None, say: Callable[[str], None]) -> ModelJudge:
    """The judge that a command names: a model of a provider, or of the server of one's own that the settings name."""
    mine = replace(config, models=replace(config.models, judge=model))
    most = config.run.max_cost_usd if max_cost is None else max_cost
    return ModelJudge(Ledger(None, "judge", config=mine, max_cost=most, max_minutes=config.run.max_minutes, say=say))


class ModelJudge:
    """A judge on the model of the role `judge`. It sees question, gold and answer, nothing of the run."""

    def __init__(self, ledger: Ledger, *, model: Model | str | None = None) -> None:
        self.ledger = ledger
        self._given = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def known_by(self) -> str:
        """What its verdicts are kept by: the model, where it is asked, and the words it is asked in."""
        cast = cast_of(self.ledger.config, Role.JUDGE)
        slots = prompt("judged", self.ledger.root, question="", right="", stale="", given="")
        words = prompt("judge", self.ledger.root) + slots
        return f"{self.name} {cast.base_url if cast else ''} {sha256(words.encode()).hexdigest()[:16]}"

    @cached_property
    def _model(self) -> Metered:
        return metered(self.ledger, Role.JUDGE, self._given)

    @cached_property
    def _agent(self) -> Agent[None, Ruling]:
        return form_agent(
            self.ledger,
            self._model,
            Ruling,
            deps=type(None),
            instructions=prompt("judge", self.ledger.root),
            answer=answer_tokens(self.ledger, Role.JUDGE, ANSWER_TOKENS),
            repairs=REPAIRS,
        )

    def judge(self, asked: Asked, given: Given) -> Judgement:
        """How right an answer is. Raises ConfigError and BudgetExceeded; other failures leave it unscored."""
        if given.error is not None or not given.found:
            return judge(asked, given)
        near = max((f1(form, given.text) for form in asked.right), default=None)
        try:
            ruling = ask_agent(
                self.ledger,
                self._agent,
                self._prompt(asked, given),
                role=Role.JUDGE,
                model=self._model,
                requests=REPAIRS + 1,
            ).output
        except (BadOutput, ContextOverflow, ModelFailed) as error:
            return Judgement(correct=None, score=None, how=f"no verdict: {clip(one_line(error.message), 120)}", f1=near)
        right = ruling.verdict == "right"
        stale = not right and judge(asked, given).stale
        return Judgement(correct=right, score=float(right), how=clip(one_line(ruling.why), 160), f1=near, stale=stale)

    def _prompt(self, asked: Asked, given: Given) -> str:
        forms = [quoted(form) for form in asked.right]
        return prompt(
            "judged",
            self.ledger.root,
            question=quoted(asked.text),
            right="\nor\n".join(forms) or "Memory holds nothing on this.",
            stale="\nor\n".join(map(quoted, asked.stale)) or "(none)",
            given=quoted(clip(given.text, GIVEN_CHARACTERS)),
        )
