"""Looking at what an author left in a work tree: the real difference, put in order, then all that is wrong with it.

Numbers and frontmatter that a program can write are written into the tree; nothing else of it is changed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from brain.dream import gaps, losses, report
from brain.dream.checked import Checked
from brain.dream.difference import Difference, differences, missing
from brain.dream.filling import filled
from brain.dream.holding import Held, holding
from brain.dream.losses import Loss
from brain.dream.report import Report
from brain.dream.running import Running
from brain.dream.verification import Verifier
from brain.errors import BrainError
from brain.rules import Context, fmt
from brain.rules.staging import MANIFEST
from brain.sync.manifest import Op, Operation, Outcome, StopReason
from brain.sync.publish import new_problems
from brain.tree import page
from brain.tree.files import OverlayTree, write_atomic
from brain.tree.ids import turns_text
from brain.tree.layout import FileClass, classify, page_path
from brain.tree.page import Page
from brain.types import Problem, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a work tree holds and what is wrong with it. `new` counts new claims by page path."""

    difference: Difference
    report: Report
    losses: tuple[Loss, ...]
    held: Held
    checked: Checked
    new: dict[str, int]


def look(running: Running, verifier: Verifier | None, *, override: bool = False) -> Look:
    """Put the tree in order and check it: difference, operations, rules, verification, accounting."""
    said = read_report(running)
    difference = settle(running, said)
    changes = difference.changes
    rules = running.rules(changes, override=override)
    check = context(running, changes)
    lost = tuple(losses.losses(check, said))
    raw = {path: text.encode() if text is not None else None for path, text in changes.items()}
    staging = running.staging
    found = [p for p in new_problems(rules, staging.base, raw, staging.manifest) if p.rule != "STG002"]
    held = holding(check, verifier, seed=staging.manifest.run_id)
    inputs = staging.manifest.inputs.sessions
    problems = [
        *difference.problems, *said.problems, *_missing(running, said), *losses.problems(lost), *found, *held.problems,
        *_unaccounted(running, check, said),
    ]  # fmt: skip
    unique = sorted(dict.fromkeys(problems), key=lambda p: (p.path, p.line, p.rule, p.message))
    checked = Checked(
        problems=tuple(unique),
        gaps=tuple(gaps.gaps(check.staged, running.evidence, inputs)),
        removed=tuple(one.removed for one in lost),
        verified=held.verified,
        tested=held.tested,
    )
    return Look(difference=difference, report=said, losses=lost, held=held, checked=checked, new=_new_claims(check))


def fingerprint(running: Running) -> str:
    """A name for the state of the tree and the report: two looks at the same state need only one judgement."""
    digest = sha256(_report_text(running).encode("utf-8", "replace"))
    for path, text in differences(running.staging).changes.items():
        digest.update(f"\0{path}\0{text}".encode("utf-8", "replace"))
    return digest.hexdigest()


def read_report(running: Running) -> Report:
    return report.parse(_report_text(running))


def _report_text(running: Running) -> str:
    place = running.staging.path / report.NAME
    if place.is_symlink() or not place.is_file() or place.stat().st_size > 1_000_000:
        return ""
    return place.read_text("utf-8", errors="replace")


def settle(running: Running, said: Report) -> Difference:
    """The difference in normal form, and the manifest true to it."""
    staging = running.staging
    staging.manifest = replace(staging.manifest, ops=tuple(_declared(running, said)))
    difference = _in_form(running, differences(staging))
    check = context(running, difference.changes)
    ops = tuple(losses.operations(check, losses.losses(check, said), said))
    pages = any(op.path.startswith("knowledge/") for op in ops)
    staging.manifest = replace(
        staging.manifest,
        ops=ops,
        result=Outcome.CHANGES if pages else Outcome.NOOP,
        stop_reason=StopReason.DONE if pages else StopReason.NOOP,
    )
    staging.save()
    return difference


def context(running: Running, changes: dict[str, str | None]) -> Context:
    """The proposed state as rules see it."""
    staging = running.staging
    staged = OverlayTree(staging.base, changes)
    return running.rules(changes).context(staged, staging.base, changes, staging.manifest)


def _declared(running: Running, said: Report) -> Iterator[Op]:
    """Pages that the report takes away and that are gone."""
    for id, whole in said.pages.items():
        path = page_path(id)
        if path in running.staging.base and not (running.staging.work / path).exists():
            to = page_path(whole.to) if whole.to else None
            yield Op(op=whole.op, path=path, to=to, reason=whole.reason)


def _in_form(running: Running, difference: Difference) -> Difference:
    """Missing keys filled, sources numbered, blanks tidied: in the work tree and in the difference."""
    staging = running.staging
    changes = dict(difference.changes)
    for path, text in changes.items():
        if text is not None and classify(path) is FileClass.PAGE:
            changes[path] = filled(text, path, _page_of(running, path), running.config.language)
    written = [path for path, text in changes.items() if text is not None]
    changes |= fmt(OverlayTree(staging.base, changes), written, evidence=running.evidence)
    for path in written:
        text = changes[path]
        if text is not None and text != difference.changes[path]:
            write_atomic(staging.work / path, text)
    return replace(difference, changes=changes)


def _page_of(running: Running, path: str) -> Page | None:
    try:
        return page.parse(running.staging.base.read(path), path)
    except BrainError:
        return None


def _missing(running: Running, said: Report) -> Iterator[Problem]:
    staging = running.staging
    for path in missing(staging):
        yield _problem(
            "STG001", path, "the file is gone and report.md does not say so; it counts as still there",
            f"git checkout -- '{path}', or for a page: - merge <page id> into <page id>: why",
        )  # fmt: skip
    for id, whole in said.pages.items():
        path = page_path(id)
        if (staging.work / path).exists() and whole.op is not Operation.MERGE:
            yield _problem("STG001", path, f"report.md says {whole.op.value}, the file is there", f"rm '{path}'")


def _unaccounted(running: Running, check: Context, said: Report) -> Iterator[Problem]:
    for one in gaps.unaccounted(check.staged, running.staging.manifest.inputs.sessions):
        start = one.id[:8]
        if start not in said.nothing and start not in said.later:
            where = turns_text(one.from_turn, one.to_turn)
            yield _problem(
                "STG006", MANIFEST, f"no claim cites session {start} {where}; at close it stays pending",
                f"take in what lasts of it, or say in report.md: - {start} nothing: why",
            )  # fmt: skip


def _new_claims(check: Context) -> dict[str, int]:
    found = {}
    for path in check.of_class(FileClass.PAGE):
        if shown := check.page(path):
            found[path] = sum(claim.is_cited for claim in check.new_claims(shown))
    return found


def _problem(rule: str, path: str, message: str, fix: str) -> Problem:
    return Problem(rule=rule, severity=Severity.E, path=path, message=message, fix=fix)
