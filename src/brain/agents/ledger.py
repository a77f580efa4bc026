"""What every request to a model took: one JSON line each, the totals, and the limits that stop a run."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from brain.config import Config
from brain.errors import BudgetExceeded
from brain.types import Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request. `cost` in US dollars, None when nobody knows the price. `outcome` is `ok` or what went wrong."""

    role: str
    model: str
    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float | None = None
    seconds: float = 0.0
    outcome: str = "ok"

    def line(self) -> str:
        fields = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps(fields | {"seconds": round(self.seconds, 3)}, ensure_ascii=False) + "\n"


def total(calls: Sequence[Call]) -> Spent:
    """What so many calls took together."""
    return Spent(
        calls=len(calls),
        failed=sum(call.outcome != "ok" for call in calls),
        input=sum(call.input for call in calls),
        output=sum(call.output for call in calls),
        cached=sum(call.cached for call in calls),
        cost=sum(call.cost or 0.0 for call in calls),
        unpriced=sum(call.cost is None and call.outcome == "ok" for call in calls),
        seconds=sum(call.seconds for call in calls),
    )


class Ledger:
    """The calls of one run, kept in `.brain/runs/<run-id>.calls.jsonl`, or nowhere when `root` is None.

    `max_cost` in US dollars and `max_minutes`, 0 = no limit. Safe to use from many threads.
    """

    def __init__(
        self,
        root: Path | None,
        run_id: str,
        *,
        config: Config | None = None,
        max_cost: float = 0.0,
        max_minutes: float = 0.0,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.config = config or Config()
        self.run_id = run_id
        self.root = root
        self.place = root / ".brain" / "runs" / f"{run_id}.calls.jsonl" if root else None
        self.max_cost = max_cost
        self.max_minutes = max_minutes
        self.say = say or (lambda _: None)
        self._calls: list[Call] = []
        self._lock = threading.Lock()
        self._start = monotonic()

    # -- writing

    def add(self, call: Call) -> None:
        """Keep one call, in memory and in the file."""
        with self._lock:
            self._calls.append(call)
            if self.place:
                self.place.parent.mkdir(parents=True, exist_ok=True)
                with self.place.open("a", encoding="utf-8") as file:
                    file.write(call.line())

    # -- reading

    @property
    def calls(self) -> list[Call]:
        with self._lock:
            return list(self._calls)

    @property
    def totals(self) -> Spent:
        return total(self.calls)

    def by_role(self) -> dict[str, Spent]:
        """Totals of each role, in the order in which they were first asked."""
        calls = self.calls
        return {role: total([c for c in calls if c.role == role]) for role in dict.fromkeys(c.role for c in calls)}

    # -- limits

    @property
    def seconds_left(self) -> float | None:
        """What is left of the time, None without a limit."""
        return self._start + self.max_minutes * 60 - monotonic() if self.max_minutes else None

    def check(self) -> None:
        """Raise BudgetExceeded when the money or the time is used up."""
        left = self.seconds_left
        if left is not None and left <= 0:
            raise BudgetExceeded(
                f"the {self.max_minutes:g} minutes of this run are over", limit="time", hint="--max-minutes"
            )
        cost = self.totals.cost
        if self.max_cost and cost >= self.max_cost:
            raise BudgetExceeded(
                f"this run has cost ${cost:.4f}, its limit is ${self.max_cost:g}", limit="cost", hint="--max-cost"
            )
