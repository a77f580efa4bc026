"""Charts as SVG: bars by category, an arm a colour, its interval a whisker. No script, no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

COLOURS = ("#2f6f9f", "#c2792e", "#5b8c5a", "#8c5a8c", "#7a7a7a", "#b04a4a")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 920, 300, 52, 60, 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A value with its interval; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    name: str
    bars: tuple[Bar, ...]


def bars(title: str, groups: Sequence[str], series: Sequence[Series], *, share: bool = True) -> str:
    """Grouped bars; `share` fixes the axis to 0..1."""
    values = [n for one in series for bar in one.bars for n in (bar.value, bar.high) if n is not None]
    top = 1.0 if share else (max(values, default=1.0) or 1.0) * 1.1
    plot = HEIGHT - TOP - BOTTOM
    step = (WIDTH - LEFT - 10) / max(1, len(groups))
    wide = min(40.0, step * 0.8 / max(1, len(series)))

    def y(value: float) -> float:
        return TOP + plot * (1 - min(value, top) / top)

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    for mark in range(6):
        at = top * mark / 5
        label = f"{at:.1f}" if share else f"{at:,.3g}"
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 10}" y1="{y(at):.1f}" y2="{y(at):.1f}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{y(at) + 4:.1f}" text-anchor="end">{label}</text>')
    for place, group in enumerate(groups):
        start = LEFT + step * place + (step - wide * len(series)) / 2
        for number, one in enumerate(series):
            parts += _bar(
                one.bars[place], start + wide * number, wide, y, COLOURS[number % len(COLOURS)], f"{one.name}, {group}"
            )
        middle = LEFT + step * (place + 0.5)
        here = f'x="{middle:.1f}" y="{HEIGHT - BOTTOM + 18}"'
        parts.append(f'<text class="group" {here} text-anchor="middle">{escape(group)}</text>')
    for number, one in enumerate(series):
        x = LEFT + 150 * number
        parts.append(
            f'<rect x="{x}" y="{HEIGHT - 24}" width="12" height="12" fill="{COLOURS[number % len(COLOURS)]}"/>'
        )
        parts.append(f'<text class="group" x="{x + 18}" y="{HEIGHT - 14}">{escape(one.name)}</text>')
    return "".join([*parts, "</svg>"])


def _bar(bar: Bar, x: float, wide: float, y, colour: str, says: str) -> list[str]:  # type: ignore[no-untyped-def]
    if bar.value is None:
        return []
    place = f'x="{x:.1f}" y="{y(bar.value):.1f}" width="{wide - 2:.1f}" height="{y(0) - y(bar.value):.1f}"'
    found = [f'<rect {place} fill="{colour}"><title>{escape(says)}: {bar.value:.3g}</title></rect>']
    if bar.low is not None and bar.high is not None and bar.high > bar.low:
        middle = x + wide / 2 - 1
        found.append(
            f'<line class="whisker" x1="{middle:.1f}" x2="{middle:.1f}" y1="{y(bar.low):.1f}" y2="{y(bar.high):.1f}"/>'
        )
    return found
