"""`brain recall`: the memory agent brings what a task needs, as text at once and as files to explore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Engine, Json, MaxCost, MaxMinutes, Memory, Server, open_near
from brain.explore import excerpts
from brain.text import counted


def recall(
    need: Annotated[list[str], typer.Argument(metavar="NEED", help="What is needed, in plain words.")],
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="DIR", help="A working set to write the records to; made if need be."),
    ] = None,
    files: Annotated[int, typer.Option(min=1, max=500, help="How many records at most.")] = 20,
    searches: Annotated[int, typer.Option(min=1, max=100, help="How many searches at most.")] = 12,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Say what was searched for, and why it stopped.")
    ] = False,
    engine: Engine = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    memory: Memory = None,
    server: Server = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Bring what a task needs: text with citations, and files.

    The memory agent searches, follows links and citations, and writes the records it found into a working set.

    Example: brain recall "who hosts us in Kyoto, and what did the audit find?" --into workset
    """
    who = engine.value if engine else None
    with open_near(memory, server, into, engine=who, max_cost=max_cost, max_minutes=max_minutes) as near:
        brought = near.recall(" ".join(need), into=None if dry_run else into, files=files, searches=searches)
    found, changed = brought.recall, brought.changed
    if brought.spent:
        talk(brought.spent.line())
    if as_json:
        emit(brought)
        return
    print(found.text(), end="")
    for record in found.records:
        print(f"  {record.path}  ({record.why})")
    if found.excerpts:
        turns = f"{counted(len(found.excerpts), 'turn')} of further sessions"
        print(f"  {excerpts.place(found.need)}  ({turns})" if changed else f"  and {turns}: --into DIR writes them")
    for passage in found.passages:
        print(f"  {passage.path}  ({passage.size} bytes, not brought whole: brain show '{passage.uri}')")
    if verbose:
        for step in found.steps:
            talk(f"round {step.round}: {step.query!r} → {counted(step.hits, 'hit')}, {counted(step.new, 'new file')}")
        talk(f"stopped: {found.stopped.value}")
    if changed:
        talk(f"{into}: {counted(len(changed.added), 'file')} added, {changed.files} in all, {changed.size} bytes")
        for path in changed.refused:
            talk(f"over the budget of the working set, left out: {path}")
