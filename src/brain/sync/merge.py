"""Three-way merge of one file by its class (format §16.2): what Dream proposes meets what main became meanwhile.

A person's line, and main's line altogether, beats the incoming one on the same line; what lost is handed back as a
`Conflict`, never dropped in silence. No model is asked here: conflicts wait for the next run.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from brain.errors import FormatError
from brain.sync.conflict import Merged, conflict, from_clash, kept
from brain.sync.lines import merge_lines
from brain.sync.merge_head import count, merge_head, split_head
from brain.sync.merge_page import merge_page
from brain.tree.layout import DELETIONS, FileClass, classify
from brain.tree.sessions import parse_rows, render_rows

_SNIPPET = re.compile(r" \^(n[0-9a-z]{8})\s*$")


def merge(
    path: str,
    base: str | None,
    main: str | None,
    incoming: str | None,
    *,
    barred: bool = False,
    person: bool = False,
) -> Merged:
    """Merge one file; None is a file that does not exist.

    `barred`: a tombstone names this path, which beats all. `person`: the incoming side is a person's edit of the
    folder, so its lines win where both changed the same one.
    """
    if barred and main is None and incoming is not None:
        return kept(path, "a deletion bars this file", main, incoming)
    if incoming in (base, main):
        return Merged(text=main)
    if main == base:
        return Merged(text=incoming)
    if incoming is None:  # edit wins
        return kept(path, "deleted by the run, edited meanwhile", main, "")
    if main is None:
        return Merged(text=incoming, conflicts=(conflict(path, "deleted meanwhile, edited by the run", "", incoming),))
    by_class = _merge_log if path == DELETIONS else _BY_CLASS.get(classify(path), _merge_text)
    if base is None and by_class in (merge_page, _merge_text):
        return Merged(
            text=incoming if person else main, conflicts=(conflict(path, "created on both sides", main, incoming),)
        )
    try:
        return by_class(path, base or "", main, incoming, person)
    except FormatError as error:
        if person:
            return Merged(text=incoming, conflicts=(conflict(path, f"cannot be merged: {error}", main, incoming),))
        return kept(path, f"cannot be merged: {error}", main, incoming)


def _merge_text(path: str, base: str, main: str, incoming: str, person: bool) -> Merged:
    lines, clashes = merge_lines(base.split("\n"), main.split("\n"), incoming.split("\n"), incoming_wins=person)
    return Merged(text="\n".join(lines), conflicts=tuple(from_clash(path, "line", clash) for clash in clashes))


def _merge_note(path: str, base: str, main: str, incoming: str, person: bool) -> Merged:
    """Union of snippets by id; one that a side took out goes if the other left it as it was."""
    was_head, was = split_head(path, base) if base else ({}, [])
    our_head, ours = split_head(path, main)
    their_head, theirs = split_head(path, incoming)
    head, conflicts = merge_head(path, was_head, our_head, their_head, incoming, person)
    old, here, there = ({_snippet(line): line for line in lines if line.strip()} for lines in (was, ours, theirs))
    merged = dict(here)
    for key, line in old.items():
        if key not in there and here.get(key) == line:
            del merged[key]
    before = ""
    for key, line in there.items():
        if key in here:
            if here[key] != line and old.get(key) == here[key]:
                merged[key] = line
            elif here[key] != line and old.get(key) != line:
                conflicts.append(conflict(path, "snippet", here[key], line))
                merged[key] = line if person else here[key]
        elif old.get(key) != line:
            merged = _after(merged, before, key, line)
        before = key if key in merged else before
    body = "".join(line + "\n" for line in merged.values())
    lead = "\n" if ours[:1] == [""] and len(ours) > 1 else ""
    text = "\n".join(["---", *head.values(), "---"]) + "\n" + lead + body
    return Merged(text=text, conflicts=tuple(conflicts))


def _snippet(line: str) -> str:
    found = _SNIPPET.search(line)
    return found[1] if found else line


def _after(lines: dict[str, str], before: str, key: str, line: str) -> dict[str, str]:
    if before not in lines:
        return {**lines, key: line}
    out: dict[str, str] = {}
    for k, v in lines.items():
        out[k] = v
        if k == before:
            out[key] = line
    return out


def _merge_summary(path: str, base: str, main: str, incoming: str, person: bool) -> Merged:
    """The one that covers more turns; facts count as attached only as far as both sides say, where both moved on."""
    was = split_head(path, base)[0] if base else {}
    (our_head, ours), (their_head, theirs) = split_head(path, main), split_head(path, incoming)
    here, there = count(our_head, "through_turn"), count(their_head, "through_turn")
    edited_here = not person and (not base or ours != split_head(path, base)[1])
    head, body = (
        (dict(our_head), ours) if here > there or (here == there and edited_here) else (dict(their_head), theirs)
    )
    start = count(was, "attached_through") if base else -1
    moved = [n for n in (count(our_head, "attached_through"), count(their_head, "attached_through")) if n != start]
    attached = min([*(moved or [max(start, 0)]), max(here, there)])
    head["attached_through"] = f"attached_through: {attached}"
    return Merged(text="\n".join(["---", *head.values(), "---", *body]))


def hold_back(summary: str, attached_through: int) -> str:
    """A summary whose facts count as attached no further than a turn, so that the next run sees the rest again."""
    return re.sub(
        r"(?m)^attached_through: *['\"]?(\d+)['\"]?$",
        lambda m: f"attached_through: {min(int(m[1]), attached_through)}",
        summary,
        count=1,
    )


def attached_through(summary: str | None) -> int:
    """How far the facts of a summary's session are attached; 0 when there is no summary."""
    found = re.search(r"(?m)^attached_through: *['\"]?(\d+)", summary or "")
    return int(found[1]) if found else 0


def _merge_log(path: str, base: str, main: str, incoming: str, person: bool) -> Merged:
    """Append-only lines: main's, then what came in."""
    known = set(main.split("\n"))
    new = [line for line in incoming.split("\n") if line and line not in known]
    return Merged(text=main + "".join(line + "\n" for line in new))


def _merge_rows(path: str, base: str, main: str, incoming: str, person: bool) -> Merged:
    """Session rows by id: the side that changed one, the longer session where both did."""
    was, ours, theirs = ({row.id: row for row in parse_rows(text, path)} for text in (base, main, incoming))
    rows = dict(ours)
    for key, row in theirs.items():
        if key not in ours or ours[key] == was.get(key) or (row != was.get(key) and row.turns >= ours[key].turns):
            rows[key] = row
    for key, row in was.items():
        if key not in theirs and ours.get(key) == row:
            del rows[key]
    return Merged(text=render_rows(rows.values()))


_BY_CLASS: dict[FileClass, Callable[[str, str, str, str, bool], Merged]] = {
    FileClass.PAGE: merge_page,
    FileClass.NOTE: _merge_note,
    FileClass.SUMMARY: _merge_summary,
    FileClass.SESSION_INDEX: _merge_rows,
}
