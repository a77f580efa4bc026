"""Dialogues in Markdown, as an editor's extension saves chats: a file a session, a line before each message."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Session, Turn
from brain.bench.personas.writing.stamps import put
from brain.text import slugify


def write(folder: Path, persona: Persona, sessions: list[Session], chance: Chance) -> None:
    for session in sessions:
        title = session.title or session.turns[0].text[:40]
        name = f"{session.start.astimezone(UTC):%Y-%m-%d_%H-%M}Z-{slugify(title)[:40]}-{session.id[:4]}.md"
        put(folder / name, _page(session))


def _page(session: Session) -> str:
    head = f"<!-- Claude Code Session {session.id} ({session.start.astimezone(UTC):%Y-%m-%d %H:%M:%SZ}) -->"
    parts = [head, f"# {session.title}"] if session.title else [head]
    for at, turn in enumerate(session.turns):
        parts += [*(["---"] if at else []), _label(turn), turn.text]
    return "\n\n".join(parts) + "\n"


def _label(turn: Turn) -> str:
    who = "User" if turn.role == "user" else "Agent"
    return f"_**{who} ({turn.at.astimezone(UTC):%Y-%m-%d %H:%M:%SZ})**_"
