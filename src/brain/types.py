"""The words every room uses, as frozen values: turns, transcripts, facts, problems, hits."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Trust(StrEnum):
    """Whose words a turn holds. Preferences and directives need OWNER; EXTERNAL is web, mail and document text."""

    OWNER = "owner"
    AGENT = "agent"
    TOOL = "tool"
    EXTERNAL = "external"


ROLE_TRUST = {Role.USER: Trust.OWNER, Role.ASSISTANT: Trust.AGENT, Role.TOOL: Trust.TOOL, Role.SYSTEM: Trust.AGENT}
"""The trust a role has when a head line does not say otherwise (format §9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a transcript. `time` is timezone-aware UTC, None when the source has none (never invented)."""

    number: int
    role: Role
    text: str
    time: datetime | None = None
    name: str | None = None
    call: str | None = None
    trust: Trust | None = None
    redacted: str | None = None
    attach: tuple[str, ...] = ()

    @property
    def trusted_as(self) -> Trust:
        return self.trust or ROLE_TRUST[self.role]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A session as stored: loss-free, redacted, append-only. Turn numbers are 1..n without gaps."""

    id: str
    source: str
    external_id: str
    title: str
    started_at: datetime | None = None
    cwd: str | None = None
    participants: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()


class Qualifier(StrEnum):
    """Who stands behind a claim (format §4.5); no qualifier = the user, or a first-party tool result."""

    ASSISTANT = "assistant"
    EXTERNAL = "external"
    INFERRED = "inferred"
    IMAGE = "image"
    DISPUTED = "disputed"


class FactKind(StrEnum):
    PREFERENCE = "preference"
    DECISION = "decision"
    CORRECTION = "correction"
    WORKED = "worked"
    FAILED = "failed"
    STATE = "state"  # an attribute of a subject that may change: where, who, what status
    EVENT = "event"  # something that happened on a day
    PLAN = "plan"  # something meant to happen; never written as an event
    WORKFLOW = "workflow"  # how the user does something
    RELATION = "relation"  # who somebody is to somebody
    ARTEFACT = "artefact"  # a file or product that came out of the work
    QUESTION = "question"  # an open thread
    FACT = "fact"


class SubjectKind(StrEnum):
    PERSON = "person"
    ORG = "org"
    PLACE = "place"
    PRODUCT = "product"
    TOOL = "tool"
    ACCOUNT = "account"
    EVENT = "event"
    PROJECT = "project"
    CONCEPT = "concept"
    LEARNING = "learning"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Something a fact is about, by the name the speaker used. `aliases` are other names seen with it."""

    name: str
    kind: SubjectKind
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement lifted from a range of turns: what distilling produces and dreaming attaches to subjects.

    `text` is one self-contained sentence of at most 40 words in the language it was said in, with absolute dates.
    `day` is the day it was said in the speaker's time, None when the source has no time. `about` lists subjects, the
    one the sentence is mainly about first. `attribute` names what changes when a newer value supersedes an older one of
    the same subject ("host", "deadline", "lives in"); None when nothing can supersede it. `value` is that value.
    `weight` is salience in 0..1. `topic` is the folder of notes that the author chose, None = by kind and subject.
    """

    session: str
    first_turn: int
    last_turn: int
    text: str
    kind: FactKind
    day: date | None = None
    qualifier: Qualifier | None = None
    speaker: str | None = None
    about: tuple[Subject, ...] = ()
    attribute: str | None = None
    value: str | None = None
    language: str = "en"
    weight: float = 0.5
    topic: str | None = None


class Severity(StrEnum):
    E = "E"  # blocks sync
    W = "W"  # recorded
    A = "A"  # fixed by `brain fmt` before checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What a rule found. `line` counts from 1, 0 = the file as a whole. `fix` says what would mend it."""

    rule: str
    severity: Severity
    path: str
    line: int = 0
    message: str = ""
    fix: str | None = None


class Surface(StrEnum):
    PAGE = "page"
    NOTE = "note"
    SUMMARY = "summary"
    TURN = "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result. `path` is relative to the memory tree; turns are set for turn hits and cited statements."""

    surface: Surface
    path: str
    uri: str
    score: float
    text: str
    title: str = ""
    line: int = 0
    day: date | None = None
    first_turn: int | None = None
    last_turn: int | None = None
    speaker: str | None = None
    session: str | None = None
    parts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What calls of models took. `cost` in US dollars, of the priced calls alone; `unpriced` counts the others."""

    calls: int = 0
    failed: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0

    def line(self) -> str:
        """For a person, in one line."""
        cost = f"${self.cost:.4f}" + (f" and {self.unpriced} calls of unknown price" if self.unpriced else "")
        if self.unpriced and self.unpriced == self.calls - self.failed:
            cost = "price unknown"
        failed = f", {self.failed} failed" if self.failed else ""
        cached = f" ({self.cached:,} cached)" if self.cached else ""
        tokens = f"{self.input:,} tokens in{cached}, {self.output:,} out"
        calls = f"{self.calls} call{'s' if self.calls != 1 else ''}{failed}"
        return f"{calls}: {tokens}, {cost}, {self.seconds:.0f} s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a role is likely to take of a model before it runs. `cost` in US dollars, None = unknown."""

    role: str
    model: str
    input: int
    output: int
    cached: int = 0
    cost: float | None = None

    def line(self) -> str:
        cost = "price unknown" if self.cost is None else f"about ${self.cost:.2f}"
        cached = f" ({self.cached:,} likely cached)" if self.cached else ""
        return f"{self.role} by {self.model}: about {self.input:,} tokens in{cached}, {self.output:,} out, {cost}"
