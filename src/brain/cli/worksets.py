"""`brain workset`: a folder of a few files of memory, for a sandbox that must not hold all of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, Server, open_near
from brain.errors import UsageError
from brain.text import counted

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="A few files of memory for a sandbox, kept to one commit."
)
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the working set.")]
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


@app.command()
def boot(
    folder: Folder,
    budget: Annotated[
        str, typer.Option(metavar="SIZE[/FILES]", help="Bytes and files at most, as in 2M/400.")
    ] = "2M/400",
    memory: Memory = None,
    server: Server = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Make a working set with a first map: guide, index, the best pages, standing and recent notes, recent summaries.

    Example: brain workset boot sandbox/memory --budget 500k/100
    """
    size, files = read_budget(budget)
    with open_near(memory, server) as near:
        changed = near.boot(folder, size=size, files=files, dry_run=dry_run)
    if as_json:
        emit(changed)
        return
    print(f"{counted(changed.files, 'file')}, {changed.size} bytes, of commit {changed.commit[:12]}")
    talk("nothing was written" if dry_run else f"next: cat {folder}/AGENTS.md")


@app.command()
def add(
    folder: Folder,
    what: Annotated[list[str], typer.Argument(metavar="ID|PATH|URI...", help="Pages, sessions, or paths of the tree.")],
    memory: Memory = None,
    server: Server = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Bring files into the set, at the commit the set is of.

    Example: brain workset add sandbox/memory entities/sora-city-lab session://1eaf53d4-09e0-5823-bb96-c8662f582708
    """
    with open_near(memory, server, folder) as near:
        changed = near.add(folder, what, dry_run=dry_run)
    if as_json:
        emit(changed)
    else:
        for path in changed.added:
            print(path)
        for path in changed.kept:
            talk(f"here already: {path}")
        for path in changed.refused:
            talk(f"over the budget, left out: {path}")
        for path in changed.absent:
            talk(f"not in memory at this commit: {path}")
    if changed.refused or changed.absent:
        raise typer.Exit(1)


@app.command()
def status(folder: Folder, memory: Memory = None, server: Server = None, as_json: Json = False) -> None:
    """What the set holds, whether it is of the newest commit, and what somebody changed in it.

    Example: brain workset status sandbox/memory
    """
    with open_near(memory, server, folder) as near:
        found = near.status(folder)
    if as_json:
        emit(found)
        return
    held = found.manifest
    print(f"{counted(len(held.files), 'file')}, {held.size} of {held.budget.bytes} bytes, of commit {held.commit[:12]}")
    print("current" if found.current else f"behind: memory is at {(found.newest or '')[:12]}")
    for path, what in (*((p, "altered") for p in found.altered), *((p, "missing") for p in found.missing)):
        print(f"{what}: {path}")
    if not found.current or found.altered or found.missing:
        talk(f"next: brain workset refresh {folder}")


@app.command()
def refresh(
    folder: Folder, memory: Memory = None, server: Server = None, dry_run: DryRun = False, as_json: Json = False
) -> None:
    """Bring every file of the set to the newest commit; only what changed is sent.

    Example: brain workset refresh sandbox/memory
    """
    with open_near(memory, server, folder) as near:
        changed = near.refresh(folder, dry_run=dry_run)
    if as_json:
        emit(changed)
        return
    if dry_run:
        talk("nothing was written")
    print(
        f"{counted(len(changed.added), 'file')} brought up to date, {len(changed.kept)} unchanged, "
        f"{len(changed.dropped)} dropped"
    )


def read_budget(text: str) -> tuple[int, int | None]:
    """`2M/400` → (2000000, 400). Raises UsageError."""
    match = re.fullmatch(r"(\d+)([kmg]?)b?(?:/(\d+))?", text.strip().lower())
    if not match or int(match[1]) == 0 or match[3] == "0":
        raise UsageError(f"not a budget: {text!r}", hint="--budget 2M/400 (bytes with k, M or G, then files)")
    return int(match[1]) * _UNITS[match[2]], int(match[3]) if match[3] else None
