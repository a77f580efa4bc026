"""`brain redact`: secrets in what memory holds already, and in its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import emit, progress, talk
from brain.cli.place import DryRun, Json, Memory, open_brain
from brain.errors import UsageError
from brain.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.redacting.apply import Redaction


def redact(
    scan: Annotated[bool, typer.Option("--scan", help="Only look and tell. The default.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Take them out, of all of history too.")] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find secrets in memory and its history, or take them out.

    Looks at all files of the tree and beside it, every version in git, and commit messages. Prints places, kinds and
    placeholders, never a secret. What is harmless goes into privacy.redact_allow. Exit code 1 while there is any.

    Example: brain redact --scan
    """
    if scan and apply:
        raise UsageError("--scan looks, --apply takes out", hint="brain redact --scan, then brain redact --apply")
    brain = open_brain(memory)
    with progress("looking for secrets") as show:
        told = brain.redact(apply=apply and not dry_run, progress=show)
    if as_json:
        emit(told)
    else:
        for line in _lines(told):
            print(line)
        for line in _talk(told):
            talk(line)
    raise typer.Exit(told.exit_code)


def _lines(told: Redaction) -> Iterator[str]:
    """A secret a line: where, of which kind, as what it reads once it is taken out."""
    for one in told.left if told.applied else told.scan.found:
        place = f"{one.path}:{one.line}" if one.line else one.path
        more = f" in {one.versions} versions" if one.versions > 1 else ""
        yield f"{one.where.value:8} {place}  {one.placeholder}{more}"
    if told.applied:
        left = {(one.kind, one.placeholder) for one in told.left}
        gone = {(one.kind, one.placeholder) for one in told.scan.found} - left
        yield (
            f"redacted {counted(len(gone), 'secret')} in {counted(len(told.files), 'file')} and "
            f"{counted(told.commits, 'commit')}"
        )
    elif told.scan.found:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(told.scan.kinds.items()))
        yield f"{counted(sum(told.scan.kinds.values()), 'secret')}: {kinds}"
    else:
        yield "no secrets"


def _talk(told: Redaction) -> Iterator[str]:
    looked = (
        f"{counted(told.scan.files, 'file')}, {counted(told.scan.versions, 'version')} in history, "
        f"{counted(told.scan.messages, 'message')}"
    )
    yield f"looked at {looked}"
    for path, why in told.scan.passed[:20]:
        yield f"not looked into: {path} ({why})"
    if len(told.scan.passed) > 20:
        yield f"and {len(told.scan.passed) - 20} more"
    yield from told.warnings
    if not told.applied:
        if told.scan.found:
            yield "take them out: brain redact --apply; allow what is harmless: privacy.redact_allow in the config"
        return
    if told.commits:
        yield f"written anew: {counted(told.commits, 'commit')}; the old history is dropped from this disk"
    if told.remotes:
        yield f"these still have the old history, and any clone: {', '.join(told.remotes)}; push anew with --force"
    if told.scan.found:
        yield "a secret that was here may have been read: change it where it is used"
