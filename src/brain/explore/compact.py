"""The compact index: the block that an agent gets in its first message."""

from __future__ import annotations

from pathlib import Path

from brain.config import Config
from brain.errors import FormatError
from brain.tree import index, layout, page
from brain.tree.files import FolderTree, Tree


def compact_index(root: Path, config: Config | None = None) -> str:
    """The index as published, or made from the pages when there is none yet."""
    tree = FolderTree(root)
    if layout.KNOWLEDGE_INDEX in tree:
        return tree.read(layout.KNOWLEDGE_INDEX)
    return index.compact_index(_pages(tree), config or Config())


def _pages(tree: Tree) -> list[page.Page]:
    found = []
    for path in tree.paths("knowledge/"):
        if layout.page_id(path):
            try:
                found.append(page.parse(tree.read(path), path))
            except FormatError:
                continue  # `brain check` names it; the index is of what reads
    return found
