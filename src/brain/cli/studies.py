"""`brain bench run`, `export`, `score`: what memory adds, by asking matched brains the same questions."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brain.bench.plan import Dataset, Part
from brain.cli.output import emit, progress, talk
from brain.cli.place import DryRun, EngineName, Json, MaxCost, MaxMinutes
from brain.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from brain.bench.answered import Answered
    from brain.bench.arms import Arm
    from brain.bench.asked import Asked, Given, Judgement
    from brain.bench.loading import Source
    from brain.bench.study import Study

    Judge = Callable[[Asked, Given], Judgement]

Name = Annotated[Dataset, typer.Argument(metavar="DATASET", help="personas, locomo, longmemeval, realmem or beam.")]
Data = Annotated[Path, typer.Option("--data", metavar="PATH", help="Its file, or the folder of its files.")]
Arms = Annotated[
    list[str] | None,
    typer.Option(
        "--arm",
        metavar="ARM",
        help="wiki, no-wiki, no-notes, no-summaries, transcripts, no-index, no-search, full-context, no-memory, "
        "one-dream, again; NAME,KEY=VALUE is one of settings, NAME:no-wiki,KEY=VALUE both. Default: wiki and no-wiki.",
    ),
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of every arm, as in the config file.")
]
Split = Annotated[Part, typer.Option("--split", metavar="PART", help="tune, held-out, or all.")]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Accounts at most.")]
Questions = Annotated[
    int | None, typer.Option("--questions", min=1, metavar="N", help="Questions at most, drawn by the seed.")
]
Only = Annotated[list[str] | None, typer.Option("--category", metavar="NAME", help="Only these kinds of questions.")]
Seed = Annotated[int, typer.Option(metavar="S", help="Which questions are drawn.")]
Every = Annotated[int, typer.Option(min=0, metavar="DAYS", help="Days between two dreams; 0 = one at the end.")]
Labels = Annotated[
    Path | None, typer.Option("--corrections", metavar="FILE", help="Published corrections of LoCoMo's labels.")
]
Compiled = Annotated[EngineName, typer.Option("--engine", help="Who compiles the wiki.")]
Processes = Annotated[int, typer.Option(min=1, metavar="N", help="Accounts worked on at once.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the record of the run here.")]


def run(
    dataset: Name,
    data: Data,
    arm: Arms = None,
    change: Set = None,
    reader: Annotated[EngineName, typer.Option("--reader", help="Who answers.")] = EngineName.EXTRACTIVE,
    command: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="With --reader command: the agent, as in 'claude -p'.")
    ] = None,
    tokens: Annotated[int, typer.Option(min=1, metavar="N", help="Tokens of an extractive answer.")] = 120,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model that judges, provider:name. Default: by value.")
    ] = None,
    split: Split = Part.ALL,
    limit: Limit = None,
    questions: Questions = None,
    only: Only = None,
    seed: Seed = 0,
    every: Every = 7,
    engine: Compiled = EngineName.EXTRACTIVE,
    corrections: Labels = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    processes: Processes = 2,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Ask the same questions of brains that differ in one thing, and judge the answers.

    Accounts are filled by import and dream, as in use, and kept in the cache. A killed run goes on where it stopped.
    Limits hold for each question.

    Example: brain bench run personas --data personas --arm wiki --arm no-wiki --out record.json
    """
    from brain.bench.loading import Source
    from brain.bench.study import By, Reading

    reading = Reading(
        by=By(reader.value), tokens=tokens, command=command or "", minutes=max_minutes or 0, max_cost=max_cost or 0
    )
    source = Source(dataset=dataset, data=data, part=split, limit=limit, corrections=corrections)
    study = _study(
        source, arm, change, only, reading=reading, every=every, engine=engine.value, questions=questions, seed=seed,
        processes=processes,
    )  # fmt: skip
    if dry_run:
        _foresee(study, as_json=as_json)
        return
    from brain.bench.ablation import run as go

    with progress(f"{dataset.value}") as show:
        record = go(study, judge=_judge(judge, max_cost), judged_by=judge or "by value", progress=show)
    _give(record, out, as_json=as_json)


