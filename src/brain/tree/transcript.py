"""Transcripts (format §9): every turn of a session as append-only Markdown, read and written as a stream."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from urllib.parse import quote, unquote

from brain.errors import FormatError
from brain.tree import frontmatter
from brain.tree.ids import format_time, parse_time
from brain.types import ROLE_TRUST, Role, Transcript, Trust, Turn

ABSENT = "(this turn did not come along)"
"""What stands for a turn of a session that was adopted in part, until the session itself is imported."""

ORDER = ("id", "type", "source", "external_id", "title", "started_at", "cwd", "participants")
_LIKE_HEAD = re.compile(r"^(\\*)(?=## t\d)", re.MULTILINE | re.ASCII)
_ESCAPED = re.compile(r"\\+## t\d", re.ASCII)
_HEAD = re.compile(r"## t([1-9]\d*) · (user|assistant|tool|system) · (-|\d{4}-[0-9T:-]+Z)((?: · [a-z]+=.*)?)", re.ASCII)
_NOT_IN_FIELD = re.compile(r"[%·\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$")
_NOT_IN_URI = re.compile(r"[·\s\x00-\x1f\x7f-\x9f]")
_START = re.compile(r"## t\d", re.ASCII)


def render(transcript: Transcript) -> str:
    """The whole file."""
    return render_head(transcript) + "".join(map(render_turn, transcript.turns))


def render_head(transcript: Transcript) -> str:
    """The frontmatter of a transcript file; turns are appended to it."""
    values: dict[str, frontmatter.Value] = {
        "id": transcript.id,
        "type": "transcript",
        "source": transcript.source,
        "external_id": transcript.external_id,
        "title": transcript.title,
    }
    if transcript.started_at:
        values["started_at"] = format_time(transcript.started_at)
    if transcript.cwd is not None:
        values["cwd"] = transcript.cwd
    if transcript.participants:
        values["participants"] = list(transcript.participants)
    return frontmatter.render(values, ORDER)


def render_turn(turn: Turn) -> str:
    """One block: an empty line, the head, an empty line, the text with its last newline. Blocks are only ever appended.

    A trust that is the role's own is not written, so it reads back as None.
    """
    return f"\n{head_line(turn)}\n\n{_LIKE_HEAD.sub(_one_more, turn.text)}\n"


def head_line(turn: Turn) -> str:
    """`## t12 · user · 2026-06-21T09:14:03Z · name=…`"""
    fields = [f"## t{turn.number}", turn.role.value, format_time(turn.time) if turn.time else "-"]
    if turn.name is not None:
        fields.append(f"name={_field(turn.name)}")
    if turn.call is not None:
        fields.append(f"call={_field(turn.call)}")
    if turn.trust is not None and turn.trust is not ROLE_TRUST[turn.role]:
        fields.append(f"trust={turn.trust.value}")
    if turn.redacted is not None:
        fields.append(f"redacted={_field(turn.redacted)}")
    fields += [f"attach={_field(uri, _NOT_IN_URI)}" for uri in turn.attach]
    return " · ".join(fields)


def parse(text: str, path: str = "") -> Transcript:
    """A whole file. Raises FormatError with path and line."""
    lines = _text_lines(text)
    head, first = _read_head(lines, path)
    return _with_turns(head, tuple(_turns(lines, first, path)))


def read(file: Path) -> Transcript:
    """A whole file from disk."""
    with file.open(encoding="utf-8", newline="\n") as lines:
        head, first = _read_head(lines, str(file))
        return _with_turns(head, tuple(_turns(lines, first, str(file))))


def read_head(file: Path) -> Transcript:
    """What the frontmatter says, without turns; reads no further."""
    with file.open(encoding="utf-8", newline="\n") as lines:
        return _read_head(lines, str(file))[0]


def iter_turns(file: Path) -> Iterator[Turn]:
    """The turns of a file one by one, in constant memory."""
    with file.open(encoding="utf-8", newline="\n") as lines:
        _, first = _read_head(lines, str(file))
        yield from _turns(lines, first, str(file))


def iter_turns_from(file: Path, start: int) -> Iterator[Turn]:
    """The turns behind byte `start`, where a block ends."""
    with file.open("rb") as data, TextIOWrapper(data, encoding="utf-8", newline="\n") as lines:
        data.seek(start)
        yield from _turns(lines, 1, str(file))


def dated(turns: Iterable[Turn], started: datetime | None) -> tuple[Turn, ...]:
    """The turns of a session, with its start as their time when the source dates the session and none of its turns.

    "A week ago" in such a session counts from the day the source gives. A session that has times for some of its turns
    may last for weeks, so there a turn without one stays without.
    """
    known = tuple(turns)
    if started is None or any(turn.time for turn in known):
        return known
    return tuple(replace(turn, time=started) for turn in known)


def read_turns(file: Path, first: int, last: int) -> list[Turn]:
    """Turns `first` to `last`, both included; fewer when the file holds fewer. Stops reading after `last`."""
    found: list[Turn] = []
    for turn in iter_turns(file):
        if turn.number > last:
            break
        if turn.number >= first:
            found.append(turn)
    return found


def _read_head(lines: Iterable[str], path: str) -> tuple[Transcript, int]:
    block: list[str] = []
    for number, line in enumerate(lines, start=1):
        if number > 1 and line.rstrip("\n") == "---":
            return _head(frontmatter.parse_block("".join(block).removesuffix("\n"), path), path), number + 1
        if number == 1 and line != "---\n":
            break
        if number > 1:
            block.append(line)
    raise FormatError("no closed frontmatter", path=path, line=1)


def _head(values: frontmatter.Map, path: str) -> Transcript:
    def text(key: str) -> str:
        value = values.get(key, "")
        if isinstance(value, str):
            return value
        raise FormatError(f"{key} is a list, not text", path=path, line=1)

    if text("type") != "transcript" or not text("id"):
        raise FormatError("not a transcript: type and id are required", path=path, line=1)
    participants = values.get("participants", [])
    started = text("started_at")
    return Transcript(
        id=text("id"),
        source=text("source"),
        external_id=text("external_id"),
        title=text("title"),
        started_at=parse_time(started) if started else None,
        cwd=text("cwd") if "cwd" in values else None,
        participants=(participants,) if isinstance(participants, str) else tuple(participants),
    )


def _turns(lines: Iterable[str], first: int, path: str) -> Iterator[Turn]:
    head = ""
    at = 0
    body: list[str] = []
    for number, line in enumerate(lines, start=first):
        if line[:4] == "## t" and _START.match(line):
            if head:
                yield _turn(head, body, at, path)
            elif any(part.strip() for part in body):
                raise FormatError("text before the first turn", path=path, line=first)
            head, at, body = line, number, []
        elif line[:1] == "\\" and _ESCAPED.match(line):
            body.append(line[1:])
        else:
            body.append(line)
    if head:
        yield _turn(head, [*body, "\n"], at, path)
    elif any(part.strip() for part in body):
        raise FormatError("text before the first turn", path=path, line=first)


def _turn(head: str, body: list[str], line: int, path: str) -> Turn:
    match = _HEAD.fullmatch(head.rstrip("\n"))
    if not match:
        raise FormatError(f"not a turn head: {head.strip()!r}", path=path, line=line)
    # body is "\n" + text + "\n" + "\n" (the empty line before the next head)
    text = "".join(body)
    if not text.startswith("\n") or not text.endswith("\n\n"):
        raise FormatError("a turn is a head, an empty line, text and an empty line", path=path, line=line)
    number, role, time, fields = match.groups()
    known: dict[str, str] = {}
    attach: list[str] = []
    for field in fields.split(" · ")[1:]:
        key, sep, value = field.partition("=")
        if key == "attach" and sep:
            attach.append(value)
        elif key in {"name", "call", "trust", "redacted"} and sep and key not in known:
            known[key] = unquote(value)
        else:
            raise FormatError(f"unknown or repeated field {field!r} in a turn head", path=path, line=line)
    try:
        return Turn(
            number=int(number),
            role=Role(role),
            text=text[1:-2],
            time=None if time == "-" else parse_time(time),
            name=known.get("name"),
            call=known.get("call"),
            trust=Trust(known["trust"]) if "trust" in known else None,
            redacted=known.get("redacted"),
            attach=tuple(attach),
        )
    except (FormatError, ValueError) as error:
        raise FormatError(f"turn head: {error}", path=path, line=line) from error


def _with_turns(head: Transcript, turns: tuple[Turn, ...]) -> Transcript:
    return Transcript(
        id=head.id,
        source=head.source,
        external_id=head.external_id,
        title=head.title,
        started_at=head.started_at,
        cwd=head.cwd,
        participants=head.participants,
        turns=turns,
    )


def _text_lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _one_more(match: re.Match[str]) -> str:
    return "\\" + match.group(1)


def _field(s: str, odd: re.Pattern[str] = _NOT_IN_FIELD) -> str:
    """A value of a head field: what would end the field or the line is percent-encoded (a URI has its own escapes)."""
    return odd.sub(lambda m: quote(m.group(), safe=""), s)
