"""`brain ask`: a question answered from memory, with its evidence."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit, progress
from brain.cli.place import Json, Memory, open_brain


def ask(
    question: Annotated[list[str], typer.Argument(metavar="QUESTION", help="In plain words.")],
    k: Annotated[int, typer.Option("--limit", "-k", min=1, max=100, help="How many statements.")] = 5,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Answer from memory with evidence, or say that it has nothing.

    The best statements, newest valid first, each with its source and with what it took the place of.

    Example: brain ask "Which organisations do I meet in Kyoto and Sendai?"
    """
    brain = open_brain(memory)
    with progress("index") as show:
        answer = brain.ask(" ".join(question), k=k, progress=show)
    if as_json:
        emit(answer)
        return
    for line in answer.lines():
        print(line)
