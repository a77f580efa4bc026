"""The rules over the folder as it lies there, and mending what needs no judgement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.dream.manifest import Manifest
from brain.dream.publish import Check
from brain.errors import NotFound
from brain.git import MAIN, Git
from brain.rules import check
from brain.rules.evidence import TreeEvidence
from brain.rules.fmt import fmt
from brain.tree.files import FolderTree, Tree, write_atomic
from brain.tree.layout import is_generated, is_tracked
from brain.types import Problem


def check_folder(git: Git, config: Config, paths: Sequence[Path], *, now: datetime) -> list[Problem]:
    """What the rules say of the folder against main; of the files named, or of every file."""
    tree = FolderTree(git.root)
    wanted = _named(git.root, paths) if paths else frozenset(path for path in tree.paths() if is_tracked(path))
    base = git.tree(git.resolve(MAIN))
    problems = check(tree, base, config=config, evidence=_evidence(git.root, config), now=now, changed=wanted)
    kept = [problem for problem in problems if not paths or problem.path in wanted]
    return sorted(kept, key=lambda problem: (problem.path, problem.line, problem.rule))


def fmt_folder(git: Git, config: Config, paths: Sequence[Path], *, now: datetime, dry_run: bool) -> list[str]:
    """Write the mended files into the folder, where they lie as a person's edits; the changed paths."""
    tree = FolderTree(git.root)
    wanted = _named(git.root, paths) if paths else frozenset(tree.paths())
    mended = fmt(tree, sorted(path for path in wanted if is_tracked(path) and not is_generated(path)))
    changed = [path for path, text in sorted(mended.items()) if text != tree.read(path)]
    if not dry_run:
        for path in changed:
            write_atomic(git.root / path, mended[path])
    return changed


def published_check(root: Path, config: Config, now: datetime) -> Check:
    """The rules as publishing wants them."""

    def run(staged: Tree, base: Tree, changed: frozenset[str], manifest: Manifest | None) -> list[Problem]:
        return check(
            staged, base, config=config, evidence=_evidence(root, config), manifest=manifest, now=now, changed=changed
        )

    return run


def _evidence(root: Path, config: Config) -> TreeEvidence:
    return TreeEvidence(FolderTree(root), {name: root / place for name, place in config.roots.items()})


def _named(root: Path, paths: Sequence[Path]) -> frozenset[str]:
    """Paths as the tree names them: given from inside it, from the working folder, or already relative to it."""
    found = set()
    tree = FolderTree(root)
    for path in paths:
        inside = path.resolve().is_relative_to(root.resolve())
        name = path.resolve().relative_to(root.resolve()).as_posix() if inside and path.exists() else path.as_posix()
        under = [known for known in tree.paths(name) if known == name or known.startswith(f"{name.rstrip('/')}/")]
        if not under:
            raise NotFound(f"memory holds no file {name!r}", hint="name it as in knowledge/projects/x.md")
        found.update(under)
    return frozenset(found)
