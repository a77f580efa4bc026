"""Conversations as lists of API messages, wherever the file keeps them: alone, in arrays, one a line, inside a log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Result, call_of, said
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, json_array, json_lines, read_json, text_of
from brain.ingest.times import read_date_words, read_day, read_stamp, read_time
from brain.types import Role

ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "ipython": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}
_LISTS = ("messages", "conversation", "chat", "items", "input", "history", "turns")
_IDS = ("id", "conversation_id", "session_id", "sessionId", "thread_id", "chat_id", "uuid", "response_id", "custom_id")
_TITLES = ("title", "name", "subject", "topic")
_TIMES = (
    "timestamp", "created_at", "create_time", "createdAt", "started_at", "created", "date_time", "datetime", "time",
    "date", "ts",
)  # fmt: skip
_NOT_CALLS = ("function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output")


@dataclass(frozen=True, slots=True)
class Conversation:
    """A list of messages with what stood beside it."""

    messages: Iterable[Any]
    envelope: dict[str, Any]
    place: str


class _Streamed:
    """The messages of a file that is one conversation, read anew each time they are gone through, never all at once.

    Only the first full reading counts damage; the one that looks for the beginning does not get that far.
    """

    def __init__(self, read: Callable[[Path, Skips], Iterator[tuple[int, Any]]], path: Path, skips: Skips) -> None:
        self._read, self._path, self._skips = read, path, skips

    def __iter__(self) -> Iterator[Any]:
        return (item for _, item in self._read(self._path, self._skips))

    def beginning(self) -> Iterator[Any]:
        return (item for _, item in self._read(self._path, Skips()))


def is_message(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and text_of(item.get("role")) in ROLES
        and bool(item.keys() & {"content", "tool_calls", "function_call", "parts"})
    )


def messages_of(item: Any) -> list[Any] | None:
    """The messages of one object or array; None when it holds none."""
    if isinstance(item, list):
        return item if any(map(_is_item, item[:20])) else None
    if not isinstance(item, dict):
        return None
    for body in (item, item.get("request"), item.get("body"), item.get("params"), item.get("kwargs")):
        if not isinstance(body, dict):
            continue
        for key in _LISTS:
            listed = body.get(key)
            if isinstance(listed, str) and key == "input" and isinstance(body.get("output"), list):
                listed = [{"role": "user", "content": listed}]
            if isinstance(listed, list) and any(map(_is_item, listed[:20])):
                before = [{"role": "system", "content": body["system"]}] if body.get("system") else []
                before += [{"role": "system", "content": body["instructions"]}] if body.get("instructions") else []
                return before + listed + _replies(item)
    return None


def _is_item(item: Any) -> bool:
    return is_message(item) or (
        isinstance(item, dict) and item.get("type") in ("message", "function_call", *_NOT_CALLS)
    )


def _replies(item: dict[str, Any]) -> list[Any]:
    """The model's reply, where a log keeps request and response apart."""
    found: list[Any] = []
    stated = item.get("response")
    for body in (item, *(stated if isinstance(stated, list) else [stated])):
        body = body.get("body", body) if isinstance(body, dict) else None
        if not isinstance(body, dict):
            continue
        for choice in body.get("choices") or () if isinstance(body.get("choices"), list) else ():
            if isinstance(choice, dict) and isinstance(choice.get("message"), dict):
                found.append(choice["message"])
                break
        if isinstance(body.get("output"), list):
            found.extend(body["output"])
        elif body is not item and "content" in body:
            found.append(body if "role" in body else {"role": "assistant", **body})
    return found


def conversations(path: Path, skips: Skips) -> Iterator[Conversation]:
    """Every conversation of a file, one at a time."""
    head = Head.of(path)
    if head.json == "array":
        if is_message(head.records[0]) if head.records else False:
            yield Conversation(_Streamed(json_array, path, skips), {}, "")
        else:
            yield from _each(json_array(path, skips), "conversation", skips)
    elif head.json == "lines":
        if head.records and messages_of(head.records[0]) is None and any(map(is_message, head.records)):
            yield Conversation(_Streamed(json_lines, path, skips), {}, "")
        else:
            yield from _each(json_lines(path, skips), "line", skips)
    else:
        yield from _document(path, skips)


def _document(path: Path, skips: Skips) -> Iterator[Conversation]:
    try:
        whole = read_json(path)
    except (ValueError, RecursionError) as error:
        skips.damage(f"file is not JSON ({error})")
        return
    for key in ("conversations", "data", "chats", "sessions", "threads"):
        listed = whole.get(key) if isinstance(whole, dict) else None
        if isinstance(listed, list) and any(messages_of(item) is not None for item in listed[:20]):
            yield from _each(enumerate(listed, start=1), "conversation", skips)
            return
    yield from _each(iter([(0, whole)]), "conversation", skips)


def _each(items: Iterator[tuple[int, Any]], word: str, skips: Skips) -> Iterator[Conversation]:
    for position, item in items:
        place = f"{word} {position}" if position else ""
        found = messages_of(item)
        if found is None:
            skips.damage("no messages in it", place)
        else:
            yield Conversation(found, item if isinstance(item, dict) else {}, place)


