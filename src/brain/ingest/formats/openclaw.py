"""OpenClaw and pi: `agents/<agent>/sessions/<id>.jsonl`, one entry a line, entries linked into a tree since version 2.

    {"type": "session", "version": 3, "id": "…", "timestamp": "2026-07-01T09:00:00.000Z", "cwd": "/home/ines/boat"}
    {"type": "message", "id": "a1", "parentId": null, "timestamp": "…", "message": {"role": "user", "content": […]}}
    {"type": "compaction", "id": "a2", "parentId": "a1", "summary": "…"}

Roles are user, assistant, toolResult and bashExecution; what an extension puts in is `custom`. Messages that come over
a channel begin with an envelope, `[Telegram Ines 2026-07-01 09:00 UTC]`, which is no speech. Source: "Session File
Format" of the pi documentation (2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Result, arguments_text, said
from brain.ingest.branches import Node, living
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, json_lines
from brain.ingest.times import read_time
from brain.types import Role

_ENVELOPE = re.compile(r"\A\[[^\]\n]{0,120}\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]{0,24}\][ \t]*")
_MESSAGE_ID = re.compile(r"\n?^\[message_id: [^\]\n]{1,80}\][ \t]*$", re.MULTILINE)


class OpenClaw:
    name = "openclaw"
    title = "OpenClaw and pi sessions"
    where = "`~/.openclaw/agents/*/sessions/*.jsonl`, `~/.pi/agent/sessions/**/*.jsonl`"
    known_by = "`id` of the first line"
    times = "each message"
    kept = "prompts, answers, tool calls with their results, commands the user ran, compaction summaries, pictures"
    dropped = (
        "thinking (said to nobody); what extensions insert, and settings of the model (no speech); other branches "
        "(taken back); the envelope of a channel (written by the gateway)"
    )

    def detect(self, head: Head) -> int:
        if head.json != "lines" or not head.records:
            return 0
        first = head.records[0]
        ours = first.get("type") == "session" and isinstance(first.get("id"), str)
        return 93 if ours and ("cwd" in first or "version" in first) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        about: dict[str, Any] = {}
        nodes: list[Node] = []
        title = None
        for line, entry in json_lines(path, skips):
            if entry.get("type") == "session" and not about:
                about = entry
            elif entry.get("type") == "session_info" and isinstance(entry.get("name"), str):
                title = entry["name"] or title
            elif (node := _node(line, entry)) is not None:
                nodes.append(node)
        keep = living(nodes)
        out = {node.line for node in nodes} - keep
        skips.leave("abandoned branch", sum(node.speaks or bool(node.results) for node in nodes if node.line in out))
        yield RawSession(
            source=self.name,
            external_id=_text(about.get("id")) or path.stem,
            turns=_speak(path, out, skips),
            title=title,
            started_at=read_time(about.get("timestamp")),
            cwd=_text(about.get("cwd")),
            place=path.name,
        )


FORMAT = OpenClaw()


def _node(line: int, entry: dict[str, Any]) -> Node | None:
    """The entry's place in the tree; None in a file of version 1, which has no tree."""
    id = _text(entry.get("id"))
    if id is None:
        return None
    message = _message(entry)
    blocks = _blocks(message.get("content"))
    return Node(
        line=line,
        id=id,
        parent=_text(entry.get("parentId")),
        speaks=message.get("role") in ("user", "assistant"),
        calls=tuple(call for block in blocks if (call := _called(block)) is not None),
        results=(given,) if (given := _text(message.get("toolCallId"))) is not None else (),
    )


def _speak(path: Path, out: set[int], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for line, entry in json_lines(path, Skips()):
        if line in out or entry.get("type") in ("session", "session_info"):
            continue
        time = read_time(entry.get("timestamp"))
        if entry.get("type") == "compaction" and isinstance(entry.get("summary"), str):
            yield from speaking.system(entry["summary"], time, name="compaction")
        elif entry.get("type") == "message":
            yield from _turns(_message(entry), time, speaking, _text(entry.get("id")))
        else:
            skips.leave("record of the tool")


def _turns(message: dict[str, Any], time: datetime | None, speaking: Speaking, origin: str | None) -> Iterator[RawTurn]:
    role, content = message.get("role"), message.get("content")
    if role == "user":
        words = said(content, speaking.skips)
        text = _MESSAGE_ID.sub("", _ENVELOPE.sub("", words.text))
        yield from speaking.user(text, time, files=words.files, origin=origin)
    elif role == "assistant":
        if message.get("stopReason") == "error" and not content:
            speaking.skips.leave("API error")
            return
        blocks = [_as_anthropic(block) for block in _blocks(content)]
        yield from speaking.message(Role.ASSISTANT, blocks, time, origin=origin)
    elif role == "toolResult":
        inner = said(content, speaking.skips)
        result = Result(
            id=_text(message.get("toolCallId")), text=inner.text, files=inner.files,
            name=_text(message.get("toolName")), error=message.get("isError") is True,
        )  # fmt: skip
        yield from speaking.result(result, time, origin=origin)
    elif role == "bashExecution":
        shown = f"$ {_text(message.get('command')) or ''}\n{_text(message.get('output')) or ''}"
        yield from speaking.result(Result(id=None, text=shown.strip(), name="bash"), time, origin=origin)
    else:
        speaking.skips.leave("inserted by the tool")


def _as_anthropic(block: dict[str, Any]) -> dict[str, Any]:
    if block.get("type") != "toolCall":
        return block
    return {
        "type": "tool_use",
        "id": _called(block),
        "name": _text(block.get("name")) or "tool",
        "input": arguments_text(block.get("arguments")),
    }


def _message(entry: dict[str, Any]) -> dict[str, Any]:
    message = entry.get("message")
    return message if isinstance(message, dict) and entry.get("type") == "message" else {}


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _called(block: dict[str, Any]) -> str | None:
    return _text(block.get("id")) if block.get("type") == "toolCall" else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
