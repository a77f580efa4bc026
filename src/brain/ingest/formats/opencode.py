"""opencode's storage: a tree of small JSON files, or since 1.2 one SQLite database. An install may hold both.

    storage/session/<project>/<ses>.json    {"id": "ses_…", "directory": "…", "title": "…", "time": {"created": ms}}
    storage/message/<ses>/<msg>.json        {"id": "msg_…", "role": "user", "time": {"created": ms}}
    storage/part/<msg>/<prt>.json           {"id": "prt_…", "messageID": "msg_…", "type": "text", "text": "…"}
    opencode.db                             tables session, message and part, the rest of each row as JSON in `data`

A session is its file in `session/`; messages and parts are read with it. A session that an agent opened for a part of
its work (it names a parent) is not the user's and is left out.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

from brain.ingest import database
from brain.ingest.blocks import Call, Result, Said, arguments_text, parts
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, read_json, text_of
from brain.ingest.times import read_time
from brain.types import Role

_OWN = {"step-start", "step-finish", "snapshot", "patch", "compaction", "subtask", "agent", "retry"}
_KINDS = {"text", "reasoning", "tool", "file", *_OWN}

Message = tuple[dict[str, Any], list[dict[str, Any]]]


class Opencode:
    name = "opencode"
    title = "opencode storage (JSON tree, SQLite)"
    where = "`storage/session/…/<ses>.json` with its messages and parts, or `opencode.db`"
    known_by = "`ses_…`"
    times = "each message, UTC"
    kept = "prompts, answers, tool calls with their results, files by name or with their bytes"
    dropped = (
        "reasoning (said to nobody); synthetic and ignored text (written by the program); steps, snapshots, "
        "patches (records of the tool); sessions of subagents (their result is in the parent's)"
    )
    binary = True

    def detect(self, head: Head) -> int:
        if head.data.startswith(database.MAGIC):
            return 95 if head.path.name.startswith("opencode") and head.path.suffix in (".db", ".sqlite") else 0
        record = head.records[0] if head.json == "object" and head.records else {}
        if _is_session(record) or _is_message(record) or _is_part(record, head.path):
            return 92
        return 0

    def state(self, path: Path) -> tuple[int, int]:
        """(size, time of change) of all that a session is read from."""
        if path.suffix in (".db", ".sqlite"):
            return database.state(path)
        files = [path, *_pieces(path)]
        return sum(one.stat().st_size for one in files), max(one.stat().st_mtime_ns for one in files)

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        if path.suffix in (".db", ".sqlite"):
            yield from _database(path, self.name, skips)
            return
        try:
            session = read_json(path)
        except (ValueError, RecursionError) as error:
            skips.damage(f"file is not JSON ({error})")
            return
        if isinstance(session, dict) and _is_session(session):
            yield from _session(session, _stored(path, skips), self.name, skips, path.name)
        elif not _has_session(session, path):
            skips.damage("piece of a session that is not there", path.name)


FORMAT = Opencode()


def _is_session(record: dict[str, Any]) -> bool:
    return {"id", "projectID", "directory", "time"} <= record.keys()


def _is_message(record: dict[str, Any]) -> bool:
    return {"id", "sessionID", "role", "time"} <= record.keys() and "content" not in record


def _is_part(record: dict[str, Any], path: Path) -> bool:
    return (
        text_of(record.get("type")) in _KINDS
        and "id" in record
        and ("messageID" in record or path.parent.parent.name == "part")
    )


def _holds_session(place: Path) -> bool:
    with suppress(OSError, ValueError, RecursionError):
        record = read_json(place)
        return isinstance(record, dict) and _is_session(record)
    return False


def _has_session(piece: Any, path: Path) -> bool:
    """Is the session of a message or part among the files, and a part's message too, so that it is read with them?"""
    named = text_of(piece.get("sessionID")) if isinstance(piece, dict) else None
    named = named or (path.parent.name if path.parent.parent.name == "message" else "")
    storage = next((one for one in list(path.parents)[:4] if (one / "session").is_dir()), path.parent)
    if _is_name(named):
        names = (f"{named}.json", f"ses_{named}.json")
        sessions = [project / name for project in (storage / "session").glob("*") for name in names]
    else:  # older parts name only their message
        sessions = list((storage / "session").glob("*/*.json"))
    if storage / "part" not in path.parents:
        return any(_holds_session(one) for one in sessions)
    message = text_of(piece.get("messageID")) if path.parent.name == "part" and isinstance(piece, dict) else None
    message = message or path.parent.name
    called = (one for one in sessions if _is_name(message) and _is_message_of(_called(one, message), message))
    read = (one for one in sessions if _is_message_of(_messages(one), message))  # files may be named otherwise
    return any(_holds_session(one) for one in chain(called, read))


