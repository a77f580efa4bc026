"""Our entries in somebody's settings: looking for them, putting them in, taking them out; the rest provably stays."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from brain.errors import FormatError
from brain.hosts import json_edit, toml_edit
from brain.hosts.host import NAME, Entry, Format, group_is_ours, hook_is_ours, server_is_ours
from brain.hosts.json_spans import parse

Path: TypeAlias = tuple[str | int, ...]
CHOICES = {"enabled", "timeout"}
"""What a user may have set otherwise in an entry of ours; it is not set back."""


class State(StrEnum):
    ABSENT = "absent"
    SAME = "same"
    OTHER = "other"  # ours, but not as it would be written now
    FOREIGN = "foreign"  # something else of that name


def values(text: str, format: Format) -> object:
    """What a settings file says. Raises FormatError."""
    found = toml_edit.plain(text) if format is Format.TOML else json_edit.plain(text)
    if not isinstance(found, dict):
        raise FormatError("it is no object")
    return found


def state(settings: object, entry: Entry, host: str) -> State:
    """How an entry stands in settings. Raises FormatError when something on its way has another form."""
    if entry.kind == "item":
        found = handlers(settings, entry, host)
        if not found:
            return State.ABSENT
        wanted = _handler(entry)["command"]
        return State.SAME if len(found) == 1 and found[0][1].get("command") == wanted else State.OTHER
    there, value = _look(settings, entry.path)
    if not there:
        return State.ABSENT
    if entry.kind == "default":
        return State.SAME
    if not isinstance(value, dict) or (entry.path[-1] == NAME and not server_is_ours(value)):
        return State.FOREIGN
    wanted_value = entry.value if isinstance(entry.value, dict) else {}
    same = all(value.get(key) == wanted_value[key] for key in wanted_value if key not in CHOICES)
    return State.SAME if same else State.OTHER


def handlers(settings: object, entry: Entry, host: str) -> list[tuple[Path, dict[str, object]]]:
    """Our hooks in the list of an entry, each with its path. Raises FormatError when there is no list."""
    there, items = _look(settings, entry.path)
    if there and not isinstance(items, list):
        raise FormatError(f"{'.'.join(entry.path)} is no list")
    found: list[tuple[Path, dict[str, object]]] = []
    for n, item in enumerate(items if isinstance(items, list) else []):
        if hook_is_ours(item, host):
            found.append(((*entry.path, n), item))
        elif group_is_ours(item, host):
            found += [
                ((*entry.path, n, "hooks", m), hook) for m, hook in enumerate(item["hooks"]) if hook_is_ours(hook, host)
            ]
    return found


def put(text: str, entries: tuple[Entry, ...], host: str, format: Format) -> str:
    """The text with all entries as they should be. Raises FormatError when that cannot be done safely."""
    new = text
    for entry in entries:
        new = _put(new, entry, host, format)
    _prove(text, new, entries, host, format)
    after = values(new, format)
    if any(state(after, entry, host) is not State.SAME for entry in entries):
        raise FormatError("the entries would not be read as they are meant")
    return new


def take(text: str, entries: tuple[Entry, ...], made: list[Path], host: str, format: Format) -> str:
    """The text without our entries, and without what was made for them and is empty now. Raises FormatError."""
    new = text
    for entry in entries:
        new = _take(new, entry, host, format)
    if format is Format.JSON:
        for path in sorted(made, key=len, reverse=True):
            there, value = _look(values(new, format), path)
            if there and value in ({}, []):
                new = json_edit.cut(new, path)
    _prove(text, new, entries, host, format)
    after = values(new, format)
    if any(
        state(after, entry, host) not in {State.ABSENT, State.FOREIGN} for entry in entries if entry.kind != "default"
    ):
        raise FormatError("the entries cannot be taken out")
    return new


def made_for(settings: object, entries: tuple[Entry, ...]) -> list[Path]:
    """The objects and lists that putting the entries in would make."""
    made: list[Path] = []
    for entry in entries:
        stop = len(entry.path) + (1 if entry.kind == "item" else 0)
        made += [entry.path[:n] for n in range(1, stop) if not _look(settings, entry.path[:n])[0]]
    return sorted(set(made), key=lambda path: (len(path), path))


def _put(text: str, entry: Entry, host: str, format: Format) -> str:
    settings = values(text, format)
    found = state(settings, entry, host)
    if found is State.SAME:
        return text
    if found is State.FOREIGN:
        raise FormatError(f"{'.'.join(entry.path)} is there already and is not Brain's")
    if entry.kind == "item":
        if found is State.ABSENT:
            return json_edit.append(text, entry.path, entry.value)
        ours = handlers(settings, entry, host)
        for path, _ in reversed(ours[1:]):
            text = _cut_handler(text, path)
        wanted = _handler(entry)
        kept = {key: value for key, value in ours[0][1].items() if key in CHOICES}
        return json_edit.replace(text, ours[0][0], {**ours[0][1], **wanted, **kept})
    value = entry.value
    if isinstance(value, dict):
        there = _look(settings, entry.path)[1]
        old = there if isinstance(there, dict) else {}
        value = {**old, **value, **{key: old[key] for key in CHOICES & set(old)}}
        if format is Format.TOML:
            return toml_edit.put(text, entry.path, value)
    return json_edit.put(text, entry.path, value)


def _take(text: str, entry: Entry, host: str, format: Format) -> str:
    settings = values(text, format)
    if entry.kind == "item":
        for path, _ in reversed(handlers(settings, entry, host)):
            text = _cut_handler(text, path)
        return text
    if entry.kind == "default" or state(settings, entry, host) in {State.ABSENT, State.FOREIGN}:
        return text
    return toml_edit.cut(text, entry.path) if format is Format.TOML else json_edit.cut(text, entry.path)


def _cut_handler(text: str, path: Path) -> str:
    """Without one hook; with its group, when it is the only one there."""
    if len(path) > 2 and path[-2] == "hooks":
        node = json_edit.at(parse(text), path[:-1])
        if node is not None and len(node.parts) == 1:
            path = path[:-2]
    return json_edit.cut(text, path)


def _handler(entry: Entry) -> dict[str, object]:
    """The command of an entry, out of its group."""
    value = entry.value if isinstance(entry.value, dict) else {}
    inner = value.get("hooks")
    return inner[0] if isinstance(inner, list) else value


def _look(settings: object, path: Path) -> tuple[bool, object]:
    """Whether something is at a path, and what. Raises FormatError when the way there leads through no object."""
    value = settings
    for n, key in enumerate(path):
        if isinstance(value, list) and isinstance(key, int):
            value = value[key]
            continue
        if not isinstance(value, dict):
            raise FormatError(f"{'.'.join(map(str, path[:n]))} is no object")
        if key not in value:
            return False, None
        value = value[key]
    return True, value


def _prove(old: str, new: str, entries: tuple[Entry, ...], host: str, format: Format) -> None:
    """Nothing but our entries differs between two texts. Raises FormatError."""
    before, after = values(old, format), values(new, format)
    if toml_edit.canonical(_without(before, entries, host)) != toml_edit.canonical(_without(after, entries, host)):
        raise FormatError("other entries would change")


def _without(settings: object, entries: tuple[Entry, ...], host: str) -> object:
    """Settings without our entries, and without what is empty then on the way to them."""
    for entry in entries:
        settings = _less(settings, entry, entry.path, host)
    return settings


def _less(value: object, entry: Entry, path: tuple[str, ...], host: str) -> object:
    if not path:
        return _unhooked(value, host) if entry.kind == "item" else None
    if not isinstance(value, dict) or path[0] not in value:
        return value
    inner = value[path[0]]
    if len(path) == 1 and entry.kind != "item":
        ours = inner == entry.value if entry.kind == "default" else path[0] != NAME or server_is_ours(inner)
        left = None if ours else inner
    else:
        left = _less(inner, entry, path[1:], host)
    rest = {key: item for key, item in value.items() if key != path[0]}
    return rest if left is None or left in ({}, []) else {**rest, path[0]: left}


def _unhooked(items: object, host: str) -> object:
    if not isinstance(items, list):
        return items
    left = []
    for item in items:
        if hook_is_ours(item, host):
            continue
        if group_is_ours(item, host):
            hooks = [hook for hook in item["hooks"] if not hook_is_ours(hook, host)]
            if hooks:
                left.append({**item, "hooks": hooks})
        else:
            left.append(item)
    return left
