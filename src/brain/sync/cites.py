"""Citation numbers when two sides of a page meet: a number names one source for ever, so incoming ones are rebased.

Both sides took fresh numbers from the same `next_cite`; merging their texts as they are would let one number stand for
two sources, silently (format §16, D7).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from brain.tree.page import Reference

_MARKER = re.compile(r"\[cite:([1-9][0-9]{0,3})\]")
_SESSION = re.compile(r"session://([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebased:
    """How the incoming numbers are to be read (old → new), the sources of both sides, and the next free number."""

    numbers: Mapping[int, int]
    references: Mapping[int, Reference]
    next_cite: int


def rebase(
    base: Mapping[int, Reference], main: Mapping[int, Reference], incoming: Mapping[int, Reference], next_cite: int
) -> Rebased:
    """Fit the incoming sources to main's, given those of each side by number.

    A source main already has collapses to main's number, one that is new gets a fresh number from main's `next_cite`;
    a range widened or narrowed on the incoming side alone keeps its number.
    """
    references = dict(main)
    by_uri = {reference.uri: number for number, reference in main.items()}
    numbers: dict[int, int] = {}
    free = max([next_cite, *(n + 1 for n in (*main, *base))])
    for number in sorted(incoming):
        source, old, here = incoming[number], base.get(number), main.get(number)
        if old is not None and old.uri == source.uri:
            numbers[number] = number
            references.setdefault(number, source)
        elif source.uri in by_uri:
            numbers[number] = by_uri[source.uri]
        elif old is not None and _place(old) == _place(source) and (here is None or here.uri == old.uri):
            numbers[number] = number
            references[number] = source
        else:
            numbers[number] = by_uri[source.uri] = free
            references[free] = replace(source, number=free, line=0)
            free += 1
    return Rebased(numbers=numbers, references=references, next_cite=free)


def used(lines: list[str]) -> set[int]:
    """Numbers of all markers in some lines."""
    return {int(number) for line in lines for number in _MARKER.findall(line)}


def sessions(text: str) -> list[str]:
    """Ids of the sessions a text names as sources, sorted."""
    return sorted(set(_SESSION.findall(text)))


def _place(reference: Reference) -> str:
    return reference.uri.partition("#")[0]
