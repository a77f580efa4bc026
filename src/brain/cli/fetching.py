"""`brain session fetch`, `list` and `find`: past sessions and their turns, by the names agents look for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import Json, Memory, Server, open_brain, open_reader
from brain.text import counted

if TYPE_CHECKING:
    from brain.tree.sessions import SessionRow

session = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Past sessions, turn by turn.")


@session.command("fetch")
def session_fetch(
    id: Annotated[str, typer.Argument(metavar="ID", help="A session id, or its first eight digits.")],
    turns: Annotated[str | None, typer.Option(metavar="RANGE", help="As in t3-t9 or t3-t5,t12; default: all.")] = None,
    memory: Memory = None,
    server: Server = None,
    as_json: Json = False,
) -> None:
    """Print turns of a session as they were said.

    Example: brain session fetch 1eaf53d4 --turns t3-t9
    """
    uri = f"session://{id.removeprefix('session://')}" + (f"#{turns}" if turns else "")
    _print(open_reader(memory, server).show(uri), uri, as_json)


@session.command("list")
def session_list(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, newest first.")] = 20,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """The sessions memory has, newest first: id, day, turns, title.

    Example: brain session list -n 5
    """
    rows = open_brain(memory).sessions(limit=limit)
    if as_json:
        emit(rows)
        return
    for row in rows:
        print(_line(row))


@session.command("find")
def session_find(
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="A question, or what you are about to do.")],
    k: Annotated[int, typer.Option("--limit", "-k", min=1, max=1000, help="How many sessions.")] = 5,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """The sessions that something is about, best first: score, id, day, turns, title.

    Example: brain session find "What is left to do for the Kyoto trip?"
    """
    found = open_brain(memory).find_sessions(" ".join(query), k=k)
    if as_json:
        emit([{"score": score, "session": row} for row, score in found])
        return
    for row, score in found:
        print(f"{score:.2f}  {_line(row)}")
    if not found:
        talk("nothing found")


def _line(row: SessionRow) -> str:
    day = row.started_at.date().isoformat() if row.started_at else "-"
    return f"{row.id}  {day}  {counted(row.turns, 'turn')}  {row.title}"


def _print(text: str, what: str, as_json: bool) -> None:
    if as_json:
        emit({"what": what, "text": text})
    else:
        print(text, end="" if text.endswith("\n") else "\n")
