"""The series as one HTML page: a picture a measure, with the wiki and without. No script, no network."""

# ruff: noqa: E501 — styles and markup
from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from brain.bench.replay.series import ARMS, SHOWN, Day
from brain.bench.reporting.charts import COLOURS

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 230, 48, 12, 14, 34
NAMES = {"wiki": "wiki on", "no-wiki": "wiki off"}
MOST_TICKS = 8
SAYS = {
    "accuracy": "the answer is right",
    "currency": "of what changed, the newest value is given",
    "reached": "a turn that bears the answer is cited or was opened",
}
_STYLE = """
:root { color-scheme: light dark; --ink: #222; --grid: #ddd; --paper: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --grid: #444; --paper: #1b1b1b } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 800px; margin: 2em auto; padding: 0 1em }
svg { width: 100%; height: auto } text { fill: var(--ink); font: 12px system-ui, sans-serif }
.grid { stroke: var(--grid) } .line { fill: none; stroke-width: 2 } .whisker { stroke-width: 1; opacity: .45 }
.new { stroke: var(--ink); stroke-dasharray: 3 4; opacity: .5 } .key { display: inline-block; width: 1em; height: .7em; margin-right: .4em }
"""


def page(days: Sequence[Day]) -> str:
    """The whole page, the same bytes for the same days."""
    body = "".join(part for reader in dict.fromkeys(one.reader for one in days) for part in _reader(days, reader))
    keys = "".join(
        f'<span class="key" style="background:{COLOURS[at]}"></span>{NAMES[arm]} &nbsp; ' for at, arm in enumerate(ARMS)
    )
    note = (
        "Whiskers are 95 % intervals, drawn over questions. A dashed line: from here on other questions were asked."
        if days
        else "Nothing was replayed yet."
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Replay</title>'
        f"<style>{_STYLE}</style></head><body><h1>Replay: my own questions</h1><p>{keys}</p>{body}<p>{note}</p></body></html>\n"
    )


def _reader(days: Sequence[Day], reader: str) -> Iterator[str]:
    some = [one for one in days if one.reader == reader]
    yield f"<h2>Read by {escape(reader)}</h2>"
    for measure, name in SHOWN.items():
        if any(one.value(arm, measure) for one in some for arm in ARMS):
            yield f"<h3>{escape(name.capitalize())}: {SAYS[measure]}</h3>" + lines(some, measure)


def lines(days: Sequence[Day], measure: str) -> str:
    """One measure over the days, as SVG. Days stand apart as they lay apart."""
    first, last = days[0].day, days[-1].day
    span = max((last - first).days, 1)

    def x(one: Day) -> float:
        alone = first == last
        return LEFT + (WIDTH - LEFT - RIGHT) * (0.5 if alone else (one.day - first).days / span)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value)

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(SHOWN[measure])} by day">']
    for mark in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:.0%}</text>')
    every = -(-len(days) // MOST_TICKS)
    for one in days[::every]:
        parts.append(f'<text x="{x(one):.1f}" y="{HEIGHT - 12}" text-anchor="middle">{one.day.isoformat()[5:]}</text>')
    for before, one in pairwise(days):
        if before.set != one.set:
            parts.append(f'<line class="new" x1="{x(one):.1f}" x2="{x(one):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    for number, arm in enumerate(ARMS):
        points = [(x(one), one, found) for one in days if (found := one.value(arm, measure))]
        colour, aside = COLOURS[number], 3 * number
        path = " ".join(f"{at:.1f},{y(found.mean):.1f}" for at, _, found in points)
        parts.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
        for at, one, found in points:
            if found.low is not None and found.high is not None:
                ends = f'y1="{y(found.low):.1f}" y2="{y(found.high):.1f}"'
                whisker = f'x1="{at + aside:.1f}" x2="{at + aside:.1f}" {ends}'
                parts.append(f'<line class="whisker" stroke="{colour}" {whisker}/>')
            says = f"{NAMES[arm]}, {one.day.isoformat()}: {found.mean:.0%} of {found.n}"
            parts.append(
                f'<circle cx="{at:.1f}" cy="{y(found.mean):.1f}" r="3.5" fill="{colour}"><title>{says}</title></circle>'
            )
    return "".join([*parts, "</svg>"])
