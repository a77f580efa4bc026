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
    """List runs, imports and edits by people, newest first.

    Example: brain log -n 5
    """
    from brain import lines

    entries = open_brain(memory).log(limit=limit)
    if as_json:
        emit(entries)
        return
    for entry in entries:
        print(lines.of_commit(entry))


def diff(
    first: Annotated[str | None, typer.Argument(metavar="RUN|COMMIT", help="Default: the last commit.")] = None,
    second: Annotated[str | None, typer.Argument(metavar="COMMIT", help="Compare the first with this one.")] = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Show what a run or commit changed, or what lies between two.

    Example: brain diff 01K2A9QX
    """
    files = open_brain(memory).diff(first, second)
    if as_json:
        emit(files)
        return
    for file in files:
        print(file.patch, end="")


def revert(
    run: Annotated[str, typer.Argument(metavar="RUN|COMMIT", help="What to undo.")],
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Undo a run or commit by a new commit.

    Refuses, naming the places, when later edits overlap.

    Example: brain revert 01K2A9QX --dry-run
    """
    paths = open_brain(memory).revert(run, dry_run=dry_run)
    if as_json:
        emit(paths)
        return
    for path in paths:
        print(path)
    talk(f"{'would take back' if dry_run else 'took back'} {run}")
