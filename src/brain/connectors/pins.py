"""Pinning: a record becomes a snapshot in the tree, redacted before its first byte is written, and gets its URI.

The same content is the same snapshot, whenever it is read: the file that is there already stays, with its first time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from brain.errors import ConnectorError, FormatError
from brain.text import is_clean
from brain.tree.ids import format_time
from brain.tree.layout import snapshot_path
from brain.tree.snapshot import Record, Snapshot, parse, render
from brain.tree.uri import ConnectorUri
from brain.tree.uri import parse as parse_uri

BYTES = 2_000_000
ID = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A snapshot that is kept: its URI, what it says, and whether it was new."""

    uri: ConnectorUri
    record: Record
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pins:
    """The snapshots of one brain. `redact` takes secrets out of a text."""

    root: Path
    redact: Callable[[str], str]

    def pin(self, name: str, record: Record, now: datetime, *, dry_run: bool = False) -> Pinned:
        """Keep a record; with `dry_run` only say what its URI would be. Raises ConnectorError when it cannot be."""
        snapshot = self.snapshot(name, record, now)
        text = render(snapshot)
        if len(text.encode("utf-8")) > BYTES:
            raise ConnectorError(name, f"the record {record.id!r} is larger than {BYTES:,} bytes")
        known = self.stored(snapshot)
        if known is not None:
            return Pinned(uri=known.uri, record=known.record, new=False)
        if not dry_run:
            try:
                _write(self.root / snapshot_path(name, snapshot.sha), text)
            except OSError as error:
                why = f"what it says cannot be kept: {error.strerror}"
                raise ConnectorError(name, why, hint="--dry-run only looks; a sandbox may not write here") from error
        return Pinned(uri=snapshot.uri, record=snapshot.record, new=True)

    def snapshot(self, name: str, record: Record, now: datetime) -> Snapshot:
        """What would be kept of a record: nothing secret in it."""
        if len(record.id) > ID or not is_clean(record.id) or self.redact(record.id) != record.id:
            raise ConnectorError(name, f"the record {record.title!r} has an id that cannot be cited")
        kept = replace(
            record,
            title=self.redact(record.title),
            text=self.redact(record.text),
            fields=tuple((key, self.redact(value)) for key, value in record.fields),
        )
        made = Snapshot(connector=name, at=format_time(now), record=kept)
        try:
            parse_uri(str(made.uri))
        except FormatError as error:
            raise ConnectorError(name, f"{error.reason}", hint="names are letters, digits, dots and hyphens") from error
        return made

    def stored(self, snapshot: Snapshot) -> Snapshot | None:
        """The snapshot of the same content that is kept already."""
        place = self.root / snapshot_path(snapshot.connector, snapshot.sha)
        try:
            found = parse(place.read_text("utf-8")) if not place.is_symlink() else None
        except (OSError, UnicodeDecodeError):
            return None
        return found if found is not None and found.sha == snapshot.sha else None


def _write(place: Path, text: str) -> None:
    """Whole or not at all, readable by the user alone."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = place.with_name(f".{place.name}.{os.getpid()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(place)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
