"""LangChain messages in the three shapes the library writes: `messages_to_dict`, `dumpd`, and flat `model_dump`.

    [{"type": "human", "data": {"content": "Hi"}}]                                  messages_to_dict
    [{"lc": 1, "type": "constructor", "id": [..., "HumanMessage"], "kwargs": {"content": "Hi"}}]      dumpd
    [{"type": "human", "content": "Hi", "additional_kwargs": {}}]                   model_dump

A file holds one such list, a list of lists, JSON Lines of messages, or an object with the list under `messages`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Result, call_of, said
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, items, mostly, text_of
from brain.ingest.times import read_time
from brain.types import Role

_KINDS = {
    "human": Role.USER,
    "user": Role.USER,
    "ai": Role.ASSISTANT,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "chat": None,  # role stands in `role`
    "generic": None,
}
_LISTS = ("messages", "chat_history", "history", "input")
_IDS = ("id", "thread_id", "session_id", "run_id", "conversation_id")


class LangChain:
    name = "langchain"
    title = "LangChain messages (JSON, JSON Lines)"
    where = "`messages_to_dict`, `dumpd` or `model_dump`"
    known_by = "the file's `thread_id`, `session_id`…, else file name and first exchange"
    times = "where a message has one"
    kept = "human, AI, system and tool messages, tool calls and results"
    dropped = (
        "usage and response metadata (not speech); reasoning (said to nobody); chunks that only delete messages "
        "(no words)"
    )

    def detect(self, head: Head) -> int:
        for record in head.records[:5]:
            listed = next((record[key] for key in _LISTS if isinstance(record.get(key), list)), [record])
            if mostly(listed[:5], lambda one: _fields(one) is not None):
                return 70
        return 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        loose: list[Any] = []
        for position, item in items(path, skips):
            listed, about = _messages(item)
            if listed is None:
                loose.append(item)
                continue
            yield self._session(path, listed, about, f"conversation {position}", skips)
        if loose:
            yield self._session(path, loose, {}, path.name, skips)

    def _session(self, path: Path, listed: list[Any], about: dict[str, Any], place: str, skips: Skips) -> RawSession:
        stated = next((about[key] for key in _IDS if isinstance(about.get(key), (str, int)) and about[key] != ""), None)
        title = about.get("title", about.get("name"))
        return RawSession(
            source=self.name,
            external_id=str(stated) if stated is not None else f"{path.stem}-{_fingerprint(listed)}",
            turns=_speak(listed, skips, place),
            title=title if isinstance(title, str) and title else None,
            started_at=next((t for key in ("created_at", "timestamp") if (t := read_time(about.get(key)))), None),
            place=place,
        )


FORMAT = LangChain()


def _messages(item: Any) -> tuple[list[Any] | None, dict[str, Any]]:
    """The messages of one item and what stands beside them; None when the item is a message itself."""
    if isinstance(item, list):
        return item, {}
    if isinstance(item, dict):
        for key in _LISTS:
            if isinstance(item.get(key), list):
                return item[key], item
    return None, {}


def _fields(item: Any) -> tuple[str, dict[str, Any]] | None:
    """(kind of message, its fields) of a message in any shape; None for what is none."""
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if kind == "constructor" and isinstance(item.get("kwargs"), dict):
        named = item.get("id")
        last = str(named[-1]) if isinstance(named, list) and named else ""
        word = last.removesuffix("Chunk").removesuffix("Message").lower()
        return (word, item["kwargs"]) if word in _KINDS else None
    word = str(kind or "").removesuffix("MessageChunk").lower()
    if word not in _KINDS:
        return None
    if isinstance(item.get("data"), dict):
        return word, item["data"]
    return (word, item) if ("content" in item and "role" not in item) or word == "chat" else None


def _fingerprint(listed: list[Any]) -> str:
    """Of the first exchange: what stays when a conversation grows."""
    begin = [_said_by(one) for one in listed[:2]]
    return sha256(json.dumps(begin, ensure_ascii=True, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _said_by(one: Any) -> Any:
    found = _fields(one)
    return [found[0], found[1].get("content")] if found else one


def _speak(listed: list[Any], skips: Skips, place: str) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for position, one in enumerate(listed, start=1):
        where = f"{place}, message {position}"
        found = _fields(one)
        if found is None:
            skips.damage("not a message", where)
            continue
        try:
            yield from _message(*found, speaking, where)
        except (TypeError, ValueError, AttributeError, KeyError, AssertionError, RecursionError) as error:
            skips.damage(f"message does not read ({type(error).__name__})", where)


def _message(kind: str, fields: dict[str, Any], speaking: Speaking, where: str) -> Iterator[RawTurn]:
    role = _KINDS[kind] or _KINDS.get(str(fields.get("role", "")).lower())
    if role is None:
        speaking.skips.damage(f"role {str(fields.get('role'))[:40]!r} is not known", where)
        return
    origin, content = text_of(fields.get("id")), fields.get("content")
    extra = fields.get("additional_kwargs")
    extra = extra if isinstance(extra, dict) else {}
    time = next((t for key in ("timestamp", "created_at") if (t := read_time(fields.get(key) or extra.get(key)))), None)
    name = text_of(fields.get("name"))
    if role is Role.TOOL:
        output = said(content, speaking.skips)
        result = Result(
            id=text_of(fields.get("tool_call_id")),
            text=output.text,
            files=output.files,
            name=name,
            error=fields.get("status") == "error",
        )
        yield from speaking.result(result, time, origin=origin)
        return
    listed = fields.get("tool_calls") or extra.get("tool_calls") or ()
    calls = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    if not calls and isinstance(extra.get("function_call"), dict):
        calls = [extra["function_call"]]
    inside = isinstance(content, list) and any(isinstance(b, dict) and b.get("type") == "tool_use" for b in content)
    if content not in (None, "", []) or not calls:
        yield from speaking.message(role, content, time, name=name if role is Role.USER else None, origin=origin)
    for call in () if inside else calls:
        yield from speaking.call(call_of(call), time, origin=origin)
