"""Search latency, indexing speed and memory at several sizes, on invented turns.

    python benchmarks/search_latency.py 10000 100000 [--folder DIR] [--queries 200]

Words are drawn from the English words of BERT's vocabulary by Zipf's law, a topic a session, so that word frequencies
look like speech. Vectors cannot be made at this speed (about 90 texts a second), so theirs are random points around 200
centres, written as the embedder would; the query is embedded for real. Reported: turns indexed a second until they are
searchable by words, p50 and p95 of `search` with words alone and hybrid (the best of five runs of each query, and in
brackets all runs: the difference is other work on the machine), and the peak memory of the searching process.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import resources
from itertools import accumulate
from pathlib import Path

import numpy as np

from brain.config import Config
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.embedders import spec_of
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.stores import vectors_file
from brain.corpus.search.vectors import write_rows
from brain.tree import layout, transcript
from brain.tree.ids import session_id
from brain.types import Role, Transcript, Turn

TURNS = 50  # a session
MEAN = 25  # words a turn
REPEATS = 5


def vocabulary() -> list[str]:
    text = resources.files("brain.corpus.search").joinpath("data").joinpath("bert-uncased-vocab.txt").read_text("utf-8")
    return [word for word in text.split("\n") if word.isascii() and word.isalpha() and len(word) > 2]


def sessions(count: int) -> Iterator[Transcript]:
    chance = random.Random(1)
    words = vocabulary()
    zipf = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    start = datetime(2020, 1, 1, 9, tzinfo=UTC)
    for number in range(count):
        topic = chance.sample(words, 40)
        turns = []
        for at in range(1, TURNS + 1):
            length = max(3, round(chance.expovariate(1 / MEAN)))
            said = chance.choices(words, cum_weights=zipf, k=length)
            said = [chance.choice(topic) if chance.random() < 0.25 else word for word in said]
            role = Role.USER if at % 2 else Role.ASSISTANT
            time_ = start + timedelta(hours=number * 7, minutes=at)
            turns.append(Turn(number=at, role=role, time=time_, text=" ".join(said).capitalize() + "."))
        name = f"session {number}"
        yield Transcript(
            id=session_id("latency", name), source="latency", external_id=name, title=name, started_at=turns[0].time,
            turns=tuple(turns),
        )  # fmt: skip


def build(root: Path, size: int) -> None:
    """Write the transcripts and index them; prints how fast."""
    if (root / ".brain").exists():
        return
    for one in sessions(size // TURNS):
        file = root / layout.transcript_path(layout.stem(one))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(transcript.render(one), encoding="utf-8")
    start = time.perf_counter()
    added = SearchIndex(root).update().added
    print(f"{size:>9,} turns: indexed {added / (time.perf_counter() - start):,.0f} turns/s", flush=True)
    _invent_vectors(SearchIndex(root))
    SearchIndex(root).settle()  # as the embedder would when it has made the vectors


def _invent_vectors(index: SearchIndex) -> None:
    chance = np.random.default_rng(1)
    embedder = index.embedder()
    centres = chance.normal(size=(200, embedder.dimensions)).astype(np.float32)
    catalogue = Catalogue(index.folder / "catalogue.sqlite")
    hashes = [row[0] for row in catalogue.rows("SELECT DISTINCT hash FROM units")]
    file = vectors_file(index.folder, embedder.id)
    for at in range(0, len(hashes), 50_000):
        some = hashes[at : at + 50_000]
        rows = centres[chance.integers(0, 200, len(some))] + chance.normal(size=(len(some), embedder.dimensions))
        write_rows(file, at, (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32))
        with catalogue.change():
            for row, digest in enumerate(some, start=at):
                catalogue.execute("INSERT INTO vectors VALUES (?, ?, ?)", (embedder.id, digest, row))
    with catalogue.change():
        spec = spec_of(Config().search)
        values = (embedder.id, embedder.dimensions, len(hashes), spec)
        catalogue.execute("INSERT INTO embedders VALUES (?, ?, ?, ?)", values)
        catalogue.set("serving", embedder.id)
        catalogue.set("generation", int(catalogue.get("generation")) + 1)
    catalogue.close()


def measure(root: Path, size: int, queries: int) -> None:
    chance = random.Random(2)
    words = vocabulary()
    zipf = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    asked = [" ".join(chance.choices(words, cum_weights=zipf, k=chance.randint(3, 9))) for _ in range(queries)]
    # each query is asked REPEATS times in turn and its best time counts: other work on the machine is not search's
    for name, config in (("words", Config.parse('[search]\nembedder = "none"\n')), ("hybrid", Config())):
        index = SearchIndex(root, config)
        start = time.perf_counter()
        index.search(asked[0])
        cold = time.perf_counter() - start
        took = np.zeros((REPEATS, len(asked)))
        for turn in range(REPEATS):
            for at, query in enumerate(asked):
                start = time.perf_counter()
                index.search(query)
                took[turn, at] = 1000 * (time.perf_counter() - start)
        p50, p95 = np.percentile(took.min(axis=0), [50, 95])
        a50, a95 = np.percentile(took, [50, 95])
        print(
            f"{size:>9,} turns: {name:6} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  (all runs {a50:6.1f} / {a95:6.1f} ms)"
            f"  first {cold:5.2f} s",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    disk = sum(file.stat().st_size for file in index.folder.rglob("*") if file.is_file()) / 1e6
    print(f"{size:>9,} turns: peak memory {peak:,.0f} MB, index {disk:,.0f} MB on disk", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--folder", type=Path, help="keep the brains here")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--search-only", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    for size in options.sizes:
        if options.search_only:
            measure(folder / str(size), size, options.queries)
            continue
        build(folder / str(size), size)
        again = [sys.executable, __file__, str(size), "--folder", str(folder), "--queries", str(options.queries)]
        subprocess.run([*again, "--search-only"], check=True)  # a process of its own, for its peak memory


if __name__ == "__main__":
    main()
