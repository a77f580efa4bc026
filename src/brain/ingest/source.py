"""Reading foreign files: encodings, JSON Lines and long arrays piece by piece, and the head a format is found by."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any

from brain.ingest.raw import Skips

HEAD_BYTES = 262_144
MAX_OBJECT = 1 << 29
"""Bytes of a JSON file that is one object and so must be parsed whole; exports of that size are arrays or lines."""

_CHUNK = 1 << 18
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECODER = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"[\s\x00,]*")
_NEAR_END = 64
_BLOCK = re.compile(r"\x00{64,}")


def encoding_of(start: bytes) -> str:
    """The encoding a byte order mark names; UTF-8 without one (UTF-16 without a mark shows in its NUL bytes)."""
    for bom, name in _BOMS:
        if start.startswith(bom):
            return name
    if len(start) >= 4 and start[:1] != b"\0" and start[1:2] == b"\0" and start[3:4] == b"\0":
        return "utf-16-le"
    return "utf-8"


def open_text(path: Path) -> TextIOWrapper:
    """The file as text, line ends kept, bytes that do not decode as U+FFFD."""
    with path.open("rb") as file:
        encoding = encoding_of(file.read(4))
    return path.open("r", encoding=encoding, errors="replace", newline="")


def read_text(path: Path) -> str:
    """All of a text file, line ends as LF, without the NULs that a crash left in it.

    One that is not UTF-8 is read as Windows-1252, the usual other one.
    """
    data = path.read_bytes()
    try:
        text = data.decode(encoding_of(data[:4]))
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def json_lines(path: Path, skips: Skips | None = None, start: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) for each line of a JSON Lines file; lines that are not an object are counted.

    Only LF ends a line: U+2028 inside a string does not. `start` is the byte of a line's beginning in UTF-8, from which
    lines are then numbered.
    """
    skips = skips if skips is not None else Skips()
    with path.open("rb") as file:
        encoding = encoding_of(file.read(4)) if not start else "utf-8"
        file.seek(start)
        lines: Iterator[bytes | str] = iter(file)
        if not encoding.startswith("utf-8"):
            lines = iter(TextIOWrapper(file, encoding=encoding, errors="replace", newline="\n"))
        for number, line in enumerate(lines, start=1):
            item = _line(line, number, skips)
            if item is not None:
                yield number, item


def _line(line: bytes | str, number: int, skips: Skips) -> dict[str, Any] | None:
    whole = line.decode("utf-8", errors="replace") if isinstance(line, bytes) else line
    ended = whole.endswith("\n")
    text = whole.strip("\ufeff\x00 \t\r\n")
    if not text:
        return None
    try:
        item = _DECODER.decode(text)
    except (ValueError, RecursionError):
        reason = "line is not JSON" if ended else "last line is cut off (is it still being written?)"
        skips.damage(reason, f"line {number}")
        return None
    if isinstance(item, dict):
        return item
    skips.damage("line is not an object", f"line {number}")
    return None


def json_array(path: Path, skips: Skips | None = None) -> Iterator[tuple[int, Any]]:
    """(position, element) for each element of a file that is one JSON array, holding one element at a time.

    An element that does not parse is counted and the next one looked for; a file that ends early gives what is whole.
    """
    skips = skips if skips is not None else Skips()
    with open_text(path) as file:
        buffer = file.read(_CHUNK).lstrip("\ufeff")
        at = buffer.find("[") + 1
        position, ended, wanted, key = 0, len(buffer) < _CHUNK, _CHUNK, ""
        while True:
            at = _SPACE.match(buffer, at).end()  # type: ignore[union-attr]
            if buffer.startswith("]", at):
                if (buffer[at + 1 :] + file.read(_CHUNK)).strip("\x00 \t\r\n"):
                    skips.damage("there is more behind the end of its array", f"after item {position}")
                return
            try:
                if at >= len(buffer):
                    raise json.JSONDecodeError("end of buffer", buffer, at)
                item, end = _DECODER.raw_decode(buffer, at)
                if end >= len(buffer) and not ended:
                    raise json.JSONDecodeError("end of buffer", buffer, end)
            except RecursionError:
                skips.damage("nested too deeply", f"item {position + 1}")
                return
            except json.JSONDecodeError as error:
                if not ended and _may_be_cut(error, len(buffer)):
                    more = file.read(wanted)
                    ended, wanted = len(more) < wanted, wanted * 2
                    buffer, at = buffer[at:] + more, 0
                    continue
                if at >= len(buffer):
                    skips.damage("file ends before its array does", f"after item {position}")
                    return
                position += 1
                cut = ended and _may_be_cut(error, len(buffer))
                skips.damage("file ends inside this item" if cut else "item is not JSON", f"item {position}")
                next_at = None if cut else _resync(buffer, error.pos, key)
                if next_at is None:
                    return
                at = next_at
                continue
            position += 1
            yield position, item
            key = next(iter(item), key) if isinstance(item, dict) else key
            at, wanted = end, _CHUNK
            if at > _CHUNK:
                buffer, at = buffer[at:], 0


