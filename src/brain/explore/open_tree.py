"""Memory as agents may see it: what is restricted is not there, and nothing tells it from what never was.

The owner asks for restricted pages by name (`brain show`); what an agent is given stands in this tree. What makes its
answers equal to those about a name that does not exist is that every look goes through the same three methods.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Set
from pathlib import Path

from brain.errors import FormatError, NotFound
from brain.tree import layout
from brain.tree.files import FolderTree, raw
from brain.tree.layout import FileClass, classify
from brain.tree.sessions import SessionRow, parse_row

_SEALED = re.compile(rb"\A---\n(?:(?!---\n).*\n)*?sensitivity:[ \t]*[\"']?restricted\b")
_DEFINED = re.compile(rb"\[cite:(\d+)\]:")
_CITE = re.compile(rb"\[cite:(\d+)\]")
_UNIT = re.compile(rb"(?:(?!\[cite:).)*(?:\[cite:\d+\][ \t.]*)+\n?|.+\n?", re.DOTALL)
_HEAD = 4096  # bytes of a file in which its frontmatter says how sensitive it is
_NEVER = frozenset({FileClass.OTHER, FileClass.STATE, FileClass.CONTROL})
_JUDGED = frozenset({FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY})


class OpenTree(FolderTree):
    """The published files of a folder that agents may read, without what names a restricted session or cites one.

    Of `.brain/` there are only the standing instructions; files that are none of the format's are not there either.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._place = str(root)
        self._known: tuple[int, int] | None = None
        self._sealed: tuple[SessionRow, ...] = ()

    def paths(self, under: str = "") -> Iterator[str]:
        return (path for path in super().paths(under) if not self.hides(path))

    def read_bytes(self, path: str) -> bytes:
        kind = classify(path)
        if self._apart(path, kind):
            raise NotFound(f"no file {path!r}")
        data = super().read_bytes(path)
        if kind in _JUDGED and _restricted(data[:_HEAD]):
            raise NotFound(f"no file {path!r}")
        return b"".join(self._shown(data))

    def __contains__(self, path: object) -> bool:
        return super().__contains__(path) and isinstance(path, str) and not self.hides(path)

    def hides(self, path: str) -> bool:
        """Whether a file is kept from agents, whether it exists or not."""
        kind = classify(path)
        return self._apart(path, kind) or (kind in _JUDGED and _restricted(raw(f"{self._place}/{path}", _HEAD)))

    def hides_line(self, path: str, line: int) -> bool:
        """Whether something in that line of a file rests on a restricted session."""
        if not self.sealed or not super().__contains__(path):
            return False
        data = super().read_bytes(path)
        return [*data.splitlines(keepends=True), b""][line - 1 :][:1] != [*self._shown(data), b""][line - 1 :][:1]

    def linked(self, path: str) -> bool:
        """Whether a path goes through a link, which is never followed."""
        return self._leaves(path)

    def hides_session(self, session: str) -> bool:
        return any(row.id == session for row in self.sealed)

    @property
    def sealed(self) -> tuple[SessionRow, ...]:
        """The rows of restricted sessions, read anew when the session index was written."""
        try:
            now = os.stat(f"{self._place}/{layout.SESSION_INDEX}")  # noqa: PTH116  # asked for each file that is read
            if (now.st_mtime_ns, now.st_size) != self._known:
                data = raw(f"{self._place}/{layout.SESSION_INDEX}")
                lines = data.split(b"\n") if b'"restricted"' in data else []
                self._sealed = tuple(filter(None, map(_sealed_row, lines)))
                self._known = (now.st_mtime_ns, now.st_size)
        except OSError:
            return ()
        return self._sealed

    def _shown(self, data: bytes) -> list[bytes]:
        """The lines of a file without what names a restricted session, or cites one; empty where nothing is left."""
        lines = data.splitlines(keepends=True)
        marks = [mark.encode() for row in self.sealed for mark in (row.id, row.transcript, row.summary) if mark]
        if not any(mark in data for mark in marks):
            return lines
        named = [any(mark in line for mark in marks) for line in lines]
        cites = {
            found[1]
            for line, is_named in zip(lines, named, strict=True)
            if is_named and (found := _DEFINED.match(line))
        }
        return [b"" if is_named else _without(line, cites) for line, is_named in zip(lines, named, strict=True)]

    def _apart(self, path: str, kind: FileClass) -> bool:
        """Whether the path alone says that a file is not for agents."""
        if kind in _NEVER:
            return path != layout.INSTRUCTIONS
        return any(path in (row.transcript, row.summary) or f"/{row.id}/" in path for row in self.sealed)


def _without(line: bytes, cites: Set[bytes]) -> bytes:
    """A line without the claims that cite one of these numbers: words up to the end of a run of cites."""
    if not any(number in cites for number in _CITE.findall(line)):
        return line
    kept = b"".join(unit for unit in _UNIT.findall(line) if not cites & set(_CITE.findall(unit)))
    return kept if kept.strip() else b""


def _restricted(head: bytes) -> bool:
    return b"restricted" in head and _SEALED.match(head.replace(b"\r\n", b"\n")) is not None


def _sealed_row(line: bytes) -> SessionRow | None:
    if b'"restricted"' not in line:
        return None
    try:
        row = parse_row(line.decode("utf-8", "replace"))
    except FormatError:
        return None
    return row if row.sensitivity == "restricted" else None
