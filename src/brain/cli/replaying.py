"""`brain bench replay`: questions you really asked, put to your memory day by day, with its wiki and without."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Annotated

import typer

from brain.bench.replay.schedule import Timer
from brain.cli.output import emit, progress, talk
from brain.cli.place import DryRun, EngineName, Json, MaxCost, MaxMinutes, Memory, open_brain
from brain.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.bench.replay.kept import Kept, Question
    from brain.bench.replay.sampling import Sample

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Ask your memory your own questions, day by day.")


@app.callback()
def replay() -> None:
    """Ask your memory your own questions, day by day, with its wiki and without."""


@app.command()
def sample(
    questions: Annotated[int, typer.Option(min=1, metavar="N", help="Questions at most, drawn by the seed.")] = 20,
    days: Annotated[int, typer.Option(min=1, metavar="DAYS", help="How far back they were asked.")] = 30,
    seed: Annotated[int, typer.Option(metavar="S", help="Which questions are drawn.")] = 0,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="ID", help="Leave out this one; more than once.")
    ] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Take others in the place of those that are kept.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask; keep them.")] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Pick questions of your own: asked of an agent, answered, not put right, the answer told in earlier sessions.

    They are listed first, and kept only when you say so: in .brain/replay, not under git, for your eyes only. Nothing
    of restricted sessions and nothing with a secret is among them.

    Example: brain bench replay sample --questions 20 --dry-run
    """
    from brain.bench.replay import kept as keeping
    from brain.bench.replay.sampling import sample as draw
    from brain.errors import UsageError

    root = open_brain(memory).root
    if keeping.there(root) and not (anew or dry_run):
        raise UsageError(
            "there are fixed questions already, and a series compares only the same ones",
            hint="--anew takes others in their place, --dry-run lists what would be taken",
        )
    found = draw(root, now=datetime.now(UTC).replace(microsecond=0), days=days, most=questions, seed=seed)
    kept = keeping.without(found.kept, without or ())
    if not as_json:
        for line in _listed(kept, found):
            print(line)
    write = bool(kept.questions) and not dry_run and (yes or (sys.stdin.isatty() and _agreed(len(kept.questions))))
    if write:
        keeping.save(root, kept)
        talk(f"kept {counted(len(kept.questions), 'question')} in {keeping.QUESTIONS}; next: brain bench replay run")
    elif kept.questions and not dry_run:
        talk("nothing was written; --yes keeps these, --without ID leaves one out")
    if as_json:
        emit({"kept": write, "questions": kept.questions, "found": found.found, "left": found.left,
              "sessions_left": found.sessions})  # fmt: skip


@app.command()
def run(
    reader: Annotated[EngineName, typer.Option("--reader", help="Who answers.")] = EngineName.EXTRACTIVE,
    command: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="With --reader command: the agent, as in 'claude -p'.")
    ] = None,
    tokens: Annotated[int, typer.Option(min=1, metavar="N", help="Tokens of an extractive answer.")] = 120,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Ask the kept questions of your memory as it is now, with its wiki and without, and write the day down.

    In copies that are thrown away, the session a question was asked in is forgotten, and later ones that take it up
    again. Nothing leaves the machine unless the reader is a model or a command, which is said before.

    Example: brain bench replay run
    """
    from brain.bench.replay import series
    from brain.bench.replay.replaying import foresee, leaves
    from brain.bench.replay.replaying import replay as go
    from brain.bench.study import By, Reading
    from brain.errors import UsageError

    if (reader is EngineName.COMMAND) != bool(command):
        raise UsageError(
            "--reader command and --command belong together", hint="--reader command --command 'claude -p'"
        )
    reading = Reading(
        by=By(reader.value), tokens=tokens, command=command or "", minutes=max_minutes or 0, max_cost=max_cost or 0
    )
    brain = open_brain(memory)
    for line in leaves(brain.config, reading):
        talk(line)
    if dry_run:
        seen = foresee(brain.root)
        if as_json:
            emit(seen)
            return
        print(f"{seen.questions} questions of {seen.states} states, each with the wiki and without")
        for id, uris in seen.held_out.items():
            print(f"  {id}  held out: {', '.join(uris)}")
        return
    with progress("replay") as show:
        done = go(brain.root, reading=reading, now=datetime.now(UTC).replace(microsecond=0), progress=show)
    if as_json:
        emit({"day": done.day, "gone": done.gone, "states": done.states, "results": done.record.results})
    else:
        for line in series.table(done.days):
            print(line)
    if done.gone:
        talk(f"dropped: {counted(done.gone, 'question')}, memory does not hold any more what the answer rests on")
    talk(f"the picture: {done.chart}")
    errors = sorted({one.given.error for one in done.record.results if one.given.error})
    for why in errors:
        talk(f"without an answer: {why}")
    if errors:
        raise typer.Exit(1)


@app.command()
def show(memory: Memory = None, as_json: Json = False) -> None:
    """The days so far, as a table; the picture is .brain/replay/chart.html.

    Example: brain bench replay show
    """
    from brain.bench.replay import series
    from brain.bench.replay.kept import CHART

    root = open_brain(memory).root
    days = series.load(root)
    if as_json:
        emit(days)
        return
    for line in series.table(days):
        print(line)
    talk(f"the picture: {root / CHART}" if days else "nothing was replayed yet: brain bench replay run")


@app.command()
def schedule(
    timer: Annotated[Timer | None, typer.Option("--for", help="Default: what this system has.")] = None,
    at: Annotated[str, typer.Option("--at", metavar="HH:MM", help="When, in this machine's time.")] = "06:15",
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Print what makes cron, systemd or launchd run it once a day. Nothing is installed.

    Example: brain bench replay schedule --for systemd --at 06:15
    """
    from brain.bench.replay.schedule import scheduled, timer_here
    from brain.errors import UsageError

    try:
        when = time.fromisoformat(at)
    except ValueError:
        raise UsageError(f"{at!r} is no time of day", hint="--at 06:15") from None
    told = scheduled(timer or timer_here(), open_brain(memory).root, when)
    if as_json:
        emit(told)
        return
    for place, text in told.files:
        talk(f"{place}:")
        print(text, end="")
    talk(f"nothing was installed; then: {told.then}")


def _agreed(count: int) -> bool:
    return typer.confirm(f"keep these {count} questions and their answers in .brain/replay?", default=False, err=True)


def _listed(kept: Kept, found: Sample) -> Iterator[str]:
    for one in kept.questions:
        yield from _question(one)
    yield f"{len(kept.questions)} questions of {found.found} that can be replayed"
    for why, count in {**found.sessions, **found.left}.items():
        yield f"  left out, {count}: {why}"


def _question(one: Question) -> Iterator[str]:
    sure = "confirmed" if one.confirmed else "not put right"
    yield f"{one.id}  {one.asked_at:%Y-%m-%d}  {one.text}"
    stale = f", no longer {', '.join(one.stale)}" if one.stale else ""
    yield f"{'':<10}{one.answer}{stale} ({sure}; told in {', '.join(one.evidence)})"
