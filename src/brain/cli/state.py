"""`brain status` and `brain doctor`: what is here, and whether it is well."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit
from brain.cli.place import Json, Memory, open_brain


def status(memory: Memory = None, as_json: Json = False) -> None:
    """Say what is here, what is pending, and which engine and why.

    Example: brain status --json
    """
    found = open_brain(memory).status()
    if as_json:
        emit(found)
        return
    for line in found.lines():
        print(line)


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended without losing anything.")] = False,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Look for what is broken, and mend it with --fix.

    Git, transcripts, lock, leftovers, permissions, embedder, index against files. Exit code 1 when something stays
    broken.

    Example: brain doctor --fix
    """
    findings = open_brain(memory).doctor(fix=fix)
    if as_json:
        emit(findings)
    else:
        for finding in findings:
            print(finding.line())
    raise typer.Exit(0 if all(finding.well for finding in findings) else 1)
