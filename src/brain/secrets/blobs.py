"""Long runs without spaces: encodings whose plain text holds a secret, and tokens that only look random.

Base64 (of either alphabet, wrapped in lines or not, of UTF-8, UTF-16 or gzip) and hexadecimal are decoded, down to three
layers, and what is inside is looked at like any text.
"""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import log2

from brain.secrets.secret import Secret

Find = Callable[[str], Iterable[Secret]]
"""What finds secrets in a plain text."""

_RUN = re.compile(r"(?<![A-Za-z0-9+/_\-])[A-Za-z0-9+/_\-]{24,}={0,2}")
_WRAPPED = re.compile(
    r"(?:[A-Za-z0-9+/]{56,76}(?:\r?\n|\\+r?\\*n|\\+n)[ \t>|]{0,12}){1,}[A-Za-z0-9+/]{2,76}={0,2}(?![A-Za-z0-9+/])"
)
_BREAK = re.compile(r"\r?\n[ \t>|]*|\\+r?\\*n[ \t]*")
_HARMLESS_BEFORE = re.compile(
    r"(?:sha(?:1|224|256|384|512)[-:=]|base64,|://\S*|[\w./\\-]/|integrity[\"':= ]+|id[\"':= ]+|signature[\"':= ]+|call=|#)$",
    re.I,
)
_ID = re.compile(r"(?:toolu|call|msg|req|run|thread|asst|resp|fc|rs|item|step|chatcmpl|cmpl|file|gen|evt|conv)[_-]")
_NAMED = re.compile(r"(?:[a-z]{3,}[_-]){2,}")
_LONGEST = 128
_LAYERS = 3
_ROOM = 1 << 20
_HEX = frozenset("0123456789abcdefABCDEF-_")
_IS_HEX = re.compile(r"(?:[0-9a-f]{2}){16,}|(?:[0-9A-F]{2}){16,}")
_PRINTABLE = re.compile(r"[\t\n\r\x20-\x7e\u00a0-\uffff]*")


def find_blobs(text: str, entropy: bool, plain: Find, layer: int = 1) -> Iterator[Secret]:
    """Encoded text in which `plain` finds a secret; with `entropy` also random-looking tokens of 24 to 128 characters.

    Hexadecimal digests and UUIDs are left alone: a transcript is full of commits and ids.
    """
    wrapped: list[tuple[int, int]] = []
    if "\n" in text or "\\n" in text:
        for match in _WRAPPED.finditer(text):
            if _hides(_BREAK.sub("", match[0]), plain, layer):
                wrapped.append(match.span())
                yield Secret(kind="encoded-secret", start=match.start(), end=match.end())
    for match in _RUN.finditer(text):
        run = match[0]
        if wrapped and any(start <= match.start() < end for start, end in wrapped):
            continue
        if _hides(run, plain, layer):
            yield Secret(kind="encoded-secret", start=match.start(), end=match.end())
        elif entropy and len(run) <= _LONGEST and _looks_random(run) and not _readable(_bytes_of(run)):
            before = text[max(0, match.start() - 24) : match.start()]
            address = re.split(r"[\s\"'<>]", text[max(0, match.start() - 400) : match.start()])[-1]
            after = text[match.end() : match.end() + 2]
            named = after[:1] == "/" or (after[:1] == "." and after[1:2].isalnum())
            if "://" not in address and not _HARMLESS_BEFORE.search(before) and not named:
                yield Secret(kind="high-entropy", start=match.start(), end=match.end())


def _hides(run: str, plain: Find, layer: int) -> bool:
    """Is there, in what this run encodes, a secret?"""
    inner = _decoded(run)
    if not inner:
        return False
    if next(iter(plain(inner)), None) is not None:
        return True
    return layer < _LAYERS and next(find_blobs(inner, False, plain, layer + 1), None) is not None


def _decoded(run: str) -> str:
    """The text that a run encodes; "" when it encodes none."""
    if _IS_HEX.fullmatch(run):
        return _text_of(bytes.fromhex(run))
    for skip in (0, 1, 2, 3) if len(run) < 400 and run[:1] in "/-_+" else (0,):  # what stands before may cling to it
        if found := _text_of(_bytes_of(run[skip:])):
            return found
    return ""


def _bytes_of(run: str) -> bytes:
    run = run.rstrip("=")
    try:
        return b64decode(
            run[: len(run) - len(run) % 4] if len(run) % 4 == 1 else run + "=" * (-len(run) % 4),
            altchars=b"-_" if "-" in run or "_" in run else None,
        )
    except ValueError:
        return b""


def _text_of(data: bytes) -> str:
    if len(data) < 12:
        return ""
    if data.startswith(b"\x1f\x8b"):
        try:
            data = zlib.decompressobj(31).decompress(data, _ROOM)
        except zlib.error:
            return ""
    elif len(data) % 2 == 0 and not any(data[1:40:2]):
        return data.decode("utf-16-le", "replace")
    if not _readable(data[:4096]):
        return ""
    return data.decode("utf-8", "replace")


def _readable(plain: bytes) -> bool:
    if len(plain) <= 8:
        return False
    if plain.isascii():
        return sum(32 <= c < 127 or c in b"\n\t\r" for c in plain) > 0.95 * len(plain)
    try:
        text = plain.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(plain) - 4:
            return False
        text = plain[: error.start].decode("utf-8")
    return _PRINTABLE.fullmatch(text) is not None


def _looks_random(run: str) -> bool:
    core = run.rstrip("=")
    named = _NAMED.match(core)
    if named and len(core) - named.end() < 16:  # an id that begins with what it is of
        return False
    if set(core) <= _HEX or _ID.match(core) or (core.isalpha() and core == core.lower()):
        return False
    digits = sum(c.isdigit() for c in core)
    upper = sum(c.isupper() for c in core)
    lower = sum(c.islower() for c in core)
    if digits < 2 or not upper or not lower or digits + upper + lower < 0.85 * len(core):
        return False
    changes = sum(_class(a) != _class(b) for a, b in pairwise(core))
    return changes >= 0.38 * len(core) and _bits(core) >= 3.9


def _class(c: str) -> str:
    return "d" if c.isdigit() else "u" if c.isupper() else "l" if c.islower() else "s"


def _bits(text: str) -> float:
    """Shannon entropy a character."""
    return -sum((n := text.count(c) / len(text)) * log2(n) for c in set(text))
