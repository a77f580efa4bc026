"""One thing to remember, said now: a session of one turn, and a note that cites it, in one commit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.errors import UsageError
from brain.git import Git
from brain.ingest.importer import import_sessions
from brain.ingest.raw import RawSession, RawTurn
from brain.sync.publish import SyncResult, publish
from brain.text import clip, count_words, is_slug, one_line
from brain.tree import markdown, transcript
from brain.tree import note as notes
from brain.tree.files import Tree
from brain.tree.ids import new_run_id
from brain.tree.layout import SESSION_INDEX, note_path
from brain.tree.sessions import SessionRow, parse_rows, render_rows
from brain.tree.uri import turns_uri
from brain.types import Qualifier, Role

SOURCE = "note"
DEFAULT_NAME = "noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A note as it stands: its file, its line, and the turn it cites (None in a dry run)."""

    path: str
    line: str
    uri: str | None = None


def note(
    root: Path, config: Config, text: str, *, topic: str, now: datetime, dry_run: bool, by_agent: bool = False
) -> tuple[Noted, SyncResult | None]:
    """Write the note. `topic` is `preferences` or `preferences/figures`. Raises UsageError.

    `by_agent`: an agent says it, not the owner; the turn is its own and the note carries `^[assistant]`.
    """
    words = one_line(text)
    if not words:
        raise UsageError("a note needs words", hint='brain note "Figures go out as PDF."')
    if count_words(words) > config.limits.snippet_words:
        raise UsageError(
            f"a note is one sentence of at most {config.limits.snippet_words} words", hint="write two notes"
        )
    note_id = _note_id(topic)
    if dry_run:
        return Noted(path=note_path(note_id), line=words), None
    made: list[tuple[Noted, SyncResult]] = []
    said = RawSession(
        source=SOURCE,
        external_id=new_run_id(now),
        turns=[RawTurn(role=Role.ASSISTANT if by_agent else Role.USER, text=words, time=now)],
        title=clip(words, 60),
        started_at=now,
    )
    import_sessions(
        root,
        [said],
        config=config,
        now=now,
        publish=lambda rows: made.append(_publish(root, config, note_id, rows, now)),
    )
    return made[0]


def with_rows(tree: Tree, rows: list[SessionRow]) -> str:
    """The session index of `tree` with these rows added, or in the place of the ones they continue."""
    known = {row.id: row for row in parse_rows(tree.read(SESSION_INDEX))} if SESSION_INDEX in tree else {}
    for row in rows:
        old = known.get(row.id)
        known[row.id] = row if old is None else _continued(row, old)
    return render_rows(list(known.values()))


def _continued(row: SessionRow, old: SessionRow) -> SessionRow:
    """The grown session keeps how far it is summarised and attached: an import knows nothing of that."""
    return replace(row, summary=old.summary, through_turn=old.through_turn, attached_through=old.attached_through)


def _publish(
    root: Path, config: Config, note_id: str, rows: list[SessionRow], now: datetime
) -> tuple[Noted, SyncResult]:
    """Row and note in one commit. The words are the stored turn's: a secret in them is redacted already."""
    row = rows[0]
    (turn,) = transcript.read_turns(root / row.transcript, 1, 1)
    uri = str(turns_uri(row.id, 1, 1))
    path = note_path(note_id)
    lines: list[str] = []

    def changes(main: Tree) -> dict[str, str]:
        taken = _taken(main)
        day = now.astimezone(config.zone).date()
        said = Qualifier.ASSISTANT if turn.role is Role.ASSISTANT else None
        fresh = notes.snippet(markdown.escape(turn.text), uri, day=day, qualifier=said, taken=taken)
        lines.append(notes.render_snippet(fresh))
        return {SESSION_INDEX: with_rows(main, rows), path: _with(main, path, note_id, fresh, now)}

    with Git(root) as git:
        result = publish(
            git, changes, kind="note", subject=clip(turn.text, 50), now=now, config=config, author=git.user()
        )
    return Noted(path=path, line=lines[-1], uri=uri), result


def _with(main: Tree, path: str, note_id: str, fresh: notes.Snippet, now: datetime) -> str:
    if path in main:
        file = notes.parse(main.read(path), path)
        return notes.render(replace(file, updated_at=now, snippets=(*file.snippets, fresh)))
    title = note_id.rpartition("/")[2].replace("-", " ").capitalize()
    return notes.render(notes.NoteFile(id=note_id, title=title, updated_at=now, snippets=(fresh,)))


def _taken(tree: Tree) -> frozenset[str]:
    files = (notes.parse(tree.read(path), path) for path in tree.paths("notes/") if path.endswith(".md"))
    return frozenset(snippet.id for file in files for snippet in file.snippets)


def _note_id(topic: str) -> str:
    parts = topic.removeprefix("notes/").strip("/").split("/")
    parts = [*parts, DEFAULT_NAME] if len(parts) == 1 else parts
    if len(parts) > 3 or not all(map(is_slug, parts)):
        raise UsageError(f"{topic!r} is not a topic", hint="write it like preferences or preferences/figures")
    return "notes/" + "/".join(parts)
