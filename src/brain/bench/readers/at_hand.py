"""What an agent from outside may ask of memory while it answers: `./memory recall …`, `./memory show …`, noted down.

Run by the script `memory` of an exported question's folder, with that folder's `.desk.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path

from brain.agents.tools import Reading
from brain.agents.trace import Used
from brain.bench.changes import applied
from brain.bench.readers.agent import no_search
from brain.brain import Brain
from brain.config import FILE, Config
from brain.corpus.corpus import Corpus
from brain.explore.recall import Budget, Recall, recall
from brain.workset import workset

DESK = ".desk.json"
OPENED = "opened.jsonl"
USAGE = "usage: ./memory recall 'what is needed' | ./memory show <page> [cite:<number>] | ./memory show '<source>'"


def main(folder: Path, words: Sequence[str]) -> int:
    """Answer one request and note it. 2 = not understood."""
    desk = json.loads((folder / DESK).read_text("utf-8"))
    verb, *rest = words or ("",)
    if verb not in ("recall", "show") or not rest:
        print(USAGE, file=sys.stderr)
        return 2
    root, today = Path(desk["memory"]), date.fromisoformat(desk["today"])
    tree = folder / "tree"

    def bringing(corpus: Corpus, need: str, budget: Budget) -> Recall:
        found = recall(corpus, need, budget)
        if found.records:
            workset.add(corpus, tree, {one.path: f"recall: {one.why}" for one in found.records})
        return found

    config = applied(Config.load(root), (root / FILE).read_text("utf-8"), desk["settings"])
    clock = datetime(today.year, today.month, today.day, tzinfo=UTC)
    with Brain(root, config, clock=lambda: clock) as brain, brain.near() as near:
        agent = bringing if desk["search"] else no_search
        reading = Reading(root=root, config=brain.config, corpus=near.corpus, memory_agent=agent)
        if verb == "recall":
            used = Used(tool="recall", args={"need": " ".join(rest)}, result=reading.recall(" ".join(rest)))
        else:
            cite = next((int(n) for word in rest[1:] if (n := word.removeprefix("cite:")).isdigit()), 0)
            used = Used(tool="show", args={"what": rest[0], "cite": cite}, result=reading.show(rest[0], cite))
    with (folder / OPENED).open("a", encoding="utf-8") as notes:
        notes.write(json.dumps({**asdict(used), "today": today.isoformat()}, ensure_ascii=False) + "\n")
    print(used.result)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
