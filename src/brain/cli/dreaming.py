"""`brain dream`: compile what is new into the wiki, by an engine or by hand (open, check, close, abort)."""

from __future__ import annotations

from typing import Annotated

import typer

from brain.cli.output import emit, progress, talk
from brain.cli.place import Command, DryRun, Engine, Json, MaxCost, MaxMinutes, Memory, TimeLimit, open_brain
from brain.text import counted

app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
Run = Annotated[
    str | None,
    typer.Argument(metavar="RUN", help="The run's id, or how it begins. Default: the one you are in, or the only one."),
]
Override = Annotated[
    bool, typer.Option("--override", help="Allow what takes much away (rule STG003). A person's word, not an agent's.")
]


def dream(
    context: typer.Context,
    engine: Engine = None,
    command: Command = None,
    time_limit: TimeLimit = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print how the run oriented itself, phase by phase.")
    ] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Compile what is new into the wiki; it may change nothing.

    A run orients itself, summarises sessions, attaches facts to subjects, updates pages, has them checked, and commits.
    By hand: open, edit the tree it prints, check, close.

    Example: brain dream -v
    """
    if context.invoked_subcommand is not None:
        return
    from brain import lines

    brain = open_brain(memory)
    with progress("dream") as show:
        result = brain.dream(
            engine=engine.value if engine else None,
            command=command,
            time_limit=time_limit,
            max_cost=max_cost,
            max_minutes=max_minutes,
            dry_run=dry_run,
            verbose=talk if verbose else None,
            progress=show,
        )
    if result.spent and result.spent.calls:
        talk(result.spent.line())
    if as_json:
        emit(result)
    else:
        for line in lines.of_dream(result):
            print(line)
    raise typer.Exit(result.exit_code)


@app.command("open")
def open_(
    session: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this session; its first digits will do. Repeatable.")
    ] = None,
    max_sessions: Annotated[int | None, typer.Option(metavar="N", help="At most so many, the oldest first.")] = None,
    by: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who or what will write, for the record: a model, a person.")
    ] = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Open a run by hand: prints where to write, what to read, and the skill to follow.

    Example: brain dream open --max-sessions 10
    """
    brain = open_brain(memory)
    chosen = brain.runs.named(session) if session else None
    with progress("distil") as show:
        opened = brain.runs.open(by=by, sessions=chosen, max_sessions=max_sessions, progress=show)
    if as_json:
        emit(opened)
    elif opened is None:
        print("nothing is pending; no run was opened")
    else:
        print(opened.skill.rstrip())
        print(f"\n# This run: {opened.run_id}\n")
        print(f"{counted(opened.turns, 'new turn')} in {counted(opened.sessions, 'session')}")
        print(f"1. read   {opened.briefing}")
        print(f"2. write  {opened.tree}/")
        print(f"          {opened.report}")
        print("3. check  brain dream check")
        print("4. end    brain dream close   (or brain dream abort)")
        talk(f"next: cd {opened.tree} && cat {opened.briefing}")


@app.command("check")
def check(
    run: Run = None,
    override: Override = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Also ask the model that verifies; closing does in any case.")
    ] = False,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Check what an open run proposes: one problem a line with its way out, then places nothing cites yet.

    Numbers the sources you wrote inline and fills in frontmatter on the way. Exit code 1: something would be refused.

    Example: brain dream check
    """
    checked = open_brain(memory).runs.check(run, override=override, verify=verify)
    if as_json:
        emit(checked)
    else:
        for line in checked.lines():
            print(line)
    raise typer.Exit(0 if checked.ok else 1)


@app.command("close")
def close(
    run: Run = None,
    override: Override = False,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Close an open run: check again, give back claim by claim what fails, publish the rest as one commit.

    Example: brain dream close
    """
    from brain import lines

    with progress("close") as show:
        result = open_brain(memory).runs.close(run, override=override, progress=show)
    if result.spent and result.spent.calls:
        talk(result.spent.line())
    if as_json:
        emit(result)
    else:
        for line in lines.of_dream(result):
            print(line)
        for problem in result.refused:
            print(f"given back: {lines.of_problem(problem)}")
    raise typer.Exit(result.exit_code)


@app.command("abort")
def abort(run: Run = None, memory: Memory = None, as_json: Json = False) -> None:
    """Drop an open run: memory stays as it is, its sessions stay pending.

    Example: brain dream abort
    """
    run_id = open_brain(memory).runs.abort(run)
    if as_json:
        emit({"aborted": run_id})
    else:
        print(f"run {run_id} is dropped; nothing of it is left")


app.callback()(dream)
