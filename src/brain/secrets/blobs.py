"""Long runs without spaces: base64 that hides a secret, and tokens that are only recognisable by looking random."""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from itertools import pairwise
from math import log2

from brain.secrets.secret import Secret

_RUN = re.compile(r"[A-Za-z0-9+/_\-]{24,}={0,2}")
_HARMLESS_BEFORE = re.compile(
    r"(?:sha(?:1|224|256|384|512)[-:=]|base64,|://\S*|[\w./\\-]/|integrity[\"':= ]+|id[\"':= ]+|signature[\"':= ]+|call=|#)$",
    re.I,
)
_INNER = re.compile(
    rb"(?i)-----BEGIN [A-Z ]*PRIVATE KEY|passw(?:or)?d[\"']?\s*[:=]|secret[\"']?\s*[:=]|api_?key[\"']?\s*[:=]|token[\"']?\s*[:=]|://[^\s/:@]+:[^\s/@]+@"
    rb"|AKIA[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{30}|sk-[A-Za-z0-9_-]{24}|sk_live_|xox[abp]-"
)
_ID = re.compile(r"(?:toolu|call|msg|req|run|thread|asst|resp|fc|rs|item|step|chatcmpl|cmpl|file|gen|evt|conv)[_-]")
_LONGEST = 128
_HEX = frozenset("0123456789abcdefABCDEF-_")


def find_blobs(text: str, entropy: bool) -> Iterator[Secret]:
    """Base64 whose plain text holds a secret; with `entropy` also random-looking tokens of 24 to 128 characters.

    Hexadecimal digests and UUIDs are left alone: a transcript is full of commits and ids.
    """
    for match in _RUN.finditer(text):
        run = match[0]
        plain = _decoded(run)
        if _INNER.search(plain):
            yield Secret(kind="encoded-secret", start=match.start(), end=match.end())
        elif entropy and len(run) <= _LONGEST and _looks_random(run) and not _readable(plain):
            before = text[max(0, match.start() - 24) : match.start()]
            address = re.split(r"[\s\"'<>]", text[max(0, match.start() - 400) : match.start()])[-1]
            after = text[match.end() : match.end() + 1]
            if "://" not in address and not _HARMLESS_BEFORE.search(before) and after not in ("/", "."):
                yield Secret(kind="high-entropy", start=match.start(), end=match.end())


def _decoded(run: str) -> bytes:
    run = run.rstrip("=")
    try:
        return b64decode(run[: len(run) - len(run) % 4], altchars=b"-_" if "-" in run or "_" in run else None)
    except ValueError:
        return b""


def _readable(plain: bytes) -> bool:
    return len(plain) > 8 and sum(32 <= c < 127 or c in b"\n\t\r" for c in plain) > 0.95 * len(plain)


def _looks_random(run: str) -> bool:
    core = run.rstrip("=")
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
