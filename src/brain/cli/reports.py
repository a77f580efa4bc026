"""`brain bench report` and `compare`: what a run of answered questions says, and two runs side by side."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import emit, talk
from brain.cli.place import Json

if TYPE_CHECKING:
    from brain.bench.answered import Answered


class Form(StrEnum):
    TABLE = "table"
    MARKDOWN = "markdown"
    HTML = "html"


Record = Annotated[Path, typer.Argument(metavar="RECORD", help="What `brain bench run --out` wrote.")]
Apart = Annotated[
    list[str] | None,
    typer.Option("--apart", metavar="CATEGORY", help="Left out of `all`; LoCoMo: adversarial, unless said."),
]


def report(
    record: Record,
    form: Annotated[Form, typer.Option("--as", help="How it is written.")] = Form.TABLE,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write it here instead.")] = None,
    base: Annotated[str, typer.Option("--base", metavar="ARM", help="What other arms are held against.")] = "",
    apart: Apart = None,
    as_json: Json = False,
) -> None:
    """Say what a run found: every measure of every arm with intervals, differences, and what it could not have shown.

    Example: brain bench report record.json --as html --out report.html
    """
    from brain.bench.measures import measured
    from brain.bench.reporting import page, tables

    read = _record(record)
    left = _left_out(read, apart)
    if as_json:
        pairs = [one for some in tables.differences(read, apart=left, base=base) for one in some]
        emit({"measured": measured(read, apart=left), "differences": pairs})
        return
    text = page.html(read, apart=left, base=base) if form is Form.HTML else tables.markdown(read, apart=left, base=base)
    if out is None:
        print(text.rstrip())
        return
    from brain.tree.files import write_atomic

    write_atomic(out, text)
    talk(f"wrote {out}")


def compare(
    first: Record,
    second: Record,
    arm: Annotated[str, typer.Option("--arm", metavar="ARM", help="The arm of both runs. Default: the first.")] = "",
    apart: Apart = None,
    as_json: Json = False,
) -> None:
    """Hold two runs against each other on the questions both answered, the second minus the first.

    Example: brain bench compare before.json after.json --arm wiki
    """
    from brain.bench.measures import compared
    from brain.bench.reporting import tables
    from brain.errors import UsageError

    old, new = _record(first), _record(second)
    name = arm or next((one.arm for one in old.results), "")
    a, b = old.of(name), new.of(name)
    shared = {one.question for one in a} & {one.question for one in b}
    if not shared:
        raise UsageError(f"the runs share no question of arm {name!r}", hint="name an arm both have with --arm")
    found = compared(a, b, (f"{name} of {first.stem}", f"{name} of {second.stem}"), apart=_left_out(old, apart))
    if as_json:
        emit(found)
        return
    print(tables.difference(found))
    print(tables.power(found))
    alone = len(a) + len(b) - 2 * len(shared)
    if alone:
        talk(f"{alone} questions were answered in one run only and are left out")
    for what in ("code", "weights", "embedder", "plan"):
        if getattr(old, what) != getattr(new, what):
            talk(f"the runs differ in {what}")


def _left_out(record: Answered, apart: list[str] | None) -> tuple[str, ...]:
    from brain.bench.plan import APART

    if apart:
        return tuple(apart)
    return next((names for one, names in APART.items() if one == record.plan.get("dataset")), ())


def _record(path: Path) -> Answered:
    from brain.bench.answered import parse
    from brain.errors import NotFound

    try:
        return parse(path.read_text("utf-8"), str(path))
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"no record {str(path)!r}", hint="brain bench run … --out record.json") from None
