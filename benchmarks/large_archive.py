"""Importing one large archive: how many turns a second, and how much memory at most.

    python benchmarks/large_archive.py [--megabytes 1000] [--folder DIR]

Writes a ChatGPT export, one `conversations.json` of many conversations with Zipf-like words, imports it in a process of
its own and prints its seconds of processor time, turns a second of them, and peak memory. The search index is not part
of it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.config import Config
from brain.ingest import import_paths
from invented_memory import Pen

SENTENCES = 8  # a message
MESSAGES = 40  # a conversation


def conversations(megabytes: int) -> Iterator[str]:
    pen, size, number = Pen(7), 0, 0
    sentences = [pen.sentence(20) for _ in range(20_000)]
    while size < megabytes * 1_000_000:
        number += 1
        text = json.dumps(_conversation(pen, sentences, number))
        size += len(text) + 2
        yield text


def _conversation(pen: Pen, sentences: list[str], number: int) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    start = 1_700_000_000 + 3600 * number
    for at in range(MESSAGES):
        said = " ".join(pen.chance.choices(sentences, k=SENTENCES))
        message = {
            "id": f"m{number}-{at}", "author": {"role": "assistant" if at % 2 else "user", "metadata": {}},
            "create_time": start + 60 * at, "content": {"content_type": "text", "parts": [said]}, "metadata": {},
            "recipient": "all",
        }  # fmt: skip
        before = f"n{at - 1}" if at else None
        mapping[f"n{at}"] = {"id": f"n{at}", "message": message, "parent": before, "children": []}
        if before:
            mapping[before]["children"].append(f"n{at}")
    return {
        "title": f"Conversation {number}", "create_time": start, "update_time": start + 60 * MESSAGES,
        "mapping": mapping, "current_node": f"n{MESSAGES - 1}", "conversation_id": f"conversation-{number}",
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--folder", type=Path, help="keep the archive and the memory here")
    parser.add_argument("--import", dest="only", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp())
    file = folder / "conversations.json"
    if asked.only:
        report = import_paths(folder / "memory", [file], config=Config(), now=datetime(2026, 8, 1, tzinfo=UTC))
        print(report.turns, flush=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        with file.open("w", encoding="utf-8") as out:
            for at, text in enumerate(conversations(asked.megabytes)):
                out.write(("[" if at == 0 else ",\n") + text)
            out.write("]\n")
    command = [sys.executable, __file__, "--import", "--folder", str(folder)]
    _, status, used = os.wait4(os.posix_spawn(sys.executable, command, os.environ), 0)
    seconds, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    size = file.stat().st_size / 1e6
    print(f"{size:,.0f} MB: exit {os.waitstatus_to_exitcode(status)}, {seconds:.0f} s of CPU, {peak:,.0f} MB at most")


if __name__ == "__main__":
    main()
