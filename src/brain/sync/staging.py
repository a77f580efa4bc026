"""Where a run writes what it proposes: a git work tree of its own under `.brain/staging/<run-id>/` (format §12).

A program that writes only what it changes gets an empty work tree (`full=False`); an engine that edits with a shell
gets every file. Either way a missing file means nothing unless the manifest lists its deletion.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from brain.errors import BrainError, FormatError, GitError, NotFound, UsageError
from brain.git import Git, GitTree
from brain.sync.conflict import Conflict
from brain.sync.lock import alive, this_process
from brain.sync.manifest import Manifest, Op, Operation, StopReason, from_json, to_json
from brain.tree.files import FolderTree, OverlayTree, write_atomic
from brain.tree.layout import FileClass, classify

KEPT = timedelta(days=7)
"""How long the staging of a run that ended in an error stays, for a look at it."""

_NEW, _OLD = ".new-", ".old-"
_MOMENT = 60.0  # seconds after which a half-made or half-removed folder belongs to nobody

WRITABLE = (FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY)
_TAKES_AWAY = (Operation.DELETE, Operation.RENAME, Operation.MERGE)


class Staging:
    """The proposed state of one run. `manifest` is the run's record of what it does; assign and `save` it."""

    def __init__(self, git: Git, manifest: Manifest, *, full: bool) -> None:
        self.git = git
        self.manifest = manifest
        self.full = full
        self.path = place(git.root) / manifest.run_id
        self.work = self.path / "tree"
        self.base = GitTree(git, manifest.base_commit)

    @classmethod
    def open(cls, git: Git, manifest: Manifest, *, full: bool = False, by_hand: bool = False) -> Staging:
        """Make the work tree on branch `staging/<run-id>` at the manifest's base commit.

        `by_hand`: the run outlives this process.
        """
        staging = cls(git, manifest, full=full)
        pid, started, host = (0, "", "") if by_hand else this_process()
        owner = {"pid": pid, "started": started, "host": host, "full": full}
        making = staging.path.with_name(_NEW + manifest.run_id)
        write_atomic(making / "owner.json", json.dumps(owner) + "\n")
        write_atomic(making / "manifest.json", to_json(manifest))
        making.rename(staging.path)  # a staging always says whose it is
        checkout = ["--checkout"] if full else ["--no-checkout"]
        branch = f"staging/{manifest.run_id}"
        git.run("worktree", "add", "-q", *checkout, "-B", branch, str(staging.work), manifest.base_commit)
        return staging

    @classmethod
    def find(cls, git: Git, run_id: str) -> Staging:
        """An open staging by its run. Raises NotFound."""
        folder = place(git.root) / run_id
        try:
            owner = json.loads((folder / "owner.json").read_bytes())
            manifest = from_json((folder / "manifest.json").read_text("utf-8"), str(folder / "manifest.json"))
        except (FileNotFoundError, ValueError) as error:
            raise NotFound(f"no open run {run_id!r}", hint="brain log") from error
        return cls(git, manifest, full=bool(owner.get("full")))

    # Proposing

    def read(self, path: str) -> str:
        """A file as proposed so far. Raises NotFound."""
        if (self.work / path).is_file() and not (self.work / path).is_symlink():
            return (self.work / path).read_text("utf-8")
        if path in self.gone():
            raise NotFound(f"no file {path!r}")
        return self.base.read(path)

    def __contains__(self, path: object) -> bool:
        try:
            return isinstance(path, str) and self.read(path) is not None
        except NotFound:
            return False

    def write(self, path: str, text: str, *, reason: str = "", note: str = "") -> None:
        """Propose a file; the manifest gets an operation for it unless it has one."""
        _may_write(path)
        write_atomic(self.work / path, text)
        known = {op.path: op for op in self.manifest.ops}
        if path not in known or known[path].op in _TAKES_AWAY:
            kind = Operation.UPDATE if path in self.base else Operation.CREATE
            self.manifest = self.manifest.with_ops(Op(op=kind, path=path, reason=reason, note=note))

    def delete(self, path: str, *, reason: str = "", note: str = "") -> None:
        """Propose that a file goes."""
        _may_write(path)
        (self.work / path).unlink(missing_ok=True)
        if path in self.base:
            self.manifest = self.manifest.with_ops(Op(op=Operation.DELETE, path=path, reason=reason, note=note))
        else:
            self.manifest = replace(self.manifest, ops=tuple(op for op in self.manifest.ops if op.path != path))

    def restore(self, path: str) -> None:
        """Give a file back: to what the base has, or away when it is new."""
        if path in self.base:
            self.write(path, self.base.read(path))
        else:
            self.delete(path)

    @property
    def by_hand(self) -> bool:
        """Whether the run outlives the process that opened it."""
        return self.manifest.run_id in open_by_hand(self.git)

    def save(self) -> None:
        write_atomic(self.path / "manifest.json", to_json(self.manifest))

    # Reading what is proposed

    def changes(self) -> dict[str, str | None]:
        """Every file that differs from the base, with its new text (None: deleted), in path order.

        Raises FormatError for a file that is not UTF-8.
        """
        found: dict[str, str | None] = {path: None for path in self.gone() if path in self.base}
        for path in self._written():
            content = (self.work / path).read_bytes()
            if self.git.blob_name(content) != self.base.entries.get(path):
                try:
                    found[path] = content.decode("utf-8")
                except UnicodeDecodeError as error:
                    raise FormatError("not UTF-8", path=path) from error
            else:
                found.pop(path, None)
        return dict(sorted(found.items()))

    def tree(self) -> OverlayTree:
        """The whole proposed state."""
        return OverlayTree(self.base, self.changes())

    def unlisted(self) -> list[str]:
        """Files missing from a full work tree whose deletion the manifest does not list; they count as still there."""
        if not self.full:
            return []
        gone = self.gone()
        return [path for path in self.base.paths() if path not in gone and not (self.work / path).is_file()]

    def gone(self) -> set[str]:
        return {op.path for op in self.manifest.ops if op.op in _TAKES_AWAY}

    def _written(self) -> Iterator[str]:
        found = (path for path in FolderTree(self.work).paths() if path != ".git")
        return (path for path in found if stat.S_ISREG((self.work / path).lstat().st_mode))

    # Ending

    def keep_conflicts(self, conflicts: tuple[Conflict, ...]) -> None:
        """Put what was not taken beside the proposed state, for the next run and for people."""
        for number, conflict in enumerate(conflicts, start=1):
            sides = f"<<<<<<< main\n{conflict.main}\n=======\n{conflict.incoming}\n>>>>>>> this run\n"
            text = f"{conflict.path}: {conflict.what}\n\n{sides}"
            write_atomic(self.path / "conflicts" / f"{number:03}.txt", text)

    def fail(self, now: datetime) -> None:
        """Mark the run as ended in an error; its staging stays for seven days."""
        self.manifest = replace(self.manifest, finished_at=now, stop_reason=StopReason.ERROR)
        self.save()

    def close(self) -> None:
        """Drop the work tree, its branch and everything under `.brain/staging/<run-id>/`."""
        _drop(self.git, self.path)


