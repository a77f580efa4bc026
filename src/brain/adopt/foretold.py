"""What the rules would leave of proposed pages, found out without writing anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brain.dream.repair import ROUNDS, page_without
from brain.dream.ruling import Rules
from brain.sync.publish import new_problems
from brain.tree import layout
from brain.tree.files import OverlayTree, Tree
from brain.types import Problem, Severity


def left_of(proposed: Mapping[str, str], base: Tree, rules: Rules, problems: Iterable[Problem]) -> dict[str, str]:
    """The files that publishing leaves of `proposed` (by path) once the claims that break a rule are gone.

    `problems` are those of all that is proposed; what goes may make others, so it is looked again, as repair does.
    """
    left = dict(proposed)
    for _ in range(ROUNDS):
        broken: dict[str, list[Problem]] = {}
        for one in problems:
            if one.severity is Severity.E and layout.page_id(one.path) and one.path in left:
                broken.setdefault(one.path, []).append(one)
        if not broken:
            break
        there = OverlayTree(base, left)
        for path, found in broken.items():
            mended = page_without(left[path], path, found, there)
            if mended is None or mended == left[path]:
                del left[path]
            else:
                left[path] = mended
        problems = new_problems(rules, base, {path: text.encode() for path, text in left.items()})
    return left
