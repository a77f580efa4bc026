"""Bring a run's proposed state onto main: merge by file class, check, one commit (format §16)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from brain.config import Config
from brain.errors import FormatError
from brain.git import DREAM, Git, GitTree, Person
from brain.sync.conflict import Conflict
from brain.sync.lock import PATIENCE
from brain.sync.manifest import Inputs, Manifest, Op, Operation, StopReason
from brain.sync.merge import attached_through, hold_back
from brain.sync.message import Kind, Message, named
from brain.sync.publish import Changes, Check, Proposal, SyncResult, land, merged, new_problems
from brain.sync.runs import Ending, ended, published, record
from brain.sync.staging import Staging
from brain.tree import deletions, page
from brain.tree.files import Tree
from brain.tree.ids import format_time
from brain.tree.layout import DELETIONS, FileClass, classify
from brain.tree.splice import set_meta
from brain.types import Problem, Severity

_SUMMARY_OF = re.compile(r"(?m)^id: *['\"]?([0-9a-f-]{36})['\"]?$")


def sync(
    git: Git,
    staging: Staging | Changes,
    manifest: Manifest | None = None,
    *,
    check: Check | None,
    now: datetime,
    config: Config,
    subject: str | None = None,
    body: Sequence[str] = (),
    author: Person = DREAM,
    kind: Kind = Kind.DREAM,
    verified: str | None = None,
    patience: float = PATIENCE,
) -> SyncResult:
    """Publish what a run proposes. Safe to repeat: a run that is on main already is not published again.

    `staging` is the run's, or its changes by path together with its `manifest`. `verified` is what verification
    counted, such as "41/41". With problems that main does not have already nothing is applied, and the staging stays
    for a look at it. Raises LockHeld, SyncConflict, GitError.
    """
    told = manifest or (staging.manifest if isinstance(staging, Staging) else None)
    if told is None:
        raise ValueError("changes without a manifest")
    changes = staging.changes() if isinstance(staging, Staging) else dict(staging)
    if done := published(git, told.run_id, told.base_commit):
        result = SyncResult(commit=done, replayed=True)
        _close(git, ended(told, changes, now), result, staging)
        return result

    def propose(main: GitTree) -> Proposal:
        base = git.tree(told.base_commit)
        fitted, conflicts = merged(base, main, changes)
        fitted = {path: text for path, text in fitted.items() if _text_in(main, path) != text}
        held = _held_back(main, fitted, conflicts)
        raw = {path: text.encode() if isinstance(text, str) else text for path, text in held.items()}
        actual = replace(told, ops=_real_ops(told.ops, main, raw), inputs=_waiting(told.inputs, conflicts))
        problems = tuple(new_problems(check, main, raw, actual)) if check else ()
        message = Message(
            kind=kind,
            subject=subject or _subject(raw),
            body=tuple(body) or tuple(_bullet(op) for op in actual.ops if op.note or op.reason),
            trailers=trailers(actual, main, problems, verified),
        )
        notes = {op.path: op.note for op in actual.ops}
        return Proposal(
            changes=_stamped(main, raw, now, "" if kind is Kind.IMPORT else f"dream/{told.agent.version}"),
            message=message,
            author=author,
            conflicts=conflicts,
            problems=problems,
            run=told.run_id,
            notes=notes,
        )

    result = land(git, propose, now=now, config=config, what=f"brain {kind} {told.run_id}", patience=patience)
    _close(git, ended(told, changes, now), result, staging)
    return result


def trailers(
    manifest: Manifest, main: Tree, problems: Sequence[Problem] = (), verified: str | None = None
) -> tuple[tuple[str, str], ...]:
    """What the commit of a run says of it to programs, in the order of format §13."""
    counted = Counter(problem.severity for problem in problems)
    sessions = "; ".join(f"{s.id} t{s.from_turn}-t{s.to_turn}" for s in manifest.inputs.sessions)
    connectors = sorted(
        {found[1] for c in manifest.inputs.connectors if (found := re.match(r"connector://([^?]+)", c.uri))}
    )
    checks = f"det={counted[Severity.E]}E/{counted[Severity.W]}W" + (f" sem={verified}" if verified else "")
    agent = manifest.agent
    rows = (
        ("Dream-Run", manifest.run_id),
        ("Base", manifest.base_commit),
        ("Sessions", sessions or "none"),
        ("Connectors", ", ".join(connectors)),
        ("Checks", checks),
        ("Skill", f"dream@{agent.skill_sha256[:12]}" if agent.skill_sha256 else ""),
        ("Model", agent.model or ""),
        ("Cost-USD", f"{manifest.budget.cost_usd:.2f}" if manifest.budget.cost_usd else ""),
        ("Deletions-Through", _deletions_through(main)),
        ("Brain-Format", str(manifest.brain_format)),
    )
    return tuple((key, value) for key, value in rows if value)


def _deletions_through(main: Tree) -> str:
    try:
        return (deletions.parse(main.read(DELETIONS)).newest or "") if DELETIONS in main else ""
    except FormatError:
        return ""


def _waiting(inputs: Inputs, conflicts: Sequence[Conflict]) -> Inputs:
    """What a run used, with the sessions behind a conflict named as left to the next run."""
    behind = {session for conflict in conflicts for session in conflict.sessions}
    reason = "a conflict with main waits for the next run"
    told = tuple(replace(one, skipped=one.skipped or reason) if one.id in behind else one for one in inputs.sessions)
    return replace(inputs, sessions=told)


def _held_back(main: Tree, changes: Mapping[str, object], conflicts: Sequence[Conflict]) -> dict[str, str | None]:
    """Changes in which no session behind a conflict counts as attached further than on main."""
    behind = {session for conflict in conflicts for session in conflict.sessions}
    out: dict[str, str | None] = {}
    for path, text in changes.items():
        assert text is None or isinstance(text, str)
        found = _SUMMARY_OF.search(text) if text and classify(path) is FileClass.SUMMARY else None
        out[path] = (
            hold_back(text, attached_through(_text_in(main, path))) if text and found and found[1] in behind else text
        )
    return out


def _stamped(main: Tree, changes: Mapping[str, bytes | None], now: datetime, actor: str) -> dict[str, bytes | None]:
    """Changes with the keys that sync owns on every page: when it was made, when and by whom last changed.

    Without an actor a new page keeps what it says of that itself: it comes from elsewhere, older than this commit.
    """
    out = dict(changes)
    for path, content in changes.items():
        if content is None or classify(path) is not FileClass.PAGE:
            continue
        try:
            read = page.parse(content.decode("utf-8", "replace"), path)
            before = page.parse(main.read(path), path).get("created_at") if path in main else ""
        except FormatError:
            continue
        if not actor and path not in main and read.updated_at and read.get("updated_by"):
            continue
        made = before or read.get("created_at") or format_time(now)
        for key, value in (
            ("created_at", made),
            ("updated_at", format_time(now)),
            ("updated_by", actor or read.get("updated_by") or None),
        ):
            read = set_meta(read, key, value)
        out[path] = read.text.encode()
    return out


def _real_ops(ops: Sequence[Op], main: Tree, changes: Mapping[str, bytes | None]) -> tuple[Op, ...]:
    """The operations as they turn out on main: one for each file that really differs."""
    said = {op.path: op for op in ops}
    out = []
    for path in sorted(changes):
        kind = Operation.DELETE if changes[path] is None else Operation.UPDATE if path in main else Operation.CREATE
        known = said.get(path)
        if known is None:
            out.append(Op(op=kind, path=path))
        elif known.op in (Operation.CREATE, Operation.UPDATE, Operation.DELETE):
            out.append(replace(known, op=kind))
        else:
            out.append(known)
    return tuple(out)


def _subject(changes: Mapping[str, bytes | None]) -> str:
    pages = [named(path) for path in sorted(changes) if classify(path) is FileClass.PAGE]
    if len(pages) == 1:
        return f"update {pages[0]}"
    return f"update {len(pages)} pages" if pages else "take in sessions, no page changes"


def _bullet(op: Op) -> str:
    return f"{op.op} {named(op.path)}: {op.note or op.reason}"


def _text_in(tree: Tree, path: str) -> str | None:
    try:
        return tree.read(path) if path in tree else None
    except FormatError:
        return None


def _close(git: Git, manifest: Manifest, result: SyncResult, staging: Staging | Changes) -> None:
    """Record the run, and drop its staging unless it was refused."""
    if result.blocked:
        manifest = replace(manifest, stop_reason=StopReason.ERROR)
    record(
        git,
        manifest,
        Ending(
            commit=result.commit,
            human=result.human,
            rounds=result.rounds,
            conflicts=result.conflicts,
            problems=result.problems,
            warnings=result.warnings,
        ),
    )
    if not isinstance(staging, Staging):
        return
    staging.keep_conflicts(result.conflicts)
    if result.blocked:
        staging.manifest = manifest
        staging.save()
    else:
        staging.close()
