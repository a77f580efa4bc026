# ruff: noqa: E501 — examples and messages read better unwrapped
"""IDX: what a program writes from the rest of the tree is what that program would write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain.errors import FormatError
from brain.rules.context import Context
from brain.rules.rule import Found, graph_rule
from brain.text import est_tokens
from brain.tree import index, log, sessions
from brain.tree.layout import KNOWLEDGE_INDEX, LOG, SESSION_INDEX, SESSION_INDEX_MD, FileClass, classify, is_generated
from brain.tree.page import Page

_FIX = "let sync regenerate it"
_HEAD = re.compile(r"<!-- brain-index v1 tree=(\w+) ")


@graph_rule("IDX001")
def generated_as_generated(check: Context) -> Iterator[Found]:
    """index.md and sessions/index.* are what their generators write, within budget; log.md is the base's plus this run (†).

    Checked once generated files are written for the state at hand; before that they are sync's to write.

    Bad:
        === knowledge/index.md
        # Brain index
        I like this page better.
    Good:
        === regenerated
    """
    if not check.regenerated:
        return
    yield from _wiki_index(check)
    yield from _session_index(check)
    yield from _log(check)


def _wiki_index(check: Context) -> Iterator[Found]:
    text = check.text(KNOWLEDGE_INDEX)
    if text is None:
        yield Found("the index is missing", path=KNOWLEDGE_INDEX, fix=_FIX)
        return
    pages = [
        p for path in check.staged.paths("knowledge/") if classify(path) is FileClass.PAGE and (p := check.page(path))
    ]
    if text != _index_of(pages, check):
        head = _HEAD.match(text)
        stale = head is not None and head[1] != index.tree_hash(pages)
        yield Found(
            "the index is of another state of the pages" if stale else "the index is not what its generator writes",
            path=KNOWLEDGE_INDEX,
            line=1,
            fix=_FIX,
        )
    if est_tokens(text) > check.config.index.max_tokens:
        yield Found(
            f"the index has {est_tokens(text)} tokens, more than {check.config.index.max_tokens}",
            path=KNOWLEDGE_INDEX,
            fix=_FIX,
        )
    if text.count("\n") > check.config.index.max_lines:
        yield Found(f"the index has more than {check.config.index.max_lines} lines", path=KNOWLEDGE_INDEX, fix=_FIX)


def _index_of(pages: list[Page], check: Context) -> str:
    return index.compact_index(pages, check.config)


def _session_index(check: Context) -> Iterator[Found]:
    text = check.text(SESSION_INDEX)
    if text is None:
        return
    try:
        rows = sessions.parse_rows(text)
    except FormatError as error:
        yield Found(error.reason, path=SESSION_INDEX, line=error.line, fix="brain doctor")
        return
    if text != sessions.render_rows(rows):
        yield Found("the rows are not sorted or not in the one form", path=SESSION_INDEX, fix=_FIX)
    if check.text(SESSION_INDEX_MD) != sessions.render_index_md(rows):
        yield Found("it is not what sessions/index.jsonl gives", path=SESSION_INDEX_MD, fix=_FIX)


def _log(check: Context) -> Iterator[Found]:
    now, before = check.text(LOG), check.base_text(LOG)
    if now is None or before is None or now == before:
        return
    try:
        entries, known = log.parse(now), log.parse(before)
    except FormatError as error:
        yield Found(error.reason, path=LOG, line=error.line, fix=_FIX)
        return
    added = len(entries) - len(known)
    rotated = any(
        is_generated(path) and path not in (LOG, KNOWLEDGE_INDEX, SESSION_INDEX, SESSION_INDEX_MD)
        for path in check.changed
    )
    if not rotated and (added not in (0, 1) or entries[max(added, 0) :] != known):
        yield Found("the log is not the base's plus one entry", path=LOG, line=1, fix=_FIX)
