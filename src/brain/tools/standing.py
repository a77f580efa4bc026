"""How memory stands, for an agent: counts of what it may see, what is pending, who does what, what does not work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from brain.corpus.search.index import Status as IndexStatus
from brain.explore.open_tree import OpenTree

if TYPE_CHECKING:
    from brain.brain import Brain

NAMED = 8
"""Files that cannot be searched, of which an answer says why."""

_OWNERS = ("memory ", "search ")
"""Lines for the owner alone: where memory lies, and counts that restricted pages are part of."""


def standing(brain: Brain, tree: OpenTree) -> Iterator[str]:
    """One thing a line. Files that cannot be searched are named, so that nothing is missing in silence (T41)."""
    status = brain.status(tree)
    edits = tuple(path for path in status.pending.edits if not tree.hides(path))
    for line in replace(status, pending=replace(status.pending, edits=edits)).lines():
        if not line.startswith(_OWNERS):
            yield line
    yield f"search     {_search(status.search)}"
    unsearched = [(path, why) for path, why in status.search.problems if not tree.hides(path)]
    for path, why in unsearched[:NAMED]:
        yield f"unsearched {path}: {why}"
    if len(unsearched) > NAMED:
        yield f"unsearched {len(unsearched) - NAMED} files more: brain check names them"


def _search(search: IndexStatus) -> str:
    if not search.available:
        return f"by words, not by meaning: {search.embedder}"
    return "by words and by meaning" + (" (some texts are found by words only so far)" if search.pending else "")
