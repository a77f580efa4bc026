"""Changing inputs the way that breaks parsers: the values of JSON, the lines of text, and bytes as a last resort."""

# ruff: noqa: E501 — odd values read better in a few long lines

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Bytes = Callable[[bytes], bytes]

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1e308, 10**30, float("nan"), float("inf"), "", " ", "\0", "\ud800", "\u202e", "a" * 5000, [], {}, [[]], [None],
    {"": None}, "null", "0", "-1", "2026-02-30T25:61:00Z", "1970-01-01T00:00:00Z", 253402300800000, -62135596801, "../../x", "## t1 · user · -",
    "---\n", "```", "<system-reminder>", "\x1b[31m", "data:image/png;base64,AAAA", "data:;base64,%%%", {"type": "text", "text": "hi"},
    {"type": "tool_use", "id": 1, "name": None, "input": []}, {"type": "tool_result", "content": {"text": 1}}, ["text", {"text": "x"}],
)  # fmt: skip
_SPLICES = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"]]>", b"<!--", b"&#x110000;", b"\xed\xa0\x80", b"BEGIN:VEVENT\n", b"RRULE:FREQ=YEARLY\n",
    b"From x\n", b"Content-Type: multipart/mixed; boundary=a\n", b"=?utf-8?b?AAA", b"## t1", b"password=", b"://a:b@c", b"-----BEGIN ", b"eyJ",
)  # fmt: skip


def plain(data: bytes, chance: random.Random) -> bytes:
    """Some bytes flipped, cut, doubled, or something odd put between: what is done where no engine does better."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(out) + 1)
        how = chance.randrange(5)
        if how == 0 and out:
            out[at % len(out)] = chance.randrange(256)
        elif how == 1:
            del out[at : at + chance.randint(1, 40)]
        elif how == 2:
            out[at:at] = out[at : at + chance.randint(1, 60)]
        elif how == 3:
            out[at:at] = chance.choice(_SPLICES)
        else:
            del out[at:]
    return bytes(out)


def text(data: bytes, chance: random.Random, otherwise: Bytes) -> bytes:
    """Lines doubled, dropped, swapped or broken; one time in three, bytes."""
    lines = data.split(b"\n")
    if len(lines) < 2 or chance.random() < 0.35:
        return otherwise(data)
    for _ in range(chance.randint(1, 3)):
        a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
        how = chance.randrange(5)
        if how == 0:
            lines.insert(b, lines[a])
        elif how == 1 and len(lines) > 1:
            del lines[a]
        elif how == 2:
            lines[a], lines[b % len(lines)] = lines[b % len(lines)], lines[a]
        elif how == 3:
            lines[a : a + 2] = [b"".join(lines[a : a + 2])]
        else:
            cut = chance.randrange(len(lines[a]) + 1)
            lines[a] = lines[a][:cut] + chance.choice(_SPLICES) + lines[a][cut:]
    return b"\n".join(lines)


def values(data: bytes, chance: random.Random, otherwise: Bytes) -> bytes:
    """Values of a JSON document, or of the objects of JSON Lines, made odd; one time in six, bytes."""
    if chance.random() < 0.17:
        return otherwise(data)
    whole = data.decode("utf-8", "surrogatepass") if _decodes(data) else ""
    try:
        return _written(_changed(json.loads(whole, strict=False), chance))
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        lines[at] = _written(_changed(json.loads(lines[at], strict=False), chance))
    except (ValueError, RecursionError, UnicodeDecodeError):
        return otherwise(data)
    if chance.random() < 0.2:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return b"\n".join(lines)


def _decodes(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _written(item: Any) -> bytes:
    return json.dumps(item).encode("utf-8", "surrogatepass")


def _changed(item: Any, chance: random.Random) -> Any:
    """The document with one to three of its values changed."""
    for _ in range(chance.randint(1, 3)):
        places = list(_places(item))
        if not places:
            return chance.choice(ODD)
        holder, key = chance.choice(places)
        _change(holder, key, chance, places)
    return item


def _change(holder: Any, key: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:
    how = chance.randrange(8)
    if how == 0:
        del holder[key]
    elif how in (1, 2, 3):
        holder[key] = chance.choice(ODD)
    elif how == 4:
        other, name = chance.choice(places)
        if isinstance(other, (dict, list)) and (name in other if isinstance(other, dict) else name < len(other)):
            holder[key] = json.loads(json.dumps(other[name]))  # a copy: no circles
    elif how == 5:
        holder[key] = [holder[key]] if chance.random() < 0.5 else {"text": holder[key]}
    elif how == 6 and isinstance(holder, list):
        holder.insert(key, json.loads(json.dumps(holder[key])))
    elif how == 6:
        holder[chance.choice([*holder, "type", "id", "role", "content"])] = json.loads(json.dumps(holder[key]))
    elif isinstance(holder[key], str):
        cut = chance.randrange(len(holder[key]) + 1)
        holder[key] = holder[key][:cut] + chance.choice([one for one in ODD if isinstance(one, str)])
    else:
        holder[key] = str(holder[key])


def _places(item: Any) -> list[tuple[Any, Any]]:
    """(container, key) of every value."""
    found: list[tuple[Any, Any]] = []
    waiting = [item]
    while waiting and len(found) < 5000:
        one = waiting.pop()
        keys = list(one) if isinstance(one, dict) else list(range(len(one))) if isinstance(one, list) else []
        for key in keys:
            found.append((one, key))
            if isinstance(one[key], (dict, list)):
                waiting.append(one[key])
    return found
