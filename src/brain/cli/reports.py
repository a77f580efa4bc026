"""`brain bench report` and `compare`: what a run of answered questions or of wikis says, and two runs side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import emit, plain, talk
from brain.cli.place import Json
from brain.text import counted

if TYPE_CHECKING:
    from brain.bench.answered import Answered
    from brain.bench.quality.record import Quality


class Form(StrEnum):
    TABLE = "table"
    MARKDOWN = "markdown"
    HTML = "html"


Record = Annotated[Path, typer.Argument(metavar="RECORD", help="What `brain bench run --out` or `wiki --out` wrote.")]
Apart = Annotated[
    list[str] | None,
    typer.Option("--apart", metavar="CATEGORY", help="Left out of `all`; LoCoMo: adversarial, unless said."),
]


def report(
    records: Annotated[
        list[Path], typer.Argument(metavar="RECORD…", help="What `brain bench run --out` or `wiki --out` wrote.")
    ],
    form: Annotated[Form, typer.Option("--as", help="How it is written.")] = Form.TABLE,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write it here instead.")] = None,
    base: Annotated[str, typer.Option("--base", metavar="ARM", help="What other arms are held against.")] = "",
    apart: Apart = None,
    as_json: Json = False,
) -> None:
    """Say what a run found: every measure of every arm with intervals, differences, and what it could not have shown.

    Records of wikis come as one table, a column each; of answers give one at a time.

    Example: brain bench report record.json --as html --out report.html
    """
    from brain.bench.quality.record import Quality
    from brain.errors import UsageError

    read = {path.stem: _record(path) for path in records}
    wikis = {name: one for name, one in read.items() if isinstance(one, Quality)}
    answers = [one for one in read.values() if not isinstance(one, Quality)]
    if len(wikis) < len(records) and (wikis or len(records) > 1):
        raise UsageError(
            "one record of answers, or several of wikis with names of their own", hint="brain bench report record.json"
        )
    text = _of_wikis(wikis, form, as_json) if wikis else _of_answers(answers[0], form, base, apart, as_json)
    if out is None:
        print(text.rstrip())
        return
    from brain.tree.files import write_atomic

    write_atomic(out, text)
    talk(f"wrote {out}")


def _of_answers(read: Answered, form: Form, base: str, apart: list[str] | None, as_json: bool) -> str:
    from brain.bench.measures import measured
    from brain.bench.reporting import page, tables

    left = _left_out(read, apart)
    if as_json:
        pairs = [one for some in tables.differences(read, apart=left, base=base) for one in some]
        return _as_json({"measured": measured(read, apart=left), "differences": pairs})
    if form is Form.HTML:
        return page.html(read, apart=left, base=base)
    return tables.markdown(read, apart=left, base=base)


def _of_wikis(wikis: Mapping[str, Quality], form: Form, as_json: bool) -> str:
    from brain.bench.reporting.wikis import html, markdown

    if as_json:
        return _as_json({name: one.all.json() for name, one in wikis.items()})
    return html(wikis) if form is Form.HTML else markdown(wikis)


def compare(
    first: Record,
    second: Record,
    arm: Annotated[str, typer.Option("--arm", metavar="ARM", help="The arm of both runs. Default: the first.")] = "",
    apart: Apart = None,
    as_json: Json = False,
) -> None:
    """Hold two runs against each other, the second minus the first: answers on the questions both have, or two wikis.

    Example: brain bench compare before.json after.json --arm wiki
    """
    from brain.bench.quality.record import Quality
    from brain.errors import UsageError

    old, new = _record(first), _record(second)
    names = (first.stem, second.stem)
    if isinstance(old, Quality) and isinstance(new, Quality):
        _compare_wikis(old, new, names, as_json)
        return
    if isinstance(old, Quality) or isinstance(new, Quality):
        raise UsageError("a record of answers and one of a wiki", hint="give two of a kind")
    _compare_answers(old, new, names, arm, apart, as_json)
    _say_differing(old, new, ("code", "weights", "embedder", "plan"))


def _compare_answers(
    old: Answered, new: Answered, names: tuple[str, str], arm: str, apart: list[str] | None, as_json: bool
) -> None:
    from brain.bench.measures import compared
    from brain.bench.reporting import tables
    from brain.errors import UsageError

    name = arm or next((one.arm for one in old.results), "")
    a, b = old.of(name), new.of(name)
    shared = {one.question for one in a} & {one.question for one in b}
    if not shared:
        raise UsageError(f"the runs share no question of arm {name!r}", hint="name an arm both have with --arm")
    found = compared(a, b, (f"{name} of {names[0]}", f"{name} of {names[1]}"), apart=_left_out(old, apart))
    if as_json:
        emit(found)
        return
    print(tables.difference(found))
    print(tables.power(found))
    alone = len(a) + len(b) - 2 * len(shared)
    if alone:
        talk(f"left out: {counted(alone, 'question')} answered in one run only")


def _compare_wikis(old: Quality, new: Quality, names: tuple[str, str], as_json: bool) -> None:
    from brain.bench.reporting.wikis import compared

    if as_json:
        emit({"first": old.all.json(), "second": new.all.json()})
        return
    print(compared(old, new, names))
    _say_differing(old, new, ("code", "files", "plan"))


def _say_differing(old: Answered | Quality, new: Answered | Quality, parts: Sequence[str]) -> None:
    for what in parts:
        if getattr(old, what) != getattr(new, what):
            talk(f"the runs differ in {what}")


def _left_out(record: Answered, apart: list[str] | None) -> tuple[str, ...]:
    from brain.bench.plan import APART

    if apart:
        return tuple(apart)
    return next((names for one, names in APART.items() if one == record.plan.get("dataset")), ())


def _record(path: Path) -> Answered | Quality:
    """A record of either kind. Raises NotFound, FormatError."""
    from brain.bench import answered
    from brain.bench.quality import record as quality
    from brain.errors import NotFound

    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"no record {str(path)!r}", hint="brain bench run … --out record.json") from None
    return quality.parse(text, str(path)) if '"quality_format"' in text[:200] else answered.parse(text, str(path))


def _as_json(value: object) -> str:
    return json.dumps(plain(value), ensure_ascii=False, indent=2) + "\n"
