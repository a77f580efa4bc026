"""Which questions are replayed: those of the last days whose answer rests on earlier sessions, drawn by a seed.

>>> drawn = sample(Path("memory"), now=now, days=30, most=20, seed=0)                     # doctest: +SKIP
>>> [one.text for one in drawn.kept.questions], drawn.left                                # doctest: +SKIP
(['Where do we host the staging server?'], {'new that day: no earlier session holds the answer': 3})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from brain.bench.replay.binding import bind
from brain.bench.replay.exchanges import Exchange, exchanges
from brain.bench.replay.history import History, history, keys
from brain.bench.replay.kept import Kept, Question, id_of

DAYS = 30
MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Questions as they would be kept. `found` is how many there were to draw from; `left` counts what was left out,
    by reason, `sessions` those that were passed over."""

    kept: Kept
    found: int
    left: Mapping[str, int]
    sessions: Mapping[str, int]


def sample(root: Path, *, now: datetime, days: int = DAYS, most: int = MOST, seed: int = 0) -> Sample:
    """Look through the sessions of the last days. The same brain, time and seed give the same. Raises FormatError."""
    told = history(root)
    left: Counter[str] = Counter()
    found = _found(told, now - timedelta(days=days), now, left)
    drawn = sorted(found, key=lambda one: sha256(f"{seed} {one.id}".encode()).digest())[:most]
    questions = tuple(sorted(drawn, key=lambda one: (one.asked_at, one.id)))
    return Sample(
        kept=Kept(questions=questions, seed=seed, taken_at=now),
        found=len(found),
        left=dict(sorted(left.items())),
        sessions=dict(sorted(told.left.items())),
    )


def _found(told: History, since: datetime, until: datetime, left: Counter[str]) -> list[Question]:
    """Every question that can be replayed; of one that was asked several times the last time counts."""
    found: dict[frozenset[str], Question] = {}
    for session in told.sessions:
        if session.said[-1].at < since:
            continue
        asked = [one for one in exchanges(session, left) if since <= one.at <= until]
        for one in asked:
            question = _question(one, told)
            if isinstance(question, str):
                left[question] += 1
                continue
            if keys(one.text) in found:
                left["asked again later"] += 1
            if keys(one.text) not in found or found[keys(one.text)].asked_at < question.asked_at:
                found[keys(one.text)] = question
    return list(found.values())


def _question(one: Exchange, told: History) -> Question | str:
    bound = bind(one, told)
    if isinstance(bound, str):
        return bound
    return Question(
        id=id_of(one.session, one.turn),
        text=one.text,
        answer=bound.answer,
        kind=bound.kind,
        asked_at=one.at,
        session=one.session,
        turn=one.turn,
        evidence=bound.evidence,
        stale=bound.stale,
        confirmed=one.confirmed,
    )
