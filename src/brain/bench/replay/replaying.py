"""One day of replay: every kept question, put to the brain as it is now with its wiki and without.

>>> done = replay(Path("memory"), reading=Reading(), now=now)                             # doctest: +SKIP
>>> done.day.value("wiki", "accuracy").mean                                               # doctest: +SKIP
0.83
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from brain.bench.accounts import Account, Input
from brain.bench.accounts import State as Moment
from brain.bench.answered import Answered, Result, render, result
from brain.bench.arms import Arm, arm_of
from brain.bench.asked import Given
from brain.bench.desk import Desk, desk
from brain.bench.judging.judge import judge
from brain.bench.replay import kept as keeping
from brain.bench.replay import series
from brain.bench.replay.chart import page
from brain.bench.replay.history import history
from brain.bench.replay.kept import Kept
from brain.bench.replay.series import Day
from brain.bench.replay.states import State, prepared, states
from brain.bench.study import By, Reader, Reading
from brain.config import Config
from brain.corpus.search import fuse
from brain.engines import Engine, seat_of
from brain.errors import BrainError, ConfigError, NotFound, UsageError
from brain.git import MAIN, Git
from brain.tree.files import write_atomic
from brain.tree.ids import format_time

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What a run gave: the line of the day, the whole series, and the record. `gone` counts questions that were dropped
    because memory does not hold what they rest on any more; `states` are the copies that were made."""

    day: Day
    days: tuple[Day, ...]
    record: Answered
    gone: int
    states: int
    chart: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What a run would do: `held_out` are URIs by question."""

    questions: int
    gone: int
    states: int
    held_out: Mapping[str, tuple[str, ...]]


def arms() -> tuple[Arm, ...]:
    return tuple(map(arm_of, series.ARMS))


def leaves(config: Config, reading: Reading) -> list[str]:
    """What a run would send away, and to whom, in words for the user; nothing = nothing leaves this machine."""
    said = []
    if reading.command:
        said.append(
            f"questions and what memory holds on them go to {reading.command.split()[0]}, wherever it sends them"
        )
    elif reading.by is By.MODEL:
        cast = seat_of(config, "answer", Engine.MODEL).cast
        said.append(
            f"questions and what memory holds on them go to the model {cast.model if cast else 'of BRAIN_MODEL'}"
        )
    if config.search.embedder == "endpoint":
        said.append(f"questions go to the embedder of the settings, at {config.search.embedder_url}")
    return said


def foresee(root: Path) -> Foreseen:
    """What would be asked of which states, without making any. Raises NotFound, FormatError."""
    told = history(root)
    before = keeping.load(root)
    kept = keeping.still_good(before, told)
    made = states(kept.questions, told)
    held = {one.id: state.held_out for state in made for one in state.questions}
    gone = len(before.questions) - len(kept.questions)
    return Foreseen(questions=len(kept.questions), gone=gone, states=len(made), held_out=held)


def replay(root: Path, *, reading: Reading, now: datetime, progress: Progress | None = None) -> Replayed:
    """Ask every question under both arms, judge, and write the day down.

    Raises NotFound when there are no questions, FormatError, UsageError, ConfigError.
    """
    began, told = time.monotonic(), history(root)
    before = keeping.load(root)
    kept = keeping.still_good(before, told)
    if kept != before:
        keeping.save(root, kept)
    if not kept.questions:
        raise NotFound("memory holds nothing any more on which a kept question rests", hint="brain bench replay sample")
    made = states(kept.questions, told)
    results = _Asking(root, reading.reader(), now, len(kept.questions), progress).all(made)
    config = Config.load(root)
    record = _record(results, kept, reading, now, time.monotonic() - began, config)
    zone = now.astimezone(config.zone)
    with Git(root) as git:
        commit = str(git.resolve(MAIN))[:12]
    day = series.day_of(record, day=zone.date(), commit=commit, questions=kept.name)
    answered = any(one.given.error is None for one in results)  # else the day says nothing of memory
    days = series.add(root, day) if answered else series.load(root)
    write_atomic(root / keeping.LAST, render(record))
    write_atomic(root / keeping.CHART, page(days))
    gone = len(before.questions) - len(kept.questions)
    chart = root / keeping.CHART
    return Replayed(day=day, days=tuple(days), record=record, gone=gone, states=len(made), chart=chart)


class _Asking:
    """Asks state by state, arm by arm; what goes wrong at one question or state stays there."""

    def __init__(self, root: Path, reader: Reader, now: datetime, total: int, progress: Progress | None) -> None:
        self.root = root
        self.reader = reader
        self.now = now
        self.total = total * len(series.ARMS)
        self.progress = progress
        self.done = 0

    def all(self, made: Sequence[State]) -> list[Result]:
        found: list[Result] = []
        for state in made:
            try:
                found += self._state(state)
            except (ConfigError, UsageError):
                raise
            except BrainError as error:
                found += [
                    self._result(arm, one, Given(error=error.message)) for arm in arms() for one in state.questions
                ]
        order = {arm: at for at, arm in enumerate(series.ARMS)}
        return sorted(found, key=lambda one: (order[one.arm], one.question))

    def _state(self, state: State) -> list[Result]:
        found: list[Result] = []
        moment = Moment(inputs=frozenset({0}), questions=tuple(one.asked for one in state.questions))
        account = Account(  # its last input came in a day ago, so that evening is now
            id="own", source="replay", inputs=(Input(when=self.now - timedelta(days=1)),), states=(moment,)
        )
        with prepared(self.root, state, self.now) as place:
            for arm in arms():
                with desk(place(arm), account, moment, arm, None) as here:
                    for one in state.questions:
                        if self.progress:
                            self.progress(self.done, self.total, arm.name)
                        found.append(self._result(arm, one, self._ask(here, one)))
                        self.done += 1
        return found

    def _ask(self, here: Desk, one: keeping.Question) -> Given:
        try:
            return self.reader.answer(here, one.asked)
        except (ConfigError, UsageError):
            raise
        except BrainError as error:
            return Given(error=f"{type(error).__name__}: {error.message}")

    def _result(self, arm: Arm, one: keeping.Question, given: Given) -> Result:
        return result(arm.name, one.asked, given, judge(one.asked, given), text=True)


def _record(
    results: Sequence[Result], kept: Kept, reading: Reading, now: datetime, seconds: float, config: Config
) -> Answered:
    plan = {"dataset": "replay", "set": kept.name, "seed": kept.seed, "taken_at": format_time(kept.taken_at)}
    return Answered(
        brain=version("brain"),
        plan={**plan, "reader": reading.reader().name, "judge": "by value"},
        arms={arm.name: arm.json() for arm in arms()},
        files={},
        code={"reading": reading.code},
        weights=dict(fuse.weights()),
        embedder=config.search.embedder,
        accounts=(),
        results=tuple(results),
        seconds=round(seconds, 1),
        started=format_time(now),
    )
