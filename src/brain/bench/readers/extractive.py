"""Reading without a model: production's `ask`, of whose statements the best are the answer, within some tokens."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brain.bench.asked import Asked, Given, Use
from brain.bench.desk import Desk
from brain.explore.answer import Answer, Statement
from brain.text import est_tokens, one_line

TOKENS = 120
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractive:
    """Answers with what `ask` lists, word for word, as long as it fits into `tokens`; the first statement always."""

    tokens: int = TOKENS

    @property
    def name(self) -> str:
        return f"extractive, {self.tokens} tokens"

    def answer(self, desk: Desk, asked: Asked) -> Given:
        if desk.arm.context == "none":
            return Given(found=False)
        desk.at(asked)
        began = time.monotonic()
        found = desk.brain.ask(asked.text, engine="extractive")
        return given(found, self.tokens, time.monotonic() - began)


def given(found: Answer, tokens: int, seconds: float) -> Given:
    """What of an answer fits. Everything it lists was read, so all of its sources were opened."""
    said = list(_fitting(found.statements, tokens))
    read = sum(est_tokens(one.text) for one in (*found.statements, *found.nearest))
    return Given(
        text="\n".join(line(one, dated=not at) for at, one in enumerate(said)),
        found=found.found,
        cites=sources(said),
        opened=sources((*found.statements, *found.nearest)),
        use=Use(read=read, seconds=round(seconds, 3)),
    )


def _fitting(statements: Sequence[Statement], tokens: int) -> Iterator[Statement]:
    spent = 0
    for at, one in enumerate(statements):
        spent += est_tokens(line(one))
        if at and spent > tokens:
            return
        yield one


def line(one: Statement, *, dated: bool = True) -> str:
    """A statement as `ask` prints it: who said it where that is not the owner, and its day unless it names one.

    Of an answer only the first is dated: each day more would be one more guess at what a question of time asks for.
    """
    said = f"{one.speaker}: " if one.speaker else ""
    day = f" ({one.day})" if dated and one.day and not _DAY.search(one.text) else ""
    return f"{said}{one_line(one.text)}{day}"


def sources(statements: Sequence[Statement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cite.uri for one in statements for cite in one.cites))
