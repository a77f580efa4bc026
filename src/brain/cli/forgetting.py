"""`brain forget`: take something out of memory for good."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, open_brain
from brain.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.forgetting.forget import Forgotten


def forget(
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TARGET]...", help="A session, its turns (ID#t3-t5), a page, a note's line, a record."),
    ] = None,
    term: Annotated[
        list[str] | None, typer.Option(metavar="WORDS", help="Words that shall stand nowhere; more than once.")
    ] = None,
    purge: Annotated[bool, typer.Option("--purge", help="Erase copies and history too. It cannot be lifted.")] = False,
    restore: Annotated[str | None, typer.Option(metavar="ID", help="Lift a deletion, by its del_ id.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Take something out of memory, and never learn it again.

    It goes from pages, notes, summaries, transcripts and search. At a terminal it says first what would go.
    Without --purge it can be lifted again with --restore.

    Example: brain forget entities/marco --term "Marco Bellini" --dry-run
    """
    brain = open_brain(memory)
    if restore:
        brain.restore_forgotten(restore)
        talk(f"lifted {restore}; the next brain dream reads what came back")
        return
    named, terms = tuple(targets or ()), tuple(term or ())
    if not dry_run and not yes and sys.stdin.isatty():
        would = brain.forget(*named, terms=terms, purge=purge, dry_run=True)
        for line in _lines(would):
            talk(line)
        typer.confirm("erase it for good?" if purge else "forget it?", abort=True, err=True)
    told = brain.forget(*named, terms=terms, purge=purge, dry_run=dry_run)
    if as_json:
        emit(told)
        return
    for line in _lines(told):
        print(line)
    if told.still:
        talk(
            f"on other sources it is still named in {counted(len(told.still), 'file')}, as {told.still[0]}; "
            "--term forgets the name itself"
        )
    if not dry_run:
        talk(f"forgotten as {told.id}" + ("" if purge else f"; lift it with brain forget --restore {told.id}"))


def _lines(told: Forgotten) -> Iterator[str]:
    if not told.anything:
        yield "memory holds nothing of it; from now on it is barred"
    counts = (
        (len(told.sessions), "sessions"), (told.turns, "turns"), (len(told.pages_deleted), "pages"),
        (told.claims, "claims and notes"), (told.notes, "of them lines of notes"),
        (len(told.summaries), "summaries changed or gone"), (len(told.snapshots), "records of connectors"),
    )  # fmt: skip
    yield ", ".join(f"{count} {what}" for count, what in counts if count) or "nothing goes"
    for sign, paths in (("-", told.pages_deleted), ("~", told.pages_changed)):
        yield from (f"  {sign} {path}" for path in paths)
