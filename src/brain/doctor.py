"""Looks for what is broken in a brain, and mends what can be mended without losing anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from brain.corpus.search.background import running
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import EmbedderUnavailable
from brain.errors import BrainError
from brain.git import MAIN, Git, require_git
from brain.hosts import standing
from brain.hosts.host import Scope
from brain.hosts.known import place
from brain.hosts.standing import Standing
from brain.status import rows_of
from brain.sync import staging
from brain.sync.lock import Lock, alive
from brain.text import counted
from brain.tree.files import FolderTree
from brain.tree.sessions import SessionRow, SessionState


class Verdict(StrEnum):
    WELL = "well"
    NOTE = "note"  # worth knowing, works all the same
    BROKEN = "broken"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at. `hint` is what to type when it is broken."""

    name: str
    verdict: Verdict
    said: str
    hint: str | None = None

    @property
    def well(self) -> bool:
        return self.verdict is not Verdict.BROKEN

    def line(self) -> str:
        return f"{self.verdict.value:<7} {self.name:<12} {self.said}" + (f" (try: {self.hint})" if self.hint else "")


def well(name: str, said: str) -> Finding:
    return Finding(name=name, verdict=Verdict.WELL, said=said)


def broken(name: str, said: str, hint: str | None = None) -> Finding:
    return Finding(name=name, verdict=Verdict.BROKEN, said=said, hint=hint)


def attempt(name: str, said: str, work: Callable[[], object]) -> Finding:
    """Well when `work` goes through, broken with its message and hint when it raises a BrainError."""
    try:
        work()
    except BrainError as error:
        return broken(name, error.message, error.hint)
    return well(name, said)


def examine(git: Git, search: SearchIndex, *, now: datetime, fix: bool) -> list[Finding]:
    """Look at everything, the cheap things first."""
    root = git.root
    return [
        attempt("git", "new enough", require_git),
        _main(git),
        transcripts(root),
        _lock(root),
        _staging(git, now=now, fix=fix),
        temporary_files(root, fix=fix),
        permissions(root, fix=fix),
        _embedder(search),
        _vectors(search, root),
        _index(search, fix=fix),
        *_hosts(root),
    ]


def _main(git: Git) -> Finding:
    commit = git.resolve(MAIN)
    if commit is None:
        return broken("main", "there is no commit on main", "brain init in a new folder")
    if git.branch() != MAIN:
        return broken("main", "the folder shows something else than main", "git checkout main")
    return well("main", f"at {commit[:12]}")


def _lock(root: Path) -> Finding:
    holder = Lock(root, root / ".brain" / "epoch").holder()
    if holder is None:
        return well("lock", "free")
    if alive(holder.pid, holder.started, holder.host):
        return Finding(name="lock", verdict=Verdict.NOTE, said=f"{holder.what!r} is writing, process {holder.pid}")
    return Finding(name="lock", verdict=Verdict.NOTE, said="left by a killed command; the next one takes it over")


def _staging(git: Git, *, now: datetime, fix: bool) -> Finding:
    """Proposed trees of runs that were killed; the ones in use, or kept to be looked at, are left alone."""
    left = staging.over(git, now=now)
    if not left:
        open_ones = staging.open_runs(git)
        return well("staging", f"{len(open_ones)} open" if open_ones else "no run is open")
    if not fix:
        return broken("staging", f"left by a killed run: {', '.join(left[:3])}", "brain doctor --fix")
    staging.clear(git, now=now)
    return Finding(name="staging", verdict=Verdict.FIXED, said=f"{len(left)} removed that killed runs had left")


def _embedder(search: SearchIndex) -> Finding:
    try:
        return well("embedder", search.embedder().id)
    except EmbedderUnavailable as error:
        said = f"{error.message}; search goes by words alone"
        return Finding(name="embedder", verdict=Verdict.NOTE, said=said, hint=error.hint)


