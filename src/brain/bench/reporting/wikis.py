"""What `brain bench wiki` measured, as Markdown and as a page: records side by side, or one held against another.

| measure | wanted | locomo | personas |
|---|---|---|---|
| dead links | none | 0/77 | 0/61 |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from brain.bench.quality.measure import Measure
from brain.bench.quality.record import Measured, Quality
from brain.bench.reporting import page
from brain.bench.reporting.charts import Bar, Series, bars

FLAWLESS = "share as wanted"


def markdown(records: Mapping[str, Quality]) -> str:
    """What was measured on what, then a row a measure and a column a record, all accounts of it added up."""
    parts = ["\n".join(about(name, record) for name, record in records.items()), table(records)]
    for name, record in records.items():
        if said := [f"- {one.account}: {remark}" for one in record.accounts for remark in one.remarks]:
            parts.append(f"Remarks of {name}:\n\n" + "\n".join(said))
    return "\n\n".join(parts) + "\n"


def about(name: str, record: Quality) -> str:
    """What a reader must know to read the figures: data, engine, dreams, size."""
    plan = record.plan
    if not plan:
        return f"- {name}: one memory as it is; {record.seconds:.0f} s."
    told = [f"{len(record.accounts)} accounts", f"engine {plan['engine']}", f"a dream every {plan['every']} days"]
    if plan.get("steps"):
        told.append(f"{plan['steps']} small steps against one")
    return f"- {name}: {plan['dataset']}, {', '.join(told)}; {record.seconds:.0f} s."


def table(records: Mapping[str, Quality]) -> str:
    """`count/of` of every measure that any record has, in the order of the first that has it, then growth."""
    whole = [record.all for record in records.values()]
    lines = [_row(["measure", "wanted", *records]), "|" + "---|" * (2 + len(whole))]
    for name, bad in _names(whole).items():
        cells = [_told(_found(one, name)) for one in whole]
        lines.append(_row([name, "none" if bad else "all", *cells]))
    for title, values in _grown(whole):
        lines.append(_row([title, "", *values]))
    return "\n".join(lines)


def compared(first: Quality, second: Quality, names: tuple[str, str]) -> str:
    """Both records and the second minus the first, in points; of accounts in both, how many became better and worse."""
    whole = [first.all, second.all]
    both = [(one, other) for one in first.accounts for other in second.accounts if one.account == other.account]
    lines = [_row(["measure", "wanted", *names, "difference", "accounts better", "worse"]), "|" + "---|" * 7]
    for name, bad in _names(whole).items():
        one, other = (_found(side, name) for side in whole)
        moved = [_moved(_found(a, name), _found(b, name)) for a, b in both]
        counts = [str(sum(move is not None and move > 0 for move in moved)),
                  str(sum(move is not None and move < 0 for move in moved))]  # fmt: skip
        lines.append(_row([name, "none" if bad else "all", _told(one), _told(other), _points(one, other), *counts]))
    for title, values in _grown(whole):
        lines.append(_row([title, "", *values, "", "", ""]))
    return "\n".join(lines)


def html(records: Mapping[str, Quality]) -> str:
    """A page that opens without network: a chart of how much is as wanted, the table, and the examples a record has."""
    title = f"brain bench wiki: {', '.join(records)}"
    whole = {name: record.all for name, record in records.items()}
    names = list(_names(list(whole.values())))
    numbers = [str(at) for at in range(1, len(names) + 1)]
    series = [
        Series(name=name, bars=tuple(Bar(value=_flawless(_found(one, measure))) for measure in names))
        for name, one in whole.items()
    ]
    parts = [f"<h1>{escape(title)}</h1>"]
    parts += [f"<p>{escape(about(name, record)[2:])}</p>" for name, record in records.items()]
    parts += [f"<h2>{FLAWLESS}</h2>", bars(FLAWLESS, numbers, series)]
    listed = "".join(f"<li>{escape(name)}</li>" for name in names)
    parts += [f"<ol>{listed}</ol>", "<h2>All measures</h2>", page.drawn(table(records))]
    for name, one in whole.items():
        for measure in one.measures:
            if measure.flaws and measure.examples:
                said = "".join(f"<li>{escape(example)}</li>" for example in measure.examples)
                parts.append(f"<h3>{escape(name)}: {escape(measure.name)}</h3>\n<ul>{said}</ul>")
    return page.framed(title, parts)


def _names(whole: Sequence[Measured]) -> dict[str, bool]:
    """Every measure once, with whether none of it is wanted."""
    return {measure.name: measure.bad for one in whole for measure in one.measures}


def _found(one: Measured, name: str) -> Measure | None:
    return next((measure for measure in one.measures if measure.name == name), None)


def _told(one: Measure | None) -> str:
    """`46/77 (59.7 %)`; the share is left out where all is as wanted."""
    if one is None:
        return "–"
    share = "" if one.share is None or not one.flaws else f" ({one.share:.1%})".replace("%", " %")
    return f"{one.count:,}/{one.of:,}{share}"


def _flawless(one: Measure | None) -> float | None:
    return 1 - one.flaws / one.of if one and one.of else None


def _moved(one: Measure | None, other: Measure | None) -> float | None:
    """By how much more is as wanted in the second."""
    before, after = _flawless(one), _flawless(other)
    return None if before is None or after is None else after - before


def _points(one: Measure | None, other: Measure | None) -> str:
    if not one or not other or one.share is None or other.share is None:
        return "–"
    points = 100 * (other.share - one.share)
    return f"{'+' if points > 0 else '−' if points < 0 else '±'}{abs(points):.1f}"


def _grown(whole: Sequence[Measured]) -> Iterator[tuple[str, list[str]]]:
    """Rows of growth: tokens of pages a session, over all, and in each half of the sessions."""
    rows = {
        "tokens of wiki a session": [one.growth.a_session for one in whole],
        "… in the first half of the sessions": [one.growth.first_half for one in whole],
        "… in the second half": [one.growth.second_half for one in whole],
    }
    for title, values in rows.items():
        if any(value is not None for value in values):
            yield title, ["–" if value is None else f"{value:.0f}" for value in values]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
