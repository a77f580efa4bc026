"""A copy of a brain without some of its surfaces: the pages, the notes, the summaries; what stays is as it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.git import Git
from brain.sync.publish import publish
from brain.tree.files import FolderTree
from brain.tree.layout import FileClass, classify

UNDER = {"wiki": "knowledge/", "notes": "notes/", "summaries": "sessions/summaries/"}
INDEX = ".brain/index/search"


def without(root: Path, off: Sequence[str], to: Path, now: datetime) -> Path:
    """A brain in `to` that is the one at `root` without the surfaces `off`; made once, its search index not copied.

    What is off is gone from the folder, from main and so from every search: the map and the log of the wiki with it.
    """
    whole = to.with_suffix(".whole")
    if whole.exists():
        return to
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(root, to, symlinks=True, ignore=_index_of(root))
    config = Config.load(to)
    gone: dict[str, str | bytes | None] = dict.fromkeys(_paths(FolderTree(to), off))
    with Git(to) as git:
        if gone:
            publish(git, gone, kind="fix", subject=f"leave out {', '.join(off)}", now=now, config=config)
    for path in _paths(FolderTree(to), off):  # the map and the log that publishing made anew, of nothing
        (to / path).unlink()
    whole.touch()
    return to


def _paths(tree: FolderTree, off: Sequence[str]) -> Iterator[str]:
    for surface in off:
        yield from (path for path in tree.paths(UNDER[surface]) if classify(path) is not FileClass.STATE)


def _index_of(root: Path) -> Callable[[str, list[str]], list[str]]:
    def ignored(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if (Path(folder) / name).relative_to(root).as_posix() == INDEX]

    return ignored
