"""Secrets in the contents of files, piece by piece as they were once brought in: a turn, a line, a value of JSON.

What stands in one piece is judged by itself, so that a file that an import wrote reads as clean as its turns were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from brain.ingest.redact import Redactor
from brain.text import clip, strings_in
from brain.tree import frontmatter

_TURN = re.compile(r"^(?=## t[1-9])", re.MULTILINE)
_TITLE = re.compile(r"---\n(?:[^\n]+\n){0,12}?(?P<line>title: [^\n]*)")
_SHORT = 4

TITLE = 80
"""Characters of a session's title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A secret in a text: its line, counted from 1, its kind, and the placeholder it becomes. Never shown: `secret`."""

    line: int
    kind: str
    placeholder: str
    secret: str = field(repr=False)


def spots(path: str, text: str, redactor: Redactor) -> Iterator[Spot]:
    """Every secret in the content of a file, in order."""
    if path.endswith((".json", ".jsonl")):
        yield from _in_json(path, text, redactor)
        return
    line = 1
    for piece in _pieces(path, text):
        at = 0
        for secret, placeholder in redactor.found(piece):
            line += piece.count("\n", at, secret.start)
            at = secret.start
            yield Spot(line=line, kind=secret.kind, placeholder=placeholder, secret=piece[secret.start : secret.end])
        line += piece.count("\n", at)


def without(path: str, text: str, redactor: Redactor, names: Mapping[str, str] | None = None) -> str:
    """The content of a file with each secret replaced. `names` are other words to change: old name → new name."""
    if path.endswith(".jsonl"):
        text = "\n".join(_json(line, redactor) for line in text.split("\n"))
    elif path.endswith(".json"):
        text = _json(text, redactor)
    else:
        text = "".join(redactor.redact(piece) for piece in _pieces(path, text))
    for old, new in (names or {}).items():
        text = text.replace(old, new)
    return text


def titled(path: str, text: str) -> str:
    """A file of a session whose title grew beyond what a title may have, with it cut."""
    head = _TITLE.match(text) if path.startswith("sessions/") and path.endswith(".md") else None
    if head is None:
        return text
    title = frontmatter.parse_block(head["line"]).get("title")
    if not isinstance(title, str) or len(title) <= TITLE:
        return text
    line = frontmatter.render_line("title", clip(title, TITLE)).rstrip("\n")
    return text[: head.start("line")] + line + text[head.end("line") :]


def _pieces(path: str, text: str) -> list[str]:
    return _TURN.split(text) if "/transcripts/" in path else [text]


def _in_json(path: str, text: str, redactor: Redactor) -> Iterator[Spot]:
    whole = [text] if path.endswith(".json") else text.split("\n")
    for number, one in enumerate(whole, start=1):
        try:
            values = list(strings_in(json.loads(one))) if one.strip() else []
        except (ValueError, RecursionError):
            values = [one]
        for value in values:
            for secret, placeholder in redactor.found(value):
                begins = json.dumps(value[:40], ensure_ascii=False)[1:-1]
                line = number if len(whole) > 1 else 1 + one.count("\n", 0, max(0, one.find(begins)))
                said = value[secret.start : secret.end]
                yield Spot(line=line, kind=secret.kind, placeholder=placeholder, secret=said)


def _json(text: str, redactor: Redactor) -> str:
    """JSON with its strings redacted and everything else of it as it was written."""
    try:
        whole = json.loads(text) if text.strip() else None
    except (ValueError, RecursionError):
        return redactor.redact(text)
    changed = False
    for value in dict.fromkeys(strings_in(whole)):
        new = redactor.redact(value) if len(value) >= _SHORT else value
        if new == value:
            continue
        changed = True
        for ascii_only in (False, True):
            text = text.replace(json.dumps(value, ensure_ascii=ascii_only), json.dumps(new, ensure_ascii=ascii_only))
    if changed and any(True for value in strings_in(json.loads(text)) for _ in redactor.found(value)):
        text = json.dumps(_mapped(json.loads(text), redactor), ensure_ascii=False)  # written in an unusual way
    return text


def _mapped(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return redactor.redact(value)
    if isinstance(value, dict):
        return {redactor.redact(key): _mapped(inner, redactor) for key, inner in value.items()}
    return [_mapped(inner, redactor) for inner in value] if isinstance(value, list) else value
