"""The end of a run whose author worked in a tree: what fails is given back claim by claim, what stands is published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from brain.dream import gaps, losses
from brain.dream.checked import Checked
from brain.dream.difference import drop, put_back_distilled
from brain.dream.looking import Look, context, settle
from brain.dream.repair import mend, repair
from brain.dream.report import Report
from brain.dream.restore import put_back
from brain.dream.result import DreamResult
from brain.dream.running import Running
from brain.errors import BrainError
from brain.rules.staging import MANIFEST
from brain.sync.manifest import Operation, StopReason, Why
from brain.sync.sync import sync
from brain.text import clip, counted
from brain.tree import edit, page
from brain.tree.layout import FileClass, classify, page_id

UNCITED = "no claim cites it and the report gives no reason"
_GRAPH_WIDE = "STG003"


def close(running: Running, seen: Look, start: DreamResult, *, override: bool = False) -> DreamResult:
    """Publish what stands of a looked-at proposal. With problems that no giving back mends, nothing is applied."""
    staging = running.staging
    dropped = _give_back(running, seen, override=override)
    _leave_unaccounted(running, seen.report)
    running.leave_unjudged(seen.held.left)
    added, retired = _counted(running, seen.report)
    _say_in_changelogs(running, added, seen.report)
    settle(running, seen.report)
    staging.manifest = replace(staging.manifest, finished_at=running.now)
    if start.stopped == StopReason.BUDGET:
        staging.manifest = replace(staging.manifest, stop_reason=StopReason.BUDGET)
    staging.save()
    manifest = staging.manifest
    ops = [op for op in manifest.ops if page_id(op.path)]
    left = [one for one in manifest.inputs.sessions if one.skipped and one.id[:8] not in seen.report.nothing]
    done = replace(
        start,
        run_id=manifest.run_id,
        added=sum(added.values()),
        retired=retired,
        dropped=dict(start.dropped) | {f"rule {rule}": number for rule, number in sorted(dropped.items())},
        failed=start.failed | running.failed,
        created=tuple(page_id(op.path) or "" for op in ops if op.op is Operation.CREATE),
        updated=tuple(page_id(op.path) or "" for op in ops if op.op is not Operation.CREATE),
        refused=tuple(p for p in seen.checked.broken if p.path != MANIFEST),
        left_for_later=start.left_for_later + len([one for one in left if one.id not in running.failed]),
    )
    if not staging.changes():
        staging.close()
        return replace(done, noop=True)
    rules = running.rules(staging.changes(), override=override)
    result = sync(running.git, staging, check=rules, now=running.now, config=running.config, verified=_verified(seen))
    return done.with_sync(result, manifest, noop=not ops)


def _give_back(running: Running, seen: Look, *, override: bool) -> Counter[str]:
    """Take out what fails, put back what went without a reason; what was given back, by rule."""
    staging, said = running.staging, seen.report
    blamed = [p for p in seen.checked.broken if classify(p.path) in (FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY)]
    drop(staging, seen.difference.stray)
    put_back_distilled(staging)
    taken = Counter(problem.rule for problem in seen.difference.problems)
    taken += Counter(problem.rule for problem in said.problems)
    taken += _bring_back_pages(running, seen.checked)
    lines = [p for p in blamed if p.rule not in ("STG001", "STG002", "STG006", "SEM006") and p.path in staging]
    taken += mend(staging, [p for p in lines if p.path not in seen.difference.stray])
    taken += _settled(running, said, unjust={p.message for p in blamed if p.rule == "SEM006"})
    _, more = repair(
        staging,
        running.rules(staging.changes(), override=override),
        settle=lambda: taken.update(_settled(running, said)),
    )
    return taken + more


def _settled(running: Running, said: Report, *, unjust: Iterable[str] = ()) -> Counter[str]:
    """Bring the manifest after the files, and put back every claim that is gone without a reason or unjustly."""
    difference = settle(running, said)
    lost = losses.losses(context(running, difference.changes), said)
    back = [one for one in lost if one.removed.why is None or any(_names(message, one) for message in unjust)]
    back = [one for one in back if one.path in running.staging]
    if back:
        put_back(running.staging, back)
        settle(running, said)
    return Counter({"STG002": len(back)}) if back else Counter()


def _names(message: str, loss: losses.Loss) -> bool:
    return repr(clip(loss.claim.words, 120)) in message


def _bring_back_pages(running: Running, checked: Checked) -> Counter[str]:
    """Pages that went come back when too many did, or when what they said is nowhere."""
    staging = running.staging
    gone = {op.path for op in staging.manifest.ops if op.path in staging.gone()}
    lost = {one.path for one in checked.removed if one.why is None} & gone
    if any(p.rule == _GRAPH_WIDE and p.path in gone for p in checked.broken):
        lost = gone
    for path in sorted(lost):
        staging.restore(path)
    return Counter({"pages that would have gone": len(lost)}) if lost else Counter()


def _leave_unaccounted(running: Running, said: Report) -> None:
    staging = running.staging
    later = {one.id: said.later[one.id[:8]] for one in staging.manifest.inputs.sessions if one.id[:8] in said.later}
    for id, reason in later.items():
        running.leave(id, reason)
    for one in gaps.unaccounted(staging.tree(), staging.manifest.inputs.sessions):
        if reason := said.nothing.get(one.id[:8], ""):
            inputs = staging.manifest.inputs
            told = tuple(replace(s, skipped=reason) if s.id == one.id else s for s in inputs.sessions)
            staging.manifest = replace(staging.manifest, inputs=replace(inputs, sessions=told))
        else:
            running.leave(one.id, UNCITED)


def _counted(running: Running, said: Report) -> tuple[dict[str, int], int]:
    """New cited claims by page path, and how many older ones were replaced, moved or taken away."""
    changes = running.staging.changes()
    check = context(running, changes)
    added = {}
    for path in check.of_class(FileClass.PAGE):
        if shown := check.page(path):
            added[path] = sum(claim.is_cited for claim in check.new_claims(shown))
    went = losses.explained(losses.losses(check, said))
    return added, sum(went.values()) - went.get(Why.MOVED.value, 0)


def _say_in_changelogs(running: Running, added: dict[str, int], said: Report) -> None:
    """One line under Changelog of every page whose claims changed, in the author's words or in figures."""
    staging = running.staging
    day, run = running.now.astimezone(running.config.zone).date(), staging.manifest.run_id
    for path, number in sorted(added.items()):
        id = page_id(path) or ""
        new = path not in staging.base
        note = said.notes.get(id) or (
            f"page made, {number} claims" if new else counted(number, "new claim") if number else ""
        )
        if not note:
            continue
        try:
            shown = page.parse(staging.read(path), path)
            section = shown.section("Changelog")
            if shown.superseded_by or (section and any(run[:8] in claim.raw for claim in section.claims)):
                continue
            staging.write(path, edit.add_changelog(shown, day, run, note).text)
        except BrainError:
            continue
        said.notes.setdefault(id, note)


def _verified(seen: Look) -> str | None:
    return seen.held.told if seen.held.tested else None
