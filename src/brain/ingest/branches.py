"""Which lines of a message tree belong to the branch that lived on, where rewinds and edits left others behind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One message line. `message` is the API's id of what it is a piece of; `calls` and `results` are tool-call ids."""

    line: int
    id: str
    parent: str | None
    speaks: bool = False  # an assistant's piece or a prompt, not a bare tool result
    message: str | None = None
    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def living(nodes: list[Node]) -> set[int]:
    """The lines to keep. In each tree the branch of the last node that speaks, and what hangs together with it:

    pieces of the same API message, and results of its calls (parallel calls make siblings that are no rewind). A node
    whose parent is missing (cut, pruned, in another file) begins a tree of its own, so a damaged line hides nothing.
    """
    by_id = {node.id: node for node in nodes}
    roots = _roots(nodes, by_id)
    last: dict[str, Node] = {}
    for node in nodes:
        if node.speaks or roots[node.id] not in last:
            last[roots[node.id]] = node
    kept: set[str] = set()
    for leaf in last.values():
        at: Node | None = leaf
        while at is not None and at.id not in kept:
            kept.add(at.id)
            at = by_id.get(at.parent) if at.parent else None
    messages = {node.message for node in nodes if node.id in kept and node.message}
    kept |= {node.id for node in nodes if node.message in messages}
    calls = {call for node in nodes if node.id in kept for call in node.calls}
    kept |= {node.id for node in nodes if any(result in calls for result in node.results)}
    asked = {call for node in nodes for call in node.calls}
    beside = {node.id for node in nodes if node.parent in kept and _only_hangs_on(node, asked)}
    return {node.line for node in nodes if node.id in kept or node.id in beside}


def _only_hangs_on(node: Node, asked: set[str]) -> bool:
    """Neither speech nor the result of a call that is known: a record, a queued prompt, a result without its call."""
    return not (node.speaks or node.message or any(result in asked for result in node.results))


def _roots(nodes: list[Node], by_id: dict[str, Node]) -> dict[str, str]:
    root: dict[str, str] = {}
    for node in nodes:
        path: list[str] = []
        at = node
        seen: set[str] = set()
        while at.id not in root and at.id not in seen:
            seen.add(at.id)
            path.append(at.id)
            parent = by_id.get(at.parent) if at.parent else None
            if parent is None:
                break
            at = parent
        top = root.get(at.id, at.id)
        for step in path:
            root[step] = top
    return root
