"""Rows for transcripts that a killed import left without, or with fewer turns than they hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from brain.errors import FormatError
from brain.ingest.align import mark
from brain.ingest.ledger import Ledger
from brain.ingest.store import Transcripts, file_hash, prefix_hash, row_of, survey
from brain.tree import transcript
from brain.tree.sessions import SessionRow, SessionState

FORKING = frozenset({"claude-code", "codex"})  # tools whose sessions may repeat the beginning of another


def recover(
    root: Path, ledger: Ledger, stored: Transcripts, rows: Mapping[str, SessionRow]
) -> tuple[dict[str, SessionRow], list[str]]:
    """The rows to publish, and what to say of transcripts that were changed by others or do not read."""
    heads, changed, notes = ledger.heads(), dict[str, SessionRow](), list[str]()
    for place in stored.all():
        path = stored.relative(place)
        state = place.stat()
        if ledger.settled(path, state.st_size, state.st_mtime_ns):
            continue
        try:
            row, note = _recover_one(root, ledger, rows, heads, place, path)
        except (FormatError, OSError) as error:
            row, note = None, f"{path}: does not read as a transcript ({error})"
        if row is not None:
            changed[row.id] = row
        if note:
            notes.append(note)
    return changed, notes


def _recover_one(
    root: Path, ledger: Ledger, rows: Mapping[str, SessionRow], heads: set[str], place: Path, path: str
) -> tuple[SessionRow | None, str | None]:
    head = transcript.read_head(place)
    row = rows.get(head.id)
    if head.id not in heads and head.source in FORKING and (first := next(transcript.iter_turns(place), None)):
        ledger.head(head.id, head.source, mark(first))
    if row is not None and row.state in (SessionState.DELETED, SessionState.REDACTED):
        return None, None
    if row is not None and row.transcript_sha256 == file_hash(place):
        ledger.settle(path, place.stat().st_size, place.stat().st_mtime_ns)
        return None, None
    if row is not None and prefix_hash(place, row.turns) != row.transcript_sha256:
        return None, f"{path}: was changed by hand; its row keeps the hash of what was imported"
    head, written = survey(root, place)
    return row_of(head, written, row), f"{path}: recovered from an import that was interrupted"
