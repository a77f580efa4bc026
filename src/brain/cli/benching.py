"""`brain bench`: what memory finds, measured on data sets you have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.bench.plan import Arm, Dataset, Part, Plan, Unit, Vectors
from brain.cli import personas, quality, replaying, reports, studies
from brain.cli.output import emit, progress, talk
from brain.cli.place import Json, MaxCost

if TYPE_CHECKING:
    from brain.bench.records import Record

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Measure what memory finds, on data you have.")
app.add_typer(personas.app, name="personas")
app.add_typer(replaying.app, name="replay")
for _command in (
    studies.run,
    studies.export,
    studies.score,
    reports.report,
    reports.compare,
    studies.fetch,
    quality.wiki,
):
    app.command()(_command)


@app.callback()
def bench() -> None:
    """Measure what memory finds, on data you have."""


@app.command()
def recall(
    dataset: Annotated[Dataset, typer.Argument(metavar="DATASET", help="locomo, longmemeval or realmem.")],
    data: Annotated[Path, typer.Option("--data", metavar="PATH", help="Its file, or the folder of its files.")],
    arm: Annotated[
        list[Arm] | None,
        typer.Option(metavar="ARM", help="words, meaning, fused, fused+wiki; more than once. Default: not the last."),
    ] = None,
    split: Annotated[
        Part, typer.Option(metavar="PART", help="tune, held-out (what nothing was chosen on), or all.")
    ] = Part.HELD_OUT,
    unit: Annotated[
        list[Unit] | None, typer.Option(metavar="UNIT", help="turn, session; more than once. Default: both.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Conversations at most.")] = None,
    vectors: Annotated[
        Vectors, typer.Option(metavar="WHOSE", help="all, or users: of what users said, which comes first.")
    ] = Vectors.ALL,
    nights: Annotated[int, typer.Option(min=1, metavar="DAYS", help="Days between two dreams, for fused+wiki.")] = 7,
    worst: Annotated[int, typer.Option(min=0, metavar="N", help="Print the N questions that come out worst.")] = 0,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the record of the run here.")] = None,
    as_json: Json = False,
) -> None:
    """Evidence recall: how much of what a question rests on is among the first 5, 10, 20 and 50 results.

    No model is needed. A killed run goes on where it stopped.

    Example: brain bench recall locomo --data locomo10.json --arm fused --arm fused+wiki
    """
    from brain.bench import records
    from brain.bench.runs import run
    from brain.bench.tables import table

    plan = Plan(
        dataset=dataset,
        data=data,
        part=split,
        arms=tuple(dict.fromkeys(arm or (Arm.WORDS, Arm.MEANING, Arm.FUSED))),
        units=tuple(dict.fromkeys(unit or Unit)),
        limit=limit,
        vectors=vectors,
        nights=nights,
    )
    with progress(f"recall on {dataset.value}") as show:
        record = run(plan, progress=show)
    text = records.render(record)
    if out:
        out.write_text(text, encoding="utf-8")
    print(text.rstrip() if as_json else table(record.rows, apart=plan.apart))
    for remark in record.remarks:
        talk(remark)
    if worst and not as_json:
        _print_worst(plan, record, worst)


@app.command()
def judge(
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="A model as judge. Default: the judge without a model.")
    ] = None,
    max_cost: MaxCost = None,
    as_json: Json = False,
) -> None:
    """How far a judge agrees with a person: sixty answers that were labelled by hand, and where they differ.

    A model's verdicts are kept: after a kill it is asked only for those that are missing.

    Example: brain bench judge --model openai:gpt-4.1-mini
    """
    from brain.bench.judging.judge import judge as by_value
    from brain.bench.judging.kept import Judge, KeptJudge
    from brain.bench.judging.labelled import check
    from brain.bench.judging.model import judge_of
    from brain.config import cache_home, settings_from_environment

    name = "without a model"
    asked: Judge = by_value
    if model:
        by_model = judge_of(model, config=settings_from_environment(), max_cost=max_cost, say=talk)
        name, asked = model, KeptJudge(by_model.judge, by_model.known_by, cache_home() / "bench" / "labelled.jsonl")
    with progress("judging") as show:
        found = check(asked, progress=show)
    if as_json:
        counts = {"unscored": found.unscored, "too_strict": found.too_strict, "too_kind": found.too_kind}
        emit({"judge": name, "agreement": found, **counts})
        return
    print(
        f"{name}: {found.share:.0%} of {found.scored} as labelled, kappa {found.kappa:.2f}, {found.unscored} unscored"
    )
    print(f"{found.too_strict} right answers called wrong, {found.too_kind} wrong ones called right")
    for one, verdict in found.apart:
        print(f"  {one.asked.text} {one.given.text} (labelled {'right' if one.right else 'wrong'}: {verdict.how})")
    for one, verdict in found.left:
        print(f"  {one.asked.text} {one.given.text} (unscored: {verdict.how})")


def _print_worst(plan: Plan, record: Record, count: int) -> None:
    """Of the last arm and the first unit asked for."""
    from brain.bench.runs import texts
    from brain.bench.tables import worst

    arm, unit = plan.arms[-1], plan.units[0]
    rows = [row for row in record.rows if row.arm is arm and row.unit is unit and row.category not in plan.apart]
    hardest = worst(rows, count)
    words = texts(plan, hardest)
    print(f"\nworst of {arm.value} by {unit.value}:")
    for row in hardest:
        print(f"  {row.question} ({row.category}) {words[row.question]}\n    ranks {list(row.ranks)}")
