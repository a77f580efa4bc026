"""`brain log`, `brain diff` and `brain revert`: what changed, and how to undo it."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, open_brain


def log(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many commits.")] = 20,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """List the commits of the brain, newest first: runs, imports, edits by people.

    Example: brain log -n 5
    """
    entries = open_brain(memory).log(limit=limit)
    if as_json:
        emit(entries)
        return
    for entry in entries:
        print(entry.line())


def diff(
    first: Annotated[str | None, typer.Argument(metavar="[RUN|COMMIT]", help="Default: the last commit.")] = None,
    second: Annotated[str | None, typer.Argument(metavar="[COMMIT]", help="Compare the first with this one.")] = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Show what a run or commit changed, or what lies between two commits.

    Example: brain diff 01K2A9QX
    """
    text = open_brain(memory).diff(first, second)
    if as_json:
        emit({"diff": text})
    else:
        print(text, end="")


def revert(
    run: Annotated[str, typer.Argument(metavar="RUN|COMMIT", help="What to undo.")],
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Undo a run or commit by a new commit. Refuses, naming the lines, when later edits overlap.

    Example: brain revert 01K2A9QX --dry-run
    """
    result = open_brain(memory).revert(run, dry_run=dry_run)
    if as_json:
        emit(result)
        return
    for path in result.paths:
        print(path)
    talk(f"{'would undo' if dry_run else 'undid'} {run}")
