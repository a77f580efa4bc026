"""Rows of recall as tables: by unit, arm and category, each with the number of questions.

Recall@k is the mean over questions of the share of gold units among the first k; all@k is the share of questions with
every one of them there.
"""

from __future__ import annotations

from collections.abc import Sequence

from brain.bench.plan import Arm, Unit
from brain.bench.recall import Row

KS = (5, 10, 20, 50)


def mean(rows: Sequence[Row], k: int) -> float:
    return sum(row.recall(k) for row in rows) / len(rows) if rows else 0.0


def strict(rows: Sequence[Row], k: int) -> float:
    return sum(row.all_hit(k) for row in rows) / len(rows) if rows else 0.0


def table(rows: Sequence[Row], *, apart: Sequence[str] = (), ks: Sequence[int] = KS) -> str:
    """Markdown. Categories in `apart` are left out of "all"."""
    head = ["unit", "arm", "category", "n", *(f"R@{k}" for k in ks), *(f"all@{k}" for k in ks)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for unit in Unit:
        for arm in Arm:
            some = [row for row in rows if row.unit is unit and row.arm is arm]
            lines += [_line(unit, arm, name, group, ks) for name, group in _groups(some, apart)]
    return "\n".join(lines)


def _groups(rows: Sequence[Row], apart: Sequence[str]) -> list[tuple[str, list[Row]]]:
    if not rows:
        return []
    categories = sorted({row.category for row in rows}, key=lambda name: (name in apart, name))
    counted = [row for row in rows if row.category not in apart]
    return [("all", counted), *((name, [row for row in rows if row.category == name]) for name in categories)]


def _line(unit: Unit, arm: Arm, category: str, rows: Sequence[Row], ks: Sequence[int]) -> str:
    cells = [f"{mean(rows, k):.3f}" for k in ks] + [f"{strict(rows, k):.3f}" for k in ks]
    return "| " + " | ".join([unit.value, arm.value, category, str(len(rows)), *cells]) + " |"


def worst(rows: Sequence[Row], count: int = 10, k: int = 10) -> list[Row]:
    """The questions whose evidence comes up least and latest."""
    missing = 10 * max(KS)
    return sorted(rows, key=lambda row: (row.recall(k), -sum(rank or missing for rank in row.ranks), row.question))[
        :count
    ]
