"""A memory that is lived with: sessions are written as the tools write them, imported, dreamed over and read.

Everything goes through `brain.Brain` or the command line. The sessions are invented.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from brain import Brain
from brain.dream.run import DreamResult
from brain.ingest import ImportReport
from brain.tree import layout, note, page, transcript
from brain.types import Problem, Severity, Transcript

START = datetime(2026, 5, 1, 9, tzinfo=UTC)
LATER = START + timedelta(days=60)
Said = str | tuple[str, str]
"""What the user says, or (who, text): "assistant", "system", "web", "tool", or in a chat the name of a person."""


@dataclass
class Lived:
    """One memory folder, and a folder `source` of transcripts beside it. Day n is day n of May 2026."""

    root: Path
    owner: str | None = None
    tz: str = "UTC"
    now: datetime = LATER
    read_aloud: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        Brain.init(self.root, owner=self.owner, tz=self.tz, now=START)

    @property
    def source(self) -> Path:
        return self.root.parent / "from"

    @property
    def brain(self) -> Brain:
        return Brain.open(self.root, clock=lambda: self.now)

    # -- sessions as tools write them

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return path

    def claude(self, day: int, *said: Said, cwd: str = "/home/u", name: str = "", timed: bool = True) -> Path:
        """A Claude Code session. Said again with more turns, it is the same session, grown."""
        session = str(uuid5(NAMESPACE_URL, name or f"day {day}"))
        return self.write(f"{session}.jsonl", "".join(_claude(session, day, said, cwd, timed)))

    def codex(self, day: int, *said: Said, cwd: str = "/home/u", name: str = "") -> Path:
        session = str(uuid5(NAMESPACE_URL, name or f"codex day {day}"))
        records: list[tuple[str, dict[str, Any]]] = [
            ("session_meta", {"id": session, "timestamp": _iso(day, 0), "cwd": cwd})
        ]
        for one in said:
            who, text = _who(one)
            role = {"user": "user", "assistant": "assistant", "system": "developer"}[who]
            kind = "output_text" if role == "assistant" else "input_text"
            item = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
            records.append(("response_item", item))
        lines = [
            {"timestamp": _iso(day, at), "type": kind, "payload": payload} for at, (kind, payload) in enumerate(records)
        ]
        return self.write(f"rollout-{session}.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def chatgpt(self, *talks: dict[str, Any], file: str = "conversations.json") -> Path:
        return self.write(file, json.dumps(list(talks)))

    def chat(self, day: int | str, *said: tuple[str, str], file: str = "") -> Path:
        """A group chat in Markdown, one stamped line a message; `day` "" has no time anywhere."""
        stamps = [f"[{_when(day, at):%Y-%m-%d %H:%M}] " if isinstance(day, int) else "" for at in range(len(said))]
        people = ", ".join(dict.fromkeys(who for who, _ in said))
        head = f"---\ntitle: Chat of day {day or 'nobody knows'}\nparticipants: [{people}]\n---\n\n"
        body = "".join(f"{stamp}{who}: {text}\n" for stamp, (who, text) in zip(stamps, said, strict=True))
        return self.write(file or f"chat-{day}.md", head + body)

    # -- nights

    def take(self, *paths: Path) -> ImportReport:
        return self.brain.import_(paths or [self.source])

    def dream(self) -> DreamResult:
        self.read_aloud = []
        return self.brain.dream(verbose=self.read_aloud.append)

    def night(self) -> DreamResult:
        """Import what lies in `source` and dream over it; both must go well and leave a tree words_in errors."""
        report = self.take()
        assert report.exit_code == 0, report.problems
        result = self.dream()
        assert result.exit_code == 0, (result.failed, result.problems)
        assert self.errors() == []
        return result

    def typed(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command as a person types it beside the memory folder."""
        return subprocess.run(
            [sys.executable, "-m", "brain", *words], cwd=self.root.parent, capture_output=True, text=True, check=False
        )

    # -- what is there

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8")

    def page(self, page_id: str) -> str:
        return self.read(layout.page_path(page_id))

    def claims(self, page_id: str, *sections: str) -> list[str]:
        """The statements of a page as raw lines, of all sections or some; links and the changelog are none."""
        one = page.parse(self.page(page_id), layout.page_path(page_id))
        kept = (claim for claim in one.claims if claim.section not in ("Changelog", "See also"))
        return [claim.raw for claim in kept if not sections or claim.section in sections]

    def pages(self, kind: str = "") -> list[str]:
        found = (layout.page_id(str(p.relative_to(self.root))) for p in (self.root / "knowledge").rglob("*.md"))
        return sorted(one for one in found if one and one.startswith(kind))

    def snippets(self) -> list[note.Snippet]:
        paths = sorted((self.root / "notes").rglob("*.md"))
        return [one for path in paths for one in note.parse(path.read_text("utf-8"), str(path)).snippets]

    def summaries(self) -> str:
        return "\n".join(p.read_text("utf-8") for p in sorted((self.root / "sessions/summaries").rglob("*.md")))

    def wiki(self) -> str:
        """All pages, words_in frontmatter keys that are times."""
        return "\n".join(self.page(one) for one in self.pages())

    def made(self) -> str:
        """All that was made of the sessions: pages, notes, summaries, index, log."""
        generated = [layout.KNOWLEDGE_INDEX, layout.LOG]
        notes = [str(p.relative_to(self.root)) for p in sorted((self.root / "notes").rglob("*.md"))]
        return "\n".join([self.wiki(), self.summaries(), *(self.read(path) for path in (*generated, *notes))])

    def transcripts(self) -> list[Transcript]:
        return [transcript.read(path) for path in sorted((self.root / "sessions/transcripts").rglob("*.md"))]

    def problems(self) -> list[Problem]:
        return self.brain.check()

    def errors(self) -> list[str]:
        found = [problem for problem in self.problems() if problem.severity is Severity.E]
        return [f"{one.rule} {one.path}:{one.line} {one.message}" for one in found]

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout

    def subjects(self) -> list[str]:
        """Subjects of the commits of main, newest first."""
        return self.git("log", "--format=%s", "main").splitlines()

    @property
    def head(self) -> str:
        return self.git("rev-parse", "main").strip()

    def files(self) -> dict[str, bytes]:
        """Every visible file of the folder, transcripts included, by path."""
        paths = (p for p in self.root.rglob("*") if p.is_file())
        found = {p.relative_to(self.root).as_posix(): p.read_bytes() for p in paths}
        return {path: data for path, data in found.items() if not path.startswith((".git/", ".brain/"))}


