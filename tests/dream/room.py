"""A brain in a folder for tests of whole runs: sessions are said, nights are dreamed, pages are read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from brain.config import Config
from brain.dream.run import DreamResult, dream
from brain.git import MAIN, Git
from brain.sync.publish import publish
from brain.tree import init, layout, transcript
from brain.tree.files import write_atomic
from brain.tree.ids import session_id
from brain.tree.sessions import SessionRow, parse_rows, render_rows
from brain.types import Role, Transcript, Trust, Turn

START = datetime(2026, 5, 1, 9, tzinfo=UTC)
Said = str | tuple[str, str]
"""What the owner says, or (who, text): a name, or "assistant", "web"."""


class Room:
    """A memory with one or more owners. `say` stores a session, `dream` runs a night over what is pending."""

    def __init__(self, root: Path, *owners: str) -> None:
        self.root = root
        self.git = Git.init(root)
        self.owners = owners
        files = init.empty_brain(now=START, owners=owners)
        for path, text in files.items():
            write_atomic(root / path, text)
        self.config = Config.load(root)
        publish(self.git, files, kind="migrate", subject="start", now=START, config=self.config)

    @classmethod
    def there(cls, root: Path, *owners: str) -> Room:
        """The memory that lies in a folder already."""
        room = cls.__new__(cls)
        room.root, room.owners, room.git, room.config = root, owners, Git(root), Config.load(root)
        return room

    def say(self, number: int, *said: Said, cwd: str | None = None, title: str = "") -> str:
        """Store session `number`, held on day `number` of May 2026; said again with more turns, it has grown."""
        when = START + timedelta(days=number - 1)
        key = session_id("test", str(number))
        turns = tuple(_turn(at, one, when + timedelta(minutes=at), self.owners) for at, one in enumerate(said, start=1))
        talk = Transcript(
            id=key,
            source="test",
            external_id=str(number),
            title=title or f"Talk {number}",
            started_at=when,
            cwd=cwd,
            turns=turns,
        )
        path = layout.transcript_path(layout.stem(talk))
        text = transcript.render(talk)
        write_atomic(self.root / path, text)
        rows = {row.id: row for row in parse_rows(self.read(layout.SESSION_INDEX))}
        before = rows.get(key)
        rows[key] = SessionRow(
            id=key, source="test", external_id=str(number), title=talk.title, started_at=when, ended_at=turns[-1].time,
            last_turn_at=turns[-1].time, turns=len(turns), transcript=path,
            transcript_sha256=sha256(text.encode()).hexdigest(), through_turn=before.through_turn if before else 0,
            attached_through=before.attached_through if before else 0,
            summary=before.summary if before else None,
        )  # fmt: skip
        rendered = {layout.SESSION_INDEX: render_rows(rows.values())}
        publish(self.git, rendered, kind="ingest", subject="take in", now=when, config=self.config)
        return key

    def dream(self, day: int = 28, said: list[str] | None = None) -> DreamResult:
        report = None if said is None else said.append
        return dream(self.root, self.config, now=START + timedelta(days=day), verbose=report)

    def read(self, path: str) -> str:
        file = self.root / path
        return file.read_text("utf-8") if file.is_file() else ""

    def page(self, page: str) -> str:
        return self.read(layout.page_path(page))

    def pages(self) -> list[str]:
        found = (layout.page_id(str(p.relative_to(self.root))) for p in (self.root / "knowledge").rglob("*.md"))
        return sorted(page for page in found if page)

    @property
    def head(self) -> str | None:
        return self.git.resolve(MAIN)


def _turn(number: int, said: Said, when: datetime, owners: Sequence[str]) -> Turn:
    who, text = (None, said) if isinstance(said, str) else said
    if who == "assistant":
        return Turn(number=number, role=Role.ASSISTANT, text=text, time=when)
    if who == "web":
        return Turn(number=number, role=Role.TOOL, name="browser", text=text, time=when, trust=Trust.EXTERNAL)
    name = who or (owners[0] if len(owners) > 1 else None)
    return Turn(number=number, role=Role.USER, name=name, text=text, time=when)
