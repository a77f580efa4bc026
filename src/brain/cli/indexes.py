"""`brain index` prints the compact index of the wiki; `brain reindex` rebuilds the search index."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit, progress
from brain.cli.place import Json, Memory, open_brain


def index(memory: Memory = None, as_json: Json = False) -> None:
    """Print the compact index, for an agent's first message.

    Example: brain index | head -20
    """
    text = open_brain(memory).index()
    if as_json:
        emit({"index": text})
    else:
        print(text, end="")


def reindex(
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Only make the vectors that are missing, now and with a progress bar.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Stay until every text has its vector, instead of leaving that behind.")
    ] = False,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Build the search index anew from the files; same results.

    Words are searchable when it returns; vectors follow in the background.

    Example: brain reindex --wait
    """
    from brain import lines

    brain = open_brain(memory)
    with progress("reindex") as show:
        update, status = brain.reindex(vectors=vectors, wait=wait or vectors, progress=show)
    if as_json:
        emit({"update": update, "status": status})
        return
    for line in lines.of_reindex(update, status):
        print(line)
