"""The rules over the folder as it lies there, and mending what needs no judgement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.errors import NotFound
from brain.git import MAIN, Git
from brain.rules import check, fmt
from brain.rules.evidence import TreeEvidence
from brain.status import edits_in
from brain.sync.manifest import Manifest
from brain.sync.publish import Check
from brain.tree import deletions
from brain.tree.deletions import Deletions
from brain.tree.files import FolderTree, Tree, write_atomic
from brain.tree.ids import format_time
from brain.tree.layout import DELETIONS, is_generated, is_tracked
from brain.types import Problem


def check_folder(git: Git, config: Config, paths: Sequence[Path], *, now: datetime) -> list[Problem]:
    """What the rules say of the folder against main; of the files named, or of every file."""
    tree = FolderTree(git.root)
    wanted = _named(tree, paths) if paths else {path for path in tree.paths() if is_tracked(path)}
    problems = check(
        tree,
        git.tree(git.resolve(MAIN)),
        config=config,
        evidence=_evidence(tree, config),
        deletions=_log(tree),
        now=now,
        changed=wanted,
        regenerated=not edits_in(git),
    )
    return [problem for problem in problems if not paths or problem.path in wanted]


def fmt_folder(git: Git, config: Config, paths: Sequence[Path], *, now: datetime, dry_run: bool) -> list[str]:
    """Write the mended files into the folder, where they lie as a person's edits; the changed paths."""
    tree = FolderTree(git.root)
    wanted = _named(tree, paths) if paths else set(tree.paths())
    author = git.user()
    stamp = (format_time(now), f"human:{author.name if author else 'owner'}")
    ours = sorted(path for path in wanted if is_tracked(path) and not is_generated(path))
    mended = fmt(tree, ours, evidence=_evidence(tree, config), stamp=stamp)
    for path, text in () if dry_run else sorted(mended.items()):
        write_atomic(git.root / path, text)
    return sorted(mended)


def published_check(root: Path, config: Config, now: datetime, *, kind: str = "restore") -> Check:
    """The rules as taking something back, or out, wants them: a person's own act."""
    evidence = _evidence(FolderTree(root), config)

    def run(staged: Tree, base: Tree, changed: frozenset[str], manifest: Manifest | None) -> Sequence[Problem]:
        return check(
            staged,
            base,
            config=config,
            evidence=evidence,
            deletions=_log(base),
            now=now,
            changed=changed,
            manifest=manifest,
            kind=kind,
            override=True,
        )

    return run


def _evidence(tree: FolderTree, config: Config) -> TreeEvidence:
    roots = {name: tree.root / place for name, place in config.roots.items()}
    return TreeEvidence(tree, roots, config.authoritative)


def _log(tree: Tree) -> Deletions:
    return deletions.read(tree.read(DELETIONS)) if DELETIONS in tree else Deletions()


def _named(tree: FolderTree, paths: Sequence[Path]) -> set[str]:
    """Files as the tree names them, given from the working folder or already by their path in the tree."""
    found: set[str] = set()
    root = tree.root.resolve()
    for path in paths:
        there = path.resolve()
        name = there.relative_to(root).as_posix() if there.is_relative_to(root) and path.exists() else path.as_posix()
        under = {known for known in tree.paths() if known == name or known.startswith(f"{name.rstrip('/')}/")}
        if not under:
            raise NotFound(f"memory holds no file {name!r}", hint="name it as in knowledge/projects/x.md")
        found |= under
    return found
