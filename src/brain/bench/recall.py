"""Evidence recall without a model: how much of what a question rests on is among the first k results.

    >>> rows = list(measure(conversation, Plain(conversation=conversation, root=root)))         # doctest: +SKIP
    >>> print(table(rows))                                                                      # doctest: +SKIP

A question is asked of a brain that holds what had been said by then and nothing later. Questions without evidence, such
as abstentions, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from brain.bench.brains import Growing
from brain.bench.datasets.dialogue import Conversation, Question
from brain.bench.plan import Arm, Unit
from brain.corpus.search import fuse
from brain.corpus.search.index import Filters, SearchIndex
from brain.corpus.search.sessions import ranked
from brain.types import Surface

DEPTH = 50  # turns looked at
MANY = 2_000  # sessions looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question: the ranks (from 1) of its gold units, None where one is not among those looked at."""

    conversation: str
    question: str
    category: str
    arm: Arm
    unit: Unit
    ranks: tuple[int | None, ...]

    def recall(self, k: int) -> float:
        return sum(1 for rank in self.ranks if rank is not None and rank <= k) / len(self.ranks)

    def all_hit(self, k: int) -> bool:
        return all(rank is not None and rank <= k for rank in self.ranks)


def weights_of(arm: Arm) -> Mapping[str, float]:
    """The weights an arm searches with."""
    if arm is Arm.WORDS:
        return {"words": 1.0}
    if arm is Arm.MEANING:
        return {"meaning": 1.0}
    shipped = fuse.weights()
    return shipped if arm is Arm.WIKI else {name: value for name, value in shipped.items() if name != "wiki"}


def measure(
    conversation: Conversation,
    brain: Growing,
    arms: Sequence[Arm] = (Arm.WORDS, Arm.MEANING, Arm.FUSED),
    units: Sequence[Unit] = (Unit.TURN, Unit.SESSION),
) -> Iterator[Row]:
    """Ask every question that has evidence, in the order of what was known, and look where its evidence comes up."""
    asked: dict[frozenset[int], list[Question]] = {}
    for question in conversation.questions:
        if question.sessions:
            asked.setdefault(conversation.seen_by(question), []).append(question)
    for numbers in sorted(asked, key=len):
        index = brain.reach(numbers)
        for question in asked[numbers]:
            for arm in arms:
                for unit in units:
                    if question.evidence or unit is Unit.SESSION:
                        yield look(conversation, question, index, arm, unit)


def look(conversation: Conversation, question: Question, index: SearchIndex, arm: Arm, unit: Unit) -> Row:
    """Ask one question and find its evidence among the results."""
    order: list[object]
    gold: list[object]
    now = question.asked_at.date() if question.asked_at else None
    weights = weights_of(arm)
    if unit is Unit.TURN:
        found = index.find(question.text, DEPTH, Filters(surfaces={Surface.TURN}), now=now, weights=weights).hits
        order = [(hit.session, hit.first_turn) for hit in found]
        gold = [(conversation.session_id(session), turn) for session, turn in question.evidence]
    else:
        surfaces = {Surface.TURN, Surface.SUMMARY} if arm is Arm.WIKI else {Surface.TURN}
        ranks = ranked(index, question.text, MANY, Filters(surfaces=surfaces), now=now, weights=weights)
        order = [one.session for one in ranks]
        gold = [conversation.session_id(session) for session in question.sessions]
    places = {item: at for at, item in enumerate(order, start=1)}
    return Row(
        conversation=conversation.id,
        question=question.id,
        category=question.category,
        arm=arm,
        unit=unit,
        ranks=tuple(places.get(item) for item in gold),
    )