def _is_name(text: str) -> bool:
    """Can a file be called so?"""
    return bool(text) and "/" not in text and "\0" not in text and len(text.encode("utf-8", "replace")) <= 240


def _is_message_of(files: Iterable[Path], named: str) -> bool:
    return any(str((_object(one, Skips()) or {}).get("id", one.stem)) == named for one in files)


def _session(
    about: dict[str, Any], messages: Iterable[Message], source: str, skips: Skips, place: str
) -> Iterator[RawSession]:
    if about.get("parentID") or about.get("parent_id"):
        skips.leave("session of a subagent")
        return
    times = about.get("time") if isinstance(about.get("time"), dict) else {}
    assert isinstance(times, dict)
    yield RawSession(
        source=source,
        external_id=str(about["id"]),
        turns=_speak(messages, skips),
        title=text_of(about.get("title")),
        started_at=read_time(times.get("created", about.get("time_created"))),
        cwd=text_of(about.get("directory")),
        place=f"{place} ({text_of(about.get('title')) or about['id']})",
    )


# The tree of files


def _storage(session: Path) -> Path:
    return session.parent.parent.parent


def _message_folders(session: Path) -> list[Path]:
    folder = _storage(session) / "message"
    return [folder / session.stem, folder / session.stem.removeprefix("ses_")]


def _messages(session: Path) -> list[Path]:
    """Message files of a session, in order: their names sort by time."""
    first, second = _message_folders(session)
    return sorted(first.glob("*.json")) or sorted(second.glob("*.json"))


def _called(session: Path, message: str) -> list[Path]:
    """The file that a message of this id has as a rule, where it is."""
    return [place for folder in _message_folders(session) if (place := folder / f"{message}.json").is_file()]


def _pieces(session: Path) -> Iterator[Path]:
    for message in _messages(session):
        yield message
        folders = {message.stem}
        with suppress(OSError, ValueError, AttributeError):  # what does not read is told when it is read
            folders.add(str(json.loads(message.read_bytes()).get("id")))
        for folder in sorted(folders):
            yield from sorted((_storage(session) / "part" / folder).glob("*.json"))


def _stored(session: Path, skips: Skips) -> Iterator[Message]:
    flat: dict[str, list[dict[str, Any]]] | None = None
    for place in _messages(session):
        message = _object(place, skips)
        if message is None:
            continue
        folder = _storage(session) / "part" / str(message.get("id", place.stem))
        if folder.is_dir():
            found = [part for file in sorted(folder.glob("*.json")) if (part := _object(file, skips)) is not None]
        else:
            flat = _flat(session, skips) if flat is None else flat
            found = flat.get(str(message.get("id")), [])
        yield message, found


def _flat(session: Path, skips: Skips) -> dict[str, list[dict[str, Any]]]:
    """Parts that lie beside one another, as the first versions kept them, by their message."""
    found: dict[str, list[dict[str, Any]]] = {}
    for file in sorted((_storage(session) / "part").glob("*.json")):
        part = _object(file, skips)
        if part is not None and text_of(part.get("messageID")):
            found.setdefault(part["messageID"], []).append(part)
    return found


def _object(path: Path, skips: Skips) -> dict[str, Any] | None:
    try:
        item = read_json(path)
    except (OSError, ValueError, RecursionError) as error:
        skips.damage(f"piece does not read ({type(error).__name__})", f"{path.parent.name}/{path.name}")
        return None
    if isinstance(item, dict):
        return item
    skips.damage("piece is not an object", f"{path.parent.name}/{path.name}")
    return None


# The database


def _database(path: Path, source: str, skips: Skips) -> Iterator[RawSession]:
    try:
        with database.copied(path) as db:
            known = database.tables(db)
            if not {"session", "message", "part"} <= known.keys():
                skips.damage("the database has no sessions, messages and parts of opencode")
                return
            columns = [
                name for name in ("id", "parent_id", "directory", "title", "time_created") if name in known["session"]
            ]
            for row in db.execute(f"SELECT {', '.join(columns)} FROM session ORDER BY id").fetchall():
                about = dict(zip(columns, row, strict=True))
                if about["id"] is None:
                    skips.damage("session without an id")
                    continue
                yield from _session(about, _rows(db, str(about["id"]), skips), source, skips, path.name)
            for table, key, other in (("message", "session_id", "session"), ("part", "message_id", "message")):
                whole = f"SELECT 1 FROM {other} WHERE {other}.id = {table}.{key}"
                (lost,) = db.execute(f"SELECT count(*) FROM {table} WHERE NOT EXISTS ({whole})").fetchone()
                skips.leave(f"{table} whose {other} is not there", lost)
    except sqlite3.Error as error:
        skips.damage(f"the database does not read ({error})")


