"""T31: a transcript of tens of thousands of turns is streamed, and a further turn costs what is new, not what is old.

The file here is a tenth of the real thing (40,000 turns, 100 MB); BRAIN_FULL_SIZE=1 makes it whole.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from brain import Brain
from brain.tree import transcript

pytestmark = pytest.mark.slow

FULL = os.environ.get("BRAIN_FULL_SIZE") == "1"
TURNS = 40_000 if FULL else 4_000
SESSION = "7d1c0a52-2222-4a4a-8b8b-000000000031"
START = datetime(2026, 5, 4, 8, tzinfo=UTC)
LOG = "the pump of lock nine runs at half load and the valve log shows no drift after the overhaul of its seals"
WORDS = LOG.split()


def lines(first: int, last: int) -> Iterator[str]:
    """Records of a Claude Code file, a user's and an assistant's message in turn, about 2.5 kB each."""
    for n in range(first, last + 1):
        role = "user" if n % 2 else "assistant"
        text = f"Entry {n}. " + " ".join(WORDS[(n * k) % len(WORDS)] for k in range(1, 460))
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        record = {
            "type": role, "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n > 1 else None, "sessionId": SESSION,
            "isSidechain": False, "userType": "external", "cwd": "/srv/locks", "version": "2.0.0",
            "timestamp": (START + timedelta(seconds=20 * n)).isoformat().replace("+00:00", "Z"),
            "message": {"role": role, "content": content} | ({"id": f"m{n}"} if role == "assistant" else {}),
        }  # fmt: skip
        yield json.dumps(record) + "\n"


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds of processor time, and megabytes at most."""

    seconds: float
    megabytes: float


def run(root: Path, *words: str) -> Cost:
    """One command of `brain` in a process of its own."""
    environment = os.environ | {"BRAIN_SEARCH_EMBEDDER": "none"}
    pid = os.posix_spawn(
        sys.executable, [sys.executable, "-m", "brain", *words, "--memory", str(root)], environment,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )  # fmt: skip
    _, status, used = os.wait4(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, words
    return Cost(seconds=used.ru_utime + used.ru_stime, megabytes=used.ru_maxrss / 1024)


def append(file: Path, first: int, last: int) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.writelines(lines(first, last))


def test_a_huge_session_is_streamed_and_grows_at_the_cost_of_what_is_new(tmp_path: Path) -> None:
    root, file = tmp_path / "memory", tmp_path / "locks" / f"{SESSION}.jsonl"
    Brain.init(root, owner="Nadia", now=START)
    file.parent.mkdir()
    append(file, 1, 2)
    started = run(root, "import", str(file))  # what the command costs by itself
    append(file, 3, TURNS)
    size = file.stat().st_size / 1e6
    whole = run(root, "import", str(file))
    assert stored(root) == TURNS
    assert whole.megabytes - started.megabytes <= max(150, 1.5 * size), f"{whole} for {size:.0f} MB, {started} for none"
    dreamed = run(root, "dream")

    append(file, TURNS + 1, TURNS + 1)
    before = transcript_file(root).read_bytes()
    one_more = run(root, "import", str(file))
    assert stored(root) == TURNS + 1
    assert transcript_file(root).read_bytes().startswith(before), "what was stored is a beginning of what is"
    again = run(root, "dream")
    assert one_more.seconds - started.seconds <= (whole.seconds - started.seconds) / 3, (started, whole, one_more)
    assert again.seconds <= dreamed.seconds / 2 + started.seconds, (dreamed, again)
    print(f"\n{TURNS} turns, {size:.0f} MB: import {whole}, one more {one_more}; dream {dreamed}, again {again}")


def transcript_file(root: Path) -> Path:
    (only,) = (root / "sessions" / "transcripts").glob("*/*.md")
    return only


def stored(root: Path) -> int:
    return sum(1 for _ in transcript.iter_turns(transcript_file(root)))
