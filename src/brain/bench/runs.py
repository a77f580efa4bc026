"""A whole run of recall over a data set: resumable, one conversation at a time, one JSON record at the end.

What a conversation gave is kept in the cache under a hash of all it depends on: its content and questions, the code,
the weights, the embedder, the settings. A killed run goes on where it stopped; an unchanged one answers at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from brain.bench import datasets
from brain.bench.brains import FINDING, PIPELINE, Dreamed, Growing, Plain, code_hash, content_hash, place
from brain.bench.datasets.dialogue import Conversation
from brain.bench.plan import Arm, Plan, Unit, Vectors
from brain.bench.recall import Row, measure
from brain.bench.vectors import Kept
from brain.config import cache_home
from brain.corpus.search import fuse
from brain.corpus.search.meaning import open_embedder
from brain.tree.files import write_atomic

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a run gave, with all it depends on; no text of the data set. `remarks` are what went wrong on the way."""

    brain: str
    plan: dict[str, object]
    files: dict[str, str]
    code: dict[str, str]
    weights: dict[str, float]
    embedder: str
    conversations: tuple[str, ...]
    rows: tuple[Row, ...]
    remarks: tuple[str, ...] = ()


@dataclass(slots=True)
class _Work:
    plan: Plan
    cache: Path
    embedder: Kept
    code: dict[str, str]
    remarks: list[str] = field(default_factory=list)

    def rows(self, conversation: Conversation) -> list[Row]:
        file = self.cache / "recall" / f"{self._key(conversation)}.json"
        if file.exists():
            held = json.loads(file.read_text("utf-8"))
            self.remarks += held["remarks"]
            return [_row(one) for one in held["rows"]]
        with self._brain(conversation) as (brain, remarks):
            rows = list(measure(conversation, brain, self.plan.arms, self.plan.units))
        self.remarks += remarks
        found = {"remarks": remarks, "rows": [as_json(row) for row in rows]}
        write_atomic(file, json.dumps(found, ensure_ascii=False).encode())
        return rows

    def _key(self, conversation: Conversation) -> str:
        parts = (
            content_hash(conversation), conversation.questions, self.code, dict(fuse.weights()), self.embedder.id,
            self.plan.arms, self.plan.units, self.plan.vectors, self.plan.nights,
        )  # fmt: skip
        return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @contextmanager
    def _brain(self, conversation: Conversation) -> Iterator[tuple[Growing, list[str]]]:
        users = self.plan.vectors is Vectors.USERS
        with place(self.cache / "brains", conversation, dreamed=self.plan.dreamed) as root:
            if not self.plan.dreamed:
                yield Plain(conversation, root, self.embedder, users), []
                return
            brain = Dreamed(conversation, root, self.embedder, users, self.plan.nights)
            yield brain, brain.remarks


def run(plan: Plan, *, cache: Path | None = None, progress: Progress | None = None) -> Record:
    """Measure, or go on measuring. Raises NotFound, FormatError, EmbedderUnavailable."""
    cache = cache or cache_home() / "bench"
    embedder = Kept(open_embedder(), cache / "vectors.sqlite")
    code = {"finding": code_hash(FINDING)}
    if plan.dreamed:
        code["pipeline"] = code_hash(PIPELINE)
    work = _Work(plan, cache, embedder, code)
    rows: list[Row] = []
    names: list[str] = []
    conversations = list(islice(datasets.load(plan.dataset, plan.data, plan.part), plan.limit))
    for at, conversation in enumerate(conversations):
        if progress:
            progress(at, len(conversations), conversation.id)
        rows += work.rows(conversation)
        names.append(conversation.id)
    if progress:
        progress(len(names), len(names), "")
    embedder.close()
    return Record(
        brain=version("brain"),
        plan=_plan(plan),
        files=_hashes(plan.data),
        code=code,
        weights=dict(fuse.weights()),
        embedder=embedder.id,
        conversations=tuple(names),
        rows=tuple(rows),
        remarks=tuple(work.remarks),
    )


def _plan(plan: Plan) -> dict[str, object]:
    return {
        "dataset": plan.dataset.value,
        "split": plan.part.value,
        "arms": [arm.value for arm in plan.arms],
        "units": [unit.value for unit in plan.units],
        "limit": plan.limit,
        "vectors": plan.vectors.value,
        "nights": plan.nights,
    }


def _hashes(data: Path) -> dict[str, str]:
    found = {}
    for file in sorted(data.glob("*.json")) if data.is_dir() else [data]:
        with file.open("rb") as content:
            found[file.name] = file_digest(content, "sha256").hexdigest()
    return found


def as_json(row: Row) -> dict[str, object]:
    return {
        "conversation": row.conversation,
        "question": row.question,
        "category": row.category,
        "arm": row.arm.value,
        "unit": row.unit.value,
        "ranks": list(row.ranks),
    }


def _row(held: dict[str, object]) -> Row:
    ranks = held["ranks"]
    assert isinstance(ranks, list)
    return Row(
        conversation=str(held["conversation"]),
        question=str(held["question"]),
        category=str(held["category"]),
        arm=Arm(str(held["arm"])),
        unit=Unit(str(held["unit"])),
        ranks=tuple(None if rank is None else int(rank) for rank in ranks),
    )


def texts(plan: Plan, rows: Sequence[Row]) -> dict[str, str]:
    """The words of the questions of some rows, read from the data again: a record holds none."""
    wanted = {row.question for row in rows}
    found = datasets.load(plan.dataset, plan.data, plan.part)
    return {asked.id: asked.text for one in found for asked in one.questions if asked.id in wanted}
