"""`brain connector` and `brain fetch`: outside sources that the config names, and the snapshots that pages cite."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import DryRun, Json, Memory, Server, open_brain, open_reader

if TYPE_CHECKING:
    from brain.connectors import Entry, Pinned, Standing

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Outside sources, read-only: a folder, a calendar, mail, a git log, an MCP server.",
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="A connector of .brain/config.toml.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Read it anew, even when the URI is pinned.")]


@app.command("list")
def list_(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A connector; without one, all of them.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DAY", help="From this day on, repetitions one by one.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DAY", help="Up to this day.")] = None,
    limit: Limit = 50,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """The connectors there are and what each holds; with NAME its records, newest first.

    Example: brain connector list calendar --since 2026-10-01 --until 2026-10-31
    """
    with open_brain(memory).connectors() as connectors:
        if name is None:
            _standings([connectors.check(one) for one in connectors.names], as_json)
            return
        first, last = _day(since), _day(until)
        _entries(list(islice(connectors.list(name, first, last), limit)), as_json)
        _skipped(connectors.skipped(name))


@app.command("search")
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words, a name, an address.")],
    name: Annotated[str | None, typer.Option("--in", metavar="NAME", help="In one connector only.")] = None,
    limit: Limit = 10,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """What outside sources say on a query. A source that cannot be read is told of, and the others are searched.

    Example: brain connector search 'Sora City Lab' --in calendar
    """
    from brain.errors import BrainError

    found: dict[str, list[Entry]] = {}
    failed = 0
    with open_brain(memory).connectors() as connectors:
        for one in [name] if name else connectors.names:
            try:
                found[one] = list(connectors.search(one, query, limit))
            except BrainError as error:
                if name:
                    raise
                failed += 1
                talk(f"{error.message}" + (f" ({error.hint})" if error.hint else ""))
    if as_json:
        emit(found)
    else:
        for one, entries in found.items():
            for entry in entries:
                print(f"{one}  {_line(entry)}")
    if failed:
        raise typer.Exit(1)


@app.command("fetch")
def connector_fetch(
    what: Annotated[str, typer.Argument(metavar="URI|NAME", help="A connector URI, or a connector's name.")],
    id: Annotated[str | None, typer.Argument(metavar="ID", help="With a name: the record, as `list` shows it.")] = None,
    fresh: Fresh = False,
    memory: Memory = None,
    server: Server = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Print the snapshot that a citation pins; or read a record now, pin it, and print its URI and text.

    Example: brain connector fetch 'connector://calendar?at=2026-08-06T07:40:11Z&sha=9f2c41d07ab3e655'
    """
    from brain.connectors import is_pinned

    if id is None and is_pinned(what) and not fresh:
        uri = what if "://" in what else f"connector://{what}"
        text = open_reader(memory, server).show(uri)
        if as_json:
            emit({"what": what, "text": text})
        else:
            print(text, end="" if text.endswith("\n") else "\n")
        return
    if id is None:
        _pinned(open_brain(memory).fetch(what, dry_run=dry_run), dry_run, as_json)
        return
    with open_brain(memory).connectors() as connectors:
        _pinned(connectors.fetch(what, id, dry_run=dry_run), dry_run, as_json)


def fetch(
    uri: Annotated[str, typer.Argument(metavar="URI", help="connector://NAME?id=RECORD, pinned or not.")],
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Read a record of an outside source anew and pin it.

    Example: brain fetch 'connector://calendar?id=host-meeting@sora-lab.example'
    """
    _pinned(open_brain(memory).fetch(uri, dry_run=dry_run), dry_run, as_json)


@app.command("check")
def check(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A connector; without one, all of them.")] = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Open each connector and say what it holds, or why it cannot be read and the way out; exit code 1 then.

    Example: brain connector check calendar
    """
    with open_brain(memory).connectors() as connectors:
        standings = [connectors.check(one) for one in ([name] if name else connectors.names)]
    _standings(standings, as_json)
    if not all(one.ok for one in standings):
        raise typer.Exit(1)


@app.command("allow")
def allow(
    name: Name,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take the approval back.")] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
) -> None:
    """Approve, on this machine, a connector that starts a program or reaches the network, as its table stands now.

    Example: brain connector allow agenda
    """
    brain = open_brain(memory)
    with brain.connectors() as connectors:
        kind = connectors.kind(name)
        table = brain.config.connectors[name]
        what = " ".join(table.command) or table.url or table.path
        if not kind.acts:
            talk(f"{name} ({kind.name}) starts nothing and needs no approval")
            return
        if not dry_run:
            (connectors.disallow if revoke else connectors.allow)(name)
    done = "not allowed any more" if revoke else "allowed"
    print(f"{'would be ' if dry_run else ''}{done}: {name}: {what}")


@app.command("kinds")
def kinds_(as_json: Json = False) -> None:
    """The kinds of sources there are, and the keys of the config that say where one is.

    Example: brain connector kinds
    """
    from brain.connectors import kinds

    rows = [{"kind": one.name, "title": one.title, "needs": list(one.needs)} for one in kinds()]
    if as_json:
        emit(rows)
        return
    for one in kinds():
        print(f"{one.name:<10}{' or '.join(one.needs):<18}{one.title}")


def _standings(standings: list[Standing], as_json: bool) -> None:
    if as_json:
        emit(standings)
        return
    if not standings:
        talk("no connectors: docs/connectors.md says how to add one to .brain/config.toml")
    for one in standings:
        print(one.line())
        if one.hint:
            talk(f"  {one.hint}")


def _entries(entries: list[Entry], as_json: bool) -> None:
    if as_json:
        emit(entries)
        return
    for entry in entries:
        print(_line(entry))


def _line(entry: Entry) -> str:
    return "  ".join(part for part in (entry.day or "-", entry.kind, entry.id, entry.title) if part)


def _pinned(pinned: Pinned, dry_run: bool, as_json: bool) -> None:
    from brain.tree.snapshot import readable

    if as_json:
        record = pinned.record
        emit(
            {"uri": str(pinned.uri), "new": pinned.new, "kept": not dry_run, "record": record, "text": readable(record)}
        )
        return
    print(f"{pinned.uri}\n\n{readable(pinned.record)}")
    if dry_run:
        talk("not kept: a dry run")
    elif not pinned.new:
        talk(f"unchanged since {pinned.uri.at}")


def _skipped(skipped: tuple[tuple[str, int], ...]) -> None:
    for why, number in skipped:
        talk(f"passed over: {number} {why}")


def _day(text: str | None) -> date | None:
    from brain.errors import UsageError

    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"not a day: {text!r}", hint="write 2026-10-12") from error