def place(root: Path) -> Path:
    return root / ".brain" / "staging"


def brain_of(folder: Path) -> Path | None:
    """The brain whose run a folder belongs to, when it lies in the work tree of one."""
    found = _work_around(folder)
    return found.parents[3] if found else None


def run_of(folder: Path) -> str | None:
    """The run whose work tree a folder lies in."""
    found = _work_around(folder)
    return found.parent.name if found else None


def _work_around(folder: Path) -> Path | None:
    for place in (folder, *folder.parents):
        if place.name == "tree" and place.parent.parent.parts[-2:] == (".brain", "staging"):
            return place
    return None


def clear(git: Git, *, now: datetime) -> list[str]:
    """Drop every staging that nobody works in any more; the run ids dropped."""
    dropped = over(git, now=now)
    for run_id in dropped:
        _drop(git, place(git.root) / run_id)
    for left in place(git.root).glob(".*"):
        if left.name.startswith(_OLD) or _idle(left) > _MOMENT:
            shutil.rmtree(left, ignore_errors=True)
    return dropped


def over(git: Git, *, now: datetime) -> list[str]:
    """Runs whose staging nobody works in any more: the process is dead, or it failed seven days ago."""
    return [run_id for run_id in open_runs(git) if _is_over(place(git.root) / run_id, now)]


def open_runs(git: Git) -> list[str]:
    """Run ids that have a staging, oldest first."""
    return sorted(folder.name for folder in place(git.root).glob("*") if not folder.name.startswith("."))


def open_by_hand(git: Git) -> list[str]:
    """Runs that outlive the process that opened them, and failed ones that can be mended; oldest first."""
    found = []
    for run_id in open_runs(git):
        folder = place(git.root) / run_id
        try:
            owner = json.loads((folder / "owner.json").read_bytes())
        except (OSError, ValueError):
            continue
        if owner.get("pid") == 0:
            found.append(run_id)
    return found


def _is_over(folder: Path, now: datetime) -> bool:
    try:
        owner = json.loads((folder / "owner.json").read_bytes())
        manifest = from_json((folder / "manifest.json").read_text("utf-8"))
    except FileNotFoundError:
        return False  # it ended this very moment
    except (ValueError, BrainError):
        return _idle(folder) > KEPT.total_seconds()
    if manifest.stop_reason is StopReason.ERROR:
        return now - (manifest.finished_at or manifest.started_at) > KEPT
    if owner.get("pid") == 0:  # by hand: over when nobody touched it for a week
        return now - manifest.started_at > KEPT and _untouched(folder) > KEPT.total_seconds()
    return not alive(int(owner["pid"]), str(owner["started"]), str(owner["host"]))


def _idle(folder: Path) -> float:
    """Seconds since anything was put into a folder, by the clock of the file system."""
    try:
        return time.time() - folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _untouched(folder: Path) -> float:
    """Seconds since anything in a run's folder was written."""
    newest = folder.stat().st_mtime
    for path, _, files in os.walk(folder / "tree"):
        newest = max(newest, Path(path).stat().st_mtime, *((Path(path) / file).lstat().st_mtime for file in files), 0.0)
    return time.time() - newest


def _drop(git: Git, folder: Path) -> None:
    """Remove a staging and what git knows of it, in whatever state a kill left them."""
    ref = f"refs/heads/staging/{folder.name}"
    try:
        if git.resolve(ref):
            git.delete_ref(ref)
    except GitError:
        if git.resolve(ref):  # else another command dropped the same leftover
            raise
    records = git.dir / "worktrees"
    for record in sorted(records.glob("*")):
        try:
            where = (record / "gitdir").read_text("utf-8").strip()
        except FileNotFoundError:
            mine = _idle(record) > _MOMENT
        else:
            mine = Path(where).is_relative_to(folder)
        if mine:
            shutil.rmtree(record, ignore_errors=True)
    gone = folder.with_name(_OLD + folder.name)
    try:
        folder.rename(gone)
    except FileNotFoundError:
        return
    shutil.rmtree(gone, ignore_errors=True)


def _may_write(path: str) -> None:
    if classify(path) not in WRITABLE or ".." in path.split("/"):
        raise UsageError(f"a run may write pages, notes and summaries, not {path!r}")
