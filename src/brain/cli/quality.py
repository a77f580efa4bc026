"""`brain bench wiki`: how good a wiki is, without asking it anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brain.bench.plan import Dataset, Part
from brain.cli.output import progress, talk
from brain.cli.place import EngineName, Json


def wiki(
    dataset: Annotated[
        Dataset | None,
        typer.Argument(metavar="DATASET", help="personas, locomo, longmemeval, realmem or beam. Default: a memory."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PATH", help="The data set's file, or the folder of its files.")
    ] = None,
    memory: Annotated[
        Path | None, typer.Option("--memory", metavar="DIR", envvar="BRAIN_MEMORY", help="A memory tree, only read.")
    ] = None,
    split: Annotated[Part, typer.Option("--split", metavar="PART", help="tune, held-out, or all.")] = Part.ALL,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Accounts at most.")] = None,
    every: Annotated[int, typer.Option(min=0, metavar="DAYS", help="Days between two dreams; 0 = one at the end.")] = 7,
    steps: Annotated[
        int, typer.Option(min=0, metavar="N", help="Dreams that are held against a single one; 0 = not measured.")
    ] = 30,
    forget: Annotated[
        bool, typer.Option(help="Forget what questions say, in a copy, and look for what is left.")
    ] = True,
    engine: Annotated[EngineName, typer.Option("--engine", help="Who compiles the wiki.")] = EngineName.EXTRACTIVE,
    processes: Annotated[int, typer.Option(min=1, metavar="N", help="Accounts worked on at once.")] = 2,
    examples: Annotated[bool, typer.Option("--examples", help="Print some of what is not as it should be.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the record of the run here.")] = None,
    as_json: Json = False,
) -> None:
    """Measure a wiki without questions: citations, speakers, subjects, links, staleness, forgetting, growth, drift.

    Of a memory (`--memory`) what the tree alone shows; of a data set also stale claims after planted updates, what is
    left after a forget, and how much a wiki depends on when one dreams. Nothing of a memory is changed.

    Example: brain bench wiki --memory memory --examples
    """
    from brain.bench.loading import Source
    from brain.bench.quality.record import render, table
    from brain.bench.quality.study import Plan, of_accounts, of_brain
    from brain.brain import Brain
    from brain.errors import UsageError
    from brain.tree.files import write_atomic

    if dataset is None:
        if data is not None:
            raise UsageError("--data without the name of its data set", hint=f"brain bench wiki personas --data {data}")
        record = of_brain(Brain.place(memory))
    elif data is None:
        raise UsageError(f"where is {dataset.value}?", hint=f"brain bench wiki {dataset.value} --data PATH")
    else:
        source = Source(dataset=dataset, data=data, part=split, limit=limit)
        plan = Plan(
            source=source, every=every, engine=engine.value, steps=steps, forget=forget, processes=processes
        )  # fmt: skip
        with progress(dataset.value) as show:
            record = of_accounts(plan, progress=show)
    if out:
        write_atomic(out, render(record))
    if as_json:
        print(render(record), end="")
    else:
        for line in table(record, examples=examples):
            print(line)
    remarks = [f"{one.account}: {remark}" for one in record.accounts for remark in one.remarks]
    for remark in remarks:
        talk(remark)
