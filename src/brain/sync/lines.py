"""Three-way merge of lines, one claim a line: neighbours never clash, only two changes of the same line do.

`git merge-file` joins neighbouring changes into one conflict; in a list of claims that would be most merges. Here every
base line is looked at by itself: a line changed on one side takes that side, lines added at one place are both kept,
main's first, and a line changed on both sides stays as main has it while the incoming text is handed back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_WORD = re.compile(r"\w+")
_ALIKE = 0.5  # share of common words from which a line is taken for a reworded one
_BLOCK = 4000  # pairs of lines compared for likeness at most; above, lines are paired in order


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """What both sides changed: the lines as they were, as main has them (kept), and as they came in."""

    base: tuple[str, ...]
    main: tuple[str, ...]
    incoming: tuple[str, ...]


def merge_lines(
    base: Sequence[str], main: Sequence[str], incoming: Sequence[str], *, incoming_wins: bool = False
) -> tuple[list[str], list[Clash]]:
    """Both sides' changes of `base`, and what clashed."""
    ours, theirs = _edits(base, main), _edits(base, incoming)
    merged: list[str] = []
    clashes: list[Clash] = []
    for at in range(len(base) + 1):
        merged += _both(ours.added.get(at, []), theirs.added.get(at, []))
        if at == len(base):
            break
        old = (base[at],)
        here, there = ours.changed.get(at, old), theirs.changed.get(at, old)
        if here != old and there not in (old, here):
            clashes.append(Clash(base=old, main=here, incoming=there))
        merged += there if here == old or (incoming_wins and there != old) else here
    return merged, clashes


def _both(ours: list[str], theirs: list[str]) -> list[str]:
    return ours + [line for line in theirs if line not in ours]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edits:
    """How a side differs: base line number → its replacement (empty: deleted); lines added before a base line."""

    changed: dict[int, tuple[str, ...]]
    added: dict[int, list[str]]


def _edits(base: Sequence[str], side: Sequence[str]) -> _Edits:
    edits = _Edits(changed={}, added={})
    for tag, b0, b1, s0, s1 in SequenceMatcher(None, base, side, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        position, taken = b0, s0
        for b, s in [*_pairs(base, side, b0, b1, s0, s1), (b1, s1)]:
            gap = min(b - position, s - taken)  # unlike lines between two pairs replace each other in order
            for step in range(gap):
                edits.changed[position + step] = (side[taken + step],)
            for gone in range(position + gap, b):
                edits.changed[gone] = ()
            if new := side[taken + gap : s]:
                edits.added.setdefault(position + gap if gap else b, []).extend(new)
            if b < b1:
                edits.changed[b] = (side[s],)
            position, taken = b + 1, s + 1
    return edits


def _pairs(base: Sequence[str], side: Sequence[str], b0: int, b1: int, s0: int, s1: int) -> list[tuple[int, int]]:
    """Base lines and the lines they were reworded to, in order: the alignment with the most likeness."""
    rows, columns = b1 - b0, s1 - s0
    if not rows or not columns or rows * columns > _BLOCK:
        return []
    old = [set(_WORD.findall(line.casefold())) for line in base[b0:b1]]
    new = [set(_WORD.findall(line.casefold())) for line in side[s0:s1]]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for r in reversed(range(rows)):
        for c in reversed(range(columns)):
            paired = _likeness(old[r], new[c])
            with_pair = paired + best[r + 1][c + 1] if paired >= _ALIKE else 0.0
            best[r][c] = max(with_pair, best[r + 1][c], best[r][c + 1])
    found: list[tuple[int, int]] = []
    r = c = 0
    while r < rows and c < columns:
        paired = _likeness(old[r], new[c])
        if paired >= _ALIKE and best[r][c] == paired + best[r + 1][c + 1]:
            found.append((b0 + r, s0 + c))
            r, c = r + 1, c + 1
        elif best[r][c] == best[r + 1][c]:
            r += 1
        else:
            c += 1
    return found


def _likeness(a: set[str], b: set[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
