"""Put changes onto main, one commit, under the lock: what a person did in the folder first, then ours (format §16).

Nothing is ever written over: main moves by compare-and-swap, and the folder is brought after it file by file. Killed
before main moves, nothing happened; killed after, the next command brings the folder up to date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from brain.config import Config
from brain.errors import FormatError, SyncConflict
from brain.git import MAIN, SOMEONE, SYNC, Git, GitTree, Person
from brain.sync.conflict import Conflict
from brain.sync.folder import Edits, Folder
from brain.sync.generate import regenerate
from brain.sync.lock import PATIENCE, Lock
from brain.sync.manifest import Manifest
from brain.sync.merge import merge
from brain.sync.message import Kind, Message, count_pages, files_said, render
from brain.sync.runs import settle
from brain.tree import deletions
from brain.tree.deletions import Deletions
from brain.tree.files import OverlayTree, Tree
from brain.tree.layout import DELETIONS, SESSION_INDEX, FileClass, classify, is_generated, is_tracked, note_id, page_id
from brain.types import Problem, Severity

ROUNDS = 5
"""How often a command tries again when main moved under it, before it gives up."""

Changes = Mapping[str, str | bytes | None]
"""New content by path; None = the file is deleted."""

Check = Callable[[Tree, Tree, frozenset[str], Manifest | None], Sequence[Problem]]
"""The rules: (proposed tree, tree it stands on, paths that differ, the run's manifest if it is a run's) → problems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncResult:
    """What came of it. `commit` is None when main did not move: nothing to do, or `problems` of severity E."""

    commit: str | None = None
    human: str | None = None
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    rounds: int = 1
    replayed: bool = False

    @property
    def applied(self) -> bool:
        return self.commit is not None

    @property
    def blocked(self) -> bool:
        return any(problem.severity is Severity.E for problem in self.problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What shall be on top of main: content by path, and the commit that says so. With a blocking problem, nothing."""

    changes: Mapping[str, bytes | None]
    message: Message
    author: Person = SYNC
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[Problem, ...] = ()
    run: str | None = None
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def blocked(self) -> bool:
        return any(problem.severity is Severity.E for problem in self.problems)


NOTHING = Proposal(changes={}, message=Message(kind=Kind.FIX, subject="bring generated files up to date"))
"""Only what follows from what main holds already."""


def publish(
    git: Git,
    changes: Changes | Callable[[Tree], Changes],
    *,
    kind: Kind | str,
    subject: str,
    now: datetime,
    config: Config,
    author: Person | None = None,
    body: Sequence[str] = (),
    trailers: Sequence[tuple[str, str]] = (),
    base: str | None = None,
    check: Check | None = None,
    patience: float = PATIENCE,
) -> SyncResult:
    """Commit some files: the simple form, for imports, notes, fixes.

    Give `changes` as a function of main's tree where the new content depends on the old (it is asked again when main
    moved), or as content by path, with the commit it was made from as `base` so that it can be merged. Generated files
    follow by themselves. `author` is brain-sync unless said. Raises LockHeld, SyncConflict, GitError.
    """
    message = Message(kind=Kind(kind), subject=subject, body=tuple(body), trailers=tuple(trailers))

    def propose(main: GitTree) -> Proposal:
        wanted = changes(main) if callable(changes) else changes
        conflicts: tuple[Conflict, ...] = ()
        if base is not None:
            wanted, conflicts = merged(git.tree(base), main, wanted)
        raw = {path: _bytes(content) for path, content in wanted.items()}
        problems = new_problems(check, main, raw) if check else ()
        return Proposal(
            changes=raw, message=message, author=author or SYNC, conflicts=conflicts, problems=tuple(problems)
        )

    return land(git, propose, now=now, config=config, what=f"brain {message.kind}", patience=patience)


def catch_up(git: Git, *, config: Config, now: datetime) -> SyncResult:
    """Commit what a person changed in the folder, and finish what killed commands left half done."""

    result = land(git, lambda _: NOTHING, now=now, config=config, what="brain")
    settle(git, now=now)
    return result


def land(
    git: Git,
    propose: Callable[[GitTree], Proposal],
    *,
    now: datetime,
    config: Config,
    what: str,
    patience: float = PATIENCE,
) -> SyncResult:
    """Take the lock, commit a person's edits, then what is proposed on top; at most five rounds while main moves."""
    folder = Folder(git)
    lock = Lock(git.root, folder.place / "epoch", what=what)
    lock.acquire(patience)
    try:
        result = SyncResult()
        for number in range(1, ROUNDS + 1):
            main, result = _take_edits(git, folder, lock, now, config, replace(result, rounds=number))
            tree = git.tree(main)
            proposal = propose(tree)
            result = replace(result, conflicts=proposal.conflicts, problems=proposal.problems)
            if proposal.blocked:
                return _finish(git, folder, lock, _rebuilt(git, lock, main, now, config), result)
            made = _commit(git, tree, proposal, now=now, config=config)
            if made is None:
                return _finish(git, folder, lock, main, result)
            lock.check()
            if git.update_ref(MAIN, made, main):
                return _finish(git, folder, lock, made, replace(result, commit=made))
        raise SyncConflict(f"main moved {ROUNDS} times while this was being published", hint="run the command again")
    finally:
        lock.release()


