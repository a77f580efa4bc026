"""The command tree: every command by name, in the order of the story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from brain.cli import (
    asking,
    benching,
    capturing,
    checks,
    connecting,
    demo,
    dreaming,
    exporting,
    fetching,
    forgetting,
    history,
    indexes,
    init,
    installing,
    notes,
    pages,
    recalling,
    redacting,
    searching,
    serving,
    sessions,
    state,
    tooling,
    worksets,
)

app = typer.Typer(
    name="brain",
    help="Agent memory as a linked, cited, git-versioned Markdown wiki.",
    epilog="Start: brain import ~/.claude/projects && brain dream. Results go to stdout, talk to stderr.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # 30 ms that only this option needs

        typer.echo(f"brain {version('brain')}")
        raise typer.Exit


@app.callback()
def brain(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Agent memory as a linked, cited, git-versioned Markdown wiki."""


COMMANDS: dict[str, Callable[..., None]] = {
    "init": init.init,
    "import": sessions.import_,
    "watch": capturing.watch,
    "distil": sessions.distil,
    "dream": dreaming.dream,
    "check": checks.check,
    "fmt": checks.fmt,
    "index": indexes.index,
    "search": searching.search,
    "show": pages.show,
    "fetch": connecting.fetch,
    "links": pages.links,
    "ask": asking.ask,
    "recall": recalling.recall,
    "note": notes.note,
    "forget": forgetting.forget,
    "redact": redacting.redact,
    "log": history.log,
    "diff": history.diff,
    "revert": history.revert,
    "status": state.status,
    "doctor": state.doctor,
    "reindex": indexes.reindex,
    "export": exporting.export,
    "serve": serving.serve,
    "mcp": serving.mcp,
    "memory-tool": tooling.memory_tool,
    "install": installing.install,
    "uninstall": installing.uninstall,
    "demo": demo.demo,
}
GROUPS = {
    "dream": dreaming.app,
    "workset": worksets.app,
    "hook": capturing.hook,
    "session": fetching.session,
    "connector": connecting.app,
    "bench": benching.app,
}
"""Nouns with verbs of their own; `brain dream` alone is a command too."""
for _name, _command in COMMANDS.items():
    if _name not in GROUPS:
        app.command(_name)(_command)
for _name, _group in GROUPS.items():
    app.add_typer(_group, name=_name)
