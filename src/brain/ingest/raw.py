"""What a format reads out of a file, before redaction and numbering: raw sessions, raw turns, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from brain.types import Role, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """A picture or document that came inside a message. `media` is its MIME type as the source says."""

    data: bytes
    media: str = "application/octet-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTurn:
    """One message as the source has it. `time` may be naive, the speaker's local time; the importer knows the zone.

    `origin` is the source's own id of the message; it is not stored.
    """

    role: Role
    text: str
    time: datetime | None = None
    name: str | None = None
    call: str | None = None
    trust: Trust | None = None
    files: tuple[RawFile, ...] = ()
    origin: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSession:
    """One session of a source. `turns` may be lazy and is read once, before the format goes on to the next session.

    `title` None means: take the first thing the user said. `started_at` None means: the first turn's time.
    `parent` is the external id of the session this one was forked from, whose turns it may repeat at its start.
    `place` says where in the file it lies, for messages about it.
    """

    source: str
    external_id: str
    turns: Iterable[RawTurn]
    title: str | None = None
    started_at: datetime | None = None
    cwd: str | None = None
    participants: tuple[str, ...] = ()
    parent: str | None = None
    place: str = ""


MAX_EXAMPLES = 20


@dataclass(slots=True)
class Skips:
    """What did not become a turn, by reason. `left_out` was meant to be (not speech); `broken` is damage."""

    left_out: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def leave(self, reason: str, count: int = 1) -> None:
        """Count something that is whole but is not a turn: an envelope, a reminder, a record of the tool."""
        if count:
            self.left_out[reason] += count

    def damage(self, reason: str, place: str = "", count: int = 1) -> None:
        """Count something that could not be read. `place` is shown to the user: "line 12", "conversation 3"."""
        self.broken[reason] += count
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(f"{place}: {reason}" if place else reason)

    def redact(self, redact: Callable[[str], str]) -> None:
        """Take secrets out of reasons and places: they may quote what did not read, or a title."""
        for counted in (self.left_out, self.broken):
            told = [(redact(reason), count) for reason, count in counted.items()]
            counted.clear()
            for reason, count in told:
                counted[reason] += count
        self.examples = [redact(example) for example in self.examples]

    def add(self, other: Skips) -> None:
        self.left_out.update(other.left_out)
        self.broken.update(other.broken)
        self.examples.extend(other.examples[: MAX_EXAMPLES - len(self.examples)])
