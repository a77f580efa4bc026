"""How long after its start `brain mcp` answers a host, over a tree of many files (target: under 1 s at 100,000).

    python benchmarks/mcp_ready.py [--files 100000] [--runs 5] [--memory DIR] [--no-search]

The host is a process that speaks the protocol over pipes, as hosts do. Prints the median wall seconds from the start of
the process to the answer to `initialize` and to `tools/list`, and what each tool then takes the first time and again.
`--memory` keeps the tree that was made for another time. The search index is made before the clock runs, by words
alone.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain import Brain
from brain.config import Config
from brain.git import Git
from brain.sync.publish import catch_up
from brain.tree.files import write_atomic
from brain.tree.layout import CONFIG
from invented_memory import write_memory

NOW = datetime(2031, 1, 1, tzinfo=UTC)


class Host:
    """A server started and asked, each answer with its time."""

    def __init__(self, memory: Path) -> None:
        self.start = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "brain", "mcp", "--memory", str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "BRAIN_SEARCH_EMBEDDER": "none"},
        )
        self.count = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.count += 1
        self.tell(method, id=self.count, params=params)
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        if answer.get("id") != self.count or "error" in answer:
            raise SystemExit(f"{method}: {answer}")
        return answer

    def tell(self, method: str, **rest: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **rest}) + "\n")
        self.process.stdin.flush()

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(60)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--files", type=int, default=100_000)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--memory", type=Path)
    options.add_argument("--no-search", action="store_true", help="leave search and recall out, and the index unmade")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as there:
        root = asked.memory or Path(there, "memory")
        if not Brain.is_at(root):
            write_memory(root, asked.files)
            write_atomic(root / CONFIG, "brain_format = 1\n")
            with Git(root) as git:
                catch_up(git, config=Config.load(root), now=NOW)
        os.environ["BRAIN_SEARCH_EMBEDDER"] = "none"
        with Brain.open(root, background="no") as brain:
            if not asked.no_search and not brain.status().search.documents:
                brain.reindex()
            page = brain.index().partition("\n## ")[2].partition("\n")[2].partition(" — ")[0]
        files = sum(len(names) for path, _, names in os.walk(root) if "/.git" not in path and "/.brain" not in path)
        print(f"{files:,} files, {asked.runs} runs, median wall seconds")
        ready(root, asked.runs)
        each(root, asked.runs, page, search=not asked.no_search)


def ready(root: Path, runs: int) -> None:
    hello, listed = [], []
    for _ in range(runs):
        host = greeted(root)
        hello.append(host.seconds)
        host.ask("tools/list")
        listed.append(host.seconds)
        host.end()
    row("from start to initialize", hello)
    row("from start to tools/list", listed)


def greeted(root: Path) -> Host:
    host = Host(root)
    client = {"name": "benchmark", "version": "1"}
    host.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
    host.tell("notifications/initialized")
    return host


def each(root: Path, runs: int, page: str, *, search: bool) -> None:
    """What a host asks of a server: the first time and, in the same process, again."""
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "brain://index": ("resources/read", {"uri": "brain://index"}),
        "read": ("tools/call", {"name": "read", "arguments": {"what": page}}),
        "links": ("tools/call", {"name": "links", "arguments": {"page": page}}),
        "status": ("tools/call", {"name": "status", "arguments": {}}),
    }
    if search:
        calls["search"] = ("tools/call", {"name": "search", "arguments": {"query": "harbour office"}})
        calls["recall"] = (
            "tools/call",
            {"name": "recall", "arguments": {"need": "what is said of the harbour office"}},
        )
    for name, (method, params) in calls.items():
        first: list[float] = []
        again: list[float] = []
        for _ in range(runs):
            host = greeted(root)
            for found in (first, again):
                before = host.seconds
                host.ask(method, **params)
                found.append(host.seconds - before)
            host.end()
        row(f"{name}, first", first)
        row(f"{name}, again", again)


def row(what: str, seconds: list[float]) -> None:
    print(f"{what:26}  {statistics.median(seconds):7.2f}", flush=True)


if __name__ == "__main__":
    main()
