"""Claude.ai data export: conversations.json, a bare array of conversations, or one conversation saved by a browser.

    [{"uuid": "…", "name": "Hull", "chat_messages": [
        {"uuid": "…", "sender": "human", "text": "Which paint?", "content": [{"type": "text", "text": "Which paint?"}],
         "created_at": "2026-03-01T09:00:00Z", "attachments": [{"file_name": "hull.md", "extracted_content": "…"}]}]}]

The list is the order: question and answer often carry the same time. Newer exports name each message's parent, and an
edited question then leaves its first version in the list; the branch that ends in the current (else the last) message
is the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Call, Result, Said, parts
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, items, text_of
from brain.ingest.times import read_time
from brain.types import Role, Trust

_ROOT = "00000000-0000-4000-8000-000000000000"
_PLACEHOLDER = re.compile(
    r"(?:```\s*)?(?:This block is not supported on your current device yet\.?"
    r"|Viewing artifacts created via [^\n]{0,120})(?:\s*```)?"
)
_THOUGHT = re.compile(r"<antThinking>.*?(?:</antThinking>|\Z)\s*", re.DOTALL)
_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_NOT_SPEECH = {"token_budget", "flag", "thinking", "redacted_thinking"}


class ClaudeAI:
    name = "claude-ai"
    title = "Claude.ai data export"
    where = "`conversations.json`, or one conversation saved by a browser"
    known_by = "`uuid`"
    times = "each message, UTC"
    kept = "messages of the living branch, texts of attachments, artifacts, tool calls and results, voice notes"
    dropped = (
        "other branches (taken back); thinking and token budgets (said to nobody); empty messages and "
        "placeholders (no words); times of change (those of a migration); projects, memories and account data "
        "(not said in a session)"
    )

    def detect(self, head: Head) -> int:
        for record in head.records[:3]:
            if _messages(record) is not None:
                return 95
        return 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        for position, item in items(path, skips):
            place = f"conversation {position}"
            messages = _messages(item) if isinstance(item, dict) else None
            if messages is None:
                skips.damage("not a conversation", place)
                continue
            title = text_of(item.get("name"))
            named = text_of(item.get("uuid")) or text_of(item.get("conversation_id")) or _first_id(messages)
            if named is None:
                skips.leave("empty session")
                continue
            yield RawSession(
                source=self.name,
                external_id=named,
                turns=_speak(item, messages, skips, place),
                title=title,
                started_at=read_time(item.get("created_at")),
                place=f"{place} ({title or named})",
            )


FORMAT = ClaudeAI()


def _messages(item: dict[str, Any]) -> list[Any] | None:
    messages = item.get("chat_messages")
    return messages if isinstance(messages, list) else None


def _first_id(messages: list[Any]) -> str | None:
    return next((one["uuid"] for one in messages if isinstance(one, dict) and text_of(one.get("uuid"))), None)


def _living(item: dict[str, Any], messages: list[Any], skips: Skips) -> Iterator[tuple[int, Any]]:
    """The messages of the branch that lived on, in the order of the list, with their places in it."""
    parents = {
        one["uuid"]: text_of(one.get("parent_message_uuid"))
        for one in messages
        if isinstance(one, dict) and text_of(one.get("uuid"))
    }
    if not any(parent in parents for parent in parents.values()):
        yield from enumerate(messages, start=1)
        return
    leaf = text_of(item.get("current_leaf_message_uuid"))
    at: str | None = leaf if leaf in parents else list(parents)[-1]
    kept: set[str] = set()
    while at is not None and at not in kept:
        kept.add(at)
        parent = parents.get(at)
        at = parent if parent in parents else None
    for position, one in enumerate(messages, start=1):
        uuid = text_of(one.get("uuid")) if isinstance(one, dict) else None
        if uuid in kept or uuid is None or parents[uuid] not in {None, _ROOT, *parents}:
            yield position, one
        else:
            skips.leave("other branch")


def _speak(item: dict[str, Any], messages: list[Any], skips: Skips, place: str) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for position, one in _living(item, messages, skips):
        where = f"{place}, message {position}"
        if not isinstance(one, dict):
            skips.damage("not a message", where)
            continue
        try:
            yield from _message(one, speaking, where)
        except (TypeError, ValueError, AttributeError, KeyError, AssertionError, RecursionError) as error:
            skips.damage(f"message does not read ({type(error).__name__})", where)


def _message(one: dict[str, Any], speaking: Speaking, where: str) -> Iterator[RawTurn]:
    sender = one.get("sender", one.get("role"))
    role = _ROLES.get(str(sender))
    if role is None:
        speaking.skips.damage(f"sender {str(sender)[:40]!r} is not known", where)
        return
    time, origin = read_time(one.get("created_at")), text_of(one.get("uuid"))
    found = [
        part for part in _parts(one.get("content"), speaking.skips) if not (isinstance(part, Said) and not part.text)
    ]
    said = any(isinstance(part, Said) for part in found)
    if not said and (text := _without_placeholder(text_of(one.get("text")) or "")):
        found.append(_cleared(Said(text=text), speaking.skips))
    files = _files(one)
    if beside := "\n\n".join(file.label for file in files if file.label and not file.text):
        found.append(Said(text=beside))
    found += [Said(text=file.text) for file in files if file.text and not file.label]  # pasted by the writer
    if not found and not files:
        speaking.skips.leave("empty message")
    for part in _joined(found):
        if isinstance(part, Call):
            yield from speaking.call(part, time, origin=origin)
        elif isinstance(part, Result):
            yield from speaking.result(part, time, origin=origin)
        else:
            yield from speaking.spoken(role, part, time, origin=origin)
    for file in files:
        if file.text and file.label:
            text = f"{file.label}\n{file.text}"
            yield RawTurn(role=Role.TOOL, text=text, time=time, name="attachment", trust=Trust.EXTERNAL, origin=origin)


def _parts(content: Any, skips: Skips) -> Iterator[Said | Call | Result]:
    for block in content if isinstance(content, list) else [content]:
        kind = text_of(block.get("type")) if isinstance(block, dict) else None
        if kind in _NOT_SPEECH:
            skips.leave("reasoning" if "thinking" in str(kind) else f"content block {kind!r}")
        elif kind == "voice_note" and isinstance(block, dict):
            yield Said(text=text_of(block.get("text")) or text_of(block.get("transcript")) or "[audio]")
        else:
            for part in parts(block, skips):
                yield _cleared(part, skips) if isinstance(part, Said) else part


def _joined(found: list[Said | Call | Result]) -> Iterator[Said | Call | Result]:
    """Neighbouring texts of one message as one."""
    waiting: Said | None = None
    for part in found:
        if isinstance(part, Said):
            waiting = (
                part
                if waiting is None
                else Said(text=f"{waiting.text}\n\n{part.text}", files=waiting.files + part.files)
            )
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        yield part
    if waiting is not None:
        yield waiting


def _cleared(part: Said, skips: Skips) -> Said:
    text, thoughts = _THOUGHT.subn("", part.text)
    skips.leave("reasoning", thoughts)
    return Said(text=_without_placeholder(text), files=part.files)


def _without_placeholder(text: str) -> str:
    return _PLACEHOLDER.sub("", text).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A file beside a message: its label when it has a name, its text when the export holds it."""

    label: str = ""
    text: str = ""


def _files(one: dict[str, Any]) -> list[_File]:
    """Attached documents with their text, pasted text without a name, other files by name."""
    found: list[_File] = []
    for key in ("attachments", "files"):
        listed = one.get(key)
        for item in listed if isinstance(listed, list) else ():
            if not isinstance(item, dict):
                continue
            name, text = text_of(item.get("file_name")), text_of(item.get("extracted_content"))
            label = f"[file: {name}]" if name else ""
            if text or (label and all(file.label != label for file in found)):
                found.append(_File(label=label, text=text or ""))
    return found
