"""What a model is asked to return when it distils a session or judges claims: the shapes of its JSON."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

Kind = Literal[
    "preference", "decision", "correction", "worked", "failed", "state", "event", "plan", "workflow", "relation",
    "artefact", "question", "fact",
]  # fmt: skip
Topic = Literal["preferences", "people", "work", "facts", "environment", "workflows"]
Thing = Literal[
    "person", "org", "place", "product", "tool", "account", "event", "project", "concept", "learning", "other"
]
Stands = Literal["none", "assistant", "external", "inferred", "image"]
Support = Literal["supported", "partial", "unsupported", "contradicted"]
Failed = Literal[
    "SEM001", "SEM002", "SEM003", "SEM004", "SEM005", "SEM006", "SEM007", "SEM008", "SEM009", "SEM010"
]  # fmt: skip
Outcome = Literal["done", "partial", "abandoned", "unknown"]


class Named(BaseModel):
    """A subject by the name that the turns use."""

    name: str
    kind: Thing = "other"


class Noted(BaseModel):
    """One fact, said by the turns first_turn to last_turn."""

    sentence: str
    kind: Kind
    topic: Topic
    about: list[Named] = Field(default_factory=list, max_length=6)
    qualifier: Stands = "none"
    first_turn: int
    last_turn: int
    date_phrase: str = ""
    attribute: str = ""
    value: str = ""


class Point(BaseModel):
    """One bullet of the summary with its turns."""

    text: str
    first_turn: int
    last_turn: int


class Told(BaseModel):
    """What the session was about."""

    title: str = ""
    paragraph: str
    outcome: Outcome = "unknown"
    decisions: list[Point] = Field(default_factory=list)
    corrections_and_preferences: list[Point] = Field(default_factory=list)
    outcomes_and_artifacts: list[Point] = Field(default_factory=list)
    dead_ends: list[Point] = Field(default_factory=list)
    open_threads: list[Point] = Field(default_factory=list)


class Distillate(BaseModel):
    """Notes and summary of the new turns of a session."""

    notes: list[Noted]
    summary: Told


class Judged(BaseModel):
    """The verdict on one claim; failed names the questions it does not pass."""

    claim: int
    verdict: Support
    failed: list[Failed] = Field(default_factory=list)
    why: str = ""
    suggested_fix: str = ""


class Judgements(BaseModel):
    """One verdict for every claim shown."""

    verdicts: list[Judged]
