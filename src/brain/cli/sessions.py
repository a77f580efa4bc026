"""`brain import` and `brain distil`: transcripts in, then summaries and notes."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from brain.cli.output import emit, progress, talk
from brain.cli.place import DryRun, Engine, Json, MaxCost, MaxMinutes, Memory, open_brain


class What(StrEnum):
    SESSIONS = "sessions"
    PAGES = "pages"


def import_(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Files or folders; their format is found by content.")
    ] = None,
    as_: Annotated[
        What | None,
        typer.Option("--as", help="Take it for sessions, or for pages to adopt. Default: by what it holds."),
    ] = None,
    list_formats: Annotated[bool, typer.Option("--list-formats", help="List the formats that can be read.")] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Bring sessions in, only what is new; or adopt pages.

    Makes the tree when there is none at the place. Secrets are replaced before anything is written. An Obsidian vault,
    an Open Knowledge Format bundle, an export of a brain or a folder of Markdown pages is adopted as pages, past the
    rules. Exit code 1 when something could not be read or kept, or nothing was found.

    Example: brain import ~/.claude/projects
    """
    from brain import lines
    from brain.brain import Brain
    from brain.config import Config

    if list_formats:
        known = [dict(zip(("name", "title", "where"), one, strict=True)) for one in Brain.formats()]
        if as_json:
            emit(known)
        else:
            print("\n".join(f"{one['name']:<20} {one['title']}\n{'':<20} {one['where']}" for one in known))
        return
    if not paths:
        raise typer.BadParameter("say which files or folders to import")
    root = Brain.place(memory)
    if not Brain.is_at(root) and not dry_run:
        Brain.init(root)
        talk(f"made a brain in {root}")
    brain = Brain.open(root, say=talk, background="process") if Brain.is_at(root) else Brain(root, Config())
    pages = [path for path in paths if (as_ is What.PAGES if as_ else path.exists() and brain.holds_pages(path))]
    rest = [path for path in paths if path not in pages]
    said: dict[str, object] = {}
    codes = []
    if pages:
        with progress("adopt") as show:
            adopted = brain.adopt(pages, dry_run=dry_run, progress=show)
        codes.append(adopted.exit_code)
        said["adopted"] = adopted.json()
        for line in () if as_json else adopted.lines():
            print(line)
    if rest:
        with progress("import") as show:
            report = brain.import_(rest, dry_run=dry_run, progress=show)
        codes.append(report.exit_code)
        said = report.json() | said
        for line in () if as_json else lines.of_import(report):
            print(line)
        if report.turns and not dry_run and not as_json:
            talk("next: brain dream")
    if as_json:
        emit(said)
    raise typer.Exit(max(codes))


def distil(
    engine: Engine = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Write summaries and notes of sessions with new turns.

    The wiki stays as it is; brain dream does both.

    Example: brain distil --dry-run
    """
    from brain import lines

    brain = open_brain(memory)
    with progress("distil") as show:
        result = brain.distil(
            engine=engine.value if engine else None,
            max_cost=max_cost,
            max_minutes=max_minutes,
            dry_run=dry_run,
            progress=show,
        )
    if result.spent and result.spent.calls:
        talk(result.spent.line())
    if as_json:
        emit(result)
    else:
        for line in lines.of_dream(result):
            print(line)
    raise typer.Exit(result.exit_code)
