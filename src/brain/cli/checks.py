"""`brain check` and `brain fmt`: the rules of the format, and what can be mended by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, open_brain

Paths = Annotated[list[Path] | None, typer.Argument(metavar="PATH", help="Files of the tree. Default: all.")]


def check(paths: Paths = None, memory: Memory = None, as_json: Json = False) -> None:
    """Hold the tree as it lies in the folder against the rules.

    E blocks publishing, W is worth a look. Exit code 1 when there is an E.

    Example: brain check knowledge/projects/japan-universal-design-sprint.md
    """
    from brain import lines
    from brain.types import Severity

    problems = open_brain(memory).check(paths or ())
    errors = sum(problem.severity is Severity.E for problem in problems)
    if as_json:
        emit(problems)
    else:
        for problem in problems:
            print(lines.of_problem(problem))
        talk(f"{errors} E, {len(problems) - errors} other" if problems else "clean")
    raise typer.Exit(1 if errors else 0)


def fmt(paths: Paths = None, memory: Memory = None, dry_run: DryRun = False, as_json: Json = False) -> None:
    """Mend what needs no judgement.

    Order, spacing, link targets, and the numbering of sources as people write them: [cite:session://…#t3].

    Example: brain fmt --dry-run
    """
    changed = open_brain(memory).fmt(paths or (), dry_run=dry_run)
    if as_json:
        emit(changed)
        return
    for path in changed:
        print(path)
    talk(f"{len(changed)} {'would change' if dry_run else 'changed'}" if changed else "nothing to mend")
