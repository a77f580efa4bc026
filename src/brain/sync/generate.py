"""The files a program writes whole from the others, rebuilt for a commit about to be made: both indexes and the log.

Only what a change can have touched is rebuilt: since the last commit that brought these files up to date, which leaves
out a person's own commits, made by us or with their own git.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from brain.config import Config
from brain.errors import FormatError
from brain.git import SYNC, Change, Git, GitTree
from brain.sync.message import Kind, named
from brain.tree import log, page, summary
from brain.tree.files import OverlayTree, Tree
from brain.tree.index import compact_index
from brain.tree.layout import (
    CONFIG,
    KNOWLEDGE_INDEX,
    LOG,
    SESSION_INDEX,
    SESSION_INDEX_MD,
    FileClass,
    classify,
)
from brain.tree.log import LogEntry, PageChange
from brain.tree.page import Page
from brain.tree.sessions import SessionRow, parse_rows, render_index_md, render_rows


def regenerate(
    git: Git,
    main: GitTree,
    changes: Mapping[str, str | None],
    *,
    kind: Kind | None,
    run: str | None,
    notes: Mapping[str, str],
    now: datetime,
    config: Config,
) -> dict[str, str]:
    """Text by path of the generated files as they must be once `changes` stand on `main`.

    `run` names what makes the commit in the log (None: it is not logged); `notes` say by path what changed on a page.
    """
    since = _up_to_date(git, main.commit)
    behind = git.diff(since, main.commit) if main.commit else []
    touched = {change.path for change in behind} | set(changes)
    tree = OverlayTree(main, changes)
    out: dict[str, str] = {}
    if _needs(tree, touched, FileClass.PAGE, KNOWLEDGE_INDEX, CONFIG):
        out[KNOWLEDGE_INDEX] = compact_index(_pages(tree), config)
    if _needs(tree, touched, FileClass.SUMMARY, SESSION_INDEX, SESSION_INDEX_MD):
        out |= _sessions(tree, touched)
    entries = _outside(git, since, main.commit) if main.commit else []
    if run and kind:
        entries.append(LogEntry(at=now, kind=kind, run=run, pages=_changed(main, changes, notes)))
    return out | _log(tree, entries, config)


def _up_to_date(git: Git, main: str | None) -> str | None:
    """The newest commit that rebuilt these files: one by brain-sync that is not a person's edits."""
    if main is None:
        return None
    only = ["--first-parent", f"--committer=^{SYNC.name} <", "--invert-grep", f"--grep=^{Kind.HUMAN}: "]
    return git.text("log", "-1", "--format=%H", *only, main) or None


def _needs(tree: Tree, touched: set[str], made_from: FileClass, *files: str) -> bool:
    return (
        any(path in touched for path in files)
        or files[0] not in tree
        or any(classify(path) is made_from for path in touched)
    )


def _pages(tree: Tree) -> list[Page]:
    """Every page that reads; one that does not (a person may commit anything) is left out of the index."""
    found = []
    for path in tree.paths("knowledge/"):
        if classify(path) is FileClass.PAGE:
            try:
                found.append(page.parse(tree.read(path), path))
            except FormatError:
                continue
    return found


def _sessions(tree: Tree, touched: set[str]) -> dict[str, str]:
    """The session indexes, with the marks of the summaries that changed."""
    text = _text(tree, SESSION_INDEX)
    rows: dict[str, SessionRow] = {}
    for line in text.split("\n"):
        try:
            rows |= {row.id: row for row in parse_rows(line)}
        except FormatError:
            continue  # a row spoilt by hand: the next import of that session writes it again
    summarised = {row.summary: row.id for row in rows.values() if row.summary}
    for path in sorted(touched):
        if classify(path) is not FileClass.SUMMARY:
            continue
        if path not in tree:
            if known := rows.get(summarised.get(path, "")):
                rows[known.id] = replace(known, summary=None, through_turn=0, attached_through=0)
            continue
        try:
            read = summary.parse(tree.read(path), path)
        except FormatError:
            continue
        if known := rows.get(read.id):
            rows[known.id] = replace(
                known, summary=path, through_turn=read.through_turn, attached_through=read.attached_through
            )
    return {SESSION_INDEX: render_rows(rows.values()), SESSION_INDEX_MD: render_index_md(rows.values())}


def _outside(git: Git, since: str | None, main: str) -> list[LogEntry]:
    """Log entries for commits that did not write the log themselves, oldest first."""
    span = f"{since}..{main}" if since else main
    rows = git.text("log", "--first-parent", "--reverse", "--format=%H %P %ct", span)
    entries = []
    for row in rows.splitlines():
        commit, *parents, seconds = row.split(" ")
        pages = tuple(
            PageChange(sign=_sign(change), page=named(change.path))
            for change in git.diff(parents[0] if parents and parents[0] else None, commit)
            if classify(change.path) is FileClass.PAGE
        )
        at = datetime.fromtimestamp(int(seconds), UTC)
        entries.append(LogEntry(at=at, kind=Kind.HUMAN, run=commit, pages=pages))
    return entries


def _sign(change: Change) -> str:
    return "+" if change.old is None else "−" if change.new is None else "~"


def _changed(main: Tree, changes: Mapping[str, str | None], notes: Mapping[str, str]) -> tuple[PageChange, ...]:
    return tuple(
        PageChange(
            sign="−" if changes[path] is None else "~" if path in main else "+",
            page=named(path),
            note=notes.get(path, ""),
        )
        for path in sorted(changes)
        if classify(path) is FileClass.PAGE
    )


def _log(tree: Tree, entries: list[LogEntry], config: Config) -> dict[str, str]:
    before = _text(tree, LOG)
    text = before or log.EMPTY
    for entry in entries:
        text = log.append(text, entry)
    if text == before:
        return {}
    archives = {path: _text(tree, path) for path in tree.paths("knowledge/log-")}
    try:
        return {LOG: text} | log.rotate(text, archives, config.limits.log_entries)
    except FormatError:
        return {LOG: text}  # somebody wrote into it by hand; it is kept as it is and grows


def _text(tree: Tree, path: str) -> str:
    """A generated file, empty when it is missing or somebody spoilt it."""
    try:
        return tree.read(path) if path in tree else ""
    except FormatError:
        return ""
