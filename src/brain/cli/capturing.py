"""`brain watch` and `brain hook`: sessions come in by themselves."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import emit, plain, progress, talk
from brain.cli.place import DryRun, Json, Memory, open_brain

if TYPE_CHECKING:
    from types import FrameType

    from brain.ingest.report import ImportReport

SECONDS_TO_STOP = 8
"""How long an import that is at work when a watch is stopped may go on; what is left then comes with the next one."""

hook = typer.Typer(
    help="What agent hosts call when a session begins, goes on and ends; brain install writes their settings.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_LENIENT = {"ignore_unknown_options": True, "allow_extra_args": True}  # a usage error would end in exit code 2: "block"
Caller = Annotated[
    str, typer.Option("--host", metavar="HOST", help="claude-code, codex, cursor, gemini, opencode, openclaw, generic.")
]
Given = Annotated[str, typer.Argument(metavar="JSON", help="What the host says, if not on standard input.")]


def watch(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER", help="Watch these. Default: the hosts and folders of [watch] in the settings."
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Bring in what is there, and end.")] = False,
    poll: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Look so often, for drives that report no changes. 0: as the system says."
        ),
    ] = None,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Bring sessions in as they grow, until stopped.

    Sees the session folders of the agent hosts that are there. With --json, each import that did something is a line on
    stdout. Exit code 1 when --once found something that did not read.

    Example: brain watch --memory ~/memory
    """
    brain = open_brain(memory)

    def brought(report: ImportReport) -> None:
        if as_json:
            print(json.dumps(plain(report.json()), ensure_ascii=False), flush=True)

    with brain:
        if once or dry_run:
            with progress("import") as show:
                report = brain.watch(folders or (), once=True, dry_run=dry_run, progress=show)
            if as_json:
                emit(report.json() if report else {"exit_code": 0, "files": []})
            elif report is None:
                talk("no session folder is there")
            raise typer.Exit(1 if report and any(report.skips.broken.values()) else 0)
        with _stopping() as stop:
            brain.watch(folders or (), poll=poll, stop=stop, brought=brought)
    talk("stopped")


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that SIGINT and SIGTERM set. An import that goes on too long after it, or a second signal, ends it where

    it is, which an import can take at any moment.
    """
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, SECONDS_TO_STOP)

    kinds = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, name)]
    before = {kind: signal.signal(kind, end) for kind in kinds}
    try:
        yield stop
    except KeyboardInterrupt:
        talk("stopped in the middle of an import; the next one goes on from there")
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _hook(event: str, host: str, given: str, memory: Path | None) -> None:
    """Answer one call: the exit code is 0 and stdout is what the host can read, whatever is wrong."""
    from brain.capture.hook import answer
    from brain.capture.hooked import Event, Host, read_given

    known = Host(host) if host in list(Host) else Host.GENERIC
    said = answer(Event(event), known, given or read_given(), memory)
    if said.out:
        sys.stdout.buffer.write(said.out.encode("utf-8", "replace") + b"\n")  # whatever the locale says
    if said.word:
        talk(said.word)


@hook.command("session-start", context_settings=_LENIENT)
def session_start(host: Caller = "generic", given: Given = "", memory: Memory = None) -> None:
    """Print the compact index in the form the host wants, once a session.

    The host's JSON is read from standard input. Nothing is printed to a session that has the index already.

    Example: brain hook session-start --host claude-code --memory ~/memory
    """
    _hook("session-start", host, given, memory)


@hook.command("turn-end", context_settings=_LENIENT)
def turn_end(host: Caller = "generic", given: Given = "", memory: Memory = None) -> None:
    """Have the session captured when no turn follows for a while.

    Returns at once; a process of its own does it.

    Example: brain hook turn-end --host codex --memory ~/memory
    """
    _hook("turn-end", host, given, memory)


@hook.command("pre-compact", context_settings=_LENIENT)
def pre_compact(host: Caller = "generic", given: Given = "", memory: Memory = None) -> None:
    """Have the session captured now, before the host shortens its history.

    Returns at once; a process of its own does it.

    Example: brain hook pre-compact --host claude-code --memory ~/memory
    """
    _hook("pre-compact", host, given, memory)


@hook.command("session-end", context_settings=_LENIENT)
def session_end(host: Caller = "generic", given: Given = "", memory: Memory = None) -> None:
    """Have the session captured now.

    Returns at once; a process of its own does it.

    Example: brain hook session-end --host claude-code --memory ~/memory
    """
    _hook("session-end", host, given, memory)


@hook.command("work", hidden=True)
def work(memory: Memory = None) -> None:
    """Capture what hooks left, and end: the process that they start.

    Example: brain hook work --memory ~/memory
    """
    from brain.capture.told import stamped

    with open_brain(memory) as brain:
        brain.capture(say=lambda line: talk(stamped(line)))
