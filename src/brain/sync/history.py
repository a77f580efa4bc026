"""What happened to memory: the log of its commits, what one changed, and taking one back (format §13)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from brain.config import Config
from brain.errors import NotFound, UsageError
from brain.git import MAIN, SOMEONE, SYNC, Git, GitTree, Person
from brain.sync.conflict import Conflict
from brain.sync.lock import PATIENCE
from brain.sync.merge import merge
from brain.sync.message import Kind, Message, PageCount, count_pages, files_said, parse
from brain.sync.publish import Check, Proposal, SyncResult, land, new_problems
from brain.tree.layout import FileClass, classify, is_generated
from brain.types import Problem, Severity

_RUN = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{7,25}", re.IGNORECASE)
_OURS = re.compile(r"(?:next_cite|created_at|updated_at|updated_by):")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit of main. `run` is the Dream run that made it, if one did; `pages` counts what it did to pages."""

    id: str
    at: datetime
    author: Person
    message: Message
    pages: PageCount
    files: int

    @property
    def run(self) -> str | None:
        return self.message.trailer("Dream-Run")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    """How one file differs: `sign` + made, ~ changed, - deleted; `patch` is a unified diff."""

    path: str
    sign: str
    patch: str


def log(git: Git, *, limit: int = 20, path: str | None = None, kind: Kind | None = None) -> list[Commit]:
    """Commits of main, newest first; of one file or one kind when asked."""
    if git.resolve(MAIN) is None:
        return []
    args = ["log", "--first-parent", "--format=%x01%H%x00%ct%x00%an%x00%ae%x00%B%x00", "--raw", "-z", "--no-renames"]
    args += ["--full-index", f"--max-count={limit}"] + ([f"--grep=^{kind}: "] if kind else [])
    raw = git.run(*args, MAIN, "--", *([path] if path else []))
    return [_commit(git, record) for record in raw.split(b"\x01")[1:]]


def find(git: Git, name: str) -> str:
    """The commit of a run (its id, or 8 characters of it) or a commit by its name. Raises NotFound, UsageError."""
    if _RUN.fullmatch(name):
        found = git.text("log", "--format=%H", f"--grep=^Dream-Run: {name.upper()}", MAIN).split()
        if len(found) > 1:
            raise UsageError(f"{name!r} begins several runs", hint="give more of the run id")
        if found:
            return found[0]
    commit = git.resolve(name) if _COMMIT.fullmatch(name) or name in ("HEAD", "main") else None
    if commit is None or git.text("branch", "--contains", commit, "--list", "main") == "":
        raise NotFound(f"no run or commit {name!r} in memory's history", hint="brain log")
    return commit


def diff(
    git: Git, old: str, new: str | None = None, *, path: str | None = None, generated: bool = False
) -> list[FileDiff]:
    """What a run (or commit) changed, or what lies between two; generated files only when asked for."""
    last = find(git, new if new is not None else old)
    first = find(git, old) if new is not None else _parent(git, last)
    found = []
    for change in git.diff(first, last):
        if (path is not None and change.path != path) or (is_generated(change.path) and not generated):
            continue
        before, after = (_lines(git, name) for name in (change.old, change.new))
        names = (f"a/{change.path}" if change.old else "/dev/null", f"b/{change.path}" if change.new else "/dev/null")
        patch = "".join(difflib.unified_diff(before, after, *names))
        sign = "+" if change.old is None else "-" if change.new is None else "~"
        found.append(FileDiff(path=change.path, sign=sign, patch=patch))
    return found


def human_lines(git: Git, commit: str, paths: Collection[str]) -> dict[str, frozenset[str]]:
    """By path, the lines of a commit's files that a person wrote since a run last changed the file (rule STG005)."""
    if not paths:
        return {}
    args = ["log", "--first-parent", "--format=%x01%H%x00%cn%x00%s%x00", "--name-only", "-z", "--no-renames"]
    touched: set[str] = set()  # by a person, since the last run
    runs: dict[str, str] = {}  # the last run that changed the file
    for record in git.run(*args, commit, "--", *sorted(paths)).split(b"\x01")[1:]:
        name, committer, subject, *files = record.decode("utf-8", "surrogateescape").split("\0")
        ours = committer == SYNC.name and not subject.startswith(f"{Kind.HUMAN}: ")
        for path in {file.strip("\n") for file in files} & set(paths) - set(runs):
            if ours and subject.startswith(f"{Kind.DREAM}: "):
                runs[path] = name
            elif not ours:
                touched.add(path)
    found = {}
    for path in sorted(touched):
        now, before = (_text_lines(git, at, path) for at in (commit, runs.get(path)))
        if new := frozenset(line for line in now - before if line.strip() and not _OURS.match(line)):
            found[path] = new
    return found


