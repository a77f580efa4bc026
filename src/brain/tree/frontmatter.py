"""Frontmatter: a YAML subset of string scalars and lists of strings, never guessed into types, byte-stable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

from brain.errors import FormatError

Value = str | list[str]
Map = dict[str, Value]

KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_LINE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):(?: (.*))?")
_START = r"[^\s\-?:,\[\]{}#&*!|>'\"%@`=~<\x00-\x1f\x7f]"
_PLAIN = re.compile(rf"{_START}(?:[^\x00-\x1f\x7f]*[^\s:\x00-\x1f\x7f])?")
_IN_LIST = re.compile(rf"{_START}(?:[^,?\[\]{{}}:#\x00-\x1f\x7f]*[^\s,?\[\]{{}}:#\x00-\x1f\x7f])?")
_ODD_SPACE = re.compile(r"[^\S ]")
_CONTROL = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def parse(text: str, path: str = "") -> tuple[Map, str, int]:
    """Frontmatter, body and the number of the body's first line. Raises FormatError (path, line)."""
    if not text.startswith("---\n"):
        raise FormatError("no frontmatter: the first line must be ---", path=path, line=1)
    end = text.find("\n---\n", 3)
    if end < 0:
        if not text.endswith("\n---"):
            raise FormatError("frontmatter is not closed by a line ---", path=path, line=1)
        end = len(text) - 4
    block = text[4:end]  # empty, and end = 3, when the two markers touch
    body = text[end + 5 :]
    return parse_block(block, path), body, 3 + (block.count("\n") + 1 if end > 3 else 0)


def parse_block(block: str, path: str = "") -> Map:
    """The lines between the two markers."""
    found: Map = {}
    for number, line in enumerate(block.split("\n") if block else (), start=2):
        match = _LINE.fullmatch(line)
        if not match:
            return _parse_yaml(block, path)
        key, raw = match.group(1), match.group(2) or ""
        if _is_plain(raw):
            value: Value = raw
        elif raw.startswith("[") and raw.endswith("]"):
            items = raw[1:-1].split(", ") if len(raw) > 2 else []
            if not all(_IN_LIST.fullmatch(item) and not _ODD_SPACE.search(item) for item in items):
                return _parse_yaml(block, path)
            value = items
        else:
            return _parse_yaml(block, path)
        if key in found:
            raise FormatError(f"key {key!r} stands twice", path=path, line=number)
        found[key] = value
    return found


def render(values: Mapping[str, Value | Sequence[str]], order: Iterable[str] = ()) -> str:
    """The whole block with its markers; keys of `order` first, the others as they come."""
    keys = [key for key in order if key in values]
    keys += [key for key in values if key not in keys]
    return "---\n" + "".join(render_line(key, values[key]) + "\n" for key in keys) + "---\n"


def render_line(key: str, value: Value | Sequence[str]) -> str:
    """`key: value`, quoted only where YAML would read something else."""
    if not KEY.fullmatch(key):
        raise ValueError(f"not a frontmatter key: {key!r}")
    if not isinstance(value, str):
        return f"{key}: [{', '.join(_scalar(item, in_list=True) for item in value)}]"
    return f"{key}: {_scalar(value)}"


def _is_plain(s: str) -> bool:
    return (
        _PLAIN.fullmatch(s) is not None
        and ": " not in s
        and " #" not in s
        and not _ODD_SPACE.search(s)
        and not _CONTROL.search(s)
    )


def _scalar(s: str, in_list: bool = False) -> str:
    if _is_plain(s) and (not in_list or _IN_LIST.fullmatch(s)):
        return s
    return _CONTROL.sub(lambda m: f"\\u{ord(m.group()):04x}", json.dumps(s, ensure_ascii=False))


def _parse_yaml(block: str, path: str) -> Map:
    import yaml  # only for quoted, nested or broken frontmatter

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _Reader(yaml.parse(block, Loader=loader), path).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "not readable"
        raise FormatError(f"frontmatter: {reason}", path=path, line=mark.line + 2 if mark else 1) from error


class _Reader:
    """Walks YAML events and refuses all but one map of scalars and lists of scalars."""

    def __init__(self, events: Iterator[object], path: str) -> None:
        self.events = events
        self.path = path

    def document(self) -> Map:
        import yaml

        found: Map = {}
        for event in self.events:
            match event:
                case yaml.MappingStartEvent():
                    self._bare(event)
                    while not isinstance(key := next(self.events), yaml.MappingEndEvent):
                        name = self._text(key)
                        if name in found:
                            self._fail(f"key {name!r} stands twice", key)
                        if not KEY.fullmatch(name):
                            self._fail(f"not a key: {name!r}", key)
                        found[name] = self._value()
                case yaml.ScalarEvent() | yaml.SequenceStartEvent() | yaml.AliasEvent():
                    self._fail("frontmatter must be a map of keys", event)
                case yaml.DocumentEndEvent(explicit=True):
                    self._fail("frontmatter holds a document marker", event)
                case _:
                    pass
        return found

    def _value(self) -> Value:
        import yaml

        event = next(self.events)
        if not isinstance(event, yaml.SequenceStartEvent):
            return self._text(event)
        self._bare(event)
        items: list[str] = []
        while not isinstance(item := next(self.events), yaml.SequenceEndEvent):
            items.append(self._text(item))
        return items

    def _text(self, event: object) -> str:
        import yaml

        if not isinstance(event, yaml.ScalarEvent):
            self._fail("only text and lists of text are allowed, no aliases, no nesting", event)
        self._bare(event)
        return str(event.value)

    def _bare(self, event: object) -> None:
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            self._fail("anchors and tags are not allowed", event)

    def _fail(self, reason: str, event: object) -> NoReturn:
        mark = getattr(event, "start_mark", None)
        raise FormatError(reason, path=self.path, line=mark.line + 2 if mark else 1)
