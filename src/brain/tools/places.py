"""Paths of the memory tool, `/memories/…`, as paths of the tree; whatever would lead out of it is refused."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath
from urllib.parse import unquote

from brain.errors import UsageError
from brain.text import forbidden, slugify
from brain.tree.layout import SUMMARIES, TOPICS, TRANSCRIPTS, FileClass, classify

ROOT = "/memories"
_DEEPEST = 4  # times a path may be percent-encoded over and over


def inside(path: object) -> str:
    """`/memories/notes/facts/x.md` → `notes/facts/x.md`; the root is "". Raises UsageError.

    Percent-encoding is undone first, so that no encoded `..` passes; Unicode is put in its composed form.
    """
    if not isinstance(path, str):
        raise UsageError("a path is a text that starts with /memories")
    plain = unicodedata.normalize("NFC", _decoded(path))
    parts = PurePosixPath(plain).parts
    if forbidden(plain) or any(ch in plain for ch in "\\\n\t") or ".." in parts:
        raise UsageError(f"Path {path} would escape /memories directory", hint=f"name it from {ROOT} on, without '..'")
    if plain != ROOT and not plain.startswith(f"{ROOT}/"):
        raise UsageError(f"Path must start with /memories, got: {path}", hint=f"view {ROOT}")
    return "/".join(part for part in parts[2:] if part != ".")


def shown(path: str) -> str:
    """A path of the tree as the tool names it."""
    return f"{ROOT}/{path}" if path else ROOT


def note_to_write(path: str) -> str:
    """The path when it is a note's. Raises UsageError with where it would go instead."""
    kind = classify(path)
    if kind is FileClass.NOTE:
        return path
    name = slugify(PurePosixPath(path).name.rpartition(".")[0] or PurePosixPath(path).name or "noted")
    instead = f"{ROOT}/notes/{_topic(path)}/{name}.md"
    if kind in (FileClass.PAGE, FileClass.INDEX, FileClass.LOG) or path.startswith("knowledge"):
        why = "the wiki is written by runs, which check every claim against its source"
        way = f"keep it as a note: {instead}; the next run weighs it. To write pages, open a run and pass its id"
    elif path.startswith((TRANSCRIPTS, SUMMARIES, "sessions")):
        why, way = "sessions are the record of what was said, and stay as they are", f"keep a note: {instead}"
    else:
        why = f"notes lie in {ROOT}/notes/<topic>/<name>.md, in lower case with hyphens"
        way = f"{instead}; topics: {', '.join(TOPICS)}"
    raise UsageError(f"{shown(path)} cannot be written: {why}", hint=way)


def _topic(path: str) -> str:
    return next((part for part in PurePosixPath(path).parts if part in TOPICS), "facts")


def _decoded(path: str) -> str:
    for _ in range(_DEEPEST):
        once = unquote(path, errors="replace")
        if once == path:
            return path
        path = once
    raise UsageError(f"Path {path[:80]} is encoded too often", hint="write it plainly")
