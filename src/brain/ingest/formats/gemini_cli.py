"""Gemini CLI chats `~/.gemini/tmp/<project>/chats/session-….json`: one object, or (since 0.40) `.jsonl`, a log.

    {"sessionId": "…", "startTime": "…", "kind": "main", "messages": [
        {"id": "u1", "timestamp": "…", "type": "user", "content": "Fix it"},
        {"id": "g1", "timestamp": "…", "type": "gemini", "content": "Done.", "toolCalls": [{"name": "read_file", …}]}]}

In the log a later record replaces the message of the same id, `{"$set": {…}}` changes what the session says of itself
(and with `messages` all messages), `{"$rewindTo": id}` takes that message and all after it away; an id that is not
there takes all.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Call, Result, Said, arguments_text, said
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawFile, RawSession, RawTurn, Skips
from brain.ingest.source import Head, json_lines, read_json, text_of
from brain.ingest.times import read_time
from brain.types import Role

_SPEAKERS = {"user", "gemini", "info", "error", "warning"}


class GeminiCLI:
    name = "gemini-cli"
    title = "Gemini CLI chats"
    where = "`~/.gemini/tmp/<project>/chats/session-….json`, and the later `.jsonl` logs"
    known_by = "`sessionId`"
    times = "each message, UTC"
    kept = "prompts, answers, tool calls with their results, pictures; of a log what it comes to"
    dropped = (
        "thoughts (said to nobody); the program's own notices (not speech); messages rewound or replaced (taken back)"
    )

    def detect(self, head: Head) -> int:
        first = head.records[0] if head.records else {}
        if not isinstance(first.get("sessionId"), str):
            return 0
        if "projectHash" in first or (head.json == "lines" and "startTime" in first):
            return 92
        messages = first.get("messages")
        typed = isinstance(messages, list) and any(
            isinstance(m, dict) and str(m.get("type")) in _SPEAKERS for m in messages
        )
        return 85 if typed else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        if Head.of(path).json == "lines":
            about, messages = _replayed(path, skips)
        else:
            try:
                whole = read_json(path)
            except (ValueError, RecursionError) as error:
                skips.damage(f"file is not JSON ({error})")
                return
            if not isinstance(whole, dict):
                skips.damage("file is no chat", path.name)
                return
            about = whole
            listed = about.get("messages")
            messages = listed if isinstance(listed, list) else []
        folders = about.get("directories")
        cwd = next((one for one in folders if isinstance(one, str)), None) if isinstance(folders, list) else None
        yield RawSession(
            source=self.name,
            external_id=text_of(about.get("sessionId")) or path.stem,
            turns=_speak(messages, skips),
            title=text_of(about.get("summary")),
            started_at=read_time(about.get("startTime")),
            cwd=cwd or _project(path),
            place=path.name,
        )


FORMAT = GeminiCLI()


def _project(path: Path) -> str | None:
    """The project's folder as the tool notes it beside its chats; the folder's own name is a one-way hash."""
    for place in (path.parent / ".project_root", path.parent.parent / ".project_root"):
        try:
            return place.read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            continue
    return None


def _replayed(path: Path, skips: Skips) -> tuple[dict[str, Any], list[Any]]:
    """What a log of changes comes to: the session's own facts and its messages in order."""
    about: dict[str, Any] = {}
    messages: dict[str, Any] = {}
    for number, record in json_lines(path, skips):
        if "$rewindTo" in record:
            _rewind(messages, record["$rewindTo"], skips)
        elif isinstance(record.get("$set"), dict):
            changed = dict(record["$set"])
            listed = changed.pop("messages", None)
            if isinstance(listed, list):
                messages = {_key(one, at): one for at, one in enumerate(listed)}
            about.update(changed)
        elif "sessionId" in record and "type" not in record:
            listed = record.get("messages")
            about.update({key: value for key, value in record.items() if key != "messages"})
            if isinstance(listed, list):
                messages.update({_key(one, at): one for at, one in enumerate(listed)})
        elif "type" in record or "content" in record:
            if (key := _key(record, number)) in messages:
                skips.leave("earlier version of a message")
            messages[key] = record
        else:
            skips.leave("record of the tool")
    return about, list(messages.values())


def _key(message: Any, at: int) -> str:
    named = message.get("id") if isinstance(message, dict) else None
    return named if isinstance(named, str) and named else f"#{at}"


def _rewind(messages: dict[str, Any], to: object, skips: Skips) -> None:
    ids = list(messages)
    gone = ids[ids.index(to) :] if isinstance(to, str) and to in messages else ids
    for key in gone:
        del messages[key]
    skips.leave("message taken back by a rewind", len(gone))


