"""Evidence behind a claim: turns of sessions, files and connector snapshots, read from the tree they are stored in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from brain.errors import FormatError, NotFound
from brain.tree import sessions, snapshot, transcript, uri
from brain.tree.files import Tree
from brain.tree.layout import ARTIFACTS, SESSION_INDEX, snapshot_path
from brain.tree.sessions import SessionRow
from brain.types import Role, Trust, Turn

WHOLE = 8_000_000
"""Transcripts up to this many bytes are read once and kept; longer ones are read range by range."""


class Evidence(Protocol):
    """Read-only access to what claims cite."""

    def row(self, session: str) -> SessionRow | None:
        """The session's line in the index."""
        ...

    def turns(self, session: str, first: int, last: int) -> Sequence[Turn]:
        """Turns `first` to `last`, both included, as far as they exist."""
        ...

    def people(self, session: str) -> Sequence[str]:
        """Who takes part in a session, by the names its transcript gives."""
        ...

    def document(self, source: uri.SourceUri) -> Sequence[Turn]:
        """A file or snapshot as one turn, of external trust but for books of the owner; empty when it is not here."""
        ...

    def file(self, source: uri.SourceUri) -> bytes | None:
        """The bytes of a file or snapshot, None when it is not here."""
        ...


class TreeEvidence:
    """Evidence over a memory tree that has its transcripts and artifacts; `roots` are the folders of `config.roots`,
    `authoritative` the connectors whose records count as the owner's own books: a tool's result, never their words."""

    def __init__(self, tree: Tree, roots: dict[str, Path] | None = None, authoritative: Iterable[str] = ()) -> None:
        self.tree = tree
        self.roots = roots or {}
        self.authoritative = frozenset(authoritative)
        self._rows: dict[str, SessionRow] | None = None
        self._whole = lru_cache(maxsize=64)(self._read_whole)
        self._people = lru_cache(maxsize=512)(self._read_people)
        self._range = lru_cache(maxsize=2048)(self._read_range)

    def row(self, session: str) -> SessionRow | None:
        if self._rows is None:
            try:
                self._rows = {row.id: row for row in sessions.parse_rows(self.tree.read(SESSION_INDEX))}
            except (NotFound, FormatError):
                self._rows = {}
        return self._rows.get(session)

    def turns(self, session: str, first: int, last: int) -> Sequence[Turn]:
        row = self.row(session)
        if row is None or not row.transcript:
            return ()
        turns = self._range(row.transcript, first, last)
        return turns if row.last_turn_at else transcript.dated(turns, row.started_at)

    def people(self, session: str) -> Sequence[str]:
        row = self.row(session)
        return self._people(row.transcript) if row and row.transcript else ()

    def document(self, source: uri.SourceUri) -> Sequence[Turn]:
        data = self.file(source)
        if data is None:
            return ()
        text = data.decode("utf-8", "replace")
        if isinstance(source, uri.ConnectorUri):
            trust = Trust.TOOL if source.name in self.authoritative else Trust.EXTERNAL
            return (Turn(number=1, role=Role.TOOL, text=snapshot.document(text), trust=trust),)
        if isinstance(source, uri.FileUri) and source.anchor and source.anchor.startswith("L"):
            first, _, last = source.anchor[1:].partition("-L")
            text = "\n".join(text.split("\n")[int(first) - 1 : int(last or first)])
        return (Turn(number=1, role=Role.TOOL, text=text, trust=Trust.EXTERNAL),)

    def file(self, source: uri.SourceUri) -> bytes | None:
        if isinstance(source, uri.FileUri):
            if source.root != "artifacts":
                root = self.roots.get(source.root)
                place = (root / source.path).resolve() if root else None
                inside = root is not None and place is not None and place.is_relative_to(root.resolve())
                return place.read_bytes() if inside and place is not None and place.is_file() else None
            return self._bytes(ARTIFACTS + source.path)
        if isinstance(source, uri.ConnectorUri):
            return self._bytes(snapshot_path(source.name, source.sha))
        return None

    def _bytes(self, path: str) -> bytes | None:
        read_bytes = getattr(self.tree, "read_bytes", None)
        try:
            data = read_bytes(path) if read_bytes else self.tree.read(path).encode("utf-8")
        except (NotFound, FormatError):
            return None
        return data if isinstance(data, bytes) else None

    def _read_range(self, path: str, first: int, last: int) -> Sequence[Turn]:
        root = getattr(self.tree, "root", None)
        try:
            if isinstance(root, Path) and (root / path).stat().st_size > WHOLE:
                return tuple(transcript.read_turns(root / path, first, last))
            return tuple(turn for turn in self._whole(path) if first <= turn.number <= last)
        except (NotFound, FormatError, OSError):
            return ()

    def _read_people(self, path: str) -> Sequence[str]:
        root = getattr(self.tree, "root", None)
        try:
            if isinstance(root, Path):
                return transcript.read_head(root / path).participants
            return transcript.parse(self.tree.read(path), path).participants
        except (NotFound, FormatError, OSError):
            return ()

    def _read_whole(self, path: str) -> Sequence[Turn]:
        return transcript.parse(self.tree.read(path), path).turns
