"""Transcripts and snapshots after a deletion: what they become, and the copies from which it can be taken back.

Nothing here is under git. A deletion that hides keeps what it takes in `.brain/forgotten/<its id>/`, read by no index,
working set or agent; one that erases keeps nothing. `settle` may be repeated: what a killed command left is finished.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from brain.errors import FormatError
from brain.forgetting.reach import Reach
from brain.ingest.importer import LEDGER
from brain.ingest.ledger import Ledger
from brain.text import strings_in
from brain.tree import snapshot, transcript
from brain.tree.files import write_atomic
from brain.tree.layout import ARTIFACTS, TRANSCRIPTS, transcript_path
from brain.tree.layout import stem as stem_of
from brain.tree.sessions import SessionRow, SessionState, parse_rows, render_row
from brain.types import Transcript, Turn

KEPT = ".brain/forgotten"
RUNS = ".brain/runs"
REPLAY = ".brain/replay"
GONE = "[forgotten]"
MARK = "forgotten"
TITLE = "Session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A session that a deletion touches: its row as it was and as it becomes, with its new text (None: none)."""

    before: SessionRow
    after: SessionRow
    text: str | None


def turns_saying(root: Path, rows: Iterable[SessionRow], reach: Reach) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """By session, the turns that hold a term of the reach. A transcript that does not read is passed over."""
    for row in rows:
        place = root / row.transcript
        if not row.transcript or row.state is SessionState.DELETED or not place.is_file():
            continue
        try:
            found = [t.number for t in transcript.iter_turns(place) if reach.says(t.text) or reach.says(t.name or "")]
        except FormatError:
            continue
        if found:
            yield row.id, [(number, number) for number in found]


def touched(root: Path, rows: Iterable[SessionRow], reach: Reach) -> list[Stored]:
    """The sessions that change. Raises FormatError for a transcript of them that does not read."""
    found = []
    for row in rows:
        if row.state is SessionState.DELETED:
            continue
        if row.id in reach.sessions:
            gone = replace(
                row, title="", summary=None, state=SessionState.DELETED, through_turn=row.turns,
                attached_through=row.turns, transcript_sha256="", transcript="",
            )  # fmt: skip
            found.append(Stored(before=row, after=gone, text=None))
        elif row.id in reach.turns or reach.says(row.title):
            found.append(_in_part(root, row, reach))
    return found


def _in_part(root: Path, row: SessionRow, reach: Reach) -> Stored:
    place = root / row.transcript
    whole = transcript.read(place) if place.is_file() else None
    if whole is None:
        return Stored(before=row, after=replace(row, title=TITLE if reach.says(row.title) else row.title), text=None)
    turns = tuple(_hidden(turn, reach.turns.get(row.id, ())) for turn in whole.turns)
    title = TITLE if reach.says(whole.title) else whole.title
    people = tuple(name for name in whole.participants if not reach.says(name))
    text = transcript.render(replace(whole, title=title, participants=people, turns=turns))
    after = replace(
        row,
        title=title,
        transcript=row.transcript if title == whole.title else transcript_path(stem_of(replace(whole, title=title))),
        transcript_sha256=sha256(text.encode()).hexdigest(),
        state=SessionState.REDACTED,
    )
    return Stored(before=row, after=after, text=text)


def _hidden(turn: Turn, gone: Sequence[tuple[int, int]]) -> Turn:
    if not any(a <= turn.number <= b for a, b in gone):
        return turn
    return replace(turn, text=GONE, name=None, call=None, attach=(), redacted=MARK)


def attached(turns: Iterable[Turn]) -> set[str]:
    """Paths in the tree of the files that turns have with them."""
    return {ARTIFACTS + uri.removeprefix("file://artifacts/") for turn in turns for uri in turn.attach}


def settle(root: Path, id: str, changed: Sequence[Stored], files: Iterable[str], *, keep: bool) -> list[str]:
    """Bring the folder to what the index says, with copies of what goes when it may be taken back; the paths that went.

    `files` are others that go: snapshots of connectors. Files that only turns which went had with them go too.
    """
    away = set(files)
    lost: set[str] = set()
    for one in changed:
        place = root / one.before.transcript
        if not one.before.transcript or not place.is_file():
            continue
        lost |= attached(transcript.iter_turns(place))
        if keep:
            _copy(root, id, one.before.transcript)
            write_atomic(root / KEPT / id / "rows" / f"{one.before.id}.json", render_row(one.before) + "\n")
        if one.text is not None:
            write_atomic(root / one.after.transcript, one.text)
        if one.text is None or one.after.transcript != one.before.transcript:
            place.unlink()
    if lost:
        away |= lost - _still_there(root)
    for path in sorted(away):
        if keep:
            _copy(root, id, path)
        (root / path).unlink(missing_ok=True)
    return sorted(away)


def _still_there(root: Path) -> set[str]:
    held: set[str] = set()
    for place in sorted((root / TRANSCRIPTS).glob("*/*.md")):
        try:
            held |= attached(transcript.iter_turns(place))
        except FormatError:
            continue
    return held


def _copy(root: Path, id: str, path: str) -> None:
    target = root / KEPT / id / "files" / path
    if (root / path).is_file() and not target.exists():
        write_atomic(target, (root / path).read_bytes())


