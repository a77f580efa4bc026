"""How long commands take from the shell: help, a cold search, and the demo; and a change of twenty pages among many.

    python benchmarks/start_up.py [--runs 5] [--pages 5000] [--no-demo]

Prints wall and CPU seconds (user and system, children included), the median of the runs. The change of twenty pages is
checked by every rule and committed, generated files included, as `brain note` or a run does it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from brain.config import Config
from brain.git import MAIN, Git
from brain.mending import published_check
from brain.sync.publish import catch_up, publish
from invented_memory import write_memory

NOW = datetime(2026, 8, 1, tzinfo=UTC)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--pages", type=int, default=5000)
    options.add_argument("--no-demo", action="store_true")
    asked = options.parse_args()
    print("command                                wall s   CPU s")
    show("brain --help", asked.runs, lambda: brain("--help"))
    with tempfile.TemporaryDirectory() as there:
        demo = Path(there, "demo")
        if not asked.no_demo:
            show("brain demo", 1, lambda: brain("demo", str(demo)))
            show("brain search, small brain, cold", asked.runs, lambda: brain("search", "PDF", "--memory", str(demo)))
            show(
                "brain ask, small brain, cold", asked.runs, lambda: brain("ask", "which format?", "--memory", str(demo))
            )
        change(Path(there, "large"), asked.pages, asked.runs, clean=True)
        change(Path(there, "with-problems"), asked.pages, asked.runs, clean=False)


def brain(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "brain", *words], check=True, capture_output=True)


def change(root: Path, pages: int, runs: int, *, clean: bool) -> None:
    write_memory(root, pages * 6, clean=clean)
    config = Config()
    with Git(root) as git:
        catch_up(git, config=config, now=NOW)
        main = git.tree(git.resolve(MAIN))
        paths = [path for path in main.paths("knowledge/") if path.count("/") == 2]
        rounds = iter(range(1, runs + 2))

        def twenty() -> None:
            number = next(rounds)
            word = " ".join(["indeed"] * number).encode()
            new = {path: main.bytes(path).replace(b". [cite:2]", b" " + word + b". [cite:2]") for path in paths[:20]}
            made = publish(
                git, new, kind="fix", subject=f"change {number}", now=NOW, config=config,
                check=published_check(root, config, NOW),
            )  # fmt: skip
            assert made.commit, made.problems[:3]

        show(f"check and sync 20 of {len(paths)} pages{'' if clean else ', faulty'}", runs, twenty)


def show(what: str, runs: int, work: Callable[[], None]) -> None:
    wall, cpu = [], []
    for _ in range(runs):
        before, start = sum(os.times()[:4]), time.perf_counter()
        work()
        wall.append(time.perf_counter() - start)
        cpu.append(sum(os.times()[:4]) - before)
    print(f"{what:37}  {statistics.median(wall):7.2f}  {statistics.median(cpu):6.2f}", flush=True)


if __name__ == "__main__":
    main()