def _vectors(search: SearchIndex, root: Path) -> Finding:
    """How many texts wait for their vector, and whether one is at it."""
    left, process = search.waiting() if search.there() else 0, running(root)
    if not left:
        return well("vectors", "none is missing")
    if process:
        return well("vectors", f"{left} to come, made by process {process}")
    return Finding(name="vectors", verdict=Verdict.NOTE, said=f"{left} to come", hint="brain reindex --vectors")


def _index(search: SearchIndex, *, fix: bool) -> Finding:
    """Whether the search index holds what the files hold."""
    behind = search.behind()
    if not behind:
        return well("index", f"{counted(sum(search.status().documents.values()), 'document')}, as in the files")
    if not fix:
        return broken("index", f"out of step with {counted(behind, 'file')}", "brain reindex")
    search.rebuild()
    return Finding(name="index", verdict=Verdict.FIXED, said="built anew from the files")


def _hosts(root: Path) -> Iterator[Finding]:
    """The agents that this memory is installed in and that would not find it; nothing where it is in none."""
    for state, where in standing.unwell(root, place(Scope.USER)):
        project = f" --scope project --project {where.project}" if where.scope is Scope.PROJECT else ""
        yield Finding(
            name="host",
            verdict=Verdict.NOTE if state.standing is Standing.OLD else Verdict.BROKEN,
            said=f"{state.title}: {'; '.join(state.said) or state.standing.says}",
            hint=f"brain install {state.host}{project}",
        )


def transcripts(root: Path) -> Finding:
    """Every session of the index has its transcript, byte for byte as hashed."""
    rows = [row for row in rows_of(FolderTree(root)) if row.state is not SessionState.DELETED]
    odd = [row for row in rows if not _matches(root, row)]
    if not odd:
        return well("transcripts", f"{len(rows)} as hashed in the index")
    names = ", ".join(row.transcript for row in odd[:3]) + (", …" if len(odd) > 3 else "")
    return broken("transcripts", f"{len(odd)} missing or altered: {names}", "brain import PATH of their sources")


def _matches(root: Path, row: SessionRow) -> bool:
    path = root / row.transcript
    if not path.is_file():
        return False
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return not row.transcript_sha256 or digest.hexdigest() == row.transcript_sha256


def permissions(root: Path, *, fix: bool) -> Finding:
    """Memory is for its owner alone: files 0600, folders 0700 (not looked at where the system has no such bits).

    The libraries behind the search index choose their own bits; its folder is closed.
    """
    if os.name == "nt":
        return well("permissions", "kept by the system")
    derived = root / ".brain" / "index"
    ours = (path for path in _ours(root) if derived not in path.parents)
    open_ones = [path for path in ours if stat.S_IMODE(path.stat().st_mode) & 0o077]
    if not open_ones:
        return well("permissions", "for the owner only")
    if not fix:
        return broken("permissions", f"others can read {len(open_ones)} of its files and folders", "brain doctor --fix")
    for path in open_ones:
        path.chmod(0o700 if path.is_dir() else 0o600)
    return Finding(name="permissions", verdict=Verdict.FIXED, said=f"{len(open_ones)} closed to others")


def temporary_files(root: Path, *, fix: bool) -> Finding:
    """Files that a killed command left half written; nothing refers to them."""
    left = [path for path in _ours(root) if path.is_file() and path.name.startswith(".tmp-")]
    if not left:
        return well("leftovers", "none")
    if not fix:
        return broken("leftovers", f"{len(left)} half-written files", "brain doctor --fix")
    for path in left:
        path.unlink(missing_ok=True)
    return Finding(name="leftovers", verdict=Verdict.FIXED, said=f"{len(left)} half-written files removed")


def _ours(root: Path) -> Iterator[Path]:
    """The folder and everything in it but git's own, links not followed."""
    yield root
    for folder, names, files in os.walk(root):
        if Path(folder) == root:
            names[:] = [name for name in names if name != ".git"]
        for name in (*names, *files):
            path = Path(folder) / name
            if not path.is_symlink():
                yield path
