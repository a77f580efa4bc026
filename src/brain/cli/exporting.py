"""`brain export`: memory for other programs and people: OKF, Obsidian, one HTML file, JSON Lines."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, open_brain


class Form(StrEnum):
    OKF = "okf"
    OBSIDIAN = "obsidian"
    HTML = "html"
    JSONL = "jsonl"


class Include(StrEnum):
    NORMAL = "normal"
    PRIVATE = "private"
    RESTRICTED = "restricted"


class Which(StrEnum):
    CITED = "cited"
    ALL = "all"
    NONE = "none"


def export(
    form: Annotated[Form, typer.Argument(metavar="FORM", help="okf, obsidian, html or jsonl.")],
    to: Annotated[Path, typer.Argument(metavar="TO", help="A new folder (okf, obsidian) or file (html, jsonl).")],
    include: Annotated[
        Include, typer.Option(help="The highest sensitivity that goes along: normal, private or restricted.")
    ] = Include.NORMAL,
    turns: Annotated[
        Which, typer.Option(help="Which turns go along: those that something cites, all, or none.")
    ] = Which.CITED,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Write memory out as OKF, Obsidian, HTML or JSON Lines.

    Pages, notes, and the turns they cite. Private pages stay here unless asked for. An earlier export is brought up to
    date; other files are never touched. Exit code 1 when a file of memory does not read.

    Example: brain export html memory.html
    """
    report = open_brain(memory).export(form.value, to, include=include.value, turns=turns.value, dry_run=dry_run)
    if as_json:
        emit(report)
    else:
        for line in report.lines():
            print(line)
        if form is Form.HTML and not dry_run:
            talk("open it in any browser; it needs no network")
    raise typer.Exit(report.exit_code)
