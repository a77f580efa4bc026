"""`brain search`: find pages, notes, summaries and turns."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import Json, Memory, Server, open_reader
from brain.types import Surface


def search(
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="Words, in any language.")],
    k: Annotated[int, typer.Option("--limit", "-k", min=1, max=1000, help="How many results.")] = 10,
    surface: Annotated[list[Surface] | None, typer.Option(help="Only these; may be given more than once.")] = None,
    since: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], metavar="DAY", help="Not before this day.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], metavar="DAY", help="Not after this day.")
    ] = None,
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Only turns of this speaker.")] = None,
    project: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this project: its page, what links to it, its sessions.")
    ] = None,
    memory: Memory = None,
    server: Server = None,
    as_json: Json = False,
) -> None:
    """Find pages, notes, summaries and turns, best first.

    Example: brain search "minibus ramp" --surface turn --since 2026-07-01
    """
    from brain import lines
    from brain.text import clip, one_line

    hits = open_reader(memory, server).search(
        " ".join(query),
        k=k,
        surfaces=tuple(surface or ()),
        since=since.date() if since else None,
        until=until.date() if until else None,
        speaker=speaker,
        project=project,
    )
    if as_json:
        emit(hits)
        return
    for hit in hits:
        print(lines.of_hit(hit))
        print(f"    {clip(one_line(hit.text), 200)}")
    if not hits:
        talk("nothing found")
