"""A whole run of questions over accounts and arms: in several processes, resumable, one record at the end.

    >>> record = run(Study(source=source, arms=(arm_of("wiki"), arm_of("no-wiki"))))        # doctest: +SKIP
    >>> len(record.of("wiki")), len(record.of("no-wiki"))                                   # doctest: +SKIP
    (640, 640)

An account is filled once for all arms that change nothing about filling, then asked arm by arm. Each answer is written
down when it is given; a killed run goes on with the next question, an unchanged one answers at once. Judging comes
last and is always done anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from brain.bench.accounts import Account, State
from brain.bench.answered import Answered, Filled, Result, given_json, given_of, result
from brain.bench.arms import Arm
from brain.bench.asked import Asked, Forget, Given, Judgement
from brain.bench.desk import Desk, desk, root_of
from brain.bench.filling import Kept as Brains
from brain.bench.filling import alone, fill, named_by_environment
from brain.bench.forgetting import forgotten
from brain.bench.judging.judge import judge as by_value
from brain.bench.judging.kept import KeptJudge
from brain.bench.study import By, Reader, Study, cache_place
from brain.bench.vectors import Kept
from brain.config import cache_home, settings_from_environment
from brain.corpus.search import fuse
from brain.corpus.search.meaning import open_embedder
from brain.errors import BrainError, ConfigError, UsageError

Progress = Callable[[int, int, str], None]
Judge = Callable[[Asked, Given], Judgement]
SETTINGS = (ConfigError, UsageError)
"""Errors that are the study's own: nothing can be asked like this, and so nothing more is."""

R = TypeVar("R")
Work = Callable[[str], R]


@dataclass(frozen=True, slots=True, kw_only=True)
class Of:
    """What one account gave: how it was filled under each arm, and the answers by arm and question."""

    account: str
    filled: tuple[Filled, ...]
    asked: tuple[Asked, ...]
    given: Mapping[str, Mapping[str, Given]]


def run(
    study: Study,
    *,
    judge: Judge | None = None,
    judged_by: str = "by value",
    cache: Path | None = None,
    progress: Progress | None = None,
) -> Answered:
    """Run a study, or go on with it; `judge` is the one without a model unless given.

    Raises NotFound, FormatError, UsageError, ConfigError, EmbedderUnavailable.
    """
    cache = cache or cache_home() / "bench"
    began, started = time.monotonic(), datetime.now(UTC).replace(microsecond=0)
    names = study.source.names()
    drawn, work = drawn_of(study, names)
    found: dict[str, Of] = {}
    for at, (name, of) in enumerate(each(partial(one_account, study, drawn, cache), work, study.processes)):
        if progress:
            progress(at, len(work), name)
        found[name] = of
    if progress:
        progress(len(work), len(work), "")
    gone = time.monotonic() - began
    judged = KeptJudge(judge, judged_by, cache / "judged.jsonl") if judge else by_value
    results = list(_results(study, [found[name] for name in work], judged))
    filled = [one for name in work for one in found[name].filled]
    return record_of(study, study.reading.reader().name, results, filled, judged_by, started, gone)


def drawn_of(study: Study, names: list[str]) -> tuple[frozenset[str] | None, list[str]]:
    """Which questions are asked, None = all; and the accounts that have some of them."""
    if not study.samples:
        return None, names
    by = {name: study.wanted(study.source.account(name)) for name in names}
    drawn = study.drawn(one for ids in by.values() for one in ids)
    return drawn, [name for name in names if drawn & by[name]]


def one_account(study: Study, drawn: frozenset[str] | None, cache: Path, name: str) -> Of:
    """Fill an account and ask it everything, under every arm; what goes wrong with it stays with it."""
    accounts, answers, vectors = cache_place(cache)
    embedder = Kept(open_embedder(), vectors)
    account = study.source.account(name)
    reader = study.reading.reader()
    asked = tuple(one for one in account.questions if drawn is None or one.id in drawn)
    filled: dict[str, Filled] = {}
    given: dict[str, Mapping[str, Given]] = {}
    try:
        for arm in study.arms:
            try:
                kept = fill(account, accounts, study.filling(arm))
                filled.setdefault(kept.folder.name, kept.filled)
                file = answers / f"{_key(study, arm, reader, kept.folder.name)}.jsonl"
                given[arm.name] = _Asking(account, kept, arm, reader, embedder, file).all(drawn)
            except SETTINGS:
                raise
            except Exception as error:  # one account must not end a run
                given[arm.name] = {one.id: Given(error=_said(error)) for one in asked}
        return Of(account=name, filled=tuple(filled.values()), asked=asked, given=given)
    finally:
        embedder.close()


def _said(error: Exception) -> str:
    """An error as a record says it: its kind, then what it was."""
    return f"{type(error).__name__}: {error.message if isinstance(error, BrainError) else error}"


