"""`brain bench personas`: invented people with months of sessions, and questions whose evidence is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brain.cli.output import emit, progress, talk
from brain.cli.place import Json
from brain.text import counted

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Invented people to measure memory with.")


@app.callback()
def personas() -> None:
    """Invented people to measure memory with."""


@app.command()
def generate(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="A new folder, or one of personas.")],
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed gives the same bytes.")] = 1,
    personas: Annotated[int, typer.Option(min=1, metavar="N", help="How many; 44 are asked 640 questions.")] = 44,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be written, write nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Write personas: sessions as hosts leave them, a calendar and mail, a ledger of what is true, questions.

    Example: brain bench personas generate --seed 1 --personas 44 --out personas
    """
    from brain.bench.personas.generate import generate as write

    with progress("personas") as show:
        done = write(out, seed=seed, personas=personas, dry_run=dry_run, progress=show)
    if as_json:
        emit(done)
    else:
        verb = "would write" if dry_run else "wrote"
        print(
            f"{verb} {counted(done.personas, 'persona')} to {out}: {counted(done.sessions, 'session')}, "
            f"{counted(done.turns, 'turn')}, "
            f"{counted(done.questions, 'question')}"
        )
    for category, count in sorted(done.short.items()):
        talk(f"missing: {counted(count, 'question')} of category {category}, no life gave a sound one")
    if done.short:
        raise typer.Exit(1)


@app.command()
def validate(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What `generate` wrote.")],
    as_json: Json = False,
) -> None:
    """Import every persona and prove of each question that its evidence holds the answer, and that nothing else does.

    Example: brain bench personas validate personas
    """
    from brain.bench.personas.validate import validate as look

    with progress("personas") as show:
        found = look(folder, progress=show)
    if as_json:
        emit(found.as_json())
    else:
        for problem in found.problems:
            print(problem)
        print(
            f"{counted(found.personas, 'persona')}, {counted(found.sessions, 'session')}, "
            f"{counted(found.turns, 'turn')} as imported, "
            f"{counted(found.questions, 'question')}, {counted(len(found.problems), 'problem')}"
        )
        for category, count in found.categories.items():
            print(f"  {category:18} {count:4}")
        print(f"words of a question that its evidence has too: {found.overlap:.0%}")
    if found.problems:
        raise typer.Exit(1)
