"""Text from outside, made fit to be kept: decoded, without control characters, no longer than agreed."""

from __future__ import annotations

import re

from brain.text import clean, one_line
from brain.tree.snapshot import Fields

CUT = "\n[cut here: the rest was not kept]"
_BLANKS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")
_VALUE = 1_000


def tidy(text: str, most: int) -> str:
    """Clean text of at most about `most` characters; what was cut off is said."""
    short = text[: most + 1] if len(text) > most else text
    cleaned = _BLANKS.sub("\n\n", clean(short)).strip()
    return cleaned[:most].rstrip() + CUT if len(text) > most else cleaned


def fields(*pairs: tuple[str, str]) -> Fields:
    """Named values as one clean line each; empty ones are left out."""
    lines = ((name, one_line(value[: 4 * _VALUE])[:_VALUE]) for name, value in pairs)
    return tuple((name, value) for name, value in lines if value)


def decoded(data: bytes, charset: str | None = None) -> str:
    """Bytes as text: the charset given, else by its mark, else UTF-8, else Latin-1. Never fails."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    for name in (charset, "utf-8-sig"):
        if name:
            try:
                return data.decode(name)
            except (LookupError, UnicodeDecodeError, ValueError):
                continue
    return data.decode("cp1252", "replace")
