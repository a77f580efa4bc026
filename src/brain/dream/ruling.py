"""The rules as a run and its sync ask them: one callable over two trees and a run's manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from brain.config import Config
from brain.rules import Context, run
from brain.rules.evidence import Evidence
from brain.sync.manifest import Manifest
from brain.tree.deletions import Deletions
from brain.tree.files import Tree
from brain.types import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """`human_lines` are, by path, the lines that a person changed last; only a newer owner turn may change them."""

    config: Config
    evidence: Evidence
    log: Deletions
    now: datetime
    human_lines: Mapping[str, Iterable[str]] = field(default_factory=dict)
    override: bool = False
    """A person's word that a large change is meant (STG003)."""

    def __call__(
        self, staged: Tree, base: Tree, paths: frozenset[str], manifest: Manifest | None = None
    ) -> Sequence[Problem]:
        return run(self.context(staged, base, paths, manifest))

    def context(self, staged: Tree, base: Tree, paths: Iterable[str], manifest: Manifest | None = None) -> Context:
        """What the rules look at; the same for whoever asks more of it."""
        return Context(
            staged,
            base,
            config=self.config,
            evidence=self.evidence,
            deletions=self.log,
            manifest=manifest,
            now=self.now,
            changed=set(paths),
            human_lines=self.human_lines,
            kind="dream",
            override=self.override,
        )
