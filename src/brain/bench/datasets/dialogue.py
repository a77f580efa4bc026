"""The shape every dialogue data set is read into: conversations of sessions of turns, and questions with evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from brain.bench.asked import Kind
from brain.ingest.raw import RawSession, RawTurn
from brain.tree.ids import session_id
from brain.types import Transcript, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session as the data set gives it. `number` is its name in evidence; turn numbers are 1..n."""

    number: int
    external_id: str
    title: str
    turns: tuple[Turn, ...]
    started_at: datetime | None = None
    participants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its gold evidence as (session number, turn number) pairs.

    `category` is the data set's own name for the kind. `answer` is None where the right answer is that memory does not
    hold one, `accepts` are other right forms, `kind` how they are compared, None = not said. `asked_at` is the asker's
    time, None when the data set has none. `sessions` is the evidence by session number. `before`: only sessions with a
    lower number count.
    """

    id: str
    text: str
    category: str
    answer: str | None = None
    evidence: tuple[tuple[int, int], ...] = ()
    sessions: tuple[int, ...] = ()
    asked_at: datetime | None = None
    before: int | None = None
    kind: Kind | None = None
    accepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation = one brain. `owners` are the names of those whose memory it is, where the data set says."""

    id: str
    source: str
    speakers: tuple[str, ...]
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...] = ()
    owners: tuple[str, ...] = ()

    def seen_by(self, question: Question) -> frozenset[int]:
        """Numbers of the sessions that lie before a question: the ones before its own, else by day, not by minute."""
        if question.before is not None:
            return frozenset(one.number for one in self.sessions if one.number < question.before)
        if question.asked_at is None:
            return frozenset(one.number for one in self.sessions)
        day = question.asked_at.date()
        past = (one for one in self.sessions if one.started_at is None or one.started_at.date() <= day)
        return frozenset(one.number for one in past)

    def raw_sessions(self, numbers: frozenset[int] | None = None) -> Iterator[RawSession]:
        """The sessions, or some of them, as an importer takes them: nothing redacted, numbered or stored yet."""
        for session in self.sessions:
            if numbers is not None and session.number not in numbers:
                continue
            yield RawSession(
                source=self.source,
                external_id=session.external_id,
                title=session.title,
                started_at=session.started_at,
                participants=session.participants,
                turns=tuple(
                    RawTurn(role=turn.role, text=turn.text, time=turn.time, name=turn.name) for turn in session.turns
                ),
            )

    def transcripts(self, numbers: frozenset[int] | None = None) -> Iterator[Transcript]:
        """The sessions, or some of them, as stored, under the ids that an import gives them."""
        for session in self.sessions:
            if numbers is not None and session.number not in numbers:
                continue
            yield Transcript(
                id=self.session_id(session.number),
                source=self.source,
                external_id=session.external_id,
                title=session.title,
                started_at=session.started_at,
                participants=session.participants,
                turns=session.turns,
            )

    def session_id(self, number: int) -> str:
        """The id under which an import stores the session with this number."""
        external = next(session.external_id for session in self.sessions if session.number == number)
        return session_id(self.source, external)
