"""Citation numbers when two sides of a page meet: a number names one source for ever, so incoming ones are rebased.

Both sides took fresh numbers from the same `next_cite`; merging their texts as they are would let one number stand for
two sources, silently (format §16, D7).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

DEFINITION = re.compile(r'\[cite:([1-9][0-9]{0,3})\]:[ \t]*(\S+)(?:[ \t]+"(.*)")?[ \t]*')
_MARKER = re.compile(r"\[cite:([1-9][0-9]{0,3})\]")
_TWICE = re.compile(r"(\[cite:([1-9][0-9]{0,3})\])(?: \[cite:\2\])+")
_CODE = re.compile(r"(`+)(?:.+?)\1")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_SESSION = re.compile(r"session://([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebased:
    """How the incoming numbers are to be read: old → new, the sources of the merged page, and the next free number."""

    numbers: Mapping[int, int]
    lines: Mapping[int, str]
    next_cite: int


def definitions(lines: list[str]) -> dict[int, str]:
    """Number → definition line of a References section; the first one wins where a number stands twice."""
    found: dict[int, str] = {}
    for line in lines:
        if match := DEFINITION.fullmatch(line):
            found.setdefault(int(match[1]), line)
    return found


def rebase(base: Mapping[int, str], main: Mapping[int, str], incoming: Mapping[int, str], next_cite: int) -> Rebased:
    """Fit the incoming definitions to main's, given the definition lines of each side by number.

    A source main already has collapses to main's number, one that is new gets a fresh number from main's `next_cite`;
    a range widened or narrowed on the incoming side alone keeps its number.
    """
    lines = dict(main)
    by_uri = {_uri(line): number for number, line in main.items()}
    numbers: dict[int, int] = {}
    free = max([next_cite, *(n + 1 for n in (*main, *base))])
    for number in sorted(incoming):
        line = incoming[number]
        old, here = base.get(number), main.get(number)
        untouched = old is not None and here in (old, None)
        if old is not None and _uri(old) == _uri(line):
            numbers[number] = number
            lines.setdefault(number, line)
            if here == old:
                lines[number] = line
        elif _uri(line) in by_uri:
            numbers[number] = by_uri[_uri(line)]
        elif old is not None and untouched and _source(old) == _source(line):
            numbers[number] = number
            lines[number] = line
        else:
            numbers[number] = free
            lines[free] = _MARKER.sub(f"[cite:{free}]", line, count=1)
            by_uri[_uri(line)] = free
            free += 1
    return Rebased(numbers=numbers, lines=lines, next_cite=free)


def renumber(lines: list[str], numbers: Mapping[int, int]) -> list[str]:
    """Text with its markers renumbered, all at once; what stands in code is not a marker."""
    if all(old == new for old, new in numbers.items()):
        return lines
    out: list[str] = []
    fence = ""
    for line in lines:
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            out.append(line)
        elif opening:
            fence = opening[1]
            out.append(line)
        else:
            out.append(_outside_code(line, numbers))
    return out


def used(lines: list[str]) -> set[int]:
    """Numbers of all markers in some lines."""
    return {int(number) for line in lines for number in _MARKER.findall(line)}


def sessions(text: str) -> list[str]:
    """Ids of the sessions a text names as sources, sorted."""
    return sorted(set(_SESSION.findall(text)))


def _outside_code(line: str, numbers: Mapping[int, int]) -> str:
    def moved(text: str) -> str:
        new = _MARKER.sub(lambda m: f"[cite:{numbers.get(int(m[1]), int(m[1]))}]", text)
        return new if new == text else _TWICE.sub(r"\1", new)

    parts: list[str] = []
    position = 0
    for code in _CODE.finditer(line):
        parts += [moved(line[position : code.start()]), code[0]]
        position = code.end()
    return "".join([*parts, moved(line[position:])])


def _uri(line: str) -> str:
    match = DEFINITION.fullmatch(line)
    return match[2] if match else line


def _source(line: str) -> str:
    return _uri(line).partition("#")[0]