def sessions(path: Path, source: str, skips: Skips) -> Iterator[RawSession]:
    """The conversations of a file as sessions. Those without an id are named after their file and first exchange."""
    seen: Counter[str] = Counter()
    for one in conversations(path, skips):
        stated = next(
            (
                one.envelope[key]
                for key in _IDS
                if isinstance(one.envelope.get(key), (str, int)) and one.envelope[key] != ""
            ),
            None,
        )
        name = str(stated) if stated is not None else f"{path.stem}-{_fingerprint(one.messages)}"
        seen[name] += 1
        if seen[name] > 1:
            name = f"{name}-{seen[name]}"
        title = next(
            (one.envelope[key] for key in _TITLES if isinstance(one.envelope.get(key), str) and one.envelope[key]), None
        )
        started = next((time for key in _TIMES if (time := _when(one.envelope.get(key))) is not None), None)
        yield RawSession(
            source=source,
            external_id=name,
            turns=speak(one.messages, skips, one.place),
            title=title,
            started_at=started,
            place=one.place or path.name,
        )


def _when(value: object) -> datetime | None:
    """A time or a day, in a program's form or in words ("1:56 pm on 8 May, 2023")."""
    return read_day(value) or (read_date_words(value) if isinstance(value, str) and len(value) < 60 else None)


def _time(value: object) -> datetime | None:
    return read_time(value) or (read_stamp(value) if isinstance(value, str) and len(value) < 60 else None)


def _fingerprint(messages: Iterable[Any]) -> str:
    """Of the messages up to the first reply: what stays when a conversation grows."""
    begin: list[Any] = []
    for item in messages.beginning() if isinstance(messages, _Streamed) else messages:
        begin.append(item)
        if (isinstance(item, dict) and ROLES.get(str(item.get("role"))) is Role.ASSISTANT) or len(begin) >= 50:
            break
    text = json.dumps(begin, ensure_ascii=True, sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:12]


def speak(messages: Iterable[Any], skips: Skips, place: str) -> Iterator[RawTurn]:
    """Turns of a message list; a message that does not read is counted and the rest goes on."""
    speaking = Speaking(skips)
    for position, item in enumerate(messages, start=1):
        where = f"{place}, message {position}" if place else f"message {position}"
        if isinstance(item, str):
            item = {"role": "user", "content": item}
        if not isinstance(item, dict):
            skips.damage("not a message", where)
            continue
        try:
            yield from _message(item, speaking, where)
        except (TypeError, ValueError, AttributeError, KeyError, AssertionError, RecursionError) as error:
            skips.damage(f"message does not read ({type(error).__name__})", where)


def _message(item: dict[str, Any], speaking: Speaking, where: str) -> Iterator[RawTurn]:
    time = next((found for key in _TIMES if (found := _time(item.get(key))) is not None), None)
    kind = item.get("type")
    if kind in _NOT_CALLS:
        output = said(item.get("output"), speaking.skips)
        yield from speaking.result(Result(id=text_of(item.get("call_id")), text=output.text, files=output.files), time)
        return
    if isinstance(kind, str) and kind.endswith("_call") and "role" not in item:
        yield from speaking.call(
            call_of({"name": kind.removesuffix("_call"), "arguments": item.get("action"), **item}), time
        )
        return
    if kind == "reasoning":
        speaking.skips.leave("reasoning")
        return
    role = ROLES.get(str(item.get("role", "")).lower())
    if role is None:
        speaking.skips.damage(f"role {str(item.get('role'))[:40]!r} is not known", where)
        return
    name, origin = text_of(item.get("name")), text_of(item.get("id"))
    content = item.get("content", item.get("parts"))
    if role is Role.TOOL:
        output = said(content, speaking.skips)
        call = text_of(item.get("tool_call_id"))
        yield from speaking.result(
            Result(id=call, text=output.text, files=output.files, name=name), time, origin=origin
        )
        return
    calls: list[dict[str, Any]] = [one for one in item.get("tool_calls") or () if isinstance(one, dict)]
    calls += [item["function_call"]] if isinstance(item.get("function_call"), dict) else []
    reasoned = item.get("reasoning_content") or item.get("reasoning")
    if reasoned:
        speaking.skips.leave("reasoning")
    if content not in (None, "", []) or not calls:
        refusal = item.get("refusal")
        if content not in (None, "") or not refusal:
            yield from speaking.message(role, content, time, name=name, origin=origin)
        if refusal:
            yield from speaking.message(role, refusal, time, name=name, origin=origin)
    for one in calls:
        yield from speaking.call(call_of(one), time, origin=origin)


def detect(head: Head, wanted: Callable[[dict[str, Any]], bool]) -> bool:
    """Do the first records of a file hold API messages, and does `wanted` accept one of them (message or envelope)?"""
    for record in head.records[:20]:
        if is_message(record):
            found: list[Any] | None = [record]
        else:
            found = messages_of(record)
            for key in ("conversations", "data", "chats", "sessions", "threads"):
                listed = record.get(key)
                if found is None and isinstance(listed, list):
                    found = next((m for item in listed[:5] if (m := messages_of(item)) is not None), None)
        if found is not None and (wanted(record) or any(isinstance(item, dict) and wanted(item) for item in found)):
            return True
    return False
