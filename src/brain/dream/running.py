"""A run between its opening and its end: what it works with, whoever its author is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.dream.orient import Orientation
from brain.dream.ruling import Rules
from brain.errors import BrainError
from brain.git import Git
from brain.rules.evidence import TreeEvidence
from brain.sync.history import human_lines
from brain.sync.staging import Staging, open_by_hand
from brain.tree import deletions, summary
from brain.tree.deletions import Deletions
from brain.tree.files import FolderTree
from brain.tree.layout import stem, summary_path


@dataclass(slots=True, kw_only=True)
class Running:
    """The pieces of one run. `failed` are sessions and pages that could not be read, with the reason."""

    git: Git
    staging: Staging
    config: Config
    orientation: Orientation
    now: datetime
    log: Deletions = field(init=False)
    evidence: TreeEvidence = field(init=False)
    failed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.log = deletions.read(self.orientation.deletions_text)
        roots = {name: Path(path) for name, path in self.config.roots.items()}
        self.evidence = TreeEvidence(FolderTree(self.git.root), roots, self.config.authoritative)

    def rules(self, paths: Iterable[str], *, override: bool = False) -> Rules:
        """The rules over a change of these files."""
        theirs = self.human(list(paths))
        return Rules(
            config=self.config,
            evidence=self.evidence,
            log=self.log,
            now=self.now,
            human_lines=theirs,
            override=override,
        )

    def human(self, paths: list[str]) -> dict[str, frozenset[str]]:
        return human_lines(self.git, self.staging.manifest.base_commit, paths)

    def leave(self, session: str, reason: str) -> None:
        """Give a session back: its summary and notes stay, its turns are attached by a later run."""
        row = self.orientation.rows[session]
        path = row.summary or summary_path(stem(row))
        if path in self.staging:
            try:
                made = summary.parse(self.staging.read(path), path)
                self.staging.write(path, summary.render(replace(made, attached_through=row.attached_through)))
            except BrainError:
                self.staging.restore(path)
        inputs = self.staging.manifest.inputs
        told = tuple(replace(one, skipped=reason) if one.id == session else one for one in inputs.sessions)
        self.staging.manifest = replace(self.staging.manifest, inputs=replace(inputs, sessions=told))

    def leave_unjudged(self, left: Mapping[str, str]) -> None:
        """Give back, as failed, the sessions whose claims were taken out only because nobody judged them."""
        for one in self.staging.manifest.inputs.sessions:
            if why := next((why for id, why in left.items() if one.id.startswith(id)), ""):
                self.failed[one.id] = f"what it says could not be verified: {why}"
                self.leave(one.id, self.failed[one.id])


def without_held(git: Git, found: Orientation) -> Orientation:
    """Without the sessions that an open run by hand works on: two runs over one session would say all twice."""
    held = {one.id: id for id in open_by_hand(git) for one in Staging.find(git, id).manifest.inputs.sessions}
    kept = tuple(work for work in found.work if work.row.id not in held)
    count = len(found.work) - len(kept)
    if not count:
        return found
    told = f"run {', '.join(sorted(set(held.values())))} is open by hand and holds {count} of the sessions"
    return replace(found, work=kept, left_for_later=found.left_for_later + count, inputs=(*found.inputs, told))
