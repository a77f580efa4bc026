"""Does replay find the right answer and its turns? LongMemEval's questions, put to an agent that gives the gold answer.

    .venv/bin/python benchmarks/replay_binding.py longmemeval_oracle.json

Two days after the last session of each haystack a session is put in which the user asks the question and the agent
replies with the gold answer. `kept` are the questions replay would take; of them `bound` rest on a gold turn, `right`
have an answer that counts as the gold one. The binding was written with an eye on the oracle file, so its figures are
no test of it.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from datetime import timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from brain.bench import datasets
from brain.bench.accounts import asked_of
from brain.bench.asked import Asked, Given
from brain.bench.datasets.dialogue import Conversation
from brain.bench.judging.judge import judge
from brain.bench.plan import Dataset, Part
from brain.bench.replay.binding import Bound, bind
from brain.bench.replay.exchanges import exchanges
from brain.bench.replay.history import History, gathered
from brain.bench.sources import Sources
from brain.tree.sessions import SessionRow
from brain.tree.transcript import dated
from brain.types import Role, Turn


def told(one: Conversation, asked: Asked) -> History | None:
    """The haystack and, after it, the session with the question."""
    read = [(_row(each.id), dated(each.turns, each.started_at)) for each in one.transcripts()]
    times = [turn.time for _, turns in read for turn in turns if turn.time]
    if not times or asked.answer is None:
        return None
    when = max(times) + timedelta(days=2)
    question = Turn(number=1, role=Role.USER, text=asked.text, time=when)
    reply = Turn(number=2, role=Role.ASSISTANT, text=asked.answer, time=when)
    return gathered([*read, (_row(str(uuid5(NAMESPACE_URL, asked.id))), (question, reply))], Counter())


def _row(id: str) -> SessionRow:
    return SessionRow(id=id, source="bench", external_id=id, title="")


def main(data: Path) -> None:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    left: Counter[str] = Counter()
    for one in datasets.load(Dataset.LONGMEMEVAL, data, Part.ALL):
        for asked in (asked_of(one, question) for question in one.questions):
            history = told(one, asked)
            if history is None:
                continue
            count = found[asked.category]
            count["asked"] += 1
            for exchange in exchanges(history.sessions[-1], left):
                bound = bind(exchange, history)
                if not isinstance(bound, Bound):
                    left[bound] += 1
                    continue
                count["kept"] += 1
                held = Sources.of(bound.evidence)
                count["bound"] += any(held.hold(gold) for gold in asked.evidence)
                count["right"] += bool(judge(asked, Given(text=bound.answer)).correct)
    names = ("asked", "kept", "bound", "right")
    print(f"{'':<28}" + "".join(f"{name:>8}" for name in names))
    for category, count in sorted(found.items()):
        print(f"{category:<28}" + "".join(f"{count[name]:>8}" for name in names))
    for why, number in left.most_common():
        print(f"{number:>5}  {why}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
