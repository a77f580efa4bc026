"""How the wiki grows: estimated tokens a session over the first and the second half of its history.

Read from main: each commit that changed pages is a point. A wiki that only adds grows as fast in the second half as in
the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from brain.errors import FormatError
from brain.git import MAIN, Git, GitTree
from brain.text import est_tokens
from brain.tree.layout import SESSION_INDEX, page_id
from brain.tree.sessions import SessionState, parse_rows

POINTS = 24
"""Commits looked at, spread over the history, the first and the last among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The wiki at one commit. `tokens` are those of its pages without their References."""

    sessions: int
    pages: int
    tokens: int


def points(root: Path) -> list[Point]:
    """From the first commit with pages to the last."""
    with Git(root) as git:
        if git.resolve(MAIN) is None:
            return []
        every = git.text("log", "--first-parent", "--reverse", "--format=%H", MAIN, "--", "knowledge").split()
        last = len(every) - 1
        chosen = (
            sorted({round(at * last / (POINTS - 1)) for at in range(POINTS)}) if last >= POINTS else range(last + 1)
        )
        found = [_point(git.tree(every[at])) for at in chosen]
    return [one for one in found if one.pages]


def _point(tree: GitTree) -> Point:
    texts = [tree.read(path) for path in tree.paths("knowledge/") if page_id(path)]
    try:
        rows = parse_rows(tree.read(SESSION_INDEX)) if SESSION_INDEX in tree else []
    except FormatError:
        rows = []
    return Point(
        sessions=sum(row.state is not SessionState.DELETED for row in rows),
        pages=len(texts),
        tokens=sum(est_tokens(text.partition("\n## References")[0]) for text in texts),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Tokens of the wiki, and how many came a session in each half of its sessions; None = too few points."""

    sessions: int
    tokens: int
    first_half: float | None = None
    second_half: float | None = None

    @property
    def a_session(self) -> float | None:
        return self.tokens / self.sessions if self.sessions else None


def growth(found: list[Point]) -> Growth:
    """
    >>> growth([Point(sessions=0, pages=1, tokens=0), Point(sessions=10, pages=3, tokens=900),
    ...         Point(sessions=20, pages=4, tokens=1200)])
    Growth(sessions=20, tokens=1200, first_half=90.0, second_half=30.0)
    """
    if not found:
        return Growth(sessions=0, tokens=0)
    last = found[-1]
    middle = min(found, key=lambda one: abs(2 * one.sessions - last.sessions))
    return Growth(
        sessions=last.sessions,
        tokens=last.tokens,
        first_half=middle.tokens / middle.sessions if middle.sessions else None,
        second_half=_slope(middle, last),
    )


def _slope(one: Point, other: Point) -> float | None:
    gone = other.sessions - one.sessions
    return (other.tokens - one.tokens) / gone if gone > 0 else None