def _rows(db: sqlite3.Connection, session: str, skips: Skips) -> Iterator[Message]:
    try:
        yield from _read_rows(db, session, skips)
    except sqlite3.Error as error:
        skips.damage(f"the rest of the session does not read ({error})", session[:40])


def _read_rows(db: sqlite3.Connection, session: str, skips: Skips) -> Iterator[Message]:
    for id, created, data in db.execute(
        "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY id", (session,)
    ).fetchall():
        message = database.json_object(data, f"message {id}", skips)
        if message is None:
            continue
        message.setdefault("time", {"created": created})
        found = [
            part | {"id": str(part_id)}
            for part_id, text in db.execute(
                "SELECT id, data FROM part WHERE message_id = ? ORDER BY id", (id,)
            ).fetchall()
            if (part := database.json_object(text, f"part {part_id}", skips)) is not None
        ]
        yield message | {"id": str(id)}, found


# What was said


def _speak(messages: Iterable[Message], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for message, found in messages:
        try:
            yield from _message(message, found, speaking)
        except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
            skips.damage(f"message does not read ({type(error).__name__})", f"message {str(message.get('id'))[:40]}")


def _message(message: dict[str, Any], found: list[dict[str, Any]], speaking: Speaking) -> Iterator[RawTurn]:
    roles = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
    role = roles.get(str(message.get("role")))
    if role is None:
        speaking.skips.damage(f"role {str(message.get('role'))[:40]!r} is not known", f"message {message.get('id')}")
        return
    times = message.get("time")
    time, origin = read_time(times.get("created") if isinstance(times, dict) else times), text_of(message.get("id"))
    summary = message.get("summary")
    if not found and role is Role.USER and isinstance(summary, dict) and text_of(summary.get("body")):
        found = [{"type": "text", "text": summary["body"]}]
    waiting: list[Said] = []
    for part in found:
        said = _said(part, speaking.skips)
        if said is not None:
            waiting.append(said)
        elif part.get("type") == "tool":
            yield from _told(role, waiting, time, origin, speaking)
            waiting = []
            yield from _tool(part, time, speaking)
    yield from _told(role, waiting, time, origin, speaking)


def _told(
    role: Role, waiting: list[Said], time: datetime | None, origin: str | None, speaking: Speaking
) -> Iterator[RawTurn]:
    if waiting:
        files = tuple(file for said in waiting for file in said.files)
        text = "\n\n".join(said.text for said in waiting if said.text)
        yield from speaking.spoken(role, Said(text=text, files=files), time, origin=origin)


def _said(part: dict[str, Any], skips: Skips) -> Said | None:
    kind = text_of(part.get("type"))
    if kind == "text":
        if part.get("synthetic") or part.get("ignored"):
            skips.leave("synthetic text")
            return None
        return Said(text=text_of(part.get("text")) or "")
    if kind == "reasoning":
        skips.leave("reasoning")
    elif kind == "file":
        return _file(part, skips)
    elif kind in _OWN:
        skips.leave("record of the tool")
    elif kind != "tool":
        skips.leave(f"part {str(kind)[:40]!r}")
    return None


def _file(part: dict[str, Any], skips: Skips) -> Said:
    url, name = text_of(part.get("url")) or "", text_of(part.get("filename"))
    if url.startswith("data:"):
        picture = str(part.get("mime", "")).startswith("image/")
        block = (
            {"type": "image", "image_url": url} if picture else {"type": "file", "name": name, "source": {"url": url}}
        )
        return next((one for one in parts(block, skips) if isinstance(one, Said)), Said(text="[file]"))
    return Said(text=f"[file: {name}]" if name else "[file]")


def _tool(part: dict[str, Any], time: datetime | None, speaking: Speaking) -> Iterator[RawTurn]:
    state = part.get("state") if isinstance(part.get("state"), dict) else {}
    assert isinstance(state, dict)
    named, tool = text_of(part.get("callID")), text_of(part.get("tool")) or "tool"
    times = state.get("time") if isinstance(state.get("time"), dict) else {}
    assert isinstance(times, dict)
    yield from speaking.call(
        Call(id=named, name=tool, arguments=arguments_text(state.get("input"))), read_time(times.get("start")) or time
    )
    output, error = text_of(state.get("output")), text_of(state.get("error"))
    if output or error:
        result = Result(id=named, text=output or error or "", name=tool, error=output is None)
        yield from speaking.result(result, read_time(times.get("end")) or time)
