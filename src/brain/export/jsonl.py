"""JSON Lines: one object a line, the first says what this is. For programs, and loss-free: pages to the byte.

Kinds: `brain` (the head), `page`, `note`, `session`, `turn`, `file`. A page has its text and, read from it, what
programs want without a Markdown parser: claims with their sources, links, names. Only the text is read back.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace

from brain.export.holdings import Holdings, Session
from brain.tree import note, page, summary
from brain.tree.ids import format_day, format_time
from brain.tree.note import NoteFile
from brain.tree.page import Page
from brain.types import Turn

VERSION = 1


def lines(held: Holdings) -> bytes:
    """The file."""
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records(held)).encode()


def records(held: Holdings) -> Iterator[dict[str, object]]:
    """The objects in their order: pages and notes by id, sessions by time with their turns, files by path."""
    yield {"kind": "brain", "export": VERSION, "pages": len(held.pages), "notes": len(held.notes),
           "sessions": len(held.sessions), "newest": held.newest}  # fmt: skip
    for id, one in held.pages.items():
        yield _page(id, one)
    for id, file in held.notes.items():
        yield _note(id, file)
    for session in held.sessions.values():
        yield _session(session)
        yield from (_turn(session.row.id, turn) for turn in session.turns)
    for name, data in held.files.items():
        try:
            form, content = "text", data.decode()
        except UnicodeDecodeError:
            form, content = "base64", b64encode(data).decode()
        yield {"kind": "file", "path": name, form: content}


def _page(id: str, one: Page) -> dict[str, object]:
    claims = [
        {
            "section": claim.section, "label": claim.label, "text": claim.words, "qualifiers": list(claim.qualifiers),
            "sources": one.uris(claim),
        }
        for claim in one.claims
    ]  # fmt: skip
    return {
        "kind": "page", "id": id, "type": one.type, "title": one.title, "description": one.description,
        "status": one.status, "aliases": list(one.aliases), "tags": list(one.tags),
        "updated_at": one.get("updated_at") or None, "links": sorted(page.link_targets(one)), "claims": claims,
        "text": one.text,
    }  # fmt: skip


def _note(id: str, file: NoteFile) -> dict[str, object]:
    said = [
        {
            "id": s.id, "day": format_day(s.day) if s.day else None, "text": s.text,
            "qualifier": s.qualifier.value if s.qualifier else None, "source": s.uri,
        }
        for s in file.snippets
    ]  # fmt: skip
    return {"kind": "note", "id": id, "title": file.title, "snippets": said, "text": note.render(file)}


def _session(one: Session) -> dict[str, object]:
    row = one.row
    return {
        "kind": "session", "id": row.id, "source": one.head.source, "external_id": one.head.external_id,
        "title": row.title, "started_at": format_time(row.started_at) if row.started_at else None,
        "ended_at": format_time(row.ended_at) if row.ended_at else None, "participants": list(one.head.participants),
        "turns": row.turns, "sensitivity": row.sensitivity, "name": one.name,
        "summary": summary.render(_anywhere(one)) if one.summary else None,
    }  # fmt: skip


def _anywhere(one: Session) -> summary.Summary:
    """The summary without the hash of the transcript it was made from, which is another where turns are missing."""
    assert one.summary is not None
    return replace(one.summary, transcript_sha256="")


def _turn(session: str, turn: Turn) -> dict[str, object]:
    return {
        "kind": "turn", "session": session, "number": turn.number, "role": turn.role.value,
        "time": format_time(turn.time) if turn.time else None, "name": turn.name, "call": turn.call,
        "trust": turn.trust.value if turn.trust else None, "redacted": turn.redacted, "attach": list(turn.attach),
        "text": turn.text,
    }  # fmt: skip
