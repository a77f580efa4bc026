"""Every parser of foreign bytes as a function of bytes that says what must hold; for fuzzing and for what it found.

    PARSERS["chatgpt"].hold(data, folder)  # raises where the parser crashes, hangs, or loses without a count

`benchmarks/fuzz.py` feeds them what it makes up; `test_fuzz_seeds.py` feeds them what it once broke them with.
"""

from __future__ import annotations

import io
import json
import re
import sqlite3
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from brain.connectors.events import events_of
from brain.connectors.kind import Place
from brain.connectors.kinds.calendar import Calendar
from brain.connectors.kinds.mail import Mail
from brain.errors import BrainError, FormatError
from brain.html import html_text
from brain.ingest.archive import ARCHIVE, unpacked
from brain.ingest.choose import choose
from brain.ingest.formats import Format, Head, Skips, find_format, formats
from brain.ingest.peek import looked_at
from brain.ingest.prepare import Preparing
from brain.ingest.redact import Redactor
from brain.secrets import find_secrets
from brain.settings import Connector
from brain.tree import deletions, frontmatter, note, page, snapshot, summary, transcript, uri
from brain.types import Transcript

KEY = b"k" * 32
ZONE = ZoneInfo("Europe/Lisbon")


class Broken(AssertionError):
    """A parser that did not crash, and yet did not do what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """`hold(data, folder)` raises when something does not hold; `folder` is empty and its own. `shape` says how inputs
    are best changed: "json" by their values, "text" by their lines, "bytes" by their bytes."""

    name: str
    shape: str
    hold: Callable[[bytes, Path], None]


def _transcript(name: str) -> Parser:
    def hold(data: bytes, folder: Path) -> None:
        path = folder / _file_name(name, data)
        path.write_bytes(data)
        _imports(path)

    shape = {"aider": "text", "dialogue": "text", "gemini-takeout-html": "text"}.get(name, "json")
    return Parser(name=name, shape=shape, hold=hold)


def _file_name(name: str, data: bytes) -> str:
    start = data[:4096].lstrip(b"\xef\xbb\xbf\0 \t\r\n")
    if start.startswith(b"{"):
        many = re.search(rb"\}\s*\n\s*\{", data) is not None or name in ("claude-code", "codex")
        return "session.jsonl" if many else "session.json"
    if start.startswith(b"["):
        return "conversations.json"
    return "MyActivity.html" if start.startswith(b"<") else "chat.md"


def _imports(path: Path) -> None:
    """A file that a format takes for its own gives sessions that can be stored, or says why not."""
    head = Head.of(path)
    for one in formats():
        one.detect(head)
    form = find_format(head)
    if form is not None:
        _reads(form, path)


def _reads(form: Format, path: Path, *, told: bool = False) -> None:
    """`told`: files beside this one were counted as not read, and so may be what it is a part of."""
    skips, sessions = Skips(), 0
    preparing = Preparing(redactor=Redactor(KEY), zone=ZONE, owners=frozenset({"ines"}))
    for raw in form.read(path, skips):
        looked, _ = looked_at(raw)
        top = preparing.head(looked)
        turns = []
        for number, prepared in enumerate(preparing.turns(looked, top.id, skips), start=1):
            turns.append(replace(prepared.turn, number=number))
        sessions += 1  # one without turns is counted by the import
        _stores(replace(top, title=top.title or "Untitled", turns=tuple(turns)))
    if not told and not sessions and not skips.left_out and not skips.broken and not _is_bare(path):
        raise Broken(f"{form.name} took the file for its own, gave nothing and counted nothing")


def _is_bare(path: Path) -> bool:
    """Nothing in it but a frame, as an empty list of messages or a database without chats: nothing is lost."""
    data = path.read_bytes()
    return data.startswith(b"SQLite format 3") or not re.search(rb"[A-Za-z]{2} [A-Za-z]{2}", data)


def _stores(one: Transcript) -> None:
    text = transcript.render(one)
    if transcript.parse(text) != one:
        raise Broken("what was stored does not read back")
    text.encode("utf-8")


def _database(name: str, file: str) -> Parser:
    def hold(data: bytes, folder: Path) -> None:
        path = folder / file
        path.write_bytes(data)
        _imports(path)

    return Parser(name=name, shape="bytes", hold=hold)


def _rows(name: str, file: str) -> Parser:
    """Databases whose rows are changed rather than their pages: {"table": [{"column": value}]}."""

    def hold(data: bytes, folder: Path) -> None:
        tables = _read_json(data)
        if not isinstance(tables, dict):
            return
        path = folder / file
        try:
            _write_database(path, tables)
        except (sqlite3.Error, OverflowError, UnicodeEncodeError, ValueError):
            return
        _imports(path)

    return Parser(name=name, shape="json", hold=hold)


def _write_database(path: Path, tables: dict[str, Any]) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA synchronous = OFF")
        for table, rows in tables.items():
            rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
            columns = list(dict.fromkeys(column for row in rows for column in row)) or ["key", "value"]
            quoted = [f'"{column}"' for column in columns if '"' not in column and "\0" not in column]
            db.execute(f'CREATE TABLE "{table}" ({", ".join(quoted)})')
            marks = ", ".join("?" * len(quoted))
            for row in rows:
                values = [row.get(column[1:-1]) for column in quoted]
                plain = [json.dumps(one) if isinstance(one, (dict, list)) else one for one in values]
                db.execute(f'INSERT INTO "{table}" VALUES ({marks})', plain)


def _folder(data: bytes, folder: Path) -> None:
    """Formats that lie in a folder of files: {"path": content}."""
    files = _read_json(data)
    if not isinstance(files, dict):
        return
    inside = folder / "in"
    for name, content in files.items():
        parts = [part for part in name.split("/") if part not in ("", ".", "..")]
        if not parts or any("\0" in part or len(part.encode("utf-8", "replace")) > 200 for part in parts):
            continue
        path = inside.joinpath(*parts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) else json.dumps(content)
            path.write_text(text, "utf-8", errors="surrogatepass")
        except (OSError, UnicodeEncodeError):
            continue
    if inside.is_dir():
        choices, passed = choose([inside], inside=folder / "memory")
        for choice in choices:
            _reads(choice.format, choice.path, told=bool(passed))


def _archive(data: bytes, folder: Path) -> None:
    path = folder / "export.zip"
    path.write_bytes(data)
    if not ARCHIVE.detect(Head.of(path)):
        return
    skips = Skips()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two members of one name are zipfile's business here
        with unpacked(path, skips) as place:
            choices, _ = choose([place], inside=folder / "memory")
            for choice in choices:
                if choice.format is not ARCHIVE:
                    _reads(choice.format, choice.path)
            if any(not one.resolve().is_relative_to(place.resolve()) for one in place.rglob("*")):
                raise Broken("something was unpacked outside of its folder")
    if [one.name for one in folder.iterdir()] != ["export.zip"]:
        raise Broken("the archive left something behind")


def _members(data: bytes, folder: Path) -> None:
    """Archives made of what the input names: {"name": content}, a content that is an object is an archive again."""
    members = _read_json(data)
    if isinstance(members, dict):
        _archive(_packed(members, 0), folder)


def _packed(members: dict[str, Any], depth: int) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, content in members.items():
            try:
                info = zipfile.ZipInfo(name or "x")
                if name.endswith("@link"):
                    info.external_attr = 0o120777 << 16
                if isinstance(content, dict) and depth < 6:
                    body = _packed(content, depth + 1)
                else:
                    body = (content if isinstance(content, str) else json.dumps(content)).encode("utf-8", "replace")
                archive.writestr(info, body)
            except (UnicodeEncodeError, ValueError):
                continue
    return out.getvalue()


def _calendar(data: bytes, folder: Path) -> None:
    path = folder / "calendar.ics"
    path.write_bytes(data)
    try:
        events = list(events_of(data, zone=ZONE, skipped=Counter()))
    except ValueError:
        return
    calendar = Calendar(_place(folder, path))
    entries = list(calendar.list())
    if len(entries) > len(events):
        raise Broken("more entries than events")
    for entry in entries[:5]:
        snapshot.readable(calendar.fetch(entry.id))
    for entry in list(calendar.list(since=date(2026, 1, 1), until=date(2026, 3, 1)))[:5]:
        calendar.fetch(entry.id)


def _mail(data: bytes, folder: Path) -> None:
    path = folder / ("box.mbox" if data.startswith(b"From ") else "one.eml")
    path.write_bytes(data)
    mail = Mail(_place(folder, path))
    for entry in list(mail.list())[:5]:
        snapshot.readable(mail.fetch(entry.id))
    list(mail.search("boat harbour", 5))


def _place(folder: Path, path: Path) -> Place:
    return Place(name="x", root=folder, connector=Connector(kind="calendar", path=str(path)), zone=ZONE)


def _html(data: bytes, folder: Path) -> None:
    html_text(data.decode("utf-8", "replace"))


def _secrets(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    end = 0
    for secret in find_secrets(text):
        if not end <= secret.start < secret.end <= len(text):
            raise Broken("spans that overlap or leave the text")
        end = secret.end
    redactor = Redactor(KEY)
    once = redactor.redact(text)
    if redactor.redact(once) != once:
        raise Broken("redacting twice changes something")


def _tree(data: bytes, folder: Path) -> None:
    """Files of a memory tree, as a person may have left them: they read, or the error says where not."""
    text = data.decode("utf-8", "replace")
    for parse in (transcript.parse, page.parse, note.parse, summary.parse, deletions.parse, frontmatter.parse):
        try:
            parse(text)
        except FormatError:
            continue
    snapshot.parse(text)
    for line in text.splitlines()[:20]:
        try:
            uri.canonical(line)
        except (BrainError, ValueError):
            continue


def _read_json(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8", "surrogatepass"), strict=False)
    except (ValueError, RecursionError):
        return None


PARSERS = {
    one.name: one
    for one in (
        *(_transcript(form.name) for form in formats() if not getattr(form, "binary", False)),
        _transcript("gemini-takeout-html"),
        _transcript("cursor-lines"),
        _database("cursor", "state.vscdb"),
        _database("opencode", "opencode.db"),
        _rows("cursor-rows", "state.vscdb"),
        _rows("opencode-rows", "opencode.db"),
        Parser(name="folder", shape="json", hold=_folder),
        Parser(name="archive", shape="bytes", hold=_archive),
        Parser(name="archive-members", shape="json", hold=_members),
        Parser(name="calendar", shape="text", hold=_calendar),
        Parser(name="mail", shape="text", hold=_mail),
        Parser(name="html", shape="text", hold=_html),
        Parser(name="secrets", shape="text", hold=_secrets),
        Parser(name="tree", shape="text", hold=_tree),
    )
}
