"""Written-down conversations: Markdown or plain text with a label before each message, of one person and an assistant
or of a group. Shapes: `User: …`, `**Name:** …`, `## Prompt:`, `[2023-05-08 13:56] Jean-Luc: …`, `_**User (time)**_`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from brain.ingest.blocks import Result
from brain.ingest.labels import SELF, role_of
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, read_text
from brain.ingest.speakers import Marker, markers
from brain.ingest.times import day_first, read_date_words, read_stamp
from brain.text import normal_name
from brain.types import Role, Trust

_WRITING = {"", ".md", ".markdown", ".mdown", ".mdx", ".txt", ".text", ".log", ".chat", ".org", ".rst"}
_HEADER = re.compile(
    r"^(?:[-*]\s+)?(?:\*\*)?(title|date|time|when|started|created|participants|people|speakers|attendees|with|between|subject|topic|"
    r"location|place|session(?: id)?|id|source|language|exported|model|link|tags)(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$",
    re.IGNORECASE,
)
_DATE_LINE = re.compile(
    r"^\W*(?:session\s*\d*\W+)?(?:\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?,?\s+on\s+)?"
    r"((?:\w+day,?\s+)?[^\n:]{6,40}\d{2,4}|\d{4}-\d{2}-\d{2})(?:,?\s+(?:at\s+)?\d{1,2}:\d{2}[\s\w.]{0,8})?\W*$",
    re.IGNORECASE,
)
_SPECSTORY_ID = re.compile(r"<!-- ([\w .]+) Session ([0-9a-zA-Z-]{8,64}) \(([^)]*)\) -->")
_COMMENT = re.compile(r"^\s*<!--.*?-->\s*$", re.MULTILINE | re.DOTALL)
_TOOL_USE = re.compile(r"<tool-use\b([^>]*)>(.*?)</tool-use>", re.DOTALL)
_TOOL_NAME = re.compile(r"data-tool-name=\"([^\"]+)\"")
_TOOL_MARKUP = re.compile(r"</?details>|<summary>.*?</summary>", re.DOTALL)
_RULE = re.compile(r"(?:\n\s*(?:---+|\*\*\*+|___+)\s*)+\Z")
_LIST = re.compile(r"\s*(?:,|;|、|，|\band\b|&|\bet\b|\bund\b|\by\b)\s*")


class Dialogue:
    name = "dialogue"
    title = "Dialogues in Markdown or plain text"
    where = (
        "a label before each message, of a person and an assistant or of a group; SpecStory pages, messenger and "
        "ChatGPT-exporter files"
    )
    known_by = "the header's id, else file name and first message"
    times = "where the text says so, in the brain's `tz`"
    kept = "messages with who said them, tool output of SpecStory pages, title, participants and day of the header"
    dropped = (
        "text before the first speaker (nobody says it); rules and date lines between messages (markup); times "
        "that read two ways (never guessed)"
    )

    def detect(self, head: Head) -> int:
        if (
            head.path.suffix.lower() not in _WRITING
            or head.json
            or head.text.startswith("{")
            or head.text.startswith("# aider chat started at")
        ):
            return 0
        page = _page(head.text[:65_536])
        found = markers(page.lines, page.participants)
        if not found:
            return 0
        if found[0].shape in ("specstory", "stamped"):
            return 60 if len(found) > 1 or found[0].line <= 2 else 20
        first = next((at for at, line in enumerate(page.lines) if line.strip()), 0)
        return 50 if len(found) > 1 or found[0].line == first else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        page = _page(read_text(path).lstrip("\ufeff"))
        found = markers(page.lines, page.participants)
        if not found:
            skips.damage("no line says who speaks")
            return
        before = [line for line in page.lines[: found[0].line] if line.strip() and not _DATE_LINE.match(line)]
        skips.leave("text before the first speaker", len(before))
        people = tuple(dict.fromkeys(m.label for m in found if role_of(m.label) is None))
        yield RawSession(
            source=self.name,
            external_id=page.id or f"{path.stem}-{_fingerprint(page, found)}",
            turns=_turns(page, found, people, skips),
            title=page.title or (path.stem.replace("_", " ") if people else None),
            started_at=page.started,
            participants=page.participants or people,
            place=path.name,
        )


FORMAT = Dialogue()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The file without its header: what the header said, and the lines below it."""

    lines: list[str]
    title: str | None = None
    id: str | None = None
    started: datetime | None = None
    participants: tuple[str, ...] = ()
    day_first: bool | None = None