def _speak(messages: list[Any], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for position, one in enumerate(messages, start=1):
        if not isinstance(one, dict):
            skips.damage("not a message", f"message {position}")
            continue
        try:
            yield from _message(one, speaking, f"message {position}")
        except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
            skips.damage(f"message does not read ({type(error).__name__})", f"message {position}")


def _message(one: dict[str, Any], speaking: Speaking, where: str) -> Iterator[RawTurn]:
    kind, time, origin = one.get("type", one.get("role")), read_time(one.get("timestamp")), text_of(one.get("id"))
    if kind in ("info", "error", "warning"):
        speaking.skips.leave(f"notice of the tool ({kind})")
    elif kind == "user":
        yield from _prompt(one.get("content"), time, origin, speaking)
    elif kind in ("gemini", "model", "assistant"):
        if one.get("thoughts"):
            speaking.skips.leave("reasoning")
        content = _said(one.get("content"), speaking.skips)
        calls = one.get("toolCalls")
        if calls and (not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls)):
            speaking.skips.damage("tool call does not read", where)
        calls = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
        if content.text or content.files or not calls:
            yield from speaking.assistant(content.text, time, files=content.files, origin=origin)
        for call in calls:
            yield from _called(call, time, speaking)
    else:
        speaking.skips.damage(f"message type {str(kind)[:40]!r} is not known", where)


def _prompt(content: Any, time: datetime | None, origin: str | None, speaking: Speaking) -> Iterator[RawTurn]:
    """What the user said; results that functions hand back stand in a message of the user's too."""
    for part in content if isinstance(content, list) else ():
        answer = part.get("functionResponse") if isinstance(part, dict) else None
        if isinstance(answer, dict):
            yield from speaking.result(_result(answer), time, origin=origin)
    heard = _said(content, speaking.skips)
    if heard.text or heard.files or not isinstance(content, list):
        yield from speaking.spoken(Role.USER, heard, time, origin=origin)


def _said(content: Any, skips: Skips) -> Said:
    """Text and pictures of content as Gemini writes it: a string, a part, a list of parts."""
    texts: list[str] = []
    files: tuple[RawFile, ...] = ()
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict) and part.keys() & {"functionResponse", "functionCall"}:
            continue
        if isinstance(part, dict) and part.get("thought") is True:
            skips.leave("reasoning")
            continue
        inline = part.get("inlineData") if isinstance(part, dict) else None
        if isinstance(inline, dict):
            part = {"type": "image", "source": {"data": inline.get("data"), "media_type": inline.get("mimeType")}}
        elif isinstance(part, dict) and isinstance(part.get("fileData"), dict):
            part = {"type": "file", "name": part["fileData"].get("displayName") or part["fileData"].get("fileUri")}
        heard = said(part, skips)
        texts += [heard.text] if heard.text else []
        files += heard.files
    return Said(text="\n\n".join(texts), files=files)


def _called(call: dict[str, Any], time: datetime | None, speaking: Speaking) -> Iterator[RawTurn]:
    named, tool = text_of(call.get("id")), text_of(call.get("name")) or "tool"
    when = read_time(call.get("timestamp")) or time
    yield from speaking.call(Call(id=named, name=tool, arguments=arguments_text(call.get("args"))), time)
    results = call.get("result")
    answers = [
        part["functionResponse"]
        for part in (results if isinstance(results, list) else [results])
        if isinstance(part, dict) and isinstance(part.get("functionResponse"), dict)
    ]
    texts = [_result(answer).text for answer in answers]
    if not any(texts):
        shown = call.get("resultDisplay")
        texts = [shown if isinstance(shown, str) else arguments_text(shown) if isinstance(shown, dict) else ""]
    text = "\n\n".join(filter(None, texts))
    if results and not text:
        speaking.skips.damage("result of a tool does not read", f"call {named or tool}")
    if text:
        error = call.get("status") in ("error", "cancelled")
        yield from speaking.result(Result(id=named, text=text, name=tool, error=error), when)


def _result(answer: dict[str, Any]) -> Result:
    response = answer.get("response")
    text: Any = response
    if isinstance(response, dict):
        text = next((response[key] for key in ("output", "result", "content", "error") if response.get(key)), response)
    text = text if isinstance(text, str) else arguments_text(text)
    error = isinstance(response, dict) and "error" in response and "output" not in response
    return Result(id=text_of(answer.get("id")), text=text, name=text_of(answer.get("name")), error=error)
