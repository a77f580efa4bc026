"""A study by files: its questions written out as folders, and what outside agents answered read back and judged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.bench.ablation import Judge, Progress, drawn_of, each, record_of
from brain.bench.accounts import Account, State
from brain.bench.answered import Answered, Filled, Result, result
from brain.bench.arms import Arm, of_json
from brain.bench.asked import Asked, Given
from brain.bench.datasets import reading
from brain.bench.desk import desk, root_of
from brain.bench.filling import Kept as Brains
from brain.bench.filling import fill
from brain.bench.forgetting import forget_in
from brain.bench.judging.judge import judge as by_value
from brain.bench.judging.kept import KeptJudge
from brain.bench.loading import Source
from brain.bench.plan import Dataset, Part
from brain.bench.readers import folders
from brain.bench.study import By, Reading, Study, cache_place
from brain.bench.vectors import Kept
from brain.config import cache_home
from brain.corpus.search.meaning import open_embedder
from brain.errors import NotFound
from brain.tree.files import write_atomic

RUN = "run.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written, and the questions that could not be, with the reason."""

    out: Path
    folders: int
    accounts: int
    left_out: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The record, and the folders that hold no answer, or one that does not read, with the reason."""

    record: Answered
    without: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """One folder: which question under which arm, and the brain it was written from; or why it was not."""

    number: str
    question: str
    account: str
    arm: str
    memory: str
    why: str = ""


def export(study: Study, out: Path, *, cache: Path | None = None, progress: Progress | None = None) -> Exported:
    """Write a folder a question and arm into `out`; what was exported before is written anew, answers stay.

    Raises NotFound, FormatError, UsageError, ConfigError, EmbedderUnavailable.
    """
    cache = cache or cache_home() / "bench"
    drawn, work = drawn_of(study, study.source.names())
    written: list[_Written] = []
    filled: list[Filled] = []
    for at, (name, (some, made)) in enumerate(each(partial(_account, study, drawn, cache, out), work, study.processes)):
        if progress:
            progress(at, len(work), name)
        written += some
        filled += made
    whole = sorted((one for one in written if not one.why), key=lambda one: one.number)
    said = {
        "study": {**study.json(), "data": str(study.source.data.resolve()), "corrections": _place(study)},
        "arms": {arm.name: arm.json() for arm in study.arms},
        "filled": [asdict(one) for one in filled],
        "folders": {one.number: _row(one) for one in whole},
    }
    write_atomic(out / RUN, json.dumps(said, ensure_ascii=False, indent=1) + "\n")
    left = {f"{one.question} ({one.arm})": one.why for one in written if one.why}
    return Exported(out=out, folders=len(whole), accounts=len(work), left_out=left)


def _place(study: Study) -> str | None:
    return str(study.source.corrections.resolve()) if study.source.corrections else None


def _row(one: _Written) -> dict[str, str]:
    return {"question": one.question, "account": one.account, "arm": one.arm, "memory": one.memory}


def number_of(study: Study, question: str, arm: str) -> str:
    """The name of a folder: it says nothing of the arm, and is the same whenever a study is exported."""
    return sha256(f"{study.seed} {question} {arm}".encode()).hexdigest()[:8]


def _account(
    study: Study, drawn: frozenset[str] | None, cache: Path, out: Path, name: str
) -> tuple[list[_Written], list[Filled]]:
    accounts, _, vectors = cache_place(cache)
    embedder = Kept(open_embedder(), vectors)
    try:
        account = study.source.account(name)
        made: dict[str, Filled] = {}
        written: list[_Written] = []
        for arm in study.arms:
            kept = fill(account, accounts, study.filling(arm))
            made.setdefault(kept.folder.name, kept.filled)
            for state in account.states:
                wanted = [one for one in state.questions if drawn is None or one.id in drawn]
                written += _state(study, account, kept, state, arm, embedder, out, wanted) if wanted else ()
        return written, list(made.values())
    finally:
        embedder.close()


def _state(
    study: Study,
    account: Account,
    kept: Brains,
    state: State,
    arm: Arm,
    embedder: Kept,
    out: Path,
    wanted: list[Asked],
) -> Iterator[_Written]:
    root = root_of(kept, account, state, arm)
    for asked in wanted:
        number = number_of(study, asked.id, arm.name)
        memory, why = root, ""
        try:
            if asked.forget is not None:
                memory = out / ".brains" / number
                shutil.rmtree(memory, ignore_errors=True)
                forget_in(memory, root, asked.forget, asked.asked_at)
            with desk(memory, account, state, arm, embedder) as here:
                folders.write(here, asked, out / number)
        except NotFound as error:  # what was to be forgotten is not there
            why = error.message
        yield _Written(
            number=number,
            question=asked.id,
            account=account.id,
            arm=arm.name,
            memory=str(memory.resolve()),
            why=why,
        )


def score(out: Path, *, judge: Judge | None = None, judged_by: str = "by value", data: Path | None = None) -> Scored:
    """Read the answers of an export and judge them; the gold is read from the data set again.

    Raises NotFound, FormatError.
    """
    began = datetime.now(UTC).replace(microsecond=0)
    if not (out / RUN).is_file():
        raise NotFound(f"no export in {str(out)!r}", hint="brain bench export DATASET --data PATH --out FOLDER")
    raw = reading.whole(out / RUN)
    with reading.item(out / RUN, "the file"):
        study = _study(raw, data)
        filled = [Filled(**{**one, "remarks": tuple(one["remarks"])}) for one in raw["filled"]]
        rows = {str(number): dict(row) for number, row in raw["folders"].items()}
    judged = KeptJudge(judge, judged_by, cache_home() / "bench" / "judged.jsonl") if judge else by_value
    gold = _gold(study, {row["account"] for row in rows.values()})
    results: list[Result] = []
    without: dict[str, str] = {}
    for number, row in sorted(rows.items(), key=lambda item: (item[1]["arm"], item[1]["question"])):
        if row["question"] not in gold:
            raise NotFound(f"the data holds no question {row['question']!r}", hint="--data names what was exported")
        asked = gold[row["question"]]
        given: Given = folders.read(out / number, Path(row["memory"]))
        if given.error is not None:
            without[number] = given.error
        results.append(result(row["arm"], asked, given, judged(asked, given), text=not study.source.licensed))
    return Scored(record=record_of(study, "by files", results, filled, judged_by, began, 0.0), without=without)


def _study(raw: Mapping[str, Any], data: Path | None) -> Study:
    said = raw["study"]
    corrections = Path(said["corrections"]) if said["corrections"] else None
    return Study(
        source=Source(
            dataset=Dataset(said["dataset"]),
            data=data or Path(said["data"]),
            part=Part(said["part"]),
            limit=said["limit"],
            corrections=corrections,
        ),
        arms=tuple(of_json(name, one) for name, one in raw["arms"].items()),
        reading=Reading(by=By.FILES),
        every=int(said["every"]),
        engine=str(said["engine"]),
        questions=said["questions"],
        only=tuple(said["only"]),
        seed=int(said["seed"]),
    )


def _gold(study: Study, accounts: set[str]) -> dict[str, Asked]:
    return {asked.id: asked for name in sorted(accounts) for asked in study.source.account(name).questions}