def revert(
    git: Git,
    name: str,
    *,
    now: datetime,
    config: Config,
    check: Check | None = None,
    again: bool = False,
    patience: float = PATIENCE,
) -> SyncResult:
    """Take back what a run (or commit) changed, as a new commit of kind `restore`.

    Later edits stay; where one overlaps, nothing is taken back and `conflicts` and `problems` name the places and the
    later commits. How far sessions are attached stays as it is, so that the next run does not do the same again; with
    `again` their summaries are taken back too, and it will.
    """
    target = find(git, name)
    parent = _parent(git, target)
    taken = parse(git.text("log", "-1", "--format=%B", target))
    run = taken.trailer("Dream-Run") or target[:8]

    def propose(main: GitTree) -> Proposal:
        changes, conflicts = _taken_back(git, main, target, parent, again=again)
        problems = [_overlap(git, target, conflict) for conflict in conflicts]
        if check and not problems:
            problems = list(new_problems(check, main, changes))
        pages = [path for path in sorted(changes) if classify(path) is FileClass.PAGE]
        return Proposal(
            changes=changes,
            message=Message(
                kind=Kind.RESTORE,
                subject=f"take back {run[:8]}: {taken.subject}",
                body=tuple(files_said("restore", [path]) for path in pages),
                trailers=(("Reverts", target), *((("Reverts-Run", run),) if taken.trailer("Dream-Run") else ())),
            ),
            author=git.user() or SOMEONE,
            conflicts=conflicts,
            problems=tuple(problems),
            run=run,
            notes=dict.fromkeys(pages, f"took back {run[:8]}"),
        )

    return land(git, propose, now=now, config=config, what=f"brain revert {name}", patience=patience)


def _taken_back(
    git: Git, main: GitTree, target: str, parent: str | None, *, again: bool
) -> tuple[dict[str, bytes | None], tuple[Conflict, ...]]:
    """Main without what `target` did: its changes merged in backwards."""
    changes: dict[str, bytes | None] = {}
    conflicts: list[Conflict] = []
    for change in git.diff(parent, target):
        path = change.path
        if is_generated(path) or (classify(path) is FileClass.SUMMARY and not again):
            continue
        if main.entries.get(path) == change.new:
            changes[path] = git.blob(change.old) if change.old else None
            continue
        was, here, back = (
            git.blob(blob).decode("utf-8", "replace") if blob else None
            for blob in (change.new, main.entries.get(path), change.old)
        )
        fitted = merge(path, was, here, back)
        conflicts += fitted.conflicts
        changes[path] = fitted.text.encode() if fitted.text is not None else None
    return changes, tuple(conflicts)


def _overlap(git: Git, target: str, conflict: Conflict) -> Problem:
    span = f"{target}..{MAIN}"
    later = git.text("log", "--format=%h %s", span, "--", conflict.path).splitlines()
    return Problem(
        rule="REVERT",
        severity=Severity.E,
        path=conflict.path,
        message=f"{conflict.what}: changed since by {'; '.join(later) or 'a later commit'}",
        fix="edit the file by hand, or take the later commits back first",
    )


def _parent(git: Git, commit: str) -> str | None:
    return git.resolve(f"{commit}~1")


def _text_lines(git: Git, commit: str | None, path: str) -> set[str]:
    tree = git.tree(commit)
    return set(tree.bytes(path).decode("utf-8", "replace").split("\n")) if path in tree else set()


def _lines(git: Git, name: str | None) -> list[str]:
    return git.blob(name).decode("utf-8", "replace").splitlines(keepends=True) if name else []


def _commit(git: Git, record: bytes) -> Commit:
    name, seconds, author, email, body, rest = record.split(b"\0", 5)
    changes = git.parse_raw(rest)
    return Commit(
        id=name.decode(),
        at=datetime.fromtimestamp(int(seconds), UTC),
        author=Person(name=author.decode("utf-8", "replace"), email=email.decode("utf-8", "replace")),
        message=parse(body.decode("utf-8", "replace").strip("\n")),
        pages=count_pages((c.path, c.old is not None, c.new is not None) for c in changes),
        files=len(changes),
    )
