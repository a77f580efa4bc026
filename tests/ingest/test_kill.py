"""kill −9 at random moments: the transcripts stay whole, nothing published is lost, the next import completes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from hashlib import sha256

import pytest
from foreign import Claude, Importing, conversation, message

from brain.tree import transcript

PROGRAM = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from brain.config import Config
from brain.ingest import import_paths
print("ready", flush=True)
import_paths(Path(sys.argv[1]), [Path(sys.argv[2])], config=Config(), now=datetime(2026, 8, 1, tzinfo=UTC))
"""


def write_sources(brain: Importing, rounds: int) -> None:
    for number in range(12):
        log = Claude(f"aaaaaa{number:02d}-1111-4a4a-8b8b-000000000001")
        for at in range(10 + 6 * rounds):
            log.user(f"Question {number} {at}: " + "where is the buoy " * 12)
            log.call("Bash", {"command": f"ls {at}"}, f"toolu_{number}_{at}")
            log.result(
                f"toolu_{number}_{at}", "\n".join(f"file {number} {at} {n}" for n in range(30 + 300 * (at % 5 == 0)))
            )
        brain.write(f"p/{log.session}.jsonl", log.lines)
    talks = [
        conversation(f"Talk {n}", [None, *(message("user", f"Q{n} {at}", 1.7e9 + at) for at in range(20 + rounds))])
        for n in range(20)
    ]
    brain.write("conversations.json", json.dumps(talks))


@pytest.mark.slow
def test_kill_nine_at_random_moments(brain: Importing) -> None:
    chance = random.Random(7)
    rounds, killed = 0, 0
    published: dict[str, int] = {}
    for attempt in range(20):
        if attempt % 4 == 0:
            rounds += 1
            write_sources(brain, rounds)
        run = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(brain.root), str(brain.source)], stdout=subprocess.PIPE
        )
        assert run.stdout is not None
        run.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.35))
        run.kill()
        killed += run.wait() < 0
        run.stdout.close()
        stored = {transcript.read(path).id: len(transcript.read(path).turns) for path in brain.files()}
        if (brain.root / "sessions" / "index.jsonl").exists():
            for row in brain.rows():
                assert stored[row.id] >= row.turns >= published.get(row.id, 0)
                published[row.id] = row.turns
    assert killed >= 10

    report = brain.take()

    assert report.exit_code == 0
    assert len(brain.rows()) == 32
    for row in brain.rows():
        place = brain.root / row.transcript
        assert row.transcript_sha256 == sha256(place.read_bytes()).hexdigest()
        assert [turn.number for turn in transcript.iter_turns(place)] == list(range(1, row.turns + 1))
    assert sorted(row.turns for row in brain.rows()) == sorted([20 + rounds] * 20 + [3 * (10 + 6 * rounds)] * 12)
    assert brain.take().unchanged == 32