def kept_rows(root: Path, id: str) -> list[SessionRow]:
    """The rows of what a deletion keeps copies of. Raises FormatError."""
    found = []
    for place in sorted((root / KEPT / id / "rows").glob("*.json")):
        found += parse_rows(place.read_text("utf-8"), str(place))
    return found


def bring_back(root: Path, id: str, rows: Iterable[SessionRow]) -> None:
    """Put the copies of a deletion in their places. `rows` are those that stand now, of the same sessions."""
    base = root / KEPT / id / "files"
    for place in sorted(base.rglob("*")) if base.is_dir() else ():
        if place.is_file():
            write_atomic(root / place.relative_to(base), place.read_bytes())
    before = {row.id: row.transcript for row in kept_rows(root, id)}
    for row in rows:
        if row.transcript and row.transcript != before.get(row.id):
            (root / row.transcript).unlink(missing_ok=True)


def erase_copies(root: Path, ids: Iterable[str]) -> None:
    """Drop the copies of deletions, for good."""
    for id in ids:
        shutil.rmtree(root / KEPT / id, ignore_errors=True)


def clean_ledger(root: Path, reach: Reach, changed: Sequence[Stored]) -> None:
    """What imports remember, without the paths of transcripts that went, and of sources named by a term."""
    place = root / LEDGER
    if not place.is_file():
        return
    away = {one.before.transcript for one in changed if one.after.transcript != one.before.transcript}
    ledger = Ledger(place)
    try:
        ledger.forget(lambda path: path in away or reach.says(path) or reach.names(path))
    finally:
        ledger.close()


def erase_copies_of(root: Path, reach: Reach) -> None:
    """Drop what earlier deletions kept of the same sessions, or with a term in it."""
    for place in sorted((root / KEPT).rglob("*")):
        if not place.is_file():
            continue
        text = place.read_text("utf-8", "replace")
        ids = reach.sessions | reach.turns.keys()
        if reach.says(text) or any(id in text[:2000] for id in ids):
            place.unlink()


def snapshots_saying(root: Path, reach: Reach) -> list[str]:
    """Paths of connectors' snapshots that hold a term, or are named."""
    found = []
    for place in sorted((root / ARTIFACTS / "connectors").glob("*/*.json")):
        text = place.read_text("utf-8", "replace")
        with suppress(ValueError):  # words behind escapes
            text += "\n" + "\n".join(strings_in(json.loads(text)))
        named = any(place.stem in record and f"//{place.parent.name}?" in record for record in reach.records)
        if named or reach.says(text):
            found.append(place.relative_to(root).as_posix())
    return found


def uris_of(root: Path, paths: Iterable[str]) -> Iterator[str]:
    """The URIs of connectors' snapshots; one that does not read has none."""
    for path in paths:
        with suppress(ValueError, FormatError, OSError):
            if read := snapshot.parse((root / path).read_text("utf-8")):
                yield str(read.uri)


def clean_runs(root: Path, reach: Reach, gone: Set[str]) -> None:
    """The records of past runs without what they say of files that went, or with a term."""
    for place in sorted((root / RUNS).glob("*.json")):
        with suppress(ValueError):
            record = json.loads(place.read_text("utf-8"))
            ops = [_told(op, reach) for op in record.get("ops", ()) if not _of_gone(op, reach, gone)]
            if ops != record.get("ops", []):
                write_atomic(place, json.dumps({**record, "ops": ops}, ensure_ascii=False, indent=1) + "\n")


def clean_replay(root: Path, reach: Reach) -> None:
    """The questions that replay asks, without those that were asked in what goes, rest on it, or say a term of it; the
    record of its last run goes whole. Its series holds no text."""
    folder = root / REPLAY
    (folder / "last.json").unlink(missing_ok=True)
    place = folder / "questions.jsonl"
    if place.is_file():
        head, *lines = place.read_text("utf-8").splitlines(keepends=True) or [""]
        kept = [line for line in lines if not _asks_of(line, reach)]
        if kept != lines:
            write_atomic(place, "".join([head, *kept]))


def _asks_of(line: str, reach: Reach) -> bool:
    """Whether a kept question has to do with what goes. One that does not read goes too."""
    try:
        one = json.loads(line)
        words = "\n".join([one["text"], one["answer"], *one["stale"]])
        sources = [f"session://{one['session']}#t{one['turn']}", *one["evidence"]]
    except (ValueError, TypeError, KeyError):
        return True
    return (
        reach.says(words)
        or any(reach.left(source) != source for source in sources)
        or reach.speaks_of(words, one["evidence"])
    )


def _of_gone(op: dict[str, object], reach: Reach, gone: Set[str]) -> bool:
    paths = [str(op.get("path") or ""), str(op.get("to") or "")]
    return any(path in gone or reach.names(path) for path in paths)


def _told(op: dict[str, object], reach: Reach) -> dict[str, object]:
    return {**op, "note": ""} if reach.says(str(op.get("note") or "")) else op


def as_transcript(root: Path, row: SessionRow) -> Transcript | None:
    """A stored session, None when its file is not there. Raises FormatError."""
    place = root / row.transcript
    return transcript.read(place) if row.transcript and place.is_file() else None
