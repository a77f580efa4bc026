"""`brain index` prints the compact index of the wiki; `brain reindex` rebuilds the search index."""

from __future__ import annotations

from brain.cli.output import emit, progress
from brain.cli.place import Json, Memory, open_brain


def index(memory: Memory = None, as_json: Json = False) -> None:
    """Print the compact index: the block for an agent's first message.

    Example: brain index | head -20
    """
    text = open_brain(memory).index()
    if as_json:
        emit({"index": text})
    else:
        print(text, end="")


def reindex(memory: Memory = None, as_json: Json = False) -> None:
    """Throw the search index away and build it anew from the files; results are the same.

    Example: brain reindex
    """
    brain = open_brain(memory)
    with progress("reindex") as show:
        report = brain.reindex(progress=show)
    if as_json:
        emit(report)
        return
    for line in report.lines():
        print(line)
