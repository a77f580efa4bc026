"""What a hook takes from its host, and how soon a session is in memory, also a very long one.

    python benchmarks/hook_capture.py [--megabytes 100] [--calls 10]

Writes a Claude Code session of that size, lets `brain hook session-end` capture it, then again with nothing new, and
with one more turn; and calls `brain hook session-start` some times. Prints a hook's own seconds, which a host waits
for, and the seconds from its call until the session's turns can be searched by words.
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
from pathlib import Path

from brain import Brain
from invented_memory import Pen

SESSION = "3f0c9b52-1111-4a4a-8b8b-000000000001"
SENTENCES = 14  # a message


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--calls", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"BRAIN_STATE": f"{folder}/state", "BRAIN_SEARCH_EMBEDDER": "none", "HOME": folder}
        memory, session = Path(folder) / "memory", Path(folder) / "projects" / f"{SESSION}.jsonl"
        Brain.init(memory)
        turns = write(session, given.megabytes)
        print(f"{session.stat().st_size / 1e6:.0f} MB, {turns} turns")
        captured("all of it", memory, session)
        captured("nothing new", memory, session)
        with session.open("a", encoding="utf-8") as file:
            file.write(line(turns + 1, "user", "The mooring is paid."))
        captured("one more turn", memory, session)
        took = [hook("session-start", memory, session, number) for number in range(given.calls)]
        print(f"session-start: {statistics.median(took):.2f} s a call, {max(took):.2f} s at most of {given.calls}")


def write(place: Path, megabytes: int) -> int:
    pen, size, count = Pen(7), 0, 0
    sentences = [pen.sentence(20) for _ in range(3000)]
    place.parent.mkdir(parents=True)
    with place.open("w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            count += 1
            said = " ".join(pen.chance.choices(sentences, k=SENTENCES))
            size += file.write(line(count, "user" if count % 2 else "assistant", said))
    return count


def line(count: int, role: str, text: str) -> str:
    content = text if role == "user" else [{"type": "text", "text": text}]
    at = f"2026-07-{1 + count // 86400:02d}T{count // 3600 % 24:02d}:{count // 60 % 60:02d}:{count % 60:02d}Z"
    record = {
        "parentUuid": f"u{count - 1}" if count > 1 else None, "sessionId": SESSION, "type": role, "uuid": f"u{count}",
        "timestamp": at, "isSidechain": False, "message": {"role": role, "content": content, "id": f"m{count}"},
    }  # fmt: skip
    return json.dumps(record) + "\n"


def captured(what: str, memory: Path, session: Path) -> None:
    began = time.monotonic()
    own = hook("session-end", memory, session)
    queue = memory / ".brain" / "index" / "capture" / "queue"
    while any(queue.glob("*.json")):
        time.sleep(0.02)
    print(f"session-end, {what}: {own:.2f} s for the host, {time.monotonic() - began:.1f} s until it is searchable")


def hook(event: str, memory: Path, session: Path, number: int = 0) -> float:
    told = json.dumps({"session_id": f"{SESSION}-{number}", "transcript_path": str(session), "source": "startup"})
    command = [sys.executable, "-m", "brain", "hook", event, "--host", "claude-code", "--memory", str(memory)]
    began = time.monotonic()
    subprocess.run(command, input=told.encode(), check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


if __name__ == "__main__":
    main()
