"""`brain init`: an empty memory tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json


def init(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", envvar="BRAIN_MEMORY", help="Where to make it. Default: ./memory."),
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose memory this is; 'I' in the sessions becomes this name.")
    ] = None,
    tz: Annotated[str, typer.Option(metavar="ZONE", help="The owner's time zone, as in Europe/Paris.")] = "UTC",
    language: Annotated[str, typer.Option(metavar="TAG", help="Language of the wiki, as in en or fr.")] = "en",
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Make an empty memory tree and its git repository.

    Example: brain init memory --owner Nadia --tz Europe/Paris
    """
    from brain.brain import Brain

    made = Brain.init(folder or Path("memory"), owner=owner, tz=tz, language=language, dry_run=dry_run)
    if as_json:
        emit(made)
        return
    for path in made.files:
        print(path)
    talk(f"{'would make' if dry_run else 'made'} a brain in {made.root}")
    if not dry_run:
        talk("next: brain import PATH")
