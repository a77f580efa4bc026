"""`brain install` and `brain uninstall`: memory in the agents that people use."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, open_brain

if TYPE_CHECKING:
    from brain.hosts.installing import Change


class HostName(StrEnum):
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI = "gemini"
    OPENCODE = "opencode"
    OPENCLAW = "openclaw"
    GENERIC = "generic"


class ScopeName(StrEnum):
    USER = "user"
    PROJECT = "project"


ScopeOption = Annotated[
    ScopeName, typer.Option("--scope", help="For all you do, or for one project; that writes paths of this machine.")
]
ProjectOption = Annotated[
    Path | None, typer.Option("--project", metavar="DIR", help="The project. Default: this folder.")
]


def install(
    host: Annotated[HostName | None, typer.Argument(help="The agent to put memory into.", show_default=False)] = None,
    scope: ScopeOption = ScopeName.USER,
    project: ProjectOption = None,
    listing: Annotated[
        bool, typer.Option("--list", help="Say which hosts are here, and how memory is in them.")
    ] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Make an agent see this memory, and memory see its sessions.

    Writes an MCP server, hooks (the index when a session starts, capture when it ends) and the exploring skill into
    the host's own settings, and touches nothing else there. Doing it again changes nothing. `generic` prints what to
    write by hand.

    Examples: brain install claude-code --dry-run · brain install codex --scope project · brain install --list
    """
    from brain.errors import UsageError

    brain = open_brain(memory, background="no")
    where: Literal["user", "project"] = "project" if scope is ScopeName.PROJECT else "user"
    if listing:
        states = brain.hosts(scope=where, project=project)
        if as_json:
            emit(states)
        else:
            print("\n".join(state.line() for state in states))
        return
    if host is None:
        raise UsageError("which host?", hint=f"brain install {'|'.join(HostName)}, or brain install --list")
    if host is HostName.GENERIC:
        pastes = brain.pastes()
        if as_json:
            emit(pastes)
        else:
            print("\n\n".join(f"# {paste.what}\n\n{paste.text}" for paste in pastes))
        return
    from brain.hosts.command import this_brain
    from brain.hosts.known import named

    changes = brain.install(host.value, scope=where, project=project, dry_run=dry_run)
    _say(changes, dry_run=dry_run, as_json=as_json)
    if this_brain(brain.root).passing:
        talk("this brain runs from a folder that will not stay; install it (pipx, uv tool) and do this again")
    if where == "project" and any(change.well for change in changes):
        talk("these files name paths of this machine: keep them out of what you share")
    if not dry_run and any(change.did in {"added", "updated"} for change in changes):
        talk(named(host.value).after)
    raise typer.Exit(0 if all(change.well for change in changes) else 1)


def uninstall(
    host: Annotated[HostName, typer.Argument(help="The agent to take memory out of.", show_default=False)],
    scope: ScopeOption = ScopeName.USER,
    project: ProjectOption = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Take memory out of an agent again; memory itself stays.

    A settings file that nobody changed since is as it was before, byte for byte; else only what is Brain's goes.

    Example: brain uninstall claude-code
    """
    from brain.hosts import installing
    from brain.hosts.host import Scope
    from brain.hosts.known import named, place

    if host is HostName.GENERIC:
        talk("nothing was written for other hosts; take out what you pasted")
        return
    changes = installing.uninstall(named(host.value), place(Scope(scope.value), project), dry_run=dry_run)
    _say(changes, dry_run=dry_run, as_json=as_json)
    if not changes:
        talk(f"nothing of Brain is in {named(host.value).title}")
    raise typer.Exit(0 if all(change.well for change in changes) else 1)


def _say(changes: list[Change], *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        emit(changes)
        return
    for change in changes:
        print(f"{change.did.value:<10} {change.what:<24} {change.path}" + (f": {change.why}" if change.why else ""))
        if change.text and (dry_run or not change.well):
            if not change.well:
                print("  write by hand:")
            print("\n".join(f"  {line}" for line in change.text.splitlines()))
    if dry_run:
        talk("nothing was written")
