"""Source URIs (format §5.3): sessions, files and connector snapshots, parsed from and written in canonical form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from brain.errors import FormatError
from brain.tree.ids import SESSION, parse_time, turns_text

MAX_RANGES = 5
MAX_TURNS = 40
_RANGE = re.compile(r"t([1-9]\d{0,8})(?:-t([1-9]\d{0,8}))?")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_ANCHOR = re.compile(r"L[1-9]\d*(?:-L[1-9]\d*)?|page=[1-9]\d*|sha256=[0-9a-f]{64}")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SessionUri:
    """Turns of a session; no ranges = all of it. Ranges are kept sorted and merged."""

    session: str
    ranges: tuple[Range, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranges", merge_ranges(self.ranges))

    def __str__(self) -> str:
        tail = ",".join(turns_text(a, b) for a, b in self.ranges)
        return f"session://{self.session}#{tail}" if tail else f"session://{self.session}"

    def turns(self) -> list[int]:
        """The turn numbers, ascending."""
        return [n for a, b in self.ranges for n in range(a, b + 1)]


@dataclass(frozen=True, slots=True)
class FileUri:
    """A file under a named root; `anchor` is `L3-L9`, `page=2` or `sha256=…`."""

    root: str
    path: str
    anchor: str | None = None

    def __str__(self) -> str:
        tail = f"#{self.anchor}" if self.anchor else ""
        return f"file://{self.root}/{_encode(self.path, '/')}{tail}"


@dataclass(frozen=True, slots=True)
class ConnectorUri:
    """A pinned snapshot of a read-only source. `query` holds the other keys (`id`, `q`, …), sorted."""

    name: str
    at: str
    sha: str
    query: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "query", tuple(sorted(self.query)))

    def __str__(self) -> str:
        pairs = sorted([*self.query, ("at", self.at), ("sha", self.sha)])
        return f"connector://{self.name}?" + "&".join(f"{k}={_encode(v, ':')}" for k, v in pairs)


SourceUri = SessionUri | FileUri | ConnectorUri


def turns_uri(session: str, first: int, last: int | None = None) -> SessionUri:
    """The URI of a range of turns, both ends included."""
    return SessionUri(session, ((first, last or first),))


def merge_ranges(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Sorted, overlapping and touching ranges joined."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def parse(uri: str, resolve: Callable[[str], str | None] | None = None) -> SourceUri:
    """Read a source URI in any accepted form; `str()` of the result is the canonical one.

    `resolve` turns the first 8 hex digits of a session id into the whole id (the authoring form); without it a
    shortened id is an error. Raises FormatError.
    """
    scheme, sep, rest = uri.strip().partition("://")
    if not sep:
        raise FormatError(f"not a source URI: {uri!r}; write session://<id>#t3-t5, file://… or connector://…")
    match scheme.lower():
        case "session":
            return _session(rest, uri, resolve)
        case "pplx" if rest.startswith("sessions/"):
            return _session(rest.removeprefix("sessions/"), uri, resolve)
        case "file":
            return _file(rest, uri)
        case "connector":
            return _connector(rest, uri)
    raise FormatError(f"scheme {scheme!r} is not a source: {uri!r}; use session, file or connector")


def canonical(uri: str, resolve: Callable[[str], str | None] | None = None) -> str:
    """The canonical form of a URI. Raises FormatError."""
    return str(parse(uri, resolve))


def _session(rest: str, uri: str, resolve: Callable[[str], str | None] | None) -> SessionUri:
    name, _, tail = rest.partition("#")
    name = name.lower()
    if not SESSION.fullmatch(name):
        whole = resolve(name) if resolve and re.fullmatch(r"[0-9a-f]{8,}[0-9a-f-]*", name) else None
        if whole is None:
            raise FormatError(f"no session {name!r} in {uri!r}")
        name = whole
    ranges: list[Range] = []
    for part in tail.split(",") if tail else ():
        match = _RANGE.fullmatch(part.strip())
        if not match:
            raise FormatError(f"not a turn range: {part!r} in {uri!r}; write t3 or t3-t5")
        first = int(match.group(1))
        last = int(match.group(2) or first)
        if last < first:
            raise FormatError(f"turn range {part!r} runs backwards in {uri!r}")
        ranges.append((first, last))
    found = SessionUri(name, tuple(ranges))
    if len(found.ranges) > MAX_RANGES or any(b - a >= MAX_TURNS for a, b in found.ranges):
        raise FormatError(f"more than {MAX_RANGES} ranges or {MAX_TURNS} turns a range in {uri!r}")
    return found


def _file(rest: str, uri: str) -> FileUri:
    place, _, anchor = rest.partition("#")
    root, sep, path = place.partition("/")
    if not sep or not path or not _NAME.fullmatch(root):
        raise FormatError(f"not a file URI: {uri!r}; write file://<root>/<path>")
    path = _decode(path, uri)
    if any(part in {"", ".", ".."} for part in path.split("/")) or "\\" in path:
        raise FormatError(f"path leaves its root or is not normal: {uri!r}")
    if anchor and not _ANCHOR.fullmatch(anchor):
        raise FormatError(f"anchor {anchor!r} in {uri!r}; write #L3-L9, #page=2 or #sha256=<hex>")
    return FileUri(root, path, anchor or None)


def _connector(rest: str, uri: str) -> ConnectorUri:
    name, _, query = rest.partition("?")
    if not _NAME.fullmatch(name):
        raise FormatError(f"not a connector name: {name!r} in {uri!r}")
    pairs: dict[str, str] = {}
    for part in query.split("&") if query else ():
        key, sep, value = part.partition("=")
        if not sep or not _KEY.fullmatch(key) or key in pairs:
            raise FormatError(f"query part {part!r} in {uri!r}")
        pairs[key] = _decode(value, uri)
    at, sha = pairs.pop("at", None), pairs.pop("sha", None)
    if at is None or sha is None or not re.fullmatch(r"[0-9a-f]{16}", sha):
        raise FormatError(f"a connector URI needs at=<time> and sha=<16 hex>: {uri!r}")
    parse_time(at)
    return ConnectorUri(name, at, sha, tuple(pairs.items()))


def _encode(s: str, safe: str) -> str:
    return quote(s, safe=safe + "-._~")


def _decode(s: str, uri: str) -> str:
    if _BAD_ESCAPE.search(s):
        raise FormatError(f"broken percent-encoding in {uri!r}")
    try:
        text = unquote(s, errors="strict")
    except UnicodeDecodeError as error:
        raise FormatError(f"percent-encoding is not UTF-8 in {uri!r}") from error
    if any(ord(ch) < 32 or ord(ch) == 127 for ch in text):
        raise FormatError(f"control character in {uri!r}")
    return text
