"""Surgery on somebody's JSON: one member or item goes in or out, every other byte stays where it is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from brain.errors import FormatError
from brain.hosts.json_spans import Node, Part, Value, last_token, parse, skip

_LINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a file is written: its line ends, one step of indentation, and what stands after a colon."""

    newline: str = "\n"
    step: str = "  "
    colon: str = ": "

    @classmethod
    def of(cls, text: str, root: Node) -> Style:
        newline = found[0] if (found := _LINE.search(text)) else "\n"
        step, colon = "  ", ": "
        if root.parts:
            first = root.parts[0]
            step = _own_indent(text, first.start) or step
            if first.key is not None:
                between = text[first.start : first.node.start].rpartition(":")[2]
                colon = ":" if not between and "\n" not in text and "\r" not in text else ": "
        return cls(newline=newline, step=step, colon=colon)

    def render(self, value: object, indent: str | None) -> str:
        """A value as text; on one line when `indent` is None, else its further lines begin with `indent`."""
        if indent is None:
            return json.dumps(value, ensure_ascii=False, separators=("," + self.colon[1:], self.colon))
        lines = json.dumps(value, ensure_ascii=False, indent=self.step).split("\n")
        return (self.newline + indent).join(lines)


def put(text: str, path: tuple[str, ...], value: object) -> str:
    """The text with the member at `path` set; objects on the way are made. Raises FormatError when one is none."""
    root = parse(text) if text.strip() else None
    if root is None:
        return Style().render(_nested(path, value), "") + "\n"
    style = Style.of(text, root)
    node = root
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            raise FormatError(f"{'.'.join(path[:depth]) or 'the whole'} is no object")
        part = node.member(key)
        if part is None:
            return _insert(text, node, key, _nested(path[depth + 1 :], value), style)
        node = part.node
    return replace(text, path, value)


def replace(text: str, path: tuple[str | int, ...], value: object) -> str:
    """The text with another value at a path that is there. Raises FormatError when it is not."""
    root = parse(text)
    node = at(root, path)
    if node is None:
        raise FormatError(f"{'.'.join(map(str, path))} is not there")
    indent = _line_indent(text, node.start) if _LINE.search(text) else None
    return text[: node.start] + Style.of(text, root).render(value, indent) + text[node.end :]


def append(text: str, path: tuple[str, ...], item: object) -> str:
    """The text with an item at the end of the list at `path`, which is made if need be. Raises FormatError."""
    root = parse(text) if text.strip() else None
    node = None if root is None else at(root, path)
    if root is None or node is None:
        return put(text, path, [item])
    if not isinstance(node.value, list):
        raise FormatError(f"{'.'.join(path)} is no list")
    return _insert(text, node, None, item, Style.of(text, root))


def cut(text: str, path: tuple[str | int, ...]) -> str:
    """The text without the member or item at `path`; unchanged when it is not there."""
    holder = at(parse(text), path[:-1])
    key = path[-1]
    if holder is None:
        return text
    if isinstance(key, int):
        index = key if 0 <= key < len(holder.parts) else None
    else:
        found = holder.member(key)
        index = holder.parts.index(found) if found else None
    return text if index is None else _cut(text, holder, index)


def at(root: Node, path: tuple[str | int, ...]) -> Node | None:
    """The value at a path of names and places in lists; None when the way there ends."""
    node = root
    for step in path:
        if isinstance(step, int):
            if not isinstance(node.value, list) or not 0 <= step < len(node.parts):
                return None
            node = node.parts[step].node
        else:
            part = node.member(step) if isinstance(node.value, dict) else None
            if part is None:
                return None
            node = part.node
    return node


def _nested(path: tuple[str, ...], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _insert(text: str, node: Node, key: str | None, value: object, style: Style) -> str:
    """A part after the last one of an object or list."""
    last = node.parts[-1] if node.parts else None
    close = node.end - 1
    body = last.node.end if last else node.start + 1
    tail = last_token(text, body, close)
    inner = text[node.start + 1 : close]
    spread = _LINE.search(inner) is not None or (last is None and not inner.strip() and _LINE.search(text) is not None)
    label = "" if key is None else json.dumps(key, ensure_ascii=False) + style.colon
    comma = _comma(text, last, close)
    if not spread:
        rendered = label + style.render(value, None)
        gap = style.colon[1:] if last else ""
        if last is None:
            return text[:tail] + rendered + text[tail:] if inner.strip() else _fill(text, node, rendered)
        if comma is None:
            return text[:body] + "," + text[body:tail] + gap + rendered + text[tail:]
        return text[:tail] + gap + rendered + "," + text[tail:]
    outer = _line_indent(text, close if _own_indent(text, close) is not None else node.start)
    own = _own_indent(text, last.start) if last else None
    indent = own if own is not None else outer + style.step
    rendered = style.newline + indent + label + style.render(value, indent)
    if last is None:
        before = text[: tail if inner.strip() else node.start + 1]
        after = (
            text[tail:] if inner.strip() and _LINE.search(text, tail, close) else style.newline + outer + text[close:]
        )
        return before + rendered + after
    if not _LINE.search(text, tail, close):
        rendered += style.newline + outer
        return text[:body] + ("" if comma is not None else ",") + text[body:close] + rendered + text[close:]
    if comma is None:
        return text[:body] + "," + text[body:tail] + rendered + text[tail:]
    return text[:tail] + rendered + "," + text[tail:]


def _fill(text: str, node: Node, rendered: str) -> str:
    return text[: node.start + 1] + rendered + text[node.end - 1 :]


def _comma(text: str, part: Part | None, stop: int) -> int | None:
    """The place of the comma behind a part, if one is there."""
    if part is None:
        return None
    place = skip(text, part.node.end)
    return place if place < stop and text[place] == "," else None


def _cut(text: str, holder: Node, index: int) -> str:
    part = holder.parts[index]
    comma = _comma(text, part, holder.end)
    start, end = part.start, part.node.end
    if comma is not None:
        if text[end:comma].strip():  # a comment between the two is somebody's and stays
            return _lines(text[:comma] + text[comma + 1 :], start, end)
        return _lines(text, start, comma + 1)
    if index:
        before = _comma(text, holder.parts[index - 1], start)
        if before is not None:
            if not text[before + 1 : start].strip() and not _LINE.search(text, before, start):
                return text[:before] + text[end:]
            return _lines(text[:before] + text[before + 1 :], start - 1, end - 1)
    return _lines(text, start, end)


def _lines(text: str, start: int, end: int) -> str:
    """The text without a stretch; whole lines go where nothing else stands on them, else the spaces behind it."""
    lead = text[:start].rstrip(" \t")
    trail = len(text) - len(text[end:].lstrip(" \t"))
    if lead.endswith(("\n", "\r")) and text[trail : trail + 1] in {"\n", "\r"}:
        stop = lead[:-2] if lead.endswith("\r\n") else lead[:-1]
        return stop + text[trail:]
    return text[:start] + text[trail if text[trail : trail + 1] not in {"}", "]"} else end :]


def _own_indent(text: str, place: int) -> str | None:
    """The spaces before a place when nothing else stands before it on its line; None when something does."""
    before = text[:place]
    stop = max(before.rfind("\n"), before.rfind("\r")) + 1
    space = before[stop:]
    return space if stop and not space.strip(" \t") else None


def _line_indent(text: str, place: int) -> str:
    """The spaces that the line of a place begins with."""
    before = text[:place]
    line = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def plain(text: str) -> Value:
    """The value of a document; an empty one is an empty object."""
    return parse(text).value if text.strip() else {}
