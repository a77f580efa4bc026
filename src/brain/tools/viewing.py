"""What the memory tool shows: folders two levels deep, and files with line numbers, in the words its models know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brain.agents.prompts import fenced
from brain.errors import UsageError
from brain.tools.places import shown
from brain.tree.files import Tree

LINE_WIDTH = 6
MOST_LINES = 999_999
MOST_TEXT = 60_000
"""Characters of one view; the rest is asked for by `view_range`."""

MOST_ENTRIES = 1_000
"""Files and folders of one listing."""

FOLDER = "4.0K"
"""What every folder is said to take: their sizes would tell of files that are not to be seen."""


def folder(tree: Tree, path: str, paths: Sequence[str]) -> str:
    """A listing of the files at `paths`, which all lie under `path`, two levels deep."""
    entries: dict[str, bool] = {}
    for name in paths:
        parts = name[len(path) :].lstrip("/").split("/")
        for depth in range(1, min(len(parts), 2) + 1):
            entries.setdefault("/".join(parts[:depth]), depth < len(parts))
    visible = [(name, is_folder) for name, is_folder in sorted(entries.items()) if not _hidden(name)]
    lines = [f"{FOLDER}\t{shown(path)}"]
    for name, is_folder in visible[:MOST_ENTRIES]:
        place = f"{path}/{name}" if path else name
        lines.append(f"{FOLDER}\t{shown(place)}/" if is_folder else f"{_size(tree, place)}\t{shown(place)}")
    if more := len(visible) - MOST_ENTRIES:
        lines += [f"… {more:,} more: view a folder further down, or a path you know"] if more > 0 else []
    head = f"Here're the files and directories up to 2 levels deep in {shown(path)}, excluding hidden items:"
    return "\n".join([head, *lines])


def file(text: str, path: str, wanted: object) -> str:
    """A file with line numbers, fenced as material; `wanted` are the first and last line, -1 for the end."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise UsageError(f"File {shown(path)} exceeds maximum line limit of 999,999 lines.")
    first, last = _range(wanted, len(lines))
    cut = list(_cut(lines[first - 1 : last], first))
    rest = last - first + 1 - len(cut)
    more = f"\n… lines {first + len(cut)} to {last} are left: view_range [{first + len(cut)}, {last}]" if rest else ""
    head = f"Here's the content of {shown(path)} with line numbers:"
    return f"{head}\n{fenced(shown(path), numbered(cut, first))}{more}"


def numbered(lines: Sequence[str], first: int = 1) -> str:
    return "\n".join(f"{number:>{LINE_WIDTH}}\t{line}" for number, line in enumerate(lines, start=first))


def around(text: str, line: int) -> str:
    """The lines about a changed one."""
    lines = text.split("\n")
    first = max(1, line - 2)
    return numbered(lines[first - 1 : line + 2], first)


def _cut(lines: Sequence[str], first: int) -> Iterator[str]:
    free = MOST_TEXT
    for number, line in enumerate(lines):
        free -= len(line) + LINE_WIDTH + 2
        if free < 0 and number:
            return
        yield line if len(line) <= MOST_TEXT else f"{line[:MOST_TEXT]}… {len(line) - MOST_TEXT:,} characters more"


def _range(wanted: object, count: int) -> tuple[int, int]:
    if wanted is None or wanted == []:
        return 1, count
    fits = isinstance(wanted, list | tuple) and len(wanted) == 2 and all(type(number) is int for number in wanted)
    if not fits or not isinstance(wanted, list | tuple):
        raise UsageError(f"Invalid `view_range` parameter: {wanted}. It is two line numbers, such as [1, 40].")
    first, last = max(1, wanted[0]), count if wanted[1] == -1 else min(wanted[1], count)
    if first > last:
        raise UsageError(f"Invalid `view_range` parameter: {list(wanted)}. The file has {count} lines.")
    return first, last


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _size(tree: Tree, path: str) -> str:
    size: float = len(tree.read(path).encode("utf-8"))
    if size < 1024:
        return f"{int(size)}B"
    for unit in "KMG":
        size /= 1024
        if size < 1024 or unit == "G":
            break
    return f"{size:.1f}{unit}"
