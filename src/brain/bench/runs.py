"""A whole run of recall over a data set: resumable, one conversation at a time, one JSON record at the end.

What a conversation gave is kept in the cache under a hash of all it depends on: its content and questions, the code,
the weights, the embedder, the settings. A killed run goes on where it stopped; an unchanged one answers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest, sha256
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from brain.bench import datasets, records
from brain.bench.brains import FINDING, PIPELINE, Dreamed, Growing, Plain, code_hash, content_hash, place
from brain.bench.datasets.dialogue import Conversation
from brain.bench.plan import Plan, Vectors
from brain.bench.recall import Row, measure
from brain.bench.records import Record
from brain.bench.vectors import Kept
from brain.config import cache_home
from brain.corpus.search import fuse
from brain.corpus.search.meaning import open_embedder
from brain.tree.files import write_atomic

Progress = Callable[[int, int, str], None]


@dataclass(slots=True)
class _Work:
    plan: Plan
    cache: Path
    embedder: Kept
    code: dict[str, str]

    def one(self, conversation: Conversation) -> Record:
        """The record of one conversation: as kept, else measured and kept."""
        file = self.cache / "recall" / f"{self._key(conversation)}.json"
        if not file.exists():
            with self._brain(conversation) as (brain, remarks):
                rows = tuple(measure(conversation, brain, self.plan.arms, self.plan.units))
            write_atomic(file, records.render(self.record([conversation.id], rows, remarks)).encode())
        return records.parse(file.read_text("utf-8"))

    def record(self, names: Sequence[str], rows: Sequence[Row], remarks: Sequence[str]) -> Record:
        return Record(
            brain=version("brain"),
            plan=_plan(self.plan),
            files=_hashes(self.plan.data),
            code=self.code,
            weights=dict(fuse.weights()),
            embedder=self.embedder.id,
            conversations=tuple(names),
            rows=tuple(rows),
            remarks=tuple(remarks),
        )

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
    found: list[Record] = []
    conversations = list(islice(datasets.load(plan.dataset, plan.data, plan.part), plan.limit))
    for at, conversation in enumerate(conversations):
        if progress:
            progress(at, len(conversations), conversation.id)
        found.append(work.one(conversation))
    if progress:
        progress(len(found), len(conversations), "")
    embedder.close()
    rows = [row for one in found for row in one.rows]
    return work.record([one.id for one in conversations], rows, [remark for one in found for remark in one.remarks])


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


def texts(plan: Plan, rows: Sequence[Row]) -> dict[str, str]:
    """The words of the questions of some rows, read from the data again: a record holds none."""
    wanted = {row.question for row in rows}
    found = datasets.load(plan.dataset, plan.data, plan.part)
    return {asked.id: asked.text for one in found for asked in one.questions if asked.id in wanted}
