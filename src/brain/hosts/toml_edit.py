"""Surgery on somebody's TOML: one table goes in at the end or out again; each edit is proven by reading the result."""

from __future__ import annotations

import json
import re
import tomllib

from brain.errors import FormatError

_HEADER = re.compile(r"[ \t]*\[")


def plain(text: str) -> dict[str, object]:
    """The values of a document. Raises FormatError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise FormatError(str(error).partition(" (at")[0], line=int(line[1]) if line else 0) from error
    except RecursionError as error:
        raise FormatError("nested too deeply") from error


def put(text: str, path: tuple[str, ...], table: dict[str, object]) -> str:
    """The text with a table at its end, in place of the one of that name. Raises FormatError when it cannot be."""
    base = cut(text, path)
    newline = "\r\n" if "\r\n" in base else "\n"
    gap = "" if not base.strip() else newline if base.endswith(("\n", "\r")) else newline * 2
    new = base + gap + newline.join(render(path, table)) + newline
    try:
        values = plain(new)
    except FormatError as error:
        raise FormatError(f"a table {'.'.join(path)} cannot be added: {error.reason}") from error
    if canonical(values) != canonical(_with(plain(base), path, table)):
        raise FormatError(f"a table {'.'.join(path)} cannot be added without changing another one")
    return new


def cut(text: str, path: tuple[str, ...]) -> str:
    """The text without a table and its sub-tables. Raises FormatError when it is not a table of its own lines."""
    values = plain(text)
    if _at(values, path) is None:
        return text
    wanted = {canonical(_with(values, path, None, bare=bare)) for bare in (False, True)}
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    for first in (n for n, line in enumerate(lines) if _name(line) == path):  # one may be words of a longer string
        new = _without_lines(lines, first, path)
        try:
            if canonical(plain(new)) in wanted:
                return new
        except FormatError:
            continue
    raise FormatError(f"{'.'.join(path)} is written where it cannot be told from others")


def _without_lines(lines: list[str], first: int, path: tuple[str, ...]) -> str:
    """The lines without a table that begins at one of them."""
    stop = first + 1
    while stop < len(lines) and not (_HEADER.match(lines[stop]) and not _under(_name(lines[stop]), path)):
        stop += 1
    while stop > first + 1 and (not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#")):
        stop -= 1  # what stands before the next table is about that one
    start = first - 1 if first and not lines[first - 1].strip() and stop == len(lines) else first
    return "".join(lines[:start] + lines[stop:])


def render(path: tuple[str, ...], table: dict[str, object]) -> list[str]:
    """A table as lines: strings, numbers, truth values and lists of strings."""
    return [f"[{'.'.join(_key(part) for part in path)}]", *(f"{_key(k)} = {_value(v)}" for k, v in table.items())]


def _key(part: str) -> str:
    return part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else _value(part)


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def _name(line: str) -> tuple[str, ...] | None:
    """The name in a table's header line; None for other lines."""
    if not _HEADER.match(line) or line.lstrip().startswith("[["):
        return None
    try:
        values: object = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    path: list[str] = []
    while isinstance(values, dict) and values:
        key, values = next(iter(values.items()))
        path.append(key)
    return tuple(path)


def _under(name: tuple[str, ...] | None, path: tuple[str, ...]) -> bool:
    return name is not None and name[: len(path)] == path


def _at(values: object, path: tuple[str, ...]) -> object:
    for key in path:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def canonical(value: object) -> str:
    """A value as text, the order of names aside; what is not a number equals itself."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{canonical(item)}" for key, item in sorted(value.items())) + "}"
    return "[" + ",".join(map(canonical, value)) + "]" if isinstance(value, list) else repr(value)


def _with(
    values: dict[str, object], path: tuple[str, ...], table: dict[str, object] | None, *, bare: bool = False
) -> dict[str, object]:
    """The values as they should be: with the table, or without it; then with the parents it leaves empty, if `bare`."""
    key, rest = path[0], path[1:]
    new = dict(values)
    if rest:
        inner = values.get(key, {})
        new[key] = made = _with(inner if isinstance(inner, dict) else {}, rest, table, bare=bare)
        if not made and not bare:
            del new[key]
    elif table is None:
        new.pop(key, None)
    else:
        new[key] = table
    return new
