"""Run records as JSON files: what a run depends on, then one question a line with the ranks of its evidence.

    "conv-1_qa3": {"of": "conv-1", "category": "multi-hop", "ranks": {"turn fused": [2, null]}}

No text of a data set is in it, so that a record can be published. Written and read without loss.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from brain.bench.plan import Arm, Unit
from brain.bench.recall import Row
from brain.errors import FormatError


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a run gave, with all it depends on. `remarks` are what went wrong on the way."""

    brain: str
    plan: dict[str, object]
    files: dict[str, str]
    code: dict[str, str]
    weights: dict[str, float]
    embedder: str
    conversations: tuple[str, ...]
    rows: tuple[Row, ...]
    remarks: tuple[str, ...] = ()


_HEAD = ("brain", "plan", "files", "code", "weights", "embedder", "conversations", "remarks")


def render(record: Record) -> str:
    """JSON, a line for each thing a run depends on and for each question."""
    head = [f" {_json(name)}: {_json(getattr(record, name))}" for name in _HEAD]
    asked: dict[str, dict[str, Any]] = {}
    for row in record.rows:
        one = asked.setdefault(row.question, {"of": row.conversation, "category": row.category, "ranks": {}})
        one["ranks"][f"{row.unit.value} {row.arm.value}"] = row.ranks
    questions = ",\n".join(f"  {_json(name)}: {_json(one)}" for name, one in asked.items())
    return "{\n" + ",\n".join(head) + ',\n "questions": {\n' + questions + "\n }\n}\n"


def parse(text: str) -> Record:
    """Read what `render` wrote. Raises FormatError."""
    try:
        held = json.loads(text)
        rows = [
            _row(name, one, key, ranks)
            for name, one in held["questions"].items()
            for key, ranks in one["ranks"].items()
        ]
        return Record(
            **{name: held[name] for name in ("brain", "plan", "files", "code", "weights", "embedder")},
            conversations=tuple(held["conversations"]),
            remarks=tuple(held["remarks"]),
            rows=tuple(rows),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"no record of a run: {error}") from None


def _row(name: str, one: dict[str, Any], key: str, ranks: list[int | None]) -> Row:
    unit, _, arm = key.partition(" ")
    return Row(
        conversation=str(one["of"]),
        question=name,
        category=str(one["category"]),
        arm=Arm(arm),
        unit=Unit(unit),
        ranks=tuple(None if rank is None else int(rank) for rank in ranks),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
