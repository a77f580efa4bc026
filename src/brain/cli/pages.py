"""`brain show` and `brain links`: read a page, a note, a summary or turns; follow edges."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit
from brain.cli.place import Json, Memory, Server, open_brain, open_reader


def show(
    what: Annotated[
        str, typer.Argument(metavar="URI|ID", help="A page id, a path of the tree, a session id or a source URI.")
    ],
    cite: Annotated[
        str | None, typer.Argument(metavar="cite:N", help="The turns behind this citation of the page.")
    ] = None,
    refs: Annotated[bool, typer.Option("--refs", help="Print the page with its references.")] = False,
    memory: Memory = None,
    server: Server = None,
    as_json: Json = False,
) -> None:
    """Print a page, a note, a summary, or turns of a session.

    Examples: brain show entities/nadia · brain show entities/nadia cite:2 ·
    brain show 'session://5b0e6a52-7c1d-4f0a-9e55-3d1f0c7a1101#t5-t7'
    """
    text = open_reader(memory, server).show(what, cite=cite, refs=refs)
    if as_json:
        emit({"what": what, "text": text})
    else:
        print(text, end="" if text.endswith("\n") else "\n")


def links(
    page: Annotated[str, typer.Argument(metavar="ID", help="A page id.")], memory: Memory = None, as_json: Json = False
) -> None:
    """What a page links to, what links to it, its evidence.

    Example: brain links projects/japan-universal-design-sprint
    """
    found = open_brain(memory).links(page)
    if as_json:
        emit(found)
        return
    for line in found.lines():
        print(line)
