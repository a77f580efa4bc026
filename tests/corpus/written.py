"""Writes small memory trees for search: transcripts, notes, summaries and pages as other rooms would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from brain.tree import layout, note, summary, transcript
from brain.tree.ids import session_id
from brain.types import Role, Transcript, Turn

Said = tuple[Role, str] | tuple[Role, str, str]
USER, ASSISTANT, TOOL = Role.USER, Role.ASSISTANT, Role.TOOL


def session(name: str, day: date | None, said: Sequence[Said], title: str | None = None) -> Transcript:
    time = datetime(day.year, day.month, day.day, 9, tzinfo=UTC) if day else None
    turns = tuple(
        Turn(number=at, role=one[0], text=one[1], time=time, name=one[2] if len(one) > 2 else None)
        for at, one in enumerate(said, start=1)
    )
    return Transcript(
        id=session_id("test", name), source="test", external_id=name, title=title or name, started_at=time, turns=turns
    )


def put(root: Path, path: str, text: str) -> str:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")
    return path


def put_session(root: Path, transcript_: Transcript) -> str:
    return put(root, layout.transcript_path(layout.stem(transcript_)), transcript.render(transcript_))


def put_note(root: Path, name: str, *lines: tuple[date | None, str, str]) -> str:
    snippets = tuple(note.snippet(text, uri, day=day) for day, text, uri in lines)
    found = note.NoteFile(id=f"notes/{name}", title=name.rpartition("/")[2].title(), snippets=snippets)
    return put(root, layout.note_path(found.id), note.render(found))


def put_summary(
    root: Path,
    of: Transcript,
    text: str,
    bullets: Mapping[str, tuple[summary.Bullet, ...]],
    projects: tuple[str, ...] = (),
) -> str:
    made = summary.Summary(
        id=of.id, title=of.title, source=of.source, started_at=of.started_at, turns=len(of.turns),
        through_turn=len(of.turns), summary=text, bullets=bullets, projects=projects,
    )  # fmt: skip
    return put(root, layout.summary_path(layout.stem(of)), summary.render(made))


def put_page(root: Path, name: str, title: str, body: str, *, aliases: str = "", description: str = "") -> str:
    kind = layout.page_type(name)
    text = (
        f"---\nid: {name}\ntype: {kind}\ntitle: {title}\ndescription: {description or f'What is known about {title}'}\n"
        "status: active\ncreated_at: 2026-06-21T04:10:00Z\nupdated_at: 2026-08-06T07:51:00Z\nupdated_by: dream/0.1\n"
        f"next_cite: 40\nlanguage: en\n{f'aliases: [{aliases}]' + chr(10) if aliases else ''}---\n# {title}\n\n{body}"
    )
    return put(root, layout.page_path(name), text)
