"""What is kept of every run beside its commit: `.brain/runs/<run-id>.json`, for people and for later runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from brain.errors import BrainError
from brain.git import MAIN, Git
from brain.sync.conflict import Conflict
from brain.sync.manifest import Manifest, Outcome, StopReason, from_json, to_json
from brain.sync.staging import clear, over, place
from brain.tree.files import write_atomic
from brain.types import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What came of a run's proposal at sync."""

    commit: str | None = None
    human: str | None = None
    rounds: int = 0
    conflicts: Sequence[Conflict] = ()
    problems: Sequence[Problem] = ()
    warnings: Sequence[str] = ()


def ended(manifest: Manifest, changes: Mapping[str, object], now: datetime) -> Manifest:
    """The manifest of a run that is over; what it said itself stays."""
    return replace(
        manifest,
        finished_at=manifest.finished_at or now,
        stop_reason=manifest.stop_reason or (StopReason.DONE if changes else StopReason.NOOP),
        result=manifest.result or (Outcome.CHANGES if changes else Outcome.NOOP),
    )


def record(git: Git, manifest: Manifest, ending: Ending) -> None:
    """Write the record of a run, whole or not at all."""
    text = json.dumps({**json.loads(to_json(manifest)), "sync": asdict(ending)}, ensure_ascii=False, indent=1) + "\n"
    write_atomic(git.root / ".brain" / "runs" / f"{manifest.run_id}.json", text)


def published(git: Git, run_id: str, since: str | None = None) -> str | None:
    """The commit on main that a run made, if it made one."""
    main = git.resolve(MAIN)
    if main is None:
        return None
    span = f"{since}..{main}" if since and git.resolve(since) else main
    return git.text("log", "-1", "--format=%H", f"--grep=^Dream-Run: {run_id}$", span) or None


def settle(git: Git, *, now: datetime) -> list[str]:
    """Drop the staging of every run that was killed, and of failed ones after seven days; the run ids dropped.

    A run that was killed after it moved main gets the record it had no time to write.
    """
    for run_id in over(git, now=now):
        try:
            manifest = from_json((place(git.root) / run_id / "manifest.json").read_text("utf-8"))
        except (OSError, BrainError):
            continue  # killed while it was opened: nothing to tell
        if manifest.stop_reason is not StopReason.ERROR and (commit := published(git, run_id, manifest.base_commit)):
            record(git, ended(manifest, {"": None}, now), Ending(commit=commit))
    return clear(git, now=now)
