"""Where code and XML-like elements begin and end in a message."""

from __future__ import annotations

import re


def close_of(text: str, at: int, tag: str) -> tuple[int, int] | None:
    """Where the element opened before `at` closes, as (start, end) of its closing tag; nested ones are counted."""
    pattern = re.compile(rf"<(/?){re.escape(tag)}(?:\s[^<>]{{0,300}})?>", re.IGNORECASE)
    depth = 1
    for match in pattern.finditer(text, at):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.span()
    return None


_CODE = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)|(?<!`)`[^`\n]+`(?!`)", re.MULTILINE | re.DOTALL
)


def code_ranges(text: str) -> list[tuple[int, int]]:
    """Spans of fenced code and of `inline code`."""
    return [match.span() for match in _CODE.finditer(text)] if "`" in text or "~~~" in text else []
