"""Evidence that is no turn: records of outside sources that a line of a page cites, as they were read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from brain.errors import FormatError, NotFound
from brain.explore.answer import Citation
from brain.tree import layout, page, snapshot
from brain.tree.files import FolderTree
from brain.tree.uri import ConnectorUri, parse


def outside(root: Path, path: str, line: int) -> Iterator[Citation]:
    """The records behind a line of a page: where they are from, when they were read, what they say."""
    tree = FolderTree(root)
    if layout.page_id(path) is None:
        return
    try:
        found = page.parse(tree.read(path), path)
    except (FormatError, NotFound):
        return
    for claim in found.claims:
        for uri in found.uris(claim) if claim.line <= line <= claim.end else ():
            try:
                source = parse(uri)
                if isinstance(source, ConnectorUri):
                    text = snapshot.document(tree.read(layout.snapshot_path(source.name, source.sha)))
                    yield Citation(uri=uri, day=date.fromisoformat(source.at[:10]), speaker=source.name, text=text)
            except (FormatError, NotFound):
                continue
