"""What a place brings, in memory's format but not in memory yet: pages, notes, sessions, files, and what was lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from brain.tree.note import NoteFile
from brain.tree.summary import Summary
from brain.types import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Something that cannot be kept: `what` it is, in words that repeat, and `place`, the file and perhaps its line."""

    what: str
    place: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A page to adopt: its id and text, the file it comes from, and the artifact that this file becomes, if any."""

    id: str
    text: str
    origin: str
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A session that comes along: its head with the turns that did, its summary, and how many turns it has in all."""

    head: Transcript
    count: int
    summary: Summary | None = None
    ended_at: str = ""
    sensitivity: str = "normal"


@dataclass(slots=True, kw_only=True)
class Parcel:
    """`files` go under `sessions/artifacts/` by these paths."""

    pages: list[Offer] = field(default_factory=list)
    notes: list[NoteFile] = field(default_factory=list)
    sittings: list[Sitting] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)

    def lose(self, what: str, place: str, count: int = 1) -> None:
        if count:
            self.losses.append(Loss(what=what, place=place, count=count))

    def add(self, other: Parcel) -> None:
        self.pages += other.pages
        self.notes += other.notes
        self.sittings += other.sittings
        self.files |= other.files
        self.losses += other.losses


def named(losses: Iterable[Loss]) -> dict[str, list[Loss]]:
    """Losses by what was lost, in the order of their names."""
    found: dict[str, list[Loss]] = {}
    for one in losses:
        found.setdefault(one.what, []).append(one)
    return dict(sorted(found.items()))