def export(
    dataset: Name,
    data: Data,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the folders go.")],
    arm: Arms = None,
    change: Set = None,
    split: Split = Part.ALL,
    limit: Limit = None,
    questions: Questions = None,
    only: Only = None,
    seed: Seed = 0,
    every: Every = 7,
    engine: Compiled = EngineName.EXTRACTIVE,
    corrections: Labels = None,
    processes: Processes = 2,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Write a folder a question, for any agent to answer: what it is told, a working set, the form of its answer.

    An agent is started in such a folder and told to follow README.md; then `brain bench score` reads the answers.

    Example: brain bench export personas --data personas --questions 40 --out asked
    """
    from brain.bench.loading import Source
    from brain.bench.study import By, Reading

    source = Source(dataset=dataset, data=data, part=split, limit=limit, corrections=corrections)
    study = _study(
        source, arm, change, only, reading=Reading(by=By.FILES), every=every, engine=engine.value,
        questions=questions, seed=seed, processes=processes,
    )  # fmt: skip
    if dry_run:
        _foresee(study, as_json=as_json)
        return
    from brain.bench.exporting import export as write

    with progress("export") as show:
        done = write(study, out, progress=show)
    if as_json:
        emit(done)
    else:
        print(
            f"{counted(done.folders, 'folder')} in {out}, of {counted(done.accounts, 'account')}; then: brain "
            f"bench score {out}"
        )
    for question, why in done.left_out.items():
        talk(f"left out: {question}: {why}")
    if done.left_out:
        raise typer.Exit(1)


def score(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What `brain bench export` wrote.")],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PATH", help="Where the data set is now, if it was moved.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model that judges, provider:name. Default: by value.")
    ] = None,
    max_cost: MaxCost = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Read and judge the answers that agents wrote into exported folders; what is missing or invalid is named.

    Example: brain bench score asked --out record.json
    """
    from brain.bench.exporting import score as judged

    done = judged(folder, judge=_judge(judge, max_cost), judged_by=judge or "by value", data=data)
    for number, why in done.without.items():
        talk(f"{folder / number}: {why}")
    _give(done.record, out, as_json=as_json)


def fetch(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Without one: which there are, and under which licence.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Where its files go.")] = None,
    base: Annotated[
        str | None, typer.Option("--from", metavar="URL", help="Another place that has the same files, as a mirror.")
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Get a public data set whose licence lets anybody use it; of another, say where it is.

    Example: brain bench fetch longmemeval-oracle --out data
    """
    from brain.bench.fetching import DATA_SETS
    from brain.bench.fetching import fetch as bring
    from brain.errors import UsageError

    if name is None:
        if as_json:
            emit(list(DATA_SETS.values()))
            return
        for one in DATA_SETS.values():
            print(f"{one.name:<20}{one.licence:<14}{one.title}\n{'':<34}{one.page}")
        return
    if name not in DATA_SETS:
        raise UsageError(f"no data set {name!r}", hint=f"known: {', '.join(DATA_SETS)}")
    with progress(name) as show:
        done = bring(DATA_SETS[name], out or Path(name), base=base, dry_run=dry_run, progress=show)
    if as_json:
        emit(done)
    else:
        verb = "would fetch" if dry_run else "fetched"
        print(f"{verb} {counted(len(done.new), 'file')} into {done.folder}, {len(done.kept)} were there")
    for warning in done.warnings:
        talk(warning)
    if done.warnings:
        raise typer.Exit(1)


def _study(
    source: Source, arm: Sequence[str] | None, change: Sequence[str] | None, only: Sequence[str] | None, **more: Any
) -> Study:
    from brain.bench.study import Study

    arms = tuple(_arm(one, change or ()) for one in arm or ("wiki", "no-wiki"))
    return Study(source=source, arms=arms, only=tuple(only or ()), **more)


def _arm(text: str, changes: Sequence[str]) -> Arm:
    """`NAME`, `NAME,KEY=VALUE`, `NAME:BASE,KEY=VALUE`; settings of every arm come first."""
    from brain.bench.arms import arm_of

    name, *own = re.split(r",(?=[\w.-]+=)", text)
    return arm_of(name, [*changes, *own])


def _judge(model: str | None, max_cost: float | None) -> Judge | None:
    """A model's judgement; None = by value."""
    if model is None:
        return None
    from brain.bench.judging.model import judge_of
    from brain.config import settings_from_environment

    return judge_of(model, config=settings_from_environment(), max_cost=max_cost, say=talk).judge


def _foresee(study: Study, *, as_json: bool) -> None:
    names = study.source.names()
    accounts = [study.source.account(name) for name in names]
    drawn = study.drawn(one for account in accounts for one in study.wanted(account))
    said = {
        "accounts": len(names),
        "turns_in": sum(len(account.inputs) for account in accounts),
        "questions": len(drawn),
        "arms": {arm.name: arm.json() for arm in study.arms},
        "reader": study.reading.by.value,
    }
    if as_json:
        emit(said)
        return
    print(
        f"{counted(len(names), 'account')}, {counted(len(drawn), 'question')} under "
        f"{counted(len(study.arms), 'arm')}, read by {said['reader']}"
    )
    for arm in study.arms:
        print(f"  {arm.name}: {', '.join(f'{k} {v}' for k, v in arm.json().items()) or 'as it is'}")


def _give(record: Answered, out: Path | None, *, as_json: bool) -> None:
    from brain.bench.answered import render
    from brain.tree.files import write_atomic

    text = render(record)
    if out:
        write_atomic(out, text)
    if as_json:
        print(text, end="")
    else:
        for line in lines(record):
            print(line)
    for filled in record.accounts:
        for remark in filled.remarks:
            talk(f"{filled.account}: {remark}")
    errors = Counter(one.given.error for one in record.results if one.given.error)
    for why, count in sorted(errors.items()):
        talk(f"{counted(count, 'question')} without an answer: {why}")
    if errors:
        raise typer.Exit(1)


def lines(record: Answered) -> Iterator[str]:
    """What came of each arm, by category; `brain bench report` says it with intervals."""
    from brain.bench.measures import measured

    shown = ("accuracy", "evidence recall", "reached", "read")
    found = {(one.arm, one.category, one.measure): one.estimate for one in measured(record)}
    yield f"{'arm':<16}{'category':<28}{'n':>5}" + "".join(f"{name:>17}" for name in shown)
    for arm, category in dict.fromkeys((arm, category) for arm, category, _ in found):
        some = [one for one in record.of(arm) if category in ("all", one.category)]
        cells = (found.get((arm, category, name)) for name in shown)
        values = "".join(f"{f'{cell.mean:.3f}' if cell else '-':>17}" for cell in cells)
        yield f"{arm:<16}{category:<28}{len(some):>5}{values}"
