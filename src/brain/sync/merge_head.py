"""Three-way merge of frontmatter, key by key; keys that nobody touched keep their bytes."""

from __future__ import annotations

import re

from brain.errors import FormatError
from brain.sync.conflict import Conflict, conflict
from brain.tree.frontmatter import parse_block, render_line

_KEY = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):")
_SYNC_OWNED = {"updated_at", "updated_by", "created_at", "next_cite"}


def split_head(path: str, text: str) -> tuple[dict[str, str], list[str]]:
    """Frontmatter by key, each with its lines as they stand, and the lines of the body."""
    lines = text.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        raise FormatError("no frontmatter", path=path)
    end = lines.index("---", 1)
    head: dict[str, str] = {}
    key = ""
    for line in lines[1:end]:
        if match := _KEY.match(line):
            key = match[1]
            head[key] = line
        elif key:
            head[key] += "\n" + line
        else:
            raise FormatError("frontmatter does not start with a key", path=path)
    return head, lines[end + 1 :]


def merge_head(
    path: str, base: dict[str, str], main: dict[str, str], incoming: dict[str, str], text: str, person: bool
) -> tuple[dict[str, str], list[Conflict]]:
    merged = dict(main)
    conflicts: list[Conflict] = []
    for key in [*main, *(key for key in incoming if key not in main)]:
        was, ours, theirs = base.get(key), main.get(key), incoming.get(key)
        if theirs in (was, ours) or key == "next_cite":
            continue
        if ours == was:
            _put(merged, key, theirs, incoming)
        elif key in ("updated_at", "created_at"):
            _put(merged, key, max(ours or "", theirs or "") if key == "updated_at" else ours or theirs, incoming)
        elif (values := _lists(path, was, ours, theirs)) is not None:
            merged[key] = render_line(key, values)
        elif key in ("status", "superseded_by") and "superseded" in incoming.get("status", ""):
            _put(merged, key, theirs, incoming)
        elif key not in _SYNC_OWNED:
            conflicts.append(conflict(path, f"frontmatter {key}", ours or "", theirs or "", text))
            if person:
                _put(merged, key, theirs, incoming)
    return merged, conflicts


def _put(head: dict[str, str], key: str, line: str | None, incoming: dict[str, str]) -> None:
    if line is None:
        head.pop(key, None)
    elif key in head:
        head[key] = line
    else:
        keys = list(incoming)
        before = [prior for prior in keys[: keys.index(key)] if prior in head]
        rest = list(head.items())
        at = list(head).index(before[-1]) + 1 if before else 0
        head.clear()
        head.update([*rest[:at], (key, line), *rest[at:]])


def _lists(path: str, *sides: str | None) -> list[str] | None:
    """Union of a list key, less what either side took out; None when it is no list."""
    parsed = []
    for side in sides:
        values = next(iter(parse_block(side, path).values())) if side else []
        if isinstance(values, str):
            return None
        parsed.append(values)
    was, ours, theirs = parsed
    gone = {item for item in was if item not in ours or item not in theirs}
    return [item for item in dict.fromkeys([*ours, *theirs]) if item not in gone]


def field(head: dict[str, str], key: str) -> str:
    """A scalar of a split frontmatter, unquoted; empty when it is not there."""
    return head.get(key, "").partition(":")[2].strip().strip("'\"")


def count(head: dict[str, str], key: str) -> int:
    value = field(head, key)
    return int(value) if value.isdecimal() else 0