def new_problems(
    check: Check, main: Tree, changes: Mapping[str, bytes | None], manifest: Manifest | None = None
) -> list[Problem]:
    """Problems of main with these changes, without those main has already: nobody is held up by what was there."""
    staged = OverlayTree(main, _texts(changes))
    paths = frozenset(changes)
    problems = list(check(staged, main, paths, manifest))
    if not any(problem.severity is Severity.E for problem in problems):
        return problems
    known = Counter((old.rule, old.path, old.message) for old in check(main, main, paths, None))
    fresh = []
    for problem in problems:
        key = (problem.rule, problem.path, problem.message)
        if known[key]:
            known[key] -= 1
        else:
            fresh.append(problem)
    return fresh


def merged(base: Tree, main: GitTree, changes: Changes) -> tuple[dict[str, str | bytes | None], tuple[Conflict, ...]]:
    """Changes made on `base` as they are to be made on `main`, by file class, and what did not fit."""
    log = _deletions(main)
    out: dict[str, str | bytes | None] = {}
    conflicts: list[Conflict] = []
    for path in sorted(changes):
        incoming = changes[path]
        text = incoming.decode() if isinstance(incoming, bytes) else incoming
        was, here = (tree.read(path) if path in tree else None for tree in (base, main))
        named = page_id(path) or note_id(path)
        fitted = merge(path, was, here, text, barred=named is not None and log.bars_id(named) is not None)
        out[path] = fitted.text
        conflicts += fitted.conflicts
    return out, tuple(conflicts)


def _deletions(main: Tree) -> Deletions:
    """Main's deletion log; empty when it does not read, which the rules report."""
    try:
        return deletions.read(main.read(DELETIONS)) if DELETIONS in main else Deletions()
    except FormatError:
        return Deletions()


def _take_edits(
    git: Git, folder: Folder, lock: Lock, now: datetime, config: Config, result: SyncResult
) -> tuple[str | None, SyncResult]:
    """Main with a person's edits committed, after the folder was brought to it."""
    main = git.resolve(MAIN)
    if not folder.follows_main():
        branch = git.branch()
        seen = f"branch {branch.removeprefix('refs/heads/')!r}" if branch else "an old commit"
        warning = f"the folder shows {seen}, not main; memory is on main (git checkout main)"
        return main, replace(result, warnings=_joined(result.warnings, [warning]))
    folder.open(main)
    if main is None:
        return None, result
    result = replace(result, warnings=_joined(result.warnings, folder.bring(main)))
    edits = folder.edits()
    result = replace(result, warnings=_joined(result.warnings, edits.left))
    if not edits.changes:
        return main, result
    message = render(_human(git.tree(main), edits))
    made = git.commit_files(main, edits.changes, message, author=git.user() or SOMEONE, when=now)
    lock.check()
    if not git.update_ref(MAIN, made, main):  # their own git moved main this very moment
        if result.rounds < ROUNDS:
            return _take_edits(git, folder, lock, now, config, replace(result, rounds=result.rounds + 1))
        return git.resolve(MAIN), result
    gone = sum(content is None for content in edits.changes.values())
    undo = [f"{gone} files deleted in the folder were deleted from memory (undo: brain revert {made[:10]})"]
    said = [*folder.bring(made), *(undo if gone > 3 else [])]
    result = replace(result, human=made, warnings=_joined(result.warnings, said))
    if any(is_generated(path) for path in edits.changes):  # kept in history; nothing may build on it
        return _rebuilt(git, lock, made, now, config), result
    return made, result


