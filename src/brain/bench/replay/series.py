"""The time series: a line a day and reader, with what each arm got right; and the table of it.

{"day": "2026-06-01", "reader": "extractive, 120 tokens", "questions": 12, "set": "9c1f…", "arms": {"wiki":
 {"accuracy": {"mean": 0.83, "n": 12, "low": 0.58, "high": 1.0}, …}, …}, "only_wiki": 3, "only_no_wiki": 1, "p": 0.63}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from brain.bench.answered import Answered
from brain.bench.measures import BY_NAME
from brain.bench.replay.kept import SERIES
from brain.bench.statistics import Estimate, mean, paired
from brain.errors import FormatError
from brain.tree.files import write_atomic

ARMS = ("wiki", "no-wiki")
SHOWN = {"accuracy": "accuracy", "currency": "currency", "reached": "recall"}
"""Measures of the chart and the table, with their names there: recall is a source that bears the answer, seen."""

MEASURED = (*SHOWN, "stale", "refused", "unscored", "read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What came of one day. `set` names the questions, `commit` the state of main; `only_*` count questions that one
    arm alone got right, `p` is McNemar's exact test of that."""

    day: date
    reader: str
    brain: str
    commit: str
    set: str
    questions: int
    arms: Mapping[str, Mapping[str, Estimate]]
    only_wiki: int = 0
    only_no_wiki: int = 0
    p: float | None = None

    def value(self, arm: str, measure: str) -> Estimate | None:
        return self.arms.get(arm, {}).get(measure)


def day_of(record: Answered, *, day: date, commit: str, questions: str) -> Day:
    """The line of a run. Intervals draw questions: here all are of one brain."""
    first, second = ({one.question: one for one in record.of(arm)} for arm in ARMS)
    value = BY_NAME["accuracy"].value
    on, off = ({id: v for id, one in some.items() if (v := value(one)) is not None} for some in (first, second))
    both = paired(off, on, {id: id for id in on}) if on.keys() & off.keys() else None
    return Day(
        day=day,
        reader=str(record.plan["reader"]),
        brain=record.brain,
        commit=commit,
        set=questions,
        questions=len(first),
        arms={arm: dict(_measured(record, arm)) for arm in ARMS},
        only_wiki=both.only_second if both else 0,
        only_no_wiki=both.only_first if both else 0,
        p=both.p if both else None,
    )


def _measured(record: Answered, arm: str) -> Iterator[tuple[str, Estimate]]:
    for name in MEASURED:
        asked = [one for one in record.of(arm) if name == "unscored" or one.given.error is None]
        values = {one.question: [v] for one in asked if (v := BY_NAME[name].value(one)) is not None}
        if values:
            yield name, mean(values)


def load(root: Path) -> list[Day]:
    """All days, oldest first; none yet is none. Raises FormatError with the line."""
    place = root / SERIES
    if not place.is_file():
        return []
    return [_read(line, at) for at, line in enumerate(place.read_text("utf-8").splitlines(), 1) if line.strip()]


def add(root: Path, day: Day) -> list[Day]:
    """Append a day; a second run of the same day with the same reader takes the place of the first."""
    days = [one for one in load(root) if (one.day, one.reader) != (day.day, day.reader)]
    days = sorted([*days, day], key=lambda one: (one.day, one.reader))
    write_atomic(root / SERIES, "".join(json.dumps(_json(one), ensure_ascii=False) + "\n" for one in days))
    return days


def table(days: Sequence[Day]) -> Iterator[str]:
    """A line a day: each measure with the wiki and without. No day, no line."""
    if not days:
        return
    yield f"{'day':<12}{'asked':>6}" + "".join(f"{name:>20}" for name in SHOWN.values()) + "   only one right"
    yield f"{'':<18}" + f"{'wiki   off':>20}" * len(SHOWN) + "       wiki   off"
    for reader in dict.fromkeys(one.reader for one in days):
        yield f"read by {reader}"
        for one in (each for each in days if each.reader == reader):
            cells = (f"{_share(one, 'wiki', name)} {_share(one, 'no-wiki', name)}" for name in SHOWN)
            right = f"{one.only_wiki:>11}{one.only_no_wiki:>6}"
            yield f"{one.day.isoformat():<12}{one.questions:>6}" + "".join(f"{cell:>20}" for cell in cells) + right


def _share(one: Day, arm: str, measure: str) -> str:
    found = one.value(arm, measure)
    return f"{found.mean:5.0%}" if found else "    -"


def _json(one: Day) -> dict[str, object]:
    arms = {arm: {name: _estimate(found) for name, found in by.items()} for arm, by in one.arms.items()}
    return {**asdict(one), "day": one.day.isoformat(), "arms": arms, "p": None if one.p is None else round(one.p, 4)}


def _estimate(found: Estimate) -> dict[str, float | int]:
    raw = asdict(found)
    return {name: round(value, 4) for name, value in raw.items() if name != "clusters" and value is not None}


def _read(line: str, number: int) -> Day:
    try:
        raw: dict[str, Any] = json.loads(line)
        arms = {
            arm: {name: Estimate(clusters=int(found["n"]), **found) for name, found in by.items()}
            for arm, by in raw["arms"].items()
        }
        return Day(**{**raw, "day": date.fromisoformat(raw["day"]), "arms": arms})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FormatError(f"no day of a replay: {error}", path=SERIES, line=number) from None
