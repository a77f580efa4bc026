"""Snapshots of connector records (format §5.3): what an outside source said, pinned by the hash of its content.

    >>> record = Record(kind="event", id="a1", title="Host meeting", fields=(("when", "2026-10-12"),))
    >>> snapshot = Snapshot(connector="calendar", at="2026-08-06T07:40:11Z", record=record)
    >>> parse(render(snapshot)) == snapshot
    True
    >>> print(readable(record))
    Host meeting
    when: 2026-10-12

The time of the first fetch stands beside the content and is no part of the hash: same content, same snapshot.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from hashlib import sha256

from brain.tree.uri import ConnectorUri

VERSION = 1
Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing an outside source holds: an event, a mail, a file, a commit, a tool's answer.

    `id` finds it again in its source; `day` is the day it is about (`YYYY-MM-DD`, "" when it has none); `fields` are
    named values in the order a reader wants them. All of it is text from outside.
    """

    kind: str
    id: str
    title: str
    text: str = ""
    day: str = ""
    fields: Fields = ()

    def field(self, name: str) -> str:
        """The value of a field, "" when it has none."""
        return next((value for key, value in self.fields if key == name), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A record as it was when it was first read so, at time `at`."""

    connector: str
    at: str
    record: Record

    @property
    def sha(self) -> str:
        """The first 16 hex digits of the hash of everything but `at`."""
        return sha256(_json(_content(replace(self, at=""))).encode("utf-8")).hexdigest()[:16]

    @property
    def uri(self) -> ConnectorUri:
        return ConnectorUri(self.connector, self.at, self.sha, (("id", self.record.id),))


def render(snapshot: Snapshot) -> str:
    """The file of a snapshot."""
    return json.dumps(_content(snapshot), ensure_ascii=False, indent=1) + "\n"


def parse(text: str) -> Snapshot | None:
    """The snapshot in a file; None when it is not of this form (older files hold plain JSON of any shape)."""
    try:
        raw = json.loads(text)
    except ValueError:
        return None
    if not isinstance(raw, dict) or raw.get("snapshot") != VERSION:
        return None
    fields = raw.get("fields")
    names = ("connector", "at", "kind", "id", "title", "day", "text")
    if not isinstance(fields, dict) or not all(isinstance(raw.get(name), str) for name in names):
        return None
    record = Record(
        kind=raw["kind"], id=raw["id"], title=raw["title"], text=raw["text"], day=raw["day"],
        fields=tuple((str(key), str(value)) for key, value in fields.items()),
    )  # fmt: skip
    return Snapshot(connector=raw["connector"], at=raw["at"], record=record)


def readable(record: Record) -> str:
    """A record as a reader sees it: its title, its fields one a line, its text. What claims are checked against."""
    head = "\n".join([record.title, *(f"{name}: {value}" for name, value in record.fields)])
    return f"{head}\n\n{record.text}" if record.text else head


def document(text: str) -> str:
    """What a stored file says, as evidence: a snapshot's readable form, else the file as it is."""
    found = parse(text)
    return readable(found.record) if found else text


def shown(text: str) -> str:
    """A stored file for a person: where and when it was read, and what it said."""
    found = parse(text)
    if found is None:
        return text
    return f"{found.record.kind} of {found.connector}, as read on {found.at}\n\n{readable(found.record)}\n"


def _content(snapshot: Snapshot) -> dict[str, object]:
    record = snapshot.record
    return {
        "snapshot": VERSION,
        "connector": snapshot.connector,
        "at": snapshot.at,
        "kind": record.kind,
        "id": record.id,
        "title": record.title,
        "day": record.day,
        "fields": dict(record.fields),
        "text": record.text,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
