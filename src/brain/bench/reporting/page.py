"""A run as one HTML page: what was run, charts, every table, the questions that went wrong. Opens without network."""

# ruff: noqa: E501 — a rule of style a line

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from brain.bench.answered import Answered, Result
from brain.bench.measures import BY_NAME, Measured, measured
from brain.bench.reporting import tables
from brain.bench.reporting.charts import Bar, Series, bars

CHARTS = ("accuracy", "evidence recall", "reached", "citation precision", "read", "tokens in", "cost", "seconds")
WORST = 40

_STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fff; --line: #d8d8dc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --paper: #17181a; --line: #3a3a3e; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; font-variant-numeric: tabular-nums; }
td, th { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: left; }
svg { width: 100%; height: auto; } .grid { stroke: var(--line); } .whisker { stroke: var(--ink); stroke-width: 1.5; }
text { fill: var(--ink); font: 12px system-ui, sans-serif; } .tick, .group { font-size: 11px; }
"""


def html(record: Answered, *, apart: Sequence[str] = (), base: str = "") -> str:
    """The page. Whatever a record says of questions and answers is text in it, never markup."""
    found = measured(record, apart=apart)
    title = f"brain bench: {record.plan.get('dataset', '')}"
    parts = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(line)}</p>" for line in tables.about(record))]
    parts += [_chart(found, measure) for measure in CHARTS]
    parts += ["<h2>All measures</h2>", drawn(tables.summary(found))]
    parts += [f"<ul>{''.join(f'<li>{escape(line[2:])}</li>' for line in tables.measures_said().splitlines())}</ul>"]
    for pairs in tables.differences(record, apart=apart, base=base):
        parts += [f"<h2>{escape(pairs[0].second)} against {escape(pairs[0].first)}</h2>" if pairs else ""]
        parts += [drawn(tables.difference(pairs)), f"<p>{escape(tables.power(pairs))}</p>"]
    parts.append(_failures(record))
    return framed(title, parts)


def framed(title: str, parts: Sequence[str]) -> str:
    """A page of its own: nothing of it is fetched."""
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def _chart(found: Sequence[Measured], measure: str) -> str:
    some = [one for one in found if one.measure == measure]
    if not some or not any(one.estimate.mean for one in some):
        return ""
    groups = list(dict.fromkeys(one.category for one in some))
    by = {(one.arm, one.category): one.estimate for one in some}
    series = []
    for arm in dict.fromkeys(one.arm for one in some):
        cells = [by.get((arm, group)) for group in groups]
        made = (Bar(value=c.mean, low=c.low, high=c.high) if c else Bar(value=None) for c in cells)
        series.append(Series(name=arm, bars=tuple(made)))
    chart = bars(f"{measure} by category", groups, series, share=BY_NAME[measure].share)
    return f"<h2>{escape(measure)}</h2>\n<p>{escape(BY_NAME[measure].says)}</p>\n{chart}"


def drawn(text: str) -> str:
    """A Markdown table as one of HTML."""
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if "---" not in line]
    if not rows:
        return ""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _failures(record: Answered) -> str:
    """Questions answered wrongly by the first arm, for reading."""
    arm = next(iter(dict.fromkeys(one.arm for one in record.results)), "")
    wrong = [one for one in record.of(arm) if one.judgement.correct is False][:WORST]
    if not wrong:
        return ""
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(one))}</tr>" for one in wrong)
    head = "".join(f"<th>{name}</th>" for name in ("question", "category", "why", "answer"))
    return f"<h2>Wrong, {escape(arm)}</h2>\n<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(one: Result) -> tuple[str, str, str, str]:
    return one.question, one.category, one.judgement.how, one.given.text[:300]
