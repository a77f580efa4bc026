"""The ledger of one life: who somebody is, what is true of them and when it is said. Written before any session is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from brain.bench.personas.banks import Bank
from brain.bench.personas.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Undertaking:
    """Something that goes on for months: its whole name, what it is called in passing, its folder."""

    name: str
    alias: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """`tongue` is the language of the work, `second` the one of what is said beside it (often the same)."""

    id: str
    name: str
    work: Bank
    tongue: str
    second: str
    zone: ZoneInfo
    city: str
    people: tuple[str, ...]
    undertakings: tuple[Undertaking, ...]
    hosts: tuple[str, ...]
    start: date
    days: int

    @property
    def login(self) -> str:
        return "".join(c for c in self.name.split()[0].casefold() if c.isascii() and c.isalpha()) or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One thing to be said once. `by` is user, assistant, tool, outside (a page of others) or rival (another's view).

    `offset` is how many days from the day it is said that of which it speaks lies. `against` is what the assistant
    then proposes instead, in vain. Mentions of one fact with a higher `order` come in later sessions. `private` says
    how it will be forgotten: by its session, or by terms. `command` is what printed it, where a tool did.
    """

    id: str
    text: str
    tongue: str
    by: str = "user"
    order: int = 0
    topic: int | None = None
    offset: int | None = None
    against: str = ""
    private: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is true. `kind` is that of its row, `values` in the order in which they held, `wrong` was only proposed.

    `slots` fill its questions. `untold` is a subject the same could be asked of and that nobody spoke of.
    """

    id: str
    kind: str
    row: str
    tongue: str
    asks: tuple[str, ...]
    values: tuple[Value, ...] = ()
    mentions: tuple[Mention, ...] = ()
    wrong: tuple[Value, ...] = ()
    slots: dict[str, str] = field(default_factory=dict)
    untold: str = ""
    extra: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a mention came to stand: in a session's turn, as imports number them, or in a connector's record."""

    session: str
    turn: int
    at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """A record only a connector holds: a meeting or a mail."""

    id: str
    connector: str
    title: str
    day: date
    time: str = ""
    place: str = ""
    body: str = ""
    sender: str = ""
    revised: date | None = None


@dataclass(slots=True, kw_only=True)
class Turn:
    """What one stored turn holds. `role` is user, assistant, call, result; a call has `tool` and `arguments`."""

    role: str
    text: str
    at: datetime
    tool: str = ""
    arguments: dict[str, str] = field(default_factory=dict)
    mention: str = ""


@dataclass(slots=True, kw_only=True)
class Session:
    """One session as it will be written by a host. `kind` is one, talk, work or private."""

    id: str
    host: str
    kind: str
    start: datetime
    tongue: str
    topic: int
    title: str = ""
    turns: list[Turn] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
