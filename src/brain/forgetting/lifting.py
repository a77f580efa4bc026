"""After a deletion: lifting it, and finishing what a killed command left undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.errors import FormatError, NotFound
from brain.forgetting import stored
from brain.forgetting.reach import Reach
from brain.forgetting.stored import Stored
from brain.git import Git
from brain.ingest.store import Transcripts
from brain.sync.publish import SyncResult, publish
from brain.tree import deletions, uri
from brain.tree.deletions import Effect, Tombstone
from brain.tree.files import Tree
from brain.tree.ids import new_run_id
from brain.tree.layout import DELETIONS, SESSION_INDEX
from brain.tree.sessions import SessionRow, SessionState, parse_rows, render_rows
from brain.tree.uri import Range, SessionUri


def restore(root: Path, config: Config, id: str, *, by: str, now: datetime) -> SyncResult:
    """Lift a deletion: its sessions come back, and what they say may be learned again by the next dream.

    Raises NotFound for a deletion that is not there, was lifted, or kept nothing.
    """
    with Git(root) as git:
        back: list[SessionRow] = []
        now_here: list[SessionRow] = []

        def changes(main: Tree) -> dict[str, str | None]:
            said = main.read(DELETIONS) if DELETIONS in main else ""
            live = {one.id: one for one in deletions.parse(said).live}
            if id not in live:
                raise NotFound(f"no deletion {id!r} to lift", hint=f"there are {', '.join(live) or 'none'}")
            if live[id].effect is Effect.PURGE:
                raise NotFound(f"{id} erased what it took; it cannot be brought back", hint="import the session again")
            line = Tombstone(
                id=f"del_{new_run_id(now)}", at=now, by=by, reason="user_request", effect=Effect.RESTORE, restores=id
            )
            rows = {row.id: row for row in parse_rows(main.read(SESSION_INDEX))}
            back[:] = [
                replace(one, through_turn=0, attached_through=0, summary=None) for one in stored.kept_rows(root, id)
            ]
            now_here[:] = [rows[one.id] for one in back if one.id in rows]
            out: dict[str, str | None] = {row.summary: None for row in now_here if row.summary}
            out[SESSION_INDEX] = render_rows((rows | {one.id: one for one in back}).values())
            out[DELETIONS] = said + deletions.render(line) + "\n"
            return out

        result = publish(
            git, changes, kind="restore", subject="lift a deletion", now=now, config=config, author=git.user()
        )
    stored.bring_back(root, id, now_here)
    stored.erase_copies(root, [id])
    return result


def finish(root: Path) -> list[str]:
    """Do what a killed command left: transcripts of sessions that were forgotten and still lie there; their paths."""
    place = root / SESSION_INDEX
    rows = parse_rows(place.read_text("utf-8")) if place.is_file() else []
    log_place = root / DELETIONS
    live = deletions.parse(log_place.read_text("utf-8")).live if log_place.is_file() else ()
    if not live:
        return []
    done = []
    transcripts = Transcripts(root)
    for tombstone in live:
        if tombstone.subjects or tombstone.effect is Effect.CORRECT:
            continue
        reach = _barred(tombstone)
        here = [row for row in rows if row.id in reach.sessions or row.id in reach.turns]
        left = [one for row in here if (one := _left(transcripts, row, reach)) is not None]
        stored.settle(root, tombstone.id, left, (), keep=tombstone.effect is Effect.SUPPRESS)
        done += [one.before.transcript for one in left]
    return done


def _barred(tombstone: Tombstone) -> Reach:
    sessions: set[str] = set()
    turns: dict[str, tuple[Range, ...]] = {}
    for source in map(uri.parse, tombstone.evidence):
        if isinstance(source, SessionUri) and not source.ranges:
            sessions.add(source.session)
        elif isinstance(source, SessionUri):
            turns[source.session] = uri.merge_ranges([*turns.get(source.session, ()), *source.ranges])
    return Reach(sessions=frozenset(sessions), turns=turns)


def _left(transcripts: Transcripts, row: SessionRow, reach: Reach) -> Stored | None:
    """A session whose transcript still holds what was forgotten."""
    try:
        place = transcripts.find(row.id)
    except FormatError:
        return None
    if place is None:
        return None
    path = transcripts.relative(place)
    (one,) = stored.touched(transcripts.root, [replace(row, transcript=path, state=SessionState.CLOSED)], reach)
    return one if one.text is None or place.read_text("utf-8") != one.text else None
