"""JSON as people write it, with the place of everything in it: comments, trailing commas and JSON5 are read too.

Settings of other programs are edited by cutting and pasting at these places, never by writing them anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from brain.errors import FormatError

MAX_DEPTH = 100
_SPACE = re.compile(r"[ \t\n\r\v\f\u00a0\u2028\u2029\ufeff\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_COMMENT = re.compile(r"//[^\n\r\u2028\u2029]*|/\*.*?\*/", re.DOTALL)
_DOUBLE = re.compile(r'"((?:[^"\\\n\r]++|\\(?:\r\n|.))*+)"', re.DOTALL)
_SINGLE = re.compile(r"'((?:[^'\\\n\r]++|\\(?:\r\n|.))*+)'", re.DOTALL)
_NAME = re.compile(r"[^\W\d][\w$\u200c\u200d]*|\$[\w$]*")
_NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0", "\n": "", "\r\n": "", "\r": ""}
_PLAIN_JSON = json.JSONDecoder()
_WORDS = {"true": True, "false": False, "null": None}

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | float | bool | None"


@dataclass(slots=True, kw_only=True)
class Node:
    """One value and where it stands: `text[start:end]`."""

    value: Value
    start: int
    end: int
    text: str = field(repr=False)
    found: list[Part] | None = None

    @property
    def parts(self) -> list[Part]:
        """The members of an object or the items of a list; looked for when they are asked for."""
        if self.found is None:
            whole = _Scanner(self.text).whole(self.start, 0)
            self.found = whole.found or []
        return self.found

    def member(self, key: str) -> Part | None:
        """The member of that name; the last one, as readers of JSON take it."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


@dataclass(slots=True, kw_only=True)
class Part:
    """A member or an item: from `start` (where its name begins) to `node.end`."""

    key: str | None
    start: int
    node: Node


def parse(text: str) -> Node:
    """The one value of a document. Raises FormatError with the line where it stops being readable."""
    scanner = _Scanner(text)
    node = scanner.value(scanner.skip(0), 0)
    rest = scanner.skip(node.end)
    if rest < len(text):
        raise scanner.error(rest, "there is something after the end")
    return node


def skip(text: str, at: int) -> int:
    """The place of the next thing that is neither space nor comment. Raises FormatError in an open comment."""
    return _Scanner(text).skip(at)


def last_token(text: str, start: int, stop: int) -> int:
    """Where the last comment or comma between two places ends; `start` when only space is there."""
    at, end = start, start
    while at < stop:
        if found := _SPACE.match(text, at, stop):
            at = found.end()
        elif found := _COMMENT.match(text, at, stop):
            at = end = found.end()
        else:
            at = end = at + 1
    return end


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, at: int, said: str) -> FormatError:
        return FormatError(said, line=self.text.count("\n", 0, at) + 1)

    def skip(self, at: int) -> int:
        while True:
            if found := _SPACE.match(self.text, at) or _COMMENT.match(self.text, at):
                at = found.end()
            elif self.text.startswith("/*", at):
                raise self.error(at, "a comment is never closed")
            else:
                return at

    def node(self, value: Value, start: int, end: int) -> Node:
        return Node(value=value, start=start, end=end, text=self.text)

    def value(self, at: int, depth: int) -> Node:
        """The value at a place. What is plain JSON is read at once, without the places in it, which takes a tenth."""
        if depth and self.text[at : at + 1] in {"{", "["}:
            try:
                value, end = _PLAIN_JSON.raw_decode(self.text, at)
                return self.node(value, at, end)
            except (ValueError, RecursionError):
                pass  # something in it is written in another way, or broken
        return self.whole(at, depth)

    def whole(self, at: int, depth: int) -> Node:
        """The value at a place, with the places of what it holds."""
        if depth > MAX_DEPTH:
            raise self.error(at, f"nested deeper than {MAX_DEPTH}")
        here = self.text[at : at + 1]
        if here == "{":
            return self.object(at, depth)
        if here == "[":
            return self.list(at, depth)
        if here in {'"', "'"}:
            value, end = self.string(at)
            return self.node(value, at, end)
        if found := _NUMBER.match(self.text, at):
            return self.node(_number(found[0]), at, self.ended(found.end()))
        if (found := _NAME.match(self.text, at)) and found[0] in _WORDS:
            return self.node(_WORDS[found[0]], at, found.end())
        raise self.error(at, f"a value is missing before {here!r}" if here else "it ends too early")

    def ended(self, at: int) -> int:
        """A number is not the beginning of something else."""
        if _NAME.match(self.text, at) or self.text[at : at + 1].isdigit():
            raise self.error(at, "this is no number")
        return at

    def string(self, at: int) -> tuple[str, int]:
        found = (_DOUBLE if self.text[at] == '"' else _SINGLE).match(self.text, at)
        if found is None:
            raise self.error(at, "a string is never closed")
        raw = found[1]
        return (_SURROGATES.sub(_paired, _ESCAPE.sub(_escaped, raw)) if "\\" in raw else raw), found.end()

    def object(self, at: int, depth: int) -> Node:
        value: dict[str, Value] = {}
        parts: list[Part] = []
        node = Node(value=value, start=at, end=at, text=self.text, found=parts)
        at = self.skip(at + 1)
        while self.text[at : at + 1] != "}":
            start, (key, at) = at, self.key(at)
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                raise self.error(at, f"a colon is missing after {key!r}")
            child = self.value(self.skip(at + 1), depth + 1)
            parts.append(Part(key=key, start=start, node=child))
            value[key] = child.value
            at = self.next(child.end, "}")
        node.end = at + 1
        return node

    def list(self, at: int, depth: int) -> Node:
        value: list[Value] = []
        parts: list[Part] = []
        node = Node(value=value, start=at, end=at, text=self.text, found=parts)
        at = self.skip(at + 1)
        while self.text[at : at + 1] != "]":
            child = self.value(at, depth + 1)
            parts.append(Part(key=None, start=child.start, node=child))
            value.append(child.value)
            at = self.next(child.end, "]")
        node.end = at + 1
        return node

    def key(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] in {'"', "'"}:
            return self.string(at)
        if found := _NAME.match(self.text, at):
            return found[0], found.end()
        raise self.error(at, "a name is missing")

    def next(self, at: int, closing: str) -> int:
        at = self.skip(at)
        if self.text[at : at + 1] == ",":
            return self.skip(at + 1)
        if self.text[at : at + 1] != closing:
            raise self.error(at, f"a comma or {closing!r} is missing")
        return at


def _escaped(found: re.Match[str]) -> str:
    code = found[1]
    if len(code) > 2 and code[0] == "u":
        return chr(int(code[1:], 16))
    if len(code) > 2 and code[0] == "x":
        return chr(int(code[1:], 16))
    return _PLAIN.get(code, code)


def _paired(found: re.Match[str]) -> str:
    """One character that was written as two escapes."""
    return found[0].encode("utf-16-be", "surrogatepass").decode("utf-16-be")


def _number(text: str) -> int | float:
    sign = -1 if text.startswith("-") else 1
    bare = text.lstrip("+-")
    if bare[:2] in {"0x", "0X"}:
        return sign * int(bare, 16)
    if bare in {"Infinity", "NaN"}:
        return sign * float(bare.replace("Infinity", "inf"))
    if bare.isdigit():
        return sign * int(bare) if len(bare) < 4000 else float(text)
    return float(text)
