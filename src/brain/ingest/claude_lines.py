"""The first reading of a Claude Code file: its message tree, which session each line belongs to, titles, repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from brain.ingest.branches import Node
from brain.ingest.source import text_of

CONVERSATION = ("user", "assistant")
TITLES = {"custom-title": "customTitle", "agent-name": "agentName", "ai-title": "aiTitle"}
"""Records that name a session, and where the name stands in them, the best first."""


@dataclass(slots=True)
class Survey:
    """What the first reading learned about a file."""

    nodes: list[Node] = field(default_factory=list)
    sessions: Counter[str] = field(default_factory=Counter)
    owner: dict[int, str] = field(default_factory=dict)  # line → session it was copied from, where that is not its own
    titles: dict[str, dict[str, str]] = field(default_factory=dict)  # session → kind → title
    summaries: list[tuple[str | None, str]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    replaced: set[str] = field(default_factory=set)
    repeated: set[int] = field(default_factory=set)
    cwd: dict[str, str] = field(default_factory=dict)
    agents: int = 0
    spoken: int = 0
    untimed: bool = True


def survey_of(records: Iterator[tuple[int, dict[str, Any]]]) -> Survey:
    found = Survey()
    last = None
    for line, record in records:
        kind = record.get("type")
        session = text_of(record.get("sessionId")) or text_of(record.get("session_id"))
        if session and kind in CONVERSATION:
            found.sessions[session] += 1
            found.cwd.setdefault(session, text_of(record.get("cwd")) or "")
        elif text_of(record.get("cwd")):
            found.cwd.setdefault(session or "", str(record["cwd"]))
        _learn_title(found, record, kind, session)
        for key in ("supersedesUuids", "retractedMessageUuids"):
            if isinstance(record.get(key), list):
                found.replaced.update(map(str, record[key]))
        if kind in CONVERSATION:
            found.spoken += 1
            if record.get("isSidechain") is True:
                found.agents += 1
        copied = record.get("forkedFrom")
        if isinstance(copied, dict) and text_of(copied.get("sessionId")):
            found.owner[line] = str(copied["sessionId"])
        elif session and kind in (*CONVERSATION, "attachment"):
            found.owner[line] = session
        node = text_of(record.get("uuid"))
        if node is None or record.get("isSidechain") is True:
            continue
        if node in found.ids:
            found.repeated.add(line)
            continue
        found.ids.add(node)
        found.nodes.append(_node(line, node, record, kind, last))
        last = node
    found.cwd = {key: value for key, value in found.cwd.items() if value}
    return found


def _node(line: int, uuid: str, record: dict[str, Any], kind: Any, last: str | None) -> Node:
    parent = text_of(record.get("parentUuid"))
    if parent is None and record.get("subtype") == "compact_boundary":
        parent = text_of(record.get("logicalParentUuid")) or last
    message = record.get("message") if isinstance(record.get("message"), dict) else {}
    assert isinstance(message, dict)
    content = message.get("content") if isinstance(message.get("content"), list) else []
    blocks = [block for block in content or () if isinstance(block, dict)]
    calls = tuple(str(b["id"]) for b in blocks if b.get("type") == "tool_use" and b.get("id"))
    results = tuple(str(b["tool_use_id"]) for b in blocks if b.get("type") == "tool_result" and b.get("tool_use_id"))
    bare = bool(blocks) and all(b.get("type") == "tool_result" for b in blocks)
    return Node(
        line=line,
        id=uuid,
        parent=parent,
        speaks=kind in CONVERSATION and not bare,
        message=text_of(message.get("id")) if kind == "assistant" else None,
        calls=calls,
        results=results,
    )


def _learn_title(found: Survey, record: dict[str, Any], kind: Any, session: str | None) -> None:
    for key, field_name in TITLES.items():
        if kind == key and text_of(record.get(field_name)):
            found.titles.setdefault(session or "", {})[key] = str(record[field_name])
    if kind == "summary" and text_of(record.get("summary")):
        found.summaries.append((text_of(record.get("leafUuid")), str(record["summary"])))
