"""`brain ask`: a question answered from memory, with its evidence."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit, progress, talk
from brain.cli.place import Command, Engine, Json, MaxCost, MaxMinutes, Memory, TimeLimit, open_brain


def ask(
    question: Annotated[list[str], typer.Argument(metavar="QUESTION", help="In plain words.")],
    k: Annotated[
        int, typer.Option("--limit", "-k", min=1, max=100, help="How many statements, when no model answers.")
    ] = 8,
    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="Print what an agent that answers would start with, and ask nobody.")
    ] = False,
    engine: Engine = None,
    command: Command = None,
    time_limit: TimeLimit = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Answer from memory with evidence, or say that it has nothing.

    Without a model: the best statements, newest valid first, each with its source and with what it took the place of.
    With one: an agent reads the wiki and answers; each citation is followed before the answer is shown.

    Example: brain ask "Which organisations do I meet in Kyoto and Sendai?"
    """
    brain = open_brain(memory)
    asked = " ".join(question)
    if by_hand:
        told = brain.opening(asked)
        if as_json:
            emit({"opening": told})
        else:
            print(told, end="")
        return
    with progress("index") as show:
        answer = brain.ask(
            asked,
            k=k,
            engine=engine.value if engine else None,
            command=command,
            time_limit=time_limit,
            max_cost=max_cost,
            max_minutes=max_minutes,
            progress=show,
        )
    if answer.spent and answer.spent.calls:
        talk(answer.spent.line())
    if as_json:
        emit(answer)
        return
    for line in answer.lines():
        print(line)
