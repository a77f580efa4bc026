"""Cursor: the database `state.vscdb` of its chats, and the transcripts that its agents leave.

    cursorDiskKV   composerData:<id>          {"name": …, "createdAt": ms,
                                               "fullConversationHeadersOnly": [{"bubbleId": …}]}
                   bubbleId:<composer>:<id>   {"type": 1, "text": …, "createdAt": …, "toolFormerData": {…}}
    ItemTable      workbench.panel.aichat.view.aichat.chatdata      {"tabs": [{"tabId": …, "bubbles": […]}]}, older
    agent-transcripts/<id>.jsonl                {"role": "user", "message": {"content": [{"type": "text", "text": …}]}}

The database also holds keys to accounts: only the rows of chats are read, from a copy. The headers say which bubbles a
chat has and in which order; others are left over from edits.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from brain.ingest import database
from brain.ingest.blocks import Call, Result, Said, arguments_text, parts
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, json_lines, mostly, text_of
from brain.ingest.times import read_time
from brain.types import Role

_OLD_CHATS = "workbench.panel.aichat.view.aichat.chatdata"
_QUERY = re.compile(r"\A\s*<user_query>\s*(.*?)\s*</user_query>\s*\Z", re.DOTALL)
_USER, _MODEL = {"1", "user"}, {"2", "ai", "assistant"}


class Cursor:
    name = "cursor"
    title = "Cursor chats"
    where = (
        "`state.vscdb` of all chats or of a workspace, `agent-transcripts/<id>.jsonl` (without tool results; do "
        "not import both for one chat)"
    )
    known_by = "composer, tab or file name"
    times = "each bubble, UTC; older ones and agent transcripts have none"
    kept = "prompts, answers, tool calls with their results, the folder of the project"
    dropped = (
        "thinking (said to nobody); bubbles left over from edits (taken back); empty bubbles (no words); "
        "subagents' transcripts (their result is in their parent's); all other rows (settings and keys, never "
        "read)"
    )
    binary = True

    def detect(self, head: Head) -> int:
        if head.data.startswith(database.MAGIC):
            return 90 if head.path.suffix == ".vscdb" else 0
        lines = head.records[:5] if head.json == "lines" else ()
        return 80 if mostly(lines, _is_line) and any("message" in line for line in lines) else 0

    def state(self, path: Path) -> tuple[int, int]:
        return database.state(path)

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        if path.suffix == ".jsonl":
            if path.parent.name == "subagents":
                skips.leave("session of a subagent")
                return
            turns = _transcript(path, skips)
            yield RawSession(source=self.name, external_id=path.stem, turns=turns, place=path.name)
            return
        try:
            with database.copied(path) as db:
                known = database.tables(db)
                if "cursorDiskKV" in known:
                    yield from _composers(db, path, self.name, skips)
                if "ItemTable" in known:
                    yield from _tabs(db, path, self.name, skips)
        except sqlite3.Error as error:
            skips.damage(f"the database does not read ({error})")


FORMAT = Cursor()


def _is_line(record: dict[str, Any]) -> bool:
    message = record.get("message")
    if record.get("role") in ("user", "assistant") and isinstance(message, dict):
        return "content" in message and not record.keys() & {"uuid", "sessionId", "timestamp", "type"}
    return record.get("type") == "turn_ended"


# Composer chats


def _composers(db: sqlite3.Connection, path: Path, source: str, skips: Skips) -> Iterator[RawSession]:
    folders: dict[str, str] | None = None
    rows = db.execute(
        "SELECT key FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key"
    )
    for (key,) in rows.fetchall():
        composer = str(key).partition(":")[2]
        about = _value(db, str(key), skips)
        if about is None:
            continue
        inline = about.get("conversation")
        headers = about.get("fullConversationHeadersOnly")
        bubbles = inline if isinstance(inline, list) and inline else _bubbles(db, composer, headers, skips)
        cwd = _own_folder(about)
        if cwd is None:
            folders = _folders(path) if folders is None else folders
            cwd = folders.get(composer)
        yield RawSession(
            source=source,
            external_id=composer,
            turns=_speak(bubbles, skips),
            title=text_of(about.get("name")),
            started_at=read_time(about.get("createdAt")),
            cwd=cwd,
            place=f"chat {text_of(about.get('name')) or composer}",
        )


def _value(db: sqlite3.Connection, key: str, skips: Skips) -> dict[str, Any] | None:
    row = db.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (key,)).fetchone()
    if row is None or row[0] is None:
        skips.leave("row without a value")
        return None
    return database.json_object(row[0], key, skips)


def _bubbles(db: sqlite3.Connection, composer: str, headers: Any, skips: Skips) -> list[dict[str, Any]]:
    """The bubbles of a chat in the order of its headers."""
    begin = f"bubbleId:{composer}:"
    rows = db.execute(
        "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY key", (begin, begin[:-1] + ";")
    )
    found: dict[str, dict[str, Any]] = {}
    for key, value in rows:
        bubble = None if value is None else database.json_object(value, str(key), skips)
        if bubble is None:
            skips.leave("row without a value", int(value is None))
            continue
        found[str(key)[len(begin) :]] = bubble
        if text_of(bubble.get("bubbleId")):
            found.setdefault(bubble["bubbleId"], bubble)
    ordered: list[dict[str, Any]] = []
    for header in headers if isinstance(headers, list) else ():
        named = text_of(header.get("bubbleId")) if isinstance(header, dict) else None
        if named is not None and named in found:
            ordered.append(found[named])
        else:
            skips.leave("bubble that is not in the database")
    unused = {id(one) for one in found.values()} - {id(one) for one in ordered}
    skips.leave("bubble left over from an edit", len(unused))
    return ordered


def _own_folder(about: dict[str, Any]) -> str | None:
    workspace = about.get("workspaceIdentifier")
    uri = workspace.get("uri") if isinstance(workspace, dict) else None
    return text_of(uri.get("fsPath")) if isinstance(uri, dict) else None


def _folders(path: Path) -> dict[str, str]:
    """The project folder of each chat, as the workspaces beside the database know it."""
    found: dict[str, str] = {}
    for workspace in sorted(path.parent.parent.glob("workspaceStorage/*/workspace.json")):
        with suppress(OSError, ValueError, AttributeError, KeyError, TypeError, sqlite3.Error):
            folder = unquote(urlsplit(json.loads(workspace.read_bytes())["folder"]).path)
            with database.copied(workspace.with_name("state.vscdb")) as db:
                row = db.execute("SELECT value FROM ItemTable WHERE key = 'composer.composerData'").fetchone()
            for one in json.loads(row[0]).get("allComposers") or ():
                found[one["composerId"]] = folder
    return found


def _tabs(db: sqlite3.Connection, path: Path, source: str, skips: Skips) -> Iterator[RawSession]:
    """Chats as older versions kept them, all of a workspace in one value."""
    row = db.execute("SELECT value FROM ItemTable WHERE key = ?", (_OLD_CHATS,)).fetchone()
    whole = database.json_object(row[0], _OLD_CHATS, skips) if row and row[0] is not None else None
    tabs = whole.get("tabs") if whole else None
    cwd = None
    with suppress(OSError, ValueError, KeyError, TypeError):
        cwd = unquote(urlsplit(json.loads(path.with_name("workspace.json").read_bytes())["folder"]).path)
    for position, tab in enumerate(tabs if isinstance(tabs, list) else (), start=1):
        bubbles = tab.get("bubbles") if isinstance(tab, dict) else None
        if not isinstance(bubbles, list):
            skips.damage("not a chat", f"tab {position}")
            continue
        yield RawSession(
            source=source,
            external_id=text_of(tab.get("tabId")) or f"{path.parent.name}-{position}",
            turns=_speak(bubbles, skips),
            title=text_of(tab.get("chatTitle")),
            cwd=cwd,
            place=f"tab {position}",
        )


def _speak(bubbles: list[Any], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for position, bubble in enumerate(bubbles, start=1):
        if not isinstance(bubble, dict):
            skips.damage("not a bubble", f"bubble {position}")
            continue
        try:
            yield from _bubble(bubble, speaking, f"bubble {position}")
        except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
            skips.damage(f"bubble does not read ({type(error).__name__})", f"bubble {position}")


def _bubble(bubble: dict[str, Any], speaking: Speaking, place: str) -> Iterator[RawTurn]:
    kind, time = bubble.get("type"), read_time(bubble.get("createdAt"))
    origin = text_of(bubble.get("bubbleId")) or text_of(bubble.get("id"))
    text = text_of(bubble.get("text")) or text_of(bubble.get("rawText")) or ""
    tool = bubble.get("toolFormerData")
    if bubble.get("thinking"):
        speaking.skips.leave("reasoning")
        if not text and not tool:
            return
    if isinstance(tool, dict) and text_of(tool.get("name")):
        if text:
            yield from speaking.assistant(text, time, origin=origin)
        yield from _tool(tool, time, speaking)
    elif str(kind) in _USER:
        yield from speaking.user(_asked(text), time, origin=origin)
    elif str(kind) in _MODEL:
        yield from speaking.assistant(text, time, origin=origin)
    else:
        speaking.skips.damage(f"bubble of type {str(kind)[:40]!r}", place)


def _tool(tool: dict[str, Any], time: datetime | None, speaking: Speaking) -> Iterator[RawTurn]:
    named, name = text_of(tool.get("toolCallId")), str(tool["name"])
    yield from speaking.call(
        Call(id=named, name=name, arguments=arguments_text(tool.get("rawArgs") or tool.get("params"))), time
    )
    result = tool.get("result")
    text = result if isinstance(result, str) else arguments_text(result) if isinstance(result, (dict, list)) else ""
    if text:
        failed = tool.get("status") in ("error", "failed")
        yield from speaking.result(Result(id=named, text=text, name=name, error=failed), time)


# Transcripts of agents


def _transcript(path: Path, skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for number, line in json_lines(path, skips):
        message, role = line.get("message"), {"user": Role.USER, "assistant": Role.ASSISTANT}.get(str(line.get("role")))
        if role is None or not isinstance(message, dict):
            skips.leave("record of the tool")
            continue
        try:
            for part in parts(message.get("content"), skips):
                if isinstance(part, Said) and role is Role.USER:
                    yield from speaking.spoken(role, Said(text=_asked(part.text), files=part.files), None)
                elif isinstance(part, Said):
                    yield from speaking.spoken(role, part, None)
                elif isinstance(part, Call):
                    yield from speaking.call(part)
                else:
                    yield from speaking.result(part)
        except (TypeError, ValueError, AttributeError, KeyError, AssertionError, RecursionError) as error:
            skips.damage(f"line does not read ({type(error).__name__})", f"line {number}")


def _asked(text: str) -> str:
    """What the user typed, without the element that the program puts around it."""
    match = _QUERY.match(text)
    return match[1] if match else text
