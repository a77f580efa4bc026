"""Accounts: one person's history as it comes into a brain, in order of time, and the questions asked of it.

    >>> account = next(of_conversations([conversation]))                                    # doctest: +SKIP
    >>> [len(state.inputs) for state in account.states]                                     # doctest: +SKIP
    [27]

An input is a transcript file as a host wrote it, or a session that a data set holds. A state is what a brain holds when
some of the questions are asked: inputs up to then, never one of later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import file_digest, sha256
from pathlib import Path

from brain.bench.asked import Asked, Kind
from brain.bench.datasets.dialogue import Conversation, Question
from brain.ingest.raw import RawSession
from brain.tree.uri import turns_uri

UNDATED = datetime(2024, 1, 1, tzinfo=UTC)  # when what has no time comes in


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What comes in at once: a transcript file, or sessions; `when` its last turn was said."""

    when: datetime
    file: Path | None = None
    sessions: tuple[RawSession, ...] = ()

    def hash(self) -> bytes:
        if self.file is None:
            return sha256(repr(self.sessions).encode("utf-8", "surrogatepass")).digest()
        with self.file.open("rb") as content:
            return self.file.name.encode() + file_digest(content, "sha256").digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A moment of an account: the places of its inputs, and the questions asked then."""

    inputs: frozenset[int]
    questions: tuple[Asked, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One brain to be. `owners` may be nobody; `connectors` are files by the name of their connector. States grow."""

    id: str
    source: str
    inputs: tuple[Input, ...]
    states: tuple[State, ...]
    owners: tuple[str, ...] = ()
    tz: str = "UTC"
    language: str = "en"
    connectors: Mapping[str, Path] = field(default_factory=dict)

    @property
    def questions(self) -> tuple[Asked, ...]:
        return tuple(asked for state in self.states for asked in state.questions)

    def content(self) -> str:
        """Hash of all that a brain is filled with, whatever the questions."""
        who = (self.id, self.source, self.owners, self.tz, self.language, sorted(self.connectors))
        digest = sha256(repr((who, [sorted(state.inputs) for state in self.states])).encode())
        for one in self.inputs:
            digest.update(one.when.isoformat().encode() + one.hash())
        for _, file in sorted(self.connectors.items()):
            digest.update(Input(when=UNDATED, file=file).hash())
        return digest.hexdigest()


def states_of(questions: Iterable[tuple[frozenset[int], Asked]]) -> tuple[State, ...]:
    """Questions by what they may know, the ones that know least first."""
    by: dict[frozenset[int], list[Asked]] = {}
    for seen, asked in questions:
        by.setdefault(seen, []).append(asked)
    return tuple(
        State(inputs=seen, questions=tuple(by[seen])) for seen in sorted(by, key=lambda one: (len(one), sorted(one)))
    )


def of_conversation(one: Conversation) -> Account:
    """A conversation of a dialogue data set as an account: each session comes in by itself."""
    raws = {raw.external_id: raw for raw in one.raw_sessions()}
    inputs = tuple(
        Input(when=session.started_at or UNDATED, sessions=(raws[session.external_id],)) for session in one.sessions
    )
    places = {session.number: at for at, session in enumerate(one.sessions)}
    asked = (
        (frozenset(places[number] for number in one.seen_by(question)), asked_of(one, question))
        for question in one.questions
    )
    owners = one.owners or one.speakers
    return Account(id=one.id, source=one.source, inputs=inputs, states=states_of(asked), owners=owners)


def asked_of(one: Conversation, question: Question) -> Asked:
    """A data set's question in the shape that readers and judges share. Its answer's kind is read off the answer."""
    turns = question.evidence or tuple((number, 0) for number in question.sessions)
    evidence = (_uri(one, number, turn) for number, turn in turns)
    return Asked(
        id=question.id,
        account=one.id,
        text=question.text,
        category=question.category,
        kind=question.kind or (Kind.NONE if question.answer is None else Kind.TEXT),
        answer=question.answer,
        accepts=question.accepts,
        evidence=tuple(dict.fromkeys(evidence)),
        asked_at=question.asked_at,
    )


def _uri(one: Conversation, number: int, turn: int) -> str:
    session = one.session_id(number)
    return str(turns_uri(session, turn)) if turn else f"session://{session}"


def nights(account: Account, state: State, before: State | None, every: int) -> Iterator[tuple[datetime, list[int]]]:
    """When to dream on the way from one state to the next, and what comes in before: a night when `every` days have
    passed, and one at the end; 0 = only that. Nights are at two in the morning after the last thing that came in."""
    new = sorted(
        state.inputs - (before.inputs if before else frozenset()), key=lambda at: (account.inputs[at].when, at)
    )
    batch: list[int] = []
    for at in new:
        first = account.inputs[batch[0]].when if batch else None
        if every and first is not None and account.inputs[at].when.date() - first.date() >= timedelta(days=every):
            yield night_after(account, batch), batch
            batch = []
        batch.append(at)
    if batch:
        yield night_after(account, batch), batch


def night_after(account: Account, batch: Iterable[int]) -> datetime:
    last = max(account.inputs[at].when for at in batch)
    return datetime(last.year, last.month, last.day, 2, tzinfo=UTC) + timedelta(days=1)