def _rebuilt(git: Git, lock: Lock, main: str | None, now: datetime, config: Config) -> str | None:
    """Main with its generated files brought up to date by a commit of their own, where they are not."""
    made = _commit(git, git.tree(main), NOTHING, now=now, config=config) if main else None
    lock.check()
    return made if made and git.update_ref(MAIN, made, main) else main


def _human(main: GitTree, edits: Edits) -> Message:
    new = sorted(path for path in edits.changes if path not in main)
    gone = sorted(path for path, content in edits.changes.items() if content is None)
    edited = sorted(set(edits.changes) - set(new) - set(gone))
    groups = [(verb, paths) for verb, paths in (("edit", edited), ("add", new), ("delete", gone)) if paths]
    return Message(
        kind=Kind.HUMAN,
        subject=", ".join(files_said(verb, paths) for verb, paths in groups),
        body=tuple(files_said(verb, [path]) for verb, paths in groups for path in paths),
        trailers=(*_pages(main, edits.changes), ("Brain-Format", "1")),
    )


def _commit(git: Git, main: GitTree, proposal: Proposal, *, now: datetime, config: Config) -> str | None:
    """The commit of a proposal with the generated files rebuilt, None when nothing differs from main."""
    changes = {
        path: content
        for path, content in proposal.changes.items()
        if _may_set(main, path, proposal.message.kind) and _differs(git, main, path, content)
    }
    message = proposal.message
    pages = _pages(main, changes)
    derived = regenerate(
        git, main, _texts(changes), kind=message.kind, run=proposal.run, notes=proposal.notes, now=now, config=config
    )
    for path, text in derived.items():
        changes.pop(path, None)
        if _differs(git, main, path, text.encode()):
            changes[path] = text.encode()
    if not changes:
        return None
    if not proposal.changes:
        message = NOTHING.message
    known = {key for key, _ in message.trailers}
    own = [pair for pair in (*pages, ("Brain-Format", "1")) if pair[0] not in known]
    message = replace(message, trailers=(*message.trailers, *own))
    return git.commit_files(main.commit, changes, render(message), author=proposal.author, when=now)


def _may_set(main: GitTree, path: str, kind: Kind | None) -> bool:
    """Generated files are ours to write, but for a new tree's first ones, the session rows an import adds, and the log
    without what was forgotten."""
    if kind is Kind.FORGET and classify(path) is FileClass.LOG:
        return True
    return is_tracked(path) and (not is_generated(path) or path == SESSION_INDEX or path not in main)


def _pages(main: GitTree, changes: Mapping[str, bytes | None]) -> tuple[tuple[str, str], ...]:
    counted = count_pages((path, path in main, content is not None) for path, content in changes.items())
    return (("Pages", str(counted)),) if counted.created or counted.updated or counted.deleted else ()


def _differs(git: Git, main: GitTree, path: str, content: bytes | None) -> bool:
    return main.entries.get(path) != (None if content is None else git.blob_name(content))


def _finish(git: Git, folder: Folder, lock: Lock, main: str | None, result: SyncResult) -> SyncResult:
    """Bring the folder to where main is now."""
    if main is None or git.branch() != MAIN:
        return result
    lock.check()
    said = folder.bring(main)
    if result.commit:
        git.tidy()
    return replace(result, warnings=_joined(result.warnings, said))


def _joined(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*old, *new]))


def _bytes(content: str | bytes | None) -> bytes | None:
    return content.encode() if isinstance(content, str) else content


def _texts(changes: Mapping[str, bytes | None]) -> dict[str, str | None]:
    """As text; what is not UTF-8 (a person may commit anything) reads with replacement characters."""
    return {path: None if raw is None else raw.decode("utf-8", "replace") for path, raw in changes.items()}
