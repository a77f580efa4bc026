"""One thing to remember, said now: a session of one turn, and a note that cites it, in one commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
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
from brain.tree.layout import SESSION_INDEX, note_id, note_path
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
    words = checked(text, config)
    id = _note_id(topic)
    if dry_run:
        return Noted(path=note_path(id), line=words), None
    (noted,), result = edit(root, config, id, [words], now=now, by_agent=by_agent)
    return noted, result


def checked(text: str, config: Config) -> str:
    """The words of a note on one line. Raises UsageError when there are none, or too many."""
    words = one_line(text)
    if not words:
        raise UsageError("a note needs words", hint='brain note "Figures go out as PDF."')
    if count_words(words) > config.limits.snippet_words:
        raise UsageError(
            f"a note is one sentence of at most {config.limits.snippet_words} words", hint="write two notes"
        )
    return words


def edit(
    root: Path,
    config: Config,
    id: str,
    texts: Sequence[str],
    *,
    now: datetime,
    by_agent: bool,
    gone: Mapping[str, str] | None = None,
    title: str = "",
) -> tuple[list[Noted], SyncResult]:
    """Add notes to a file, each with a turn of its own, and take out the lines in `gone`, in one commit.

    `gone` are snippet ids with the sessions they rest on, which no run attaches from then on.
    """
    made: list[tuple[list[Noted], SyncResult]] = []
    said = [
        RawSession(
            source=SOURCE,
            external_id=new_run_id(now),
            turns=[RawTurn(role=Role.ASSISTANT if by_agent else Role.USER, text=words, time=now)],
            title=clip(words, 60),
            started_at=now,
        )
        for words in texts
    ]
    change = _Change(id=id, now=now, gone=gone or {}, title=title)
    order = {one.external_id: place for place, one in enumerate(said)}

    def publish_rows(rows: list[SessionRow]) -> None:
        rows = sorted(rows, key=lambda row: order.get(row.external_id, -1))
        made.append(_publish(root, config, change, rows))

    if said:
        import_sessions(root, said, config=config, now=now, publish=publish_rows)
    else:
        made.append(_publish(root, config, change, []))
    return made[0]


def move(root: Path, config: Config, moves: Mapping[str, str], *, now: datetime) -> SyncResult:
    """Give note files other paths; what stands in them stays. Raises NotFound, UsageError when a path is taken."""

    def changes(main: Tree) -> dict[str, str | None]:
        out: dict[str, str | None] = {}
        for old, new in moves.items():
            if new in main:
                raise UsageError(f"there is a file {new!r} already")
            file = notes.parse(main.read(old), old)
            out |= {old: None, new: notes.render(replace(file, id=note_id(new) or file.id, updated_at=now))}
        return out

    subject = clip(f"move {', '.join(sorted(moves))}", 50)
    with Git(root) as git:
        return publish(git, changes, kind="note", subject=subject, now=now, config=config, author=git.user())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """What becomes of one note file."""

    id: str
    now: datetime
    gone: Mapping[str, str]
    title: str


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


def _publish(root: Path, config: Config, change: _Change, rows: list[SessionRow]) -> tuple[list[Noted], SyncResult]:
    """Rows and notes in one commit. The words are the stored turns': a secret in them is redacted already."""
    turns = [transcript.read_turns(root / row.transcript, 1, 1)[0] for row in rows]
    path = note_path(change.id)
    made: list[Noted] = []

    def changes(main: Tree) -> dict[str, str | None]:
        taken = set(_taken(main))
        day = change.now.astimezone(config.zone).date()
        fresh = []
        for row, turn in zip(rows, turns, strict=True):
            said = Qualifier.ASSISTANT if turn.role is Role.ASSISTANT else None
            uri = str(turns_uri(row.id, 1, 1))
            fresh.append(notes.snippet(markdown.escape(turn.text), uri, day=day, qualifier=said, taken=taken))
            taken.add(fresh[-1].id)
        made[:] = [Noted(path=path, line=notes.render_snippet(one), uri=one.uri) for one in fresh]
        index = with_rows(main, rows)
        return {SESSION_INDEX: _settled(index, set(change.gone.values())), path: _with(main, path, change, fresh)}

    subject = clip(turns[0].text, 50) if turns else f"take {len(change.gone)} of {change.id} out"
    with Git(root) as git:
        result = publish(git, changes, kind="note", subject=subject, now=change.now, config=config, author=git.user())
    return made, result


def _settled(index: str, sessions: Set[str]) -> str:
    """The session index with these sessions counted as attached: what was taken back is not learned again from them."""
    if not sessions:
        return index
    rows = parse_rows(index)
    return render_rows(
        replace(row, through_turn=row.turns, attached_through=row.turns) if row.id in sessions else row for row in rows
    )


def _with(main: Tree, path: str, change: _Change, fresh: Sequence[notes.Snippet]) -> str | None:
    """The note file after the change; None when nothing is left of it."""
    if path not in main:
        title = change.title or change.id.rpartition("/")[2].replace("-", " ").capitalize()
        return notes.render(notes.NoteFile(id=change.id, title=title, updated_at=change.now, snippets=tuple(fresh)))
    file = notes.parse(main.read(path), path)
    stays = [one.id not in change.gone for one in file.snippets]
    kept = (*(one for one, stay in zip(file.snippets, stays, strict=True) if stay), *fresh)
    if not kept and not any(one.text.strip() for one in file.foreign):
        return None
    foreign = tuple(replace(one, after=sum(stays[: one.after])) for one in file.foreign)
    return notes.render(replace(file, updated_at=change.now, snippets=kept, foreign=foreign))


def _taken(tree: Tree) -> frozenset[str]:
    files = (notes.parse(tree.read(path), path) for path in tree.paths("notes/") if path.endswith(".md"))
    return frozenset(snippet.id for file in files for snippet in file.snippets)


def _note_id(topic: str) -> str:
    parts = topic.removeprefix("notes/").strip("/").split("/")
    parts = [*parts, DEFAULT_NAME] if len(parts) == 1 else parts
    if len(parts) > 3 or not all(map(is_slug, parts)):
        raise UsageError(f"{topic!r} is not a topic", hint="write it like preferences or preferences/figures")
    return "notes/" + "/".join(parts)
