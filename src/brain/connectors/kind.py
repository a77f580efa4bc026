"""What a connector is: a kind opens a source, and a source lists, searches and reads. Nothing here can write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from brain.config import Connector
from brain.text import normal_name
from brain.tree.snapshot import Record

MOST = 5_000
"""Records of one source that are looked at; the rest is counted."""

TEXT = 100_000
"""Characters of one record that are kept; longer ones are cut and say so."""

GLIMPSE = 4_000
"""Characters of a record's text that a list or a search looks at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A record as lists and searches show it. `text` is what a search reads, at most its first few thousand characters;
    `state` is a fingerprint that changes when the record does, "" when only reading it can tell."""

    id: str
    kind: str
    title: str
    day: str = ""
    text: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a source is and what of it may be read: its table in the config, and the brain it is configured in.

    `secret` gives the value of an environment variable that the table names.
    """

    name: str
    root: Path
    connector: Connector
    zone: ZoneInfo
    secret: Callable[[str], str | None] = lambda _: None
    skipped: Counter[str] = field(default_factory=Counter)

    def allows(self, path: str) -> bool:
        """Whether a relative path is among those allowed: all are when the config narrows nothing."""
        allow = self.connector.allow
        return not allow or any(
            fnmatchcase(path, pattern) or path.startswith(pattern.rstrip("/") + "/") for pattern in allow
        )


class Source(Protocol):
    """One open source, read-only. Every method may raise ConnectorError."""

    def check(self) -> str:
        """What is there, in a few words: `12 events`."""

    def list(self, since: date | None = None, until: date | None = None) -> Iterator[Entry]:
        """What the source holds, newest first, at most `MOST`. With days, what falls on them, each repetition."""

    def search(self, query: str, limit: int) -> Sequence[Entry]:
        """The entries that speak of the query, best first."""

    def fetch(self, id: str) -> Record:
        """One record as it is now. Raises NotFound when the source has none of this id."""

    def close(self) -> None:
        """Let go of whatever was opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of outside source. `name` is what the config calls it, `needs` the keys of its table that say where.

    `acts`: opening it starts a program or reaches the network, so a person approves it once on each machine.
    `asked`: its lists say nothing of its records, so probing it means asking it by name.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    open: Callable[[Place], Source]
    acts: bool = False
    asked: bool = False


def ranked(entries: Iterable[Entry], query: str, limit: int, body: Callable[[Entry], str] | None = None) -> list[Entry]:
    """Entries that hold words of a query, those with all of them first; a title counts more than a text.

    `body` gives the text of an entry when its own is not all of it.
    """
    wanted = [word for word in normal_name(query).split() if word]
    found: list[tuple[float, str, str, Entry]] = []
    for entry in entries:
        title, text = normal_name(entry.title), normal_name(body(entry) if body else entry.text)
        hits = sum(1.0 if word in text or word in title else 0.0 for word in wanted)
        if hits and hits * 2 >= len(wanted):
            phrase = normal_name(query) in title or normal_name(query) in text
            score = hits / len(wanted) + 0.5 * phrase + sum(0.25 for word in wanted if word in title) / len(wanted)
            found.append((-score, _descending(entry.day), entry.id, entry))
    return [entry for *_, entry in sorted(found, key=lambda row: row[:3])[:limit]]


def newest_first(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (_descending(entry.day), entry.id))


def _descending(day: str) -> str:
    return "".join(chr(0x7E - ord(ch) + 0x20) if ch.isascii() else ch for ch in day) or "~"
