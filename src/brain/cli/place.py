"""Which memory tree a command works on, and the options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import talk

if TYPE_CHECKING:
    from brain.brain import Brain

Memory = Annotated[
    Path | None,
    typer.Option(
        "--memory",
        metavar="DIR",
        envvar="BRAIN_MEMORY",
        help="The memory tree. Default: the nearest folder upwards that holds .brain/config.toml, else ./memory.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen and write nothing.")]


def open_brain(memory: Path | None) -> Brain:
    """The brain a command works on. Raises NotABrain when there is none at the place."""
    from brain.brain import Brain

    return Brain.open(Brain.place(memory), say=talk)
