"""Booting a working set from a large corpus, and bringing files near one batch against one request a file.

    python benchmarks/boot_workset.py [--files 20000] [--runs 5]

Prints the corpus's files and bytes; seconds to boot a set with the default budget, and its share of the bytes; then,
over HTTP on loopback, 40 and 400 files in one request against a request a file: the median of the runs and the ratio.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from brain.corpus.corpus import Corpus
from brain.corpus.local import LocalCorpus
from brain.corpus.remote import RemoteCorpus
from brain.serve.app import make_app
from brain.serve.run import bind
from brain.workset import workset
from invented_memory import write_memory

TOKEN = "a-token-for-the-benchmark"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--files", type=int, default=20_000)
    options.add_argument("--runs", type=int, default=5)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as there:
        memory = Path(there, "memory")
        size = write_memory(memory, asked.files)
        with LocalCorpus(memory) as corpus:
            paths = list(corpus.paths())
        print(f"corpus: {len(paths)} files, {size / 1e6:.1f} MB")
        boot(memory, Path(there), size, asked.runs)
        with LocalCorpus(memory) as corpus, serving(corpus) as address:
            for count in (40, 400):
                fetch(address, paths[:: max(1, len(paths) // count)][:count], asked.runs)


def boot(memory: Path, there: Path, size: int, runs: int) -> None:
    took = []
    for run in range(runs):
        start = time.perf_counter()
        with LocalCorpus(memory) as corpus:
            made = workset.boot(corpus, there / f"set-{run}", source="memory")
        took.append(time.perf_counter() - start)
    share = f"{made.size / 1e6:.2f} MB = {made.size / size:.1%} of the bytes"
    print(f"boot: {statistics.median(took):.2f} s for {made.files} files, {share}")


def fetch(address: str, paths: list[str], runs: int) -> None:
    with RemoteCorpus(address, token=TOKEN) as remote:
        commit = remote.commit()

        def batch() -> int:
            return sum(len(file.data) for file in remote.fetch(paths, at=commit))

        def single() -> int:
            return sum(len(remote.read(path, at=commit)) for path in paths)

        assert batch() == single()
        together, apart = median(batch, runs), median(single, runs)
    print(
        f"HTTP, {len(paths)} files: one batch {together * 1000:.0f} ms, a request a file {apart * 1000:.0f} ms"
        f" = {apart / together:.1f} x"
    )


def median(work: Callable[[], int], runs: int) -> float:
    took = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


@contextmanager
def serving(corpus: Corpus) -> Iterator[str]:
    taken = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(make_app(corpus, token=TOKEN), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        taken.close()


if __name__ == "__main__":
    main()