def _may_be_cut(error: json.JSONDecodeError, length: int) -> bool:
    return error.msg.startswith(("Unterminated string", "end of buffer")) or error.pos >= length - _NEAR_END


_FIRST_KEYS = ("title", "id", "conversation_id", "create_time", "messages", "uuid", "mapping", "name")


def _resync(buffer: str, at: int, key: str) -> int | None:
    """Where the next item begins behind a damaged one: with the key that the last whole one began with, or a usual."""
    keys = "|".join(re.escape(json.dumps(one, ensure_ascii=False)) for one in ([key] if key else _FIRST_KEYS))
    match = re.compile(rf"\}}\s*,\s*(?=\{{\s*(?:{keys})\s*:)").search(buffer, at)
    return match.end() if match else None


@dataclass(frozen=True)
class Head:
    """The beginning of a file, enough to say which format it is. Nothing of it is trusted beyond that."""

    path: Path
    data: bytes
    size: int

    @classmethod
    def of(cls, path: Path) -> Head:
        with path.open("rb") as file:
            return cls(path, file.read(HEAD_BYTES), path.stat().st_size)

    @cached_property
    def text(self) -> str:
        """The first bytes as text, without byte order mark and leading space."""
        encoding = encoding_of(self.data[:4])
        text = self.data.decode(encoding, errors="replace").replace("\r\n", "\n")
        return text.lstrip("\ufeff\x00 \t\r\n")

    @property
    def binary(self) -> bool:
        """NUL bytes in text that is not UTF-16, or a known archive or database; not blocks that a crash left behind."""
        if self.data.startswith((b"PK\x03\x04", b"SQLite format 3", b"\x89PNG", b"%PDF", b"\x1f\x8b", b"\xff\xd8")):
            return True
        return _BLOCK.sub("", self.text[:8192]).count("\x00") > 64

    @cached_property
    def json(self) -> str:
        """Which JSON this is: "lines", "array", "object", or "" for none."""
        if self.path.suffix == ".jsonl" and any(map(_parses, self.text.split("\n")[:40])):
            return "lines"
        if self.text.startswith("["):
            return "array" if re.match(r"\[\s*[\[{\]\"]", self.text) else ""
        if not self.text.startswith("{"):
            return ""
        first, _, rest = self.text.partition("\n")
        whole = _parses(first)
        if whole and rest.strip("\x00 \t\r\n"):
            return "lines"
        if whole or self.path.suffix == ".jsonl":
            return "lines" if self.path.suffix == ".jsonl" else "object"
        lines = [line for line in self.text.split("\n")[:40] if line.strip()]
        return "lines" if sum(map(_parses, lines)) * 2 > len(lines) else "object"

    @cached_property
    def records(self) -> tuple[dict[str, Any], ...]:
        """The first objects of JSON Lines or of an array; the object itself when the file is one."""
        if self.json == "lines":
            found = tuple(_whole(line) for line in self.text.split("\n")[:200] if _parses(line))
            return found or tuple(
                record for _, record in islice(json_lines(self.path), 2)
            )  # lines longer than the head
        if self.json == "array":
            return tuple(_first_items(self.path))
        if self.json == "object" and self.size <= MAX_OBJECT:
            try:
                return (_whole(self.text if self.size <= len(self.data) else read_text(self.path).lstrip("\ufeff")),)
            except (ValueError, RecursionError):
                return ()
        return ()


def _first_items(path: Path) -> Iterator[dict[str, Any]]:
    """The first object of an array, and those after it while they are as small as messages are."""
    for position, item in json_array(path):
        if isinstance(item, list):
            yield {"messages": item}
        if not isinstance(item, dict) or position > 20:
            return
        yield item
        if "role" not in item:
            return


def _parses(line: str) -> bool:
    line = line.strip("\x00 \t\r")
    if not line.startswith("{"):
        return False
    try:
        return isinstance(_DECODER.decode(line), dict)
    except (ValueError, RecursionError):
        return False


def _whole(text: str) -> dict[str, Any]:
    item = _DECODER.decode(text.strip("\x00 \t\r\n"))
    return item if isinstance(item, dict) else {}


def mostly(items: Iterable[Any], is_one: Callable[[Any], bool]) -> bool:
    """Are more than half of these what they should be? One that is damaged does not make a file another's."""
    found = [is_one(item) for item in items]
    return sum(found) * 2 > len(found)


def text_of(value: Any) -> str | None:
    """A value that holds words; None for what is no text, or blank."""
    return value if isinstance(value, str) and value.strip() else None


def read_json(path: Path) -> Any:
    """A whole JSON document, for files that are one object. Raises ValueError."""
    return _DECODER.decode(read_text(path).strip("\ufeff\x00 \t\r\n"))


def items(path: Path, skips: Skips) -> Iterator[tuple[int, Any]]:
    """(position, item) for each element of an array, each line of JSON Lines, or the one object of a file."""
    form = Head.of(path).json
    if form == "array":
        yield from json_array(path, skips)
    elif form == "lines":
        yield from json_lines(path, skips)
    else:
        try:
            whole = read_json(path)
        except (ValueError, RecursionError) as error:
            skips.damage(f"file is not JSON ({error})")
            return
        yield 1, whole