def _page(text: str) -> _Page:
    text = text.replace("\x00", "")
    stated: dict[str, str] = {}
    first = day_first(text)
    if match := re.match(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", text, re.DOTALL):
        stated |= _yaml(match[1])
        text = text[match.end() :]
    named = _SPECSTORY_ID.search(text)
    text = _COMMENT.sub("", text) if text.lstrip().startswith("<!--") or named else text
    lines = text.split("\n")
    at, title = 0, None
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        header = _HEADER.match(line)
        if header:
            stated.setdefault(header[1].lower(), header[2].strip().strip("*"))
        elif title is None and line.startswith("# ") and role_of(line[2:].strip().rstrip(":")) is None:
            title = line[2:].strip()
        elif "date" not in stated and _DATE_LINE.match(line) and read_date_words(line, first=first):
            stated["date"] = line.strip("# *\t")
        else:
            break
        lines[at] = ""
    dated = read_date_words(title, first=first) if title else None
    date = next((stated[k] for k in ("date", "when", "started", "created", "time") if stated.get(k)), "")
    people = next(
        (stated[k] for k in ("participants", "people", "speakers", "attendees", "between") if stated.get(k)), ""
    )
    return _Page(
        lines=lines,
        title=stated.get("title")
        or stated.get("subject")
        or stated.get("topic")
        or (title if not dated or len(title or "") > 30 else None),
        id=named[2] if named else stated.get("session id") or stated.get("session") or stated.get("id"),
        started=read_date_words(date, first=first) or (read_date_words(named[3]) if named else None) or dated,
        participants=tuple(name for name in _LIST.split(people) if name),
        day_first=first,
    )


def _yaml(block: str) -> dict[str, str]:
    import yaml

    try:
        values = yaml.load(block, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return {}
    if not isinstance(values, dict):
        return {}
    return {
        str(key).lower(): ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in values.items()
        if isinstance(value, (str, list))
    }


def _fingerprint(page: _Page, found: list[Marker]) -> str:
    """Of how the conversation begins: what stays when it grows."""
    until = found[1].line if len(found) > 1 else found[0].line + 1
    first = "\n".join(page.lines[found[0].line : until]).strip()
    return sha256(f"{page.started}\n{first}".encode("utf-8", "replace")).hexdigest()[:12]


def _turns(page: _Page, found: list[Marker], people: tuple[str, ...], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    labels = {normal_name(m.label) for m in found}
    users = {label for label in labels if role_of(label) is Role.USER}
    assistant = people[0] if len(people) == 1 and users and not users & SELF and not _has_assistant(labels) else None
    others = bool(users) and assistant is None
    day = page.started
    for at, marker in enumerate(found):
        for line in page.lines[found[at - 1].line + 1 if at else 0 : marker.line]:
            day = _day(line, page) or day
        end = found[at + 1].line if at + 1 < len(found) else len(page.lines)
        body = "\n".join([marker.rest, *_without_dates(page.lines[marker.line + 1 : end], page)]).strip("\n")
        body = _RULE.sub("", body).strip()
        time = read_stamp(marker.stamp, day=day, first=page.day_first) if marker.stamp else None
        if marker.stamp and time is None and re.search(r"\d[/.]\d", marker.stamp):
            skips.leave("time that reads two ways (day or month first)")
        day = time or day
        role = role_of(marker.label)
        if role is None and marker.label == assistant:
            yield from _answer(body, time, speaking, marker.label)
        elif role is None:
            yield from speaking.user(body, time, name=marker.label, trust=Trust.EXTERNAL if others else None)
        elif role is Role.USER:
            yield from speaking.user(body, time)
        elif role is Role.ASSISTANT:
            yield from _answer(body, time, speaking, None)
        elif role is Role.TOOL:
            yield from speaking.result(Result(id=None, text=body), time)
        else:
            yield from speaking.system(body, time)


def _has_assistant(labels: set[str]) -> bool:
    return any(role_of(label) is Role.ASSISTANT for label in labels)


def _answer(body: str, time: datetime | None, speaking: Speaking, name: str | None) -> Iterator[RawTurn]:
    """An assistant's message; what a tool printed inside it (SpecStory writes it so) is the tool's."""
    at = 0
    for match in _TOOL_USE.finditer(body):
        if body[at : match.start()].strip():
            yield from speaking.assistant(body[at : match.start()], time, name=name)
        inner = _TOOL_MARKUP.sub("", match[2]).strip()
        tool = _TOOL_NAME.search(match[1])
        yield from speaking.result(Result(id=None, text=inner, name=tool[1] if tool else "tool"), time)
        at = match.end()
    if body[at:].strip() or at == 0:
        yield from speaking.assistant(body[at:], time, name=name)


def _day(line: str, page: _Page) -> datetime | None:
    if not line.strip() or len(line) > 60 or not _DATE_LINE.match(line):
        return None
    return read_date_words(line, first=page.day_first)


def _without_dates(lines: list[str], page: _Page) -> list[str]:
    """Lines without the date headings that stand between messages (`## 2023-05-08`)."""
    return [line for line in lines if not (line.lstrip().startswith(("#", "---", "—")) and _day(line, page))]
