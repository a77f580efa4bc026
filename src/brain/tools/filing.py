"""From what an agent wrote into a note file to notes, one sentence a line: which lines it added, changed, took out.

An agent may change its own notes, those with `^[assistant]` whose turn is an agent's note. What the user said, and what
runs lifted from sessions, it may only add to: the next run settles which of two holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from brain.distil.sentences import sentences
from brain.errors import FormatError, UsageError
from brain.text import count_words
from brain.tree import frontmatter, markdown
from brain.tree.note import NoteFile, Snippet, parse, parse_snippet
from brain.tree.uri import SessionUri
from brain.tree.uri import parse as parse_uri
from brain.types import Qualifier

_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_DATED = re.compile(r"\d{4}-\d{2}-\d{2} · ")
_FRAME = re.compile(r"\s*(?:#{1,6}\s.*|#{1,6}|```.*|~~~.*|[-*_=]{3,}|</?[\w-]+(?:\s[^<>]*)?/?>|\|[\s:|-]+\|)\s*")
_TITLE = re.compile(r"#\s+(.+?)\s*#*\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What becomes of a note file: words to add, and snippets to take out by id with their session.

    `frame` counts lines that only give shape (headings, fences, tags), which notes do not have.
    """

    added: tuple[str, ...] = ()
    gone: tuple[tuple[str, str], ...] = ()
    title: str = ""
    frame: int = 0


def fresh(text: str, most: int) -> Plan:
    """A whole new file. `most` words make a note; longer lines are cut into sentences. Raises UsageError."""
    body, title, frame, added = _body(text), "", 0, list[str]()
    for number, line in enumerate(body, start=1):
        if _FRAME.fullmatch(line):
            frame += 1
            heading = _TITLE.fullmatch(line.strip())
            title = title or (heading[1] if heading else "")
        else:
            added += _words(line, number, most)
    return Plan(added=tuple(added), title=title, frame=frame)


def edited(old: NoteFile, text: str, most: int, own: Callable[[Snippet], bool]) -> Plan:
    """The file as it is to read afterwards. Raises UsageError for a change of what is not the agent's own."""
    try:
        new = parse(text)
    except FormatError as error:
        raise UsageError(f"the head of a note file stays as it is: {error.reason}") from error
    if (new.id, new.title, new.updated_at) != (old.id, old.title, old.updated_at):
        raise UsageError("the head of a note file stays as it is", hint="change the lines under it")
    before, after = {one.id: one for one in old.snippets}, {one.id: one for one in new.snippets}
    known = {one.text for one in old.foreign}
    gone, added = dict[str, str](), list[str]()
    for id, one in before.items():
        if after.get(id) != one:
            if not own(one):
                raise UsageError(
                    f"line {one.line} is not the assistant's own note, and stays as it is",
                    hint="insert a line that says what holds now; the next run settles it",
                )
            gone[id] = session_of(one) or ""
    frame = 0
    for number, line in enumerate(text.split("\n"), start=1):
        found = parse_snippet(line)
        if (found and before.get(found.id) == found) or (not found and (line in known or number <= _head(text))):
            continue
        if found is None and _FRAME.fullmatch(line):
            frame += 1
        else:
            added += _words(line, number, most)
    return Plan(added=tuple(added), gone=tuple(gone.items()), frame=frame)


def all_own(file: NoteFile, own: Callable[[Snippet], bool]) -> dict[str, str]:
    """Every snippet of a file, to take out. Raises UsageError when one is not the agent's own, or a person's line."""
    for one in file.snippets:
        if not own(one):
            raise UsageError(
                f"{file.id}.md: line {one.line} is not the assistant's own note, and stays as it is",
                hint="take lines of your own out with str_replace",
            )
    if any(one.text.strip() for one in file.foreign):
        raise UsageError(f"{file.id}.md has lines that a person wrote, and stays as it is")
    return {one.id: session_of(one) or "" for one in file.snippets}


def session_of(one: Snippet) -> str | None:
    try:
        source = parse_uri(one.uri)
    except FormatError:
        return None
    return source.session if isinstance(source, SessionUri) else None


def by_assistant(one: Snippet) -> bool:
    return one.qualifier is Qualifier.ASSISTANT


def _words(line: str, number: int, most: int) -> Iterator[str]:
    """The notes that one line holds: provenance that is written with it is not taken over."""
    found = parse_snippet(line.strip())
    words = markdown.plain(found.text) if found else _plain(line)
    if not words:
        return
    for one in [words] if count_words(words) <= most else sentences(words):
        if count_words(one) > most:
            raise UsageError(
                f"line {number} has a sentence of {count_words(one)} words, and a note has at most {most}",
                hint="split it into sentences that stand alone, one a line",
            )
        yield one


def _plain(line: str) -> str:
    words = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    return _DATED.sub("", words.strip(), count=1)


def _body(text: str) -> list[str]:
    """The lines of a file that an agent made, without a head it may have given it."""
    with suppress(FormatError):
        _, text, _ = frontmatter.parse(text)
    return text.split("\n")


def _head(text: str) -> int:
    """How many lines the frontmatter takes."""
    try:
        return frontmatter.parse(text)[2] - 1
    except FormatError:
        return 0
