"""Which memory tree a command works on, and the options that commands share."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import talk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.brain import Background, Brain
    from brain.far import FarBrain
    from brain.near import Near

Memory = Annotated[
    Path | None,
    typer.Option(
        "--memory",
        metavar="DIR",
        envvar="BRAIN_MEMORY",
        help="The memory tree. Default: the nearest folder upwards that holds .brain/config.toml, else ./memory.",
    ),
]
Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="URL",
        envvar="BRAIN_SERVER",
        help="Read a brain behind `brain serve`; its token is in BRAIN_TOKEN.",
    ),
]


class EngineName(StrEnum):
    EXTRACTIVE = "extractive"
    MODEL = "model"
    COMMAND = "command"


Engine = Annotated[EngineName | None, typer.Option(help="Who does the thinking. Default: what status says.")]
Command = Annotated[
    str | None,
    typer.Option(metavar="COMMAND", help="With --engine command: an agent that reads a prompt, as in 'claude -p'."),
]
TimeLimit = Annotated[
    float | None, typer.Option(metavar="MINUTES", help="When the agent's command is stopped, in minutes.")
]
MaxCost = Annotated[float | None, typer.Option(metavar="USD", help="Stop before models cost more.")]
MaxMinutes = Annotated[float | None, typer.Option(metavar="MINUTES", help="Stop models after so long.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen and write nothing.")]


def open_brain(memory: Path | None, background: Background = "process") -> Brain:
    """The brain a command works on; inside a working set, the one it is of. Raises NotABrain when there is none."""
    from brain.brain import Brain
    from brain.errors import NotABrain

    if memory is None and (source := Brain.source()):
        if source.startswith(("http://", "https://")):
            raise NotABrain(
                f"this folder is a working set of {source}; this command works where that memory lies",
                hint="brain show, search, recall and workset work here",
            )
        memory = Path(source)
    return Brain.open(Brain.place(memory), say=talk, background=background)


def open_reader(memory: Path | None, server: str | None) -> Brain | FarBrain:
    """The brain to read: on the server named, the one a working set says it is of, or the one at the place."""
    from brain.brain import Brain
    from brain.config import token_from_environment
    from brain.far import FarBrain

    if server is None and memory is None:
        source = Brain.source()
        server = source if source and source.startswith(("http://", "https://")) else None
        memory = Path(source) if source and server is None else None
    return FarBrain(server, token=token_from_environment()) if server else open_brain(memory)


@contextmanager
def open_near(
    memory: Path | None,
    server: str | None,
    folder: Path | None = None,
    *,
    engine: str | None = None,
    max_cost: float | None = None,
    max_minutes: float | None = None,
) -> Iterator[Near]:
    """What can be brought near, of the brain named; else of the one that the working set in `folder` is of."""
    from brain.brain import Brain
    from brain.errors import UsageError
    from brain.far import FarBrain

    if server is None and memory is None and folder is not None and (source := Brain.source(folder)):
        far = source.startswith(("http://", "https://"))
        server, memory = (source, None) if far else (None, Path(source))
    reader = open_reader(memory, server)
    if isinstance(reader, FarBrain):
        if engine or max_cost or max_minutes:
            raise UsageError("who recalls behind a server, and what it may cost, is the server's to say")
        try:
            yield reader.near()
        finally:
            reader.close()
    else:
        with reader.near(engine=engine, max_cost=max_cost, max_minutes=max_minutes) as near:
            yield near
