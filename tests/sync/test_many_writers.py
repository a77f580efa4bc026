"""Several processes publish into one brain at once, while a person types: everything lands."""

from __future__ import annotations

import subprocess
import sys
import time

from small_brain import A, SmallBrain, page, uri

from brain.sync.publish import publish
from brain.tree.layout import SESSION_INDEX
from brain.tree.sessions import parse_rows

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from brain.config import Config
from brain.sync.publish import publish
from brain.git import Git
from brain.tree.layout import SESSION_INDEX
from brain.tree.sessions import SessionRow, parse_rows, render_rows

root, me = Path(sys.argv[1]), sys.argv[2]
with Git(root) as git:
    for n in range(5):
        row = SessionRow(id=f"{me}-{n}", source="codex", external_id=f"{me}{n}", title="t", turns=1)
        def changes(main):
            rows = parse_rows(main.read(SESSION_INDEX))
            return {SESSION_INDEX: render_rows([*rows, row]), f"notes/facts/{me}-{n}.md": f"{me} {n}\\n"}
        said = f"take in {me} {n}"
        result = publish(git, changes, kind="ingest", subject=said, now=datetime.now(UTC), config=Config())
        assert result.applied, result
"""


def test_four_processes_at_once_all_land(brain: SmallBrain) -> None:
    brain.publish({"knowledge/projects/harbour-map.md": page(sources=[uri(A)])})
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(brain.root), f"w{n}"]) for n in range(4)]
    while any(writer.poll() is None for writer in writers):
        brain.write("notes/facts/mine.md", f"typed at {time.monotonic_ns()}\n")
        time.sleep(0.05)
    assert [writer.wait() for writer in writers] == [0, 0, 0, 0]
    brain.catch_up()
    wanted = {f"w{me}-{n}" for me in range(4) for n in range(5)}
    assert {row.id for row in parse_rows(brain.on_main(SESSION_INDEX) or "")} == wanted
    assert all(brain.read(f"notes/facts/{name}.md") for name in wanted)
    assert brain.read("notes/facts/mine.md") == brain.on_main("notes/facts/mine.md")
    assert brain.clean()


def test_main_moved_by_the_users_git_in_between_is_merged_not_lost(brain: SmallBrain) -> None:
    """The person commits with their own git, which knows nothing of our lock, right before main is moved."""
    brain.publish({"notes/facts/a.md": "a\n"})
    calls: list[object] = []

    def changes(main: object) -> dict[str, str]:
        if not calls:
            brain.write("notes/facts/theirs.md", "theirs\n")
            brain.users_git("add", "notes/facts/theirs.md")
            brain.users_git("commit", "-q", "-m", "Mine")
        calls.append(main)
        return {"notes/facts/b.md": "b\n"}

    result = publish(brain.git, changes, kind="note", subject="add b", now=brain.now, config=brain.config)
    assert result.rounds == 2
    assert brain.on_main("notes/facts/theirs.md") == "theirs\n"
    assert brain.on_main("notes/facts/b.md") == "b\n"
    assert brain.clean()
