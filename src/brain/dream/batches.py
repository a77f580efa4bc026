"""A history larger than what an engine takes in at once: run after run, each with its own check and its own commit.

So there is nothing to resume by hand. What a batch published stands, with the marks of its sessions; a run that was
killed leaves its sessions pending, and the next one begins with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from pathlib import Path

from brain.dream.orient import Orientation, Work
from brain.dream.result import DreamResult
from brain.types import Spent

_COUNTED = tuple(field.name for field in fields(Spent))


def batches(found: Orientation, root: Path, tokens: int) -> list[frozenset[str]]:
    """The sessions that have work, oldest first, in groups whose new turns fit in `tokens`; a larger one is alone."""
    groups: list[list[str]] = []
    free = 0
    for work in found.work:
        need = _tokens(work, root)
        if not groups or need > free:
            groups.append([])
            free = tokens
        groups[-1].append(work.row.id)
        free -= need
    return [frozenset(group) for group in groups]


def joined(results: Iterable[DreamResult]) -> DreamResult:
    """What several runs did, told as one: the last run's id and commit, everything else together."""
    made, *more = results
    for one in more:
        made = replace(
            made,
            run_id=one.run_id or made.run_id,
            applied=made.applied or one.applied,
            noop=made.noop and one.noop,
            commit=one.commit or made.commit,
            sessions=made.sessions + one.sessions,
            turns=made.turns + one.turns,
            created=_together(made.created, one.created),
            updated=tuple(page for page in _together(made.updated, one.updated) if page not in made.created),
            added=made.added + one.added,
            retired=made.retired + one.retired,
            dropped=_sum(made.dropped, one.dropped),
            failed=made.failed | one.failed,
            problems=made.problems + one.problems,
            left_for_later=made.left_for_later + one.left_for_later,
            stopped=one.stopped or made.stopped,
            spent=_spent(made.spent, one.spent),
        )
    return made


def _tokens(work: Work, root: Path) -> int:
    """An estimate of what the new turns of a session take, from the size of its file."""
    row = work.row
    place = root / (row.transcript or "")
    if not row.turns or not place.is_file():
        return 0
    return place.stat().st_size * 2 * (row.turns - work.attach_from + 1) // (7 * row.turns)


def _together(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _sum(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {reason: one.get(reason, 0) + other.get(reason, 0) for reason in (*one, *other)}


def since(spent: Callable[[], Spent]) -> Callable[[], Spent]:
    """What is spent from here on."""
    before = spent()

    def taken() -> Spent:
        now = spent()
        return replace(now, **{name: getattr(now, name) - getattr(before, name) for name in _COUNTED})

    return taken


def _spent(one: Spent | None, other: Spent | None) -> Spent | None:
    if one is None or other is None:
        return one or other
    return replace(one, **{name: getattr(one, name) + getattr(other, name) for name in _COUNTED})
