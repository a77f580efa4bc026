"""`brain note`: one thing to remember, said now."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, open_brain


def note(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="One sentence.")],
    topic: Annotated[str, typer.Option(metavar="TOPIC[/NAME]", help="The notes file it goes to.")] = "facts",
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Remember one sentence as said by you, now.

    It becomes a turn of its own, and a note that cites it.

    Example: brain note --topic preferences/figures "Figures go out as PDF, not PNG."
    """
    made = open_brain(memory).note(" ".join(text), topic=topic, dry_run=dry_run)
    if as_json:
        emit(made)
        return
    print(made.line)
    talk(f"{'would go' if dry_run else 'went'} to {made.path}")
