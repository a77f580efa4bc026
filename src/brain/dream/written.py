"""The end of a run whose engine wrote through its desk and named its operations, such as the extractive one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from brain.dream.engine import Update
from brain.dream.holding import Held, holding
from brain.dream.looking import context
from brain.dream.repair import mend, repair
from brain.dream.result import DreamResult
from brain.dream.running import Running
from brain.dream.summarise import Summariser
from brain.dream.verification import Verifier
from brain.rules.staging import lost_claims
from brain.sync.manifest import Operation, Outcome, StopReason
from brain.sync.sync import sync
from brain.tree.layout import page_id
from brain.types import Severity

SMALL = 50_000
"""Tokens of user speech up to which a wiki may hold a larger share of it (format §4.8 asks for 25 % above)."""

SHARE_SMALL, SHARE = 0.45, 0.2
LEAST_ALLOWANCE = 4_000


def close(
    running: Running, made: Summariser, update: Update, start: DreamResult, *, verifier: Verifier | None = None
) -> DreamResult:
    """Write notes and summaries, have claims verified, take out what fails, publish the rest."""
    staging = running.staging
    made.finish(staging.manifest.agent.version, attached=update.attached, projects=update.projects)
    pages = any(op.path.startswith("knowledge/") for op in update.ops)
    staging.manifest = replace(
        staging.manifest.with_ops(*update.ops),
        result=Outcome.CHANGES if pages else Outcome.NOOP,
        stop_reason=_stop_reason(start, pages),
        finished_at=running.now,
    )
    staging.save()
    held, refused = _verified(running, verifier)
    running.leave_unjudged(held.left if held else {})
    rules = running.rules(staging.changes())
    _, taken = repair(staging, rules)
    taken += refused
    manifest = staging.manifest
    ops = [op for op in manifest.ops if page_id(op.path)]
    done = replace(
        start,
        run_id=manifest.run_id,
        added=update.added,
        retired=update.retired,
        dropped=start.dropped | {f"rule {rule}": number for rule, number in sorted(taken.items())},
        failed=dict(running.failed),
        created=tuple(page_id(op.path) or "" for op in ops if op.op is Operation.CREATE),
        updated=tuple(page_id(op.path) or "" for op in ops if op.op is not Operation.CREATE),
    )
    if not staging.changes():
        staging.close()
        return replace(done, noop=True)
    told = held.told if held else None
    result = sync(running.git, staging, check=rules, now=running.now, config=running.config, verified=told)
    return done.with_sync(result, manifest, noop=not ops)


def _verified(running: Running, verifier: Verifier | None) -> tuple[Held | None, Counter[str]]:
    """What a verifier refuses goes; a page that also gave something up for it returns to what it was."""
    if verifier is None:
        return None, Counter()
    staging = running.staging
    check = context(running, staging.changes())
    held = holding(check, verifier, seed=staging.manifest.run_id)
    broken = [p for p in held.problems if p.severity is Severity.E and p.path in staging]
    back = {p.path for p in broken if p.rule == "SEM006" or lost_claims(check, p.path)}
    for path in sorted(back):
        staging.restore(path)
    return held, mend(staging, [p for p in broken if p.path not in back]) + Counter(
        p.rule for p in broken if p.path in back
    )


def _stop_reason(start: DreamResult, pages: bool) -> StopReason:
    if start.stopped == StopReason.BUDGET:
        return StopReason.BUDGET
    return StopReason.DONE if pages else StopReason.NOOP


def allowance(running: Running, made: Summariser) -> int:
    """Tokens by which the pages may grow: a share of what users said in the new turns (format §4.8)."""
    places = [running.git.root / row.transcript for row in running.orientation.rows.values() if row.transcript]
    stored = sum(place.stat().st_size for place in places if place.is_file()) * 2 / 7
    said = stored * made.speech / made.read if made.read else 0.0
    return max(LEAST_ALLOWANCE, int(made.speech * (SHARE_SMALL if said <= SMALL else SHARE)))
