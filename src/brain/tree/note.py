"""Note files (format §8): one snippet a line with its date, its one source and its id, so that one grep answers."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field
from datetime import date, datetime

from brain.errors import FormatError
from brain.text import one_line
from brain.tree import frontmatter
from brain.tree.ids import format_day, format_time, parse_day, parse_time, snippet_id
from brain.tree.layout import note_id
from brain.types import Qualifier

ORDER = ("id", "type", "title", "updated_at")
MAX_LINES = 80
NO_DAY = "-"
_SNIPPET = re.compile(r"- (\d{4}-\d{2}-\d{2}|-) · (.*?)(?: \^\[([a-z]+)\])? <([^<>\s]+)> \^(n[0-9a-z]{8})", re.ASCII)
_LAST_QUALIFIER = re.compile(r"(?<!\\)\^\[[a-z]+\]$", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One line. `text` is Markdown (words of a turn go through `markdown.escape`); a missing day is written `-`."""

    day: date | None
    text: str
    uri: str
    id: str
    qualifier: Qualifier | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A line that is no snippet, kept as it is; it stands after the first `after` snippets."""

    after: int
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFile:
    """Snippets of one topic. `id` starts with `notes/`."""

    id: str
    title: str
    updated_at: datetime | None = None
    snippets: tuple[Snippet, ...] = ()
    foreign: tuple[Foreign, ...] = ()


def snippet(
    text: str, uri: str, *, day: date | None = None, qualifier: Qualifier | None = None, taken: Container[str] = ()
) -> Snippet:
    """A snippet with its text in stored form and its id made from text and source."""
    words = stored_text(text)
    return Snippet(day=day, text=words, uri=uri, id=snippet_id(words, uri, taken), qualifier=qualifier)


def stored_text(text: str) -> str:
    """One line that does not end like a qualifier of ours."""
    words = one_line(text)
    match = _LAST_QUALIFIER.search(words)
    return f"{words[: match.start()]}\\{match.group()}" if match else words


def render_snippet(s: Snippet) -> str:
    """`- 2026-08-02 · Wants diagrams as PDF. ^[assistant] <session://…#t14> ^n4k7q2m9a`"""
    mark = f" ^[{s.qualifier.value}]" if s.qualifier else ""
    return f"- {format_day(s.day) if s.day else NO_DAY} · {stored_text(s.text)}{mark} <{s.uri}> ^{s.id}"


def parse_snippet(line: str, number: int = 0) -> Snippet | None:
    """None when the line is no snippet."""
    match = _SNIPPET.fullmatch(line)
    if not match:
        return None
    day, text, qualifier, uri, name = match.groups()
    try:
        return Snippet(
            day=None if day == NO_DAY else parse_day(day),
            text=text,
            uri=uri,
            id=name,
            qualifier=Qualifier(qualifier) if qualifier else None,
            line=number,
        )
    except (FormatError, ValueError):
        return None


def parse(text: str, path: str = "") -> NoteFile:
    """Raises FormatError when the frontmatter does not read; lines that are no snippets are kept in `foreign`."""
    meta, body, first = frontmatter.parse(text, path)
    name, title, updated = meta.get("id", ""), meta.get("title", ""), meta.get("updated_at", "")
    if not isinstance(name, str) or not isinstance(title, str) or not isinstance(updated, str):
        raise FormatError("id, title and updated_at are text", path=path, line=1)
    snippets: list[Snippet] = []
    foreign: list[Foreign] = []
    lines = body.removesuffix("\n").split("\n") if body else []
    for number, line in enumerate(lines, start=first):
        found = parse_snippet(line, number)
        if found:
            snippets.append(found)
        else:
            foreign.append(Foreign(after=len(snippets), text=line, line=number))
    return NoteFile(
        id=name or note_id(path) or "",
        title=title,
        updated_at=parse_time(updated) if updated else None,
        snippets=tuple(snippets),
        foreign=tuple(foreign),
    )


def render(note: NoteFile) -> str:
    """The file; a parsed file in canonical form renders to the same bytes."""
    values: dict[str, frontmatter.Value] = {"id": note.id, "type": "note", "title": one_line(note.title)}
    if note.updated_at:
        values["updated_at"] = format_time(note.updated_at)
    lines: list[str] = []
    for index in range(len(note.snippets) + 1):
        lines += [f.text for f in note.foreign if f.after == index or (index == len(note.snippets) < f.after)]
        if index < len(note.snippets):
            lines.append(render_snippet(note.snippets[index]))
    return frontmatter.render(values, ORDER) + "".join(line + "\n" for line in lines)
