"""Writes invented transcripts of foreign tools, imports them and reads back what was stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.config import Config
from brain.ingest import ImportReport, RawSession, import_paths, import_sessions
from brain.tree import transcript
from brain.tree.sessions import SessionRow, parse_rows
from brain.types import Role, Transcript, Turn

NOW = datetime(2026, 8, 1, tzinfo=UTC)
SESSION = "3f0c9b52-1111-4a4a-8b8b-000000000001"
FIXTURES = Path(__file__).parent.parent / "fixtures" / "ingest"


@dataclass
class Importing:
    """A memory folder and a folder of files to import."""

    root: Path
    source: Path

    def write(self, name: str, content: str | bytes | Iterable[Any]) -> Path:
        """A file to import: text, bytes, or records for JSON Lines."""
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, "utf-8", newline="")
        else:
            path.write_text("".join(json.dumps(record) + "\n" for record in content), "utf-8")
        return path

    def take(self, *paths: Path, dry_run: bool = False, config: Config | None = None, **more: Any) -> ImportReport:
        given = paths or (self.source,)
        return import_paths(self.root, given, config=config or Config(), now=NOW, dry_run=dry_run, **more)

    def take_sessions(self, *sessions: RawSession) -> ImportReport:
        return import_sessions(self.root, sessions, config=Config(), now=NOW)

    def files(self) -> list[Path]:
        return sorted((self.root / "sessions" / "transcripts").glob("*/*.md"))

    def stored(self) -> list[Transcript]:
        return sorted((transcript.read(path) for path in self.files()), key=lambda one: (one.source, one.external_id))

    def one(self) -> Transcript:
        (only,) = self.stored()
        return only

    def rows(self) -> list[SessionRow]:
        return parse_rows((self.root / "sessions" / "index.jsonl").read_text("utf-8"))

    def text(self) -> str:
        """All that lies in the memory folder, as text."""
        return "\n".join(
            path.read_bytes().decode("utf-8", "replace") + path.name
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and path.suffix not in (".sqlite", ".lock")
        )


def said(one: Transcript, role: Role = Role.USER) -> list[str]:
    """The texts of a role, in order."""
    return [turn.text for turn in one.turns if turn.role is role and (role is not Role.ASSISTANT or turn.call is None)]


def shape(one: Transcript) -> list[tuple[str, str]]:
    return [(turn.role.value, turn.text) for turn in one.turns]


def named(one: Transcript, name: str) -> list[Turn]:
    return [turn for turn in one.turns if turn.name == name]


class Claude:
    """Builds the lines of a Claude Code file; each hangs on the one before unless `parent` says otherwise."""

    def __init__(self, session: str = SESSION, start: int = 0) -> None:
        self.session = session
        self.lines: list[dict[str, Any]] = []
        self.last: str | None = None
        self.count = start

    def add(self, kind: str, message: dict[str, Any] | None, *, parent: str | None = "", **more: Any) -> str:
        self.count += 1
        uuid = f"{self.session[:8]}-0000-4000-8000-{self.count:012d}"
        record: dict[str, Any] = {
            "parentUuid": self.last if parent == "" else parent,
            "isSidechain": False,
            "cwd": "/home/ines/boat",
            "sessionId": self.session,
            "type": kind,
            "uuid": uuid,
            "timestamp": f"2026-03-0{1 + self.count // 1440}T{self.count // 60 % 24:02d}:{self.count % 60:02d}:00.500Z",
        }
        record.update(more)
        if message is not None:
            record["message"] = message
        self.lines.append(record)
        self.last = record["uuid"]
        return uuid

    def user(self, content: Any, **more: Any) -> str:
        return self.add("user", {"role": "user", "content": content}, **more)

    def answer(self, text: str, message: str | None = None, **more: Any) -> str:
        return self.blocks([{"type": "text", "text": text}], message, **more)

    def blocks(self, blocks: list[dict[str, Any]], message: str | None = None, **more: Any) -> str:
        whole = {"role": "assistant", "model": "claude-test", "content": blocks}
        if message is None or message:
            whole["id"] = message or f"msg_{self.session[:4]}{self.count}"
        return self.add("assistant", whole, **more)

    def call(self, tool: str, arguments: dict[str, Any], call: str, message: str | None = None, **more: Any) -> str:
        return self.blocks([{"type": "tool_use", "id": call, "name": tool, "input": arguments}], message, **more)

    def result(self, call: str, content: Any, *, error: bool = False, **more: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": error}
        return self.user([block], **more)


def message(role: str, text: str | None, time: float | None = None, **more: Any) -> dict[str, Any]:
    """A ChatGPT message."""
    parts = [] if text is None else [text]
    return {
        "id": more.pop("id", f"m-{role}-{text}-{time}"),
        "author": {"role": role, "name": more.pop("name", None), "metadata": {}},
        "create_time": time,
        "content": more.pop("content", {"content_type": "text", "parts": parts}),
        "metadata": more.pop("metadata", {}),
        "recipient": more.pop("recipient", "all"),
        **more,
    }


def conversation(title: str | None, messages: Sequence[dict[str, Any] | None], **more: Any) -> dict[str, Any]:
    """A ChatGPT conversation without branches."""
    mapping: dict[str, Any] = {}
    before = None
    for at, one in enumerate(messages):
        key = f"node-{at}"
        mapping[key] = {"id": key, "message": one, "parent": before, "children": []}
        if before:
            mapping[before]["children"].append(key)
        before = key
    return {
        "title": title,
        "create_time": 1_760_000_000.25,
        "update_time": 1_760_000_900.0,
        "mapping": mapping,
        "current_node": before,
        "conversation_id": f"conv-{title}",
        **more,
    }
