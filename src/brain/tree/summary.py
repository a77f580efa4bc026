"""Session summaries (format §9): what a session was about, in sections of bullets that end with their turns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from brain.errors import FormatError
from brain.text import one_line
from brain.tree import frontmatter
from brain.tree.ids import format_time, parse_time, turns_text

ORDER = (
    "id", "type", "title", "source", "started_at", "ended_at", "turns", "through_turn", "attached_through",
    "transcript_sha256", "outcome", "projects", "topics", "sensitivity", "updated_by",
)  # fmt: skip
SECTIONS = ("Decisions", "Corrections and preferences", "Outcomes and artifacts", "Dead ends", "Open threads")
_BULLET = re.compile(r"- (.*) \(t([1-9]\d{0,8})(?:-t([1-9]\d{0,8}))?\)", re.ASCII)


class Outcome(StrEnum):
    DONE = "done"
    PARTIAL = "partial"
    ABANDONED = "abandoned"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullet:
    """One line of a summary and the turns it is from, both ends included. `text` is one line of Markdown."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """`summary` is one paragraph of Markdown; `bullets` by section, in the order of SECTIONS."""

    id: str
    title: str
    source: str
    started_at: datetime | None = None
    ended_at: datetime | None = None
    turns: int = 0
    through_turn: int = 0
    attached_through: int = 0
    transcript_sha256: str = ""
    outcome: Outcome = Outcome.UNKNOWN
    projects: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    sensitivity: str = "normal"
    updated_by: str = ""
    summary: str = ""
    bullets: Mapping[str, tuple[Bullet, ...]] = field(default_factory=dict)


def render(s: Summary) -> str:
    """The file. Raises ValueError on a section the format does not know."""
    if unknown := set(s.bullets) - set(SECTIONS):
        raise ValueError(f"no summary sections {sorted(unknown)}; there are {', '.join(SECTIONS)}")
    values: dict[str, frontmatter.Value] = {
        "id": s.id,
        "type": "session_summary",
        "title": one_line(s.title),
        "source": s.source,
        "turns": str(s.turns),
        "through_turn": str(s.through_turn),
        "attached_through": str(s.attached_through),
        "transcript_sha256": s.transcript_sha256,
        "outcome": s.outcome.value,
        "projects": list(s.projects),
        "topics": list(s.topics),
        "sensitivity": s.sensitivity,
        "updated_by": s.updated_by,
    }
    for key, time in (("started_at", s.started_at), ("ended_at", s.ended_at)):
        if time:
            values[key] = format_time(time)
    parts = [f"## Summary\n{_guard(one_line(s.summary))}\n"]
    for heading in SECTIONS:
        if bullets := s.bullets.get(heading):
            lines = "".join(f"- {one_line(b.text)} ({turns_text(b.first, b.last)})\n" for b in bullets)
            parts.append(f"## {heading}\n{lines}")
    return frontmatter.render(values, ORDER) + "\n".join(parts)


def parse(text: str, path: str = "") -> Summary:
    """Raises FormatError on what the format does not allow; a summary is written by programs only."""
    meta, body, first = frontmatter.parse(text, path)
    read = _Fields(meta, path)
    paragraph, bullets = _sections(body, first, path)
    try:
        outcome = Outcome(read.text("outcome") or "unknown")
    except ValueError:
        raise FormatError(f"outcome {read.text('outcome')!r}", path=path, line=1) from None
    return Summary(
        id=read.text("id"),
        title=read.text("title"),
        source=read.text("source"),
        started_at=read.time("started_at"),
        ended_at=read.time("ended_at"),
        turns=read.count("turns"),
        through_turn=read.count("through_turn"),
        attached_through=read.count("attached_through"),
        transcript_sha256=read.text("transcript_sha256"),
        outcome=outcome,
        projects=read.items("projects"),
        topics=read.items("topics"),
        sensitivity=read.text("sensitivity") or "normal",
        updated_by=read.text("updated_by"),
        summary=paragraph,
        bullets=bullets,
    )


@dataclass(frozen=True, slots=True)
class _Fields:
    meta: frontmatter.Map
    path: str

    def text(self, key: str) -> str:
        value = self.meta.get(key, "")
        if isinstance(value, str):
            return value
        raise FormatError(f"{key} is a list, not text", path=self.path, line=1)

    def count(self, key: str) -> int:
        value = self.text(key) or "0"
        if value.isascii() and value.isdigit():
            return int(value)
        raise FormatError(f"{key} is not a number: {value!r}", path=self.path, line=1)

    def time(self, key: str) -> datetime | None:
        value = self.text(key)
        return parse_time(value) if value else None

    def items(self, key: str) -> tuple[str, ...]:
        value = self.meta.get(key, [])
        return ((value,) if value else ()) if isinstance(value, str) else tuple(value)


def _sections(body: str, first: int, path: str) -> tuple[str, dict[str, tuple[Bullet, ...]]]:
    heading, paragraph = "", []
    bullets: dict[str, list[Bullet]] = {}
    for number, line in enumerate(body.split("\n"), start=first):
        if line.startswith("## "):
            heading = line[3:].strip()
            if heading not in (*SECTIONS, "Summary") or heading in bullets:
                raise FormatError(f"no section {heading!r} in a summary, or it stands twice", path=path, line=number)
            bullets[heading] = []
        elif not line.strip():
            continue
        elif heading == "Summary":
            paragraph.append(line[1:] if line.startswith(("\\#", "\\\\")) else line)
        elif (match := _BULLET.fullmatch(line)) and heading:
            a, b = int(match.group(2)), int(match.group(3) or match.group(2))
            bullets[heading].append(Bullet(text=match.group(1), first=a, last=b))
        else:
            raise FormatError(
                f"a line of {heading or 'no section'!r} is no bullet with its turns", path=path, line=number
            )
    bullets.pop("Summary", None)
    return one_line(" ".join(paragraph)), {h: tuple(bullets[h]) for h in SECTIONS if bullets.get(h)}


def _guard(line: str) -> str:
    """A paragraph that could be read as a heading gets a backslash; one with a backslash, another."""
    return "\\" + line if line.startswith(("#", "\\")) else line
