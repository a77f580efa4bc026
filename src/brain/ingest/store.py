"""Transcripts on disk as an import sees them: where each session lies, what it holds, and how turns are added.

A transcript is only ever replaced whole, so a kill at any moment leaves the old or the new one, never part of a turn.
The old is a byte prefix of the new, but where turns take the places of those that had not come along with pages.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path

from brain.errors import FormatError
from brain.ingest.prepare import Artifact, Prepared
from brain.tree import transcript
from brain.tree.files import make_folder, write_atomic
from brain.tree.layout import ARTIFACTS, SESSION_INDEX, SESSION_INDEX_MD, TRANSCRIPTS, stem, transcript_path
from brain.tree.sessions import SessionRow, SessionState, parse_rows, render_index_md, render_rows
from brain.types import Transcript, Turn

_COPY = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A transcript after writing."""

    path: str
    turns: int
    added: int
    last_at: datetime | None
    sha256: str


class Transcripts:
    """The transcripts of one memory folder, found by session id."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._places: dict[str, list[Path]] = {}
        folder = root / TRANSCRIPTS
        for place in sorted(folder.glob("*/*.md")) if folder.is_dir() else ():
            self._places.setdefault(place.stem[-8:], []).append(place)

    def sweep(self) -> None:
        """Take away what an import that was killed left half written. Only with the lock of imports held."""
        for folder in (TRANSCRIPTS, ARTIFACTS):
            for left in (self.root / folder).glob("*/.tmp-*"):
                left.unlink(missing_ok=True)

    def find(self, session: str) -> Path | None:
        """The file of a session; its name ends in the id's first eight digits, its frontmatter says the rest.

        Raises FormatError when the one file that may be it does not read.
        """
        damage: FormatError | None = None
        for place in self._places.get(session[:8], ()):
            try:
                if transcript.read_head(place).id == session:
                    return place
            except FileNotFoundError:
                continue
            except FormatError as error:
                damage = error
        if damage is not None:
            raise damage
        return None

    def all(self) -> Iterator[Path]:
        for places in self._places.values():
            yield from places

    def turns(self, session: str) -> Iterator[Turn]:
        """The stored turns, none when the session is not stored. Raises FormatError on a damaged file."""
        place = self.find(session)
        return transcript.iter_turns(place) if place else iter(())

    def relative(self, place: Path) -> str:
        return place.relative_to(self.root).as_posix()

    def create(self, head: Transcript, turns: Iterable[Prepared]) -> Written:
        """Write a new session."""
        name = stem(head)
        path = transcript_path(name)
        place = self.root / path
        written = self._write(place, transcript.render_head(head).encode(), None, 0, None, turns)
        self._places.setdefault(head.id[:8], []).append(place)
        return written

    def append(self, place: Path, count: int, last_at: datetime | None, turns: Iterable[Prepared]) -> Written:
        """Add turns to a stored session of `count` turns."""
        return self._write(place, b"", place, count, last_at, turns)

    def fill(self, place: Path, absent: Container[int], told: Sequence[Prepared], row: SessionRow | None) -> SessionRow:
        """Put turns where those `absent` (counted from 0) of a stored session stand, and what follows behind them.

        Every other turn stays as it is stored: what was forgotten does not come back. The session's row from now on.
        """
        head, stored = transcript.read_head(place), list(transcript.iter_turns(place))
        kept = (told[at] if at in absent else Prepared(turn=turn) for at, turn in enumerate(stored))
        start = transcript.render_head(head).encode()
        return row_of(head, self._write(place, start, None, 0, None, chain(kept, told[len(stored) :])), row)

    def _write(
        self,
        place: Path,
        start: bytes,
        old: Path | None,
        count: int,
        last_at: datetime | None,
        turns: Iterable[Prepared],
    ) -> Written:
        make_folder(place.parent)
        handle, name = tempfile.mkstemp(prefix=".tmp-", dir=place.parent)
        digest = sha256()
        added = 0
        try:
            with os.fdopen(handle, "wb", buffering=_COPY) as file:

                def put(data: bytes) -> None:
                    file.write(data)
                    digest.update(data)

                put(start)
                if old is not None:
                    with old.open("rb") as source:
                        while chunk := source.read(_COPY):
                            put(chunk)
                for item in turns:
                    added += 1
                    for artifact in item.artifacts:
                        self._keep(artifact)
                    put(transcript.render_turn(replace(item.turn, number=count + added)).encode())
                    last_at = max(filter(None, (last_at, item.turn.time)), default=None)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o600)
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return Written(
            path=self.relative(place), turns=count + added, added=added, last_at=last_at, sha256=digest.hexdigest()
        )

    def _keep(self, artifact: Artifact) -> None:
        place = self.root / artifact.path
        if place.exists() and place.stat().st_size == len(artifact.data):
            return
        make_folder(place.parent)
        handle, name = tempfile.mkstemp(prefix=".tmp-", dir=place.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(artifact.data)
        Path(name).chmod(0o600)
        Path(name).replace(place)


def read_rows(root: Path) -> dict[str, SessionRow]:
    """The published session rows by id. Raises FormatError."""
    place = root / SESSION_INDEX
    return {row.id: row for row in parse_rows(place.read_text("utf-8"))} if place.is_file() else {}


def write_rows(root: Path, rows: Iterable[SessionRow]) -> None:
    """Merge rows into the session indexes of a folder, without a commit: for a folder that no brain publishes."""
    merged = {**read_rows(root), **{row.id: row for row in rows}}.values()
    write_atomic(root / SESSION_INDEX, render_rows(merged))
    write_atomic(root / SESSION_INDEX_MD, render_index_md(merged))


def row_of(head: Transcript, written: Written, before: SessionRow | None) -> SessionRow:
    """The index row of a transcript; what is known beside it (summary, watermarks, sensitivity) stays."""
    base = before or SessionRow(id=head.id, source=head.source, external_id=head.external_id, title=head.title)
    return replace(
        base,
        source=head.source,
        external_id=head.external_id,
        title=head.title,
        started_at=head.started_at,
        ended_at=written.last_at or base.ended_at,
        last_turn_at=written.last_at or base.last_turn_at,
        turns=written.turns,
        transcript=written.path,
        transcript_sha256=written.sha256,
        state=base.state if base.state is not SessionState.OPEN else SessionState.CLOSED,
    )


def survey(root: Path, place: Path) -> tuple[Transcript, Written]:
    """A stored transcript as if it had just been written: for rows lost in a crash. Raises FormatError."""
    head = transcript.read_head(place)
    count, last_at = 0, None
    for turn in transcript.iter_turns(place):
        count += 1
        last_at = max(filter(None, (last_at, turn.time)), default=None)
    path = place.relative_to(root).as_posix()
    return head, Written(path=path, turns=count, added=0, last_at=last_at, sha256=file_hash(place))


def file_hash(place: Path) -> str:
    digest = sha256()
    with place.open("rb") as file:
        while chunk := file.read(_COPY):
            digest.update(chunk)
    return digest.hexdigest()


def prefix_hash(place: Path, turns: int) -> str | None:
    """SHA-256 of a transcript up to its turn number `turns`; None when it holds no turn after that one."""
    data = place.read_bytes()
    end = data.find(f"\n## t{turns + 1} · ".encode())
    return sha256(data[:end]).hexdigest() if end >= 0 else None
