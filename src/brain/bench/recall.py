"""Evidence recall without a model: how much of what a question rests on is among the first k results.

    >>> rows = measure(conversation, index, Arm.FUSED)                                         # doctest: +SKIP
    >>> print(table({"fused": rows}))                                                          # doctest: +SKIP

Recall@k is the mean over questions of the share of gold turns among the first k turns found; all-hit@k the share of
questions with every one of them. Questions without evidence are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from brain.bench.datasets.dialogue import Conversation
from brain.corpus.search import fuse
from brain.corpus.search.index import Filters, SearchIndex
from brain.types import Hit, Surface

KS = (5, 10, 20, 50)


class Arm(StrEnum):
    """What a search may use."""

    WORDS = "words"
    MEANING = "meaning"
    FUSED = "fused"  # words, meaning, neighbours, speaker, session, time
    WIKI = "fused+wiki"  # and the pages, notes and summaries that cite a turn


class Unit(StrEnum):
    TURN = "turn"
    SESSION = "session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question: the ranks (from 1) of its gold units, None where one is not among those looked at."""

    question: str
    text: str
    category: str
    ranks: tuple[int | None, ...]

    def recall(self, k: int) -> float:
        return sum(1 for rank in self.ranks if rank is not None and rank <= k) / len(self.ranks)

    def all_hit(self, k: int) -> bool:
        return self.recall(k) == 1.0


def weights_of(arm: Arm) -> Mapping[str, float]:
    """The weights an arm searches with."""
    if arm is Arm.WORDS:
        return {"words": 1.0}
    if arm is Arm.MEANING:
        return {"meaning": 1.0}
    shipped = fuse.weights()
    return shipped if arm is Arm.WIKI else {name: value for name, value in shipped.items() if name != "wiki"}


def measure(
    conversation: Conversation, index: SearchIndex, arm: Arm, *, unit: Unit = Unit.TURN, depth: int = max(KS)
) -> list[Row]:
    """Ask every question that has evidence and look where its evidence comes up."""
    return list(_rows(conversation, index, weights_of(arm), unit, depth))


def _rows(
    conversation: Conversation, index: SearchIndex, weights: Mapping[str, float], unit: Unit, depth: int
) -> Iterator[Row]:
    names = {session.number: conversation.session_id(session.number) for session in conversation.sessions}
    for question in conversation.questions:
        turns = [(names[session], turn) for session, turn in question.evidence]
        sessions = [names[session] for session in question.sessions]
        if not (turns if unit is Unit.TURN else sessions):
            continue
        until = question.asked_at.date() if question.asked_at else None
        many = depth if unit is Unit.TURN else 4000
        found = index.find(question.text, many, Filters(surfaces={Surface.TURN}, until=until), weights=weights).hits
        later = {names[s.number] for s in conversation.sessions if question.before and s.number >= question.before}
        found = tuple(hit for hit in found if hit.session not in later)
        order = _turns(found) if unit is Unit.TURN else _sessions(found)
        gold: Sequence[object] = turns if unit is Unit.TURN else sessions
        places = {item: at for at, item in enumerate(order, start=1)}
        yield Row(
            question=question.id,
            text=question.text,
            category=question.category,
            ranks=tuple(places.get(item) for item in gold),
        )


def _turns(found: Sequence[Hit]) -> list[object]:
    return [(hit.session, hit.first_turn) for hit in found]


def _sessions(found: Sequence[Hit]) -> list[object]:
    """Sessions by their best turn."""
    return list(dict.fromkeys(hit.session for hit in found))


def mean(rows: Sequence[Row], k: int) -> float:
    return sum(row.recall(k) for row in rows) / len(rows) if rows else 0.0


def strict(rows: Sequence[Row], k: int) -> float:
    return sum(row.all_hit(k) for row in rows) / len(rows) if rows else 0.0


def table(arms: Mapping[str, Sequence[Row]], *, apart: Sequence[str] = (), ks: Sequence[int] = KS) -> str:
    """Recall and all-hit by arm and category as a Markdown table; categories in `apart` are left out of "all"."""
    head = ["arm", "category", "n", *(f"R@{k}" for k in ks), *(f"all@{k}" for k in ks)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for arm, rows in arms.items():
        categories = sorted({row.category for row in rows}, key=lambda name: (name in apart, name))
        groups = [("all", [row for row in rows if row.category not in apart])]
        groups += [(name, [row for row in rows if row.category == name]) for name in categories]
        for name, some in groups:
            cells = [f"{mean(some, k):.3f}" for k in ks] + [f"{strict(some, k):.3f}" for k in ks]
            lines.append("| " + " | ".join([arm, name, str(len(some)), *cells]) + " |")
    return "\n".join(lines)


def worst(rows: Sequence[Row], count: int = 10, k: int = 10) -> list[Row]:
    """The questions whose evidence comes up least and latest."""
    depth = max(KS) + 1
    return sorted(rows, key=lambda row: (row.recall(k), -sum(rank or depth for rank in row.ranks), row.question))[
        :count
    ]
