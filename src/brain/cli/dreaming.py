"""`brain dream`: compile what is new into the wiki."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from brain.cli.output import emit, progress, talk
from brain.cli.place import DryRun, Json, Memory, open_brain


class EngineName(StrEnum):
    EXTRACTIVE = "extractive"


def dream(
    engine: Annotated[EngineName | None, typer.Option(help="Who does the thinking. Default: what status says.")] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print how the run oriented itself, phase by phase.")
    ] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Compile what is new into the wiki; it may change nothing.

    A run orients itself, summarises sessions, attaches facts to subjects, updates pages, has them checked, and commits.

    Example: brain dream -v
    """
    from brain import lines

    brain = open_brain(memory)
    with progress("dream") as show:
        result = brain.dream(
            engine=engine.value if engine else None,
            dry_run=dry_run,
            verbose=talk if verbose else None,
            progress=show,
        )
    if as_json:
        emit(result)
    else:
        for line in lines.of_dream(result):
            print(line)
    raise typer.Exit(result.exit_code)
