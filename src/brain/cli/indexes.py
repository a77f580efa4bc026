"""`brain index` prints the compact index of the wiki; `brain reindex` rebuilds the search index."""

from __future__ import annotations

from brain.cli.output import emit, progress
from brain.cli.place import Json, Memory, open_brain


def index(memory: Memory = None, as_json: Json = False) -> None:
    """Print the compact index, for an agent's first message.

    Example: brain index | head -20
    """
    text = open_brain(memory).index()
    if as_json:
        emit({"index": text})
    else:
        print(text, end="")


def reindex(memory: Memory = None, as_json: Json = False) -> None:
    """Build the search index anew from the files; same results.

    Example: brain reindex
    """
    from brain import lines

    brain = open_brain(memory)
    with progress("reindex") as show:
        update, status = brain.reindex(progress=show)
    if as_json:
        emit({"update": update, "status": status})
        return
    for line in lines.of_reindex(update, status):
        print(line)
