"""What the memory tool writes in an open run: files of the run's proposed tree, and what its check says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from brain.errors import BrainError, UsageError
from brain.git import Git
from brain.sync.staging import WRITABLE, Staging
from brain.tools.places import shown
from brain.tree.files import OverlayTree, Tree
from brain.tree.layout import classify

if TYPE_CHECKING:
    from brain.brain import Brain

REASON = "by an agent's memory tool"
MOST = 12
"""Problems that one answer names."""


class Proposal:
    """The open run named `run`. Nothing of it is memory until the run is closed."""

    def __init__(self, brain: Brain, run: str, *, dry_run: bool = False) -> None:
        self._brain = brain
        self._dry = dry_run
        self._run = run

    def over(self, tree: Tree) -> Tree:
        """A tree with what the run proposes on top."""
        with self._staging() as staging:
            return OverlayTree(tree, staging.changes())

    def write(self, path: str, text: str) -> str:
        """Propose a file. Raises UsageError for one that runs do not write."""
        _writable(path)
        if self._dry:
            return ""
        with self._staging() as staging:
            staging.write(path, text if text.endswith("\n") else f"{text}\n", reason=REASON)
            staging.save()
        return self._checked([path])

    def delete(self, paths: Iterable[str]) -> str:
        wanted = [_writable(path) for path in paths]
        if self._dry:
            return ""
        with self._staging() as staging:
            for path in wanted:
                staging.delete(path, reason=REASON)
            staging.save()
        return self._checked(wanted)

    def rename(self, moves: Mapping[str, str]) -> str:
        for path in (*moves, *moves.values()):
            _writable(path)
        if self._dry:
            return ""
        with self._staging() as staging:
            for old, new in moves.items():
                staging.write(new, staging.read(old), reason=REASON)
                staging.delete(old, reason=REASON)
            staging.save()
        return self._checked([*moves, *moves.values()])

    def _checked(self, paths: Iterable[str]) -> str:
        """What the run's check says of these files, in the words of `brain dream check`."""
        wanted = set(paths)
        try:
            lines = self._brain.runs.check(self._run).lines()
        except BrainError as error:
            return f"\n(proposed in run {self._run}; it could not be checked: {error.message})"
        found = [line for line in lines if any(path in line for path in wanted)]
        more = f"\n… {len(found) - MOST} more: brain dream check" if len(found) > MOST else ""
        told = "".join(f"\n- {line}" for line in found[:MOST])
        left = f"; its check says:{told}{more}" if told else ""
        return f"\n(proposed in run {self._run}, which is no memory before it is closed{left})"

    @contextmanager
    def _staging(self) -> Iterator[Staging]:
        with Git(self._brain.root) as git:
            yield Staging.find(git, self._run)


def _writable(path: str) -> str:
    if classify(path) not in WRITABLE:
        raise UsageError(
            f"{shown(path)} cannot be written: a run writes pages, notes and summaries",
            hint="/memories/knowledge/entities/NAME.md, projects, concepts or learnings; /memories/notes/facts/NAME.md",
        )
    return path