def _key(study: Study, arm: Arm, reader: Reader, folder: str) -> str:
    by = (reader.name, study.reading, study.reading.code, named_by_environment(study.reading.by))
    said = (folder, arm.name, sorted(arm.json().items()), by)
    digest = sha256(repr((said, sorted(fuse.weights().items()))).encode()).hexdigest()
    return f"{folder.rpartition('-')[0]}-{arm.name[:20]}-{digest[:16]}"


class _Asking:
    """Asks the questions of one account under one arm; `file` holds what was answered, a line each."""

    def __init__(self, account: Account, kept: Brains, arm: Arm, reader: Reader, embedder: Kept, file: Path) -> None:
        self.account = account
        self.kept = kept
        self.arm = arm
        self.reader = reader
        self.embedder = embedder
        self.file = file

    def all(self, drawn: frozenset[str] | None) -> Mapping[str, Given]:
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with alone(self.kept.folder):
            done = _answers(self.file)
            for state in self.account.states:
                wanted = (one for one in state.questions if drawn is None or one.id in drawn)
                left = [one for one in wanted if one.id not in done]
                if left:
                    self._state(state, left, done)
        return done

    def _state(self, state: State, left: Sequence[Asked], done: dict[str, Given]) -> None:
        root = root_of(self.kept, self.account, state, self.arm)
        plain = [one for one in left if one.forget is None]
        if plain:
            with desk(root, self.account, state, self.arm, self.embedder) as here:
                for asked in plain:
                    self._ask(here, asked, done)
        for asked in left:
            if asked.forget is not None:
                self._after_forgetting(root, state, asked, asked.forget, done)

    def _after_forgetting(self, root: Path, state: State, asked: Asked, forget: Forget, done: dict[str, Given]) -> None:
        try:
            with (
                forgotten(root, forget, asked.asked_at) as copy,
                desk(copy, self.account, state, self.arm, self.embedder) as here,
            ):
                self._ask(here, asked, done)
        except SETTINGS:
            raise
        except BrainError as error:  # what was to be forgotten is not there, or does not go
            self._keep(asked, Given(error=_said(error)), done)

    def _ask(self, here: Desk, asked: Asked, done: dict[str, Given]) -> None:
        try:
            given = self.reader.answer(here, asked)
        except SETTINGS:
            raise
        except Exception as error:  # one question must not end a run
            given = Given(error=_said(error))
        self._keep(asked, given, done)

    def _keep(self, asked: Asked, given: Given, done: dict[str, Given]) -> None:
        done[asked.id] = given
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": asked.id, **given_json(given)}, ensure_ascii=False) + "\n")


def _answers(file: Path) -> dict[str, Given]:
    """What was answered before. A line that a kill cut off does not count, nor does an answer that failed."""
    found: dict[str, Given] = {}
    if not file.exists():
        return found
    held = file.read_text("utf-8", "replace")
    whole = held[: held.rfind("\n") + 1]
    if whole != held:
        file.write_text(whole, "utf-8")
    for line in whole.splitlines():
        raw = json.loads(line)
        given = given_of(raw)
        if given.error is None:
            found[str(raw["id"])] = given
    return found


def each(work: Work[R], names: Sequence[str], processes: int) -> Iterator[tuple[str, R]]:
    """What some work gives for each account, as it comes to its end; in this process when one is asked for."""
    if processes < 2:
        yield from ((name, work(name)) for name in names)
        return
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    try:
        waiting = {pool.submit(work, name): name for name in names}
        for done in as_completed(waiting):
            yield waiting[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _results(study: Study, found: Sequence[Of], judge: Judge) -> Iterator[Result]:
    for arm in study.arms:
        for of in found:
            for asked in of.asked:
                given = of.given[arm.name][asked.id]
                yield result(arm.name, asked, given, judge(asked, given), text=not study.source.licensed)


def _models(study: Study) -> dict[str, str]:
    """Which model the environment gives each role; what an arm sets is said with the arm."""
    if study.engine == By.EXTRACTIVE and study.reading.by is By.EXTRACTIVE:
        return {}
    models = settings_from_environment().models
    roles = ("default", "distil", "dream", "verify", "recall", "answer")
    return {role: name for role in roles if (name := getattr(models, role))}


def record_of(
    study: Study,
    reader: str,
    results: Sequence[Result],
    filled: Sequence[Filled],
    judged_by: str,
    started: datetime,
    seconds: float,
) -> Answered:
    """The record of a run with all it depends on."""
    return Answered(
        brain=version("brain"),
        plan={**study.json(), "reader": reader, "judge": judged_by, "models": _models(study)},
        arms={arm.name: arm.json() for arm in study.arms},
        files=study.source.files(),
        code={"filling": study.filling(study.arms[0]).code, "reading": study.reading.code},
        weights=dict(fuse.weights()),
        embedder=open_embedder().id,
        accounts=tuple(filled),
        results=tuple(results),
        seconds=round(seconds, 1),
        started=started.isoformat().replace("+00:00", "Z"),
    )
