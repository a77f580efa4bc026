"""A session as a document of an export, and back: its summary, then each turn in a block of its own.

Turns stand in fences: words that somebody pasted into a chat stay words, whatever opens the file. A turn that did not
come along leaves a gap in the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from brain.errors import FormatError
from brain.export.holdings import Session
from brain.tree import frontmatter, summary, transcript
from brain.tree.frontmatter import Value
from brain.tree.ids import SESSION, format_time, parse_time
from brain.tree.summary import Summary
from brain.types import Role, Transcript, Turn

TURNS = "## Turns"
_BLOCK = re.compile(r"(?m)^### t([1-9][0-9]*)\n\n(.*)\n\n(`{3,})text\n", re.ASCII)
_HEAD = re.compile(r"## t[1-9][0-9]* · ", re.ASCII)
_RUN = re.compile(r"`+")


def meta(session: Session) -> dict[str, Value]:
    """What a document's frontmatter says of a session, beside its type and title. The folder it ran in stays out."""
    row, head = session.row, session.head
    values: dict[str, Value] = {"session": row.id, "source": head.source, "external_id": head.external_id}
    for key, time in (("started_at", row.started_at), ("ended_at", row.ended_at)):
        if time:
            values[key] = format_time(time)
    if head.participants:
        values["participants"] = list(head.participants)
    values["turns"] = str(row.turns)
    if row.sensitivity != "normal":
        values["sensitivity"] = row.sensitivity
    if told := session.summary:
        values |= {
            "through_turn": str(told.through_turn), "attached_through": str(told.attached_through),
            "outcome": told.outcome.value, "updated_by": told.updated_by,
        }  # fmt: skip
        if told.projects:
            values["projects"] = list(told.projects)
        if told.topics:
            values["topics"] = list(told.topics)
    return values


def body(session: Session) -> str:
    """The document under the frontmatter."""
    parts = [f"# {session.row.title or session.row.id}\n"]
    if session.summary:
        parts.append(frontmatter.parse(summary.render(session.summary))[1])
    parts.append(f"{TURNS}\n")
    return "\n".join([*parts, *map(_block, session.turns)])


def _block(turn: Turn) -> str:
    said = _HEAD.sub("", transcript.head_line(turn), count=1)
    longest = max((len(run) for run in _RUN.findall(turn.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"### t{turn.number}\n\n{said}\n\n{fence}text\n{turn.text}\n{fence}\n"


def parse(values: Mapping[str, Value], text: str, title: str, path: str = "") -> tuple[Transcript, Summary | None, int]:
    """The session of a document: its head with the turns that came along, its summary, and how many turns it has.

    Raises FormatError.
    """
    id = _text(values, "session")
    if not SESSION.fullmatch(id) or not _text(values, "source"):
        raise FormatError("a session document names its session and source", path=path, line=1)
    head, _, rest = text.partition(f"\n{TURNS}\n")
    turns = _turns(rest, path)
    count = int(_text(values, "turns")) if _text(values, "turns").isdigit() else 0
    people = values.get("participants", [])
    found = Transcript(
        id=id,
        source=_text(values, "source"),
        external_id=_text(values, "external_id"),
        title=title,
        started_at=parse_time(_text(values, "started_at")) if _text(values, "started_at") else None,
        participants=(people,) if isinstance(people, str) else tuple(people),
        turns=turns,
    )
    return found, _summary(values, head, title, path), max(count, turns[-1].number if turns else 0)


def _turns(text: str, path: str) -> tuple[Turn, ...]:
    found: list[Turn] = []
    at = 0
    while match := _BLOCK.search(text, at):
        end = text.find(f"\n{match[3]}\n", match.end() - 1)
        if end < 0:
            raise FormatError(f"the block of t{match[1]} is not closed", path=path)
        said = text[match.end() : end] if end >= match.end() else ""
        stored = transcript.render_turn(Turn(number=1, role=Role.USER, text=said)).partition("\n\n")[2]
        head = f"---\nid: x\ntype: transcript\n---\n\n## t{match[1]} · {match[2]}\n\n{stored}"
        found.append(transcript.parse(head, path).turns[0])
        at = end + len(match[3]) + 2
    if [t.number for t in found] != sorted({t.number for t in found}):
        raise FormatError("turns are not in order", path=path)
    return tuple(found)


def _summary(values: Mapping[str, Value], head: str, title: str, path: str) -> Summary | None:
    at = head.find("## Summary\n")
    if at < 0 or "through_turn" not in values:
        return None
    kept = {key: value for key, value in values.items() if key in summary.ORDER}
    front = kept | {"id": _text(values, "session"), "type": "session_summary", "title": title}
    return summary.parse(frontmatter.render(front, summary.ORDER) + head[at:] + "\n", path)


def _text(values: Mapping[str, Value], key: str) -> str:
    value = values.get(key, "")
    return value if isinstance(value, str) else ""