def talk(title: str | None, day: int | None, *said: Said, id: str = "", **more: Any) -> dict[str, Any]:
    """A conversation of a ChatGPT export; `day` None has no time anywhere."""
    mapping: dict[str, Any] = {}
    before = None
    for at, one in enumerate(said):
        who, text = _who(one)
        key = f"{id or title}-{at}"
        role = "tool" if who == "web" else who
        message: dict[str, Any] = {
            "id": key,
            "author": {"role": role, "name": "web" if who == "web" else None, "metadata": {}},
            "create_time": None if day is None else _when(day, at).timestamp(),
            "content": {"content_type": "text", "parts": [text]},
            "metadata": {},
            "recipient": "all",
        }
        mapping[key] = {"id": key, "message": message, "parent": before, "children": []}
        if before:
            mapping[before]["children"].append(key)
        before = key
    when = None if day is None else _when(day, 0).timestamp()
    return {"title": title, "create_time": when, "update_time": when, "mapping": mapping, "current_node": before,
            "conversation_id": id or f"talk-{title}", **more}  # fmt: skip


def words_in(text: str, *words: str) -> list[str]:
    """Which of the words are in a text, whatever their case; an assertion compares it with []."""
    return [word for word in words if word.casefold() in text.casefold()]


def sections_of(text: str) -> dict[str, str]:
    """H2 sections of a page by heading."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _claude(session: str, day: int, said: Sequence[Said], cwd: str, timed: bool) -> Iterable[str]:
    before = None
    for at, one in enumerate(said, start=1):
        who, text = _who(one)
        call = f"toolu_{session[:6]}{at}"
        content: Any = text
        if who in ("web", "tool"):
            tool = "WebFetch" if who == "web" else "Bash"
            use = {"type": "tool_use", "id": call, "name": tool, "input": {"of": "it"}}
            asked: dict[str, Any] = {"role": "assistant", "id": f"msg_{session[:6]}{at}c", "content": [use]}
            line, before = _line(session, day, at, f"{at}c", "assistant", asked, cwd, before, timed)
            yield line
            content = [{"type": "tool_result", "tool_use_id": call, "content": text}]
        elif who == "assistant":
            content = [{"type": "text", "text": text}]
        role = "assistant" if who == "assistant" else "user"
        message: dict[str, Any] = {"role": role, "content": content}
        if role == "assistant":
            message["id"] = f"msg_{session[:6]}{at}"
        line, before = _line(session, day, at, str(at), role, message, cwd, before, timed)
        yield line


def _line(
    session: str, day: int, at: int, key: str, kind: str, message: Any, cwd: str, before: str | None, timed: bool
) -> tuple[str, str]:
    uuid = str(uuid5(NAMESPACE_URL, f"{session}/{key}"))
    record = {"parentUuid": before, "isSidechain": False, "cwd": cwd, "sessionId": session, "type": kind, "uuid": uuid,
              "message": message}  # fmt: skip
    if timed:
        record["timestamp"] = _iso(day, at)
    return json.dumps(record, ensure_ascii=False) + "\n", uuid


def _who(said: Said) -> tuple[str, str]:
    return ("user", said) if isinstance(said, str) else said


def _when(day: int, at: int) -> datetime:
    return START + timedelta(days=day - 1, minutes=at)


def _iso(day: int, at: int) -> str:
    return f"{_when(day, at):%Y-%m-%dT%H:%M:%S}.000Z"
