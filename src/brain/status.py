"""What a brain holds, what is pending, and who does each stage and why; nothing degrades silently."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from brain.capture.standing import standing
from brain.config import Config
from brain.corpus.search.index import Status as IndexStatus
from brain.dream.orient import parse_instructions, work_of
from brain.git import MAIN, Git
from brain.sync.history import log
from brain.sync.lock import Lock
from brain.sync.message import Kind
from brain.text import counted
from brain.tree import layout
from brain.tree import note as notes
from brain.tree.files import FolderTree, Tree
from brain.tree.ids import format_time
from brain.tree.sessions import SessionRow, SessionState, parse_rows

if TYPE_CHECKING:
    from brain.engines import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage of the work, the engine that does it, and the reason it is this one. `missing` says why it cannot."""

    name: str
    engine: str
    why: str
    model: str | None = None
    server: str | None = None
    missing: str | None = None

    def line(self) -> str:
        who = f"{self.engine} {self.model}" if self.model else self.engine
        at = f" at {self.server}" if self.server else ""
        return f"{self.name:<10} {who}{at}: {self.why}" + (f" — CANNOT RUN: {self.missing}" if self.missing else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What the next run will do. `edits` are files a person changed in the folder since the last commit."""

    summarise: int = 0
    attach: int = 0
    turns: int = 0
    edits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    root: Path
    commit: str | None
    last_run: str | None
    last_run_at: datetime | None
    pages: dict[str, int]
    notes: int
    snippets: int
    summaries: int
    sessions: int
    turns: int
    pending: Pending
    stages: tuple[Stage, ...]
    search: IndexStatus
    writer: str | None
    capture: str | None = None

    def lines(self) -> list[str]:
        """The status for a person, one thing a line."""
        pages = ", ".join(counted(count, kind) for kind, count in self.pages.items()) or "none yet"
        pending = self.pending
        work = f"{counted(pending.turns, 'turn')} in {counted(pending.attach, 'session')}"
        todo = f"{work}, {pending.summarise} to summarise"
        run = (
            f"{self.last_run} at {format_time(self.last_run_at)}" if self.last_run and self.last_run_at else "none yet"
        )
        out = [
            f"memory     {self.root}",
            f"commit     {self.commit[:12] if self.commit else 'none yet'}",
            f"last run   {run}",
            f"sessions   {self.sessions} with {counted(self.turns, 'turn')}, {self.summaries} summarised",
            f"notes      {self.snippets} in {counted(self.notes, 'file')}",
            f"pages      {sum(self.pages.values())}: {pages}",
            f"pending    {todo if pending.attach or pending.summarise else 'nothing to dream about'}",
        ]
        if pending.edits:
            shown = ", ".join(pending.edits[:3]) + (", …" if len(pending.edits) > 3 else "")
            out.append(f"edits      {len(pending.edits)} by a person, committed by the next command: {shown}")
        out += [stage.line() for stage in self.stages]
        kinds = ((count, surface.value) for surface, count in self.search.documents.items())
        documents = ", ".join(counted(count, kind) for count, kind in kinds if count)
        out.append(f"search     {documents or 'nothing yet'}; by words at once, {self._meaning()}")
        if self.writer:
            out.append(f"writing    {self.writer}")
        if self.capture:
            out.append(f"capture    {self.capture}")
        return out

    def _meaning(self) -> str:
        if not self.search.available:
            return f"not by meaning: {self.search.embedder}"
        search = self.search
        by = f"made by process {search.working}" if search.working else "brain reindex --vectors makes them now"
        left = f", {counted(search.pending, 'text')} to come: {by}" if search.pending else ""
        if search.serving:
            done = f"{search.vectors} of {counted(search.vectors + search.pending, 'text')}: {by}"
            return f"by meaning as {search.serving} has it until {search.embedder} is complete ({done})"
        return f"{counted(search.vectors, 'text')} by meaning ({search.embedder}{left})"


def look(git: Git, config: Config, search: IndexStatus, tree: FolderTree | None = None) -> Status:
    """Look at the folder, or at what `tree` lets be seen of it; nothing is written."""
    root = git.root
    tree = tree or FolderTree(root)
    rows = [row for row in rows_of(tree) if row.state is not SessionState.DELETED]
    files = [notes.parse(tree.read(path), path) for path in tree.paths("notes/") if layout.note_id(path)]
    runs = log(git, limit=1, kind=Kind.DREAM)
    holder = Lock(root, root / ".brain" / "epoch").holder()
    return Status(
        root=root,
        commit=git.resolve(MAIN),
        last_run=runs[0].run if runs else None,
        last_run_at=runs[0].at if runs else None,
        pages=pages_by_type(tree),
        notes=len(files),
        snippets=sum(len(file.snippets) for file in files),
        summaries=sum(row.through_turn > 0 for row in rows),
        sessions=len(rows),
        turns=sum(row.turns for row in rows),
        pending=pending_of(tree, rows, edits_in(git)),
        stages=stages(config),
        search=search,
        writer=f"{holder.what}, process {holder.pid}" if holder else None,
        capture=standing(root),
    )


def stages(config: Config) -> tuple[Stage, ...]:
    """Who does each stage; what is missing is told, not raised."""
    from brain.engines import SEATS, seat_of  # with all of dream

    return tuple(_stage(seat_of(config, role), config) for role in SEATS)


WITHOUT_MODEL = {
    "distil": "selects what was said, needs no key and no network",
    "dream": "selects what was said, needs no key and no network",
    "verify": "rules and verification against the cited turns are the same for every engine",
    "recall": "searches in rounds, follows links and citations",
    "answer": "statements word for word, with their evidence",
}


def _stage(seat: Seat, config: Config) -> Stage:
    from brain.engines import Engine

    name = seat.role.value
    if seat.engine is Engine.EXTRACTIVE:
        engine = "rules" if name == "verify" else seat.engine.value
        return Stage(name=name, engine=engine, why=f"{WITHOUT_MODEL[name]}; {seat.why}")
    if seat.engine is Engine.COMMAND:
        missing = None if config.run.command else "run.command is not set; say --command"
        program = config.run.command.split(" ")[0]
        if program and which(program) is None:
            missing = f"there is no program {program!r} here"
        return Stage(name=name, engine="command", why=seat.why, model=config.run.command or None, missing=missing)
    if seat.cast is None:
        return Stage(name=name, engine="model", why=seat.why, missing="no model is set for it: models.default is empty")
    from brain.agents.models import missing_key

    return Stage(
        name=name,
        engine="model",
        why=seat.why,
        model=seat.cast.model,
        server=seat.cast.base_url or None,
        missing=missing_key(seat.cast) or (_no_sandbox(config) if name == "dream" else None),
    )


def _no_sandbox(config: Config) -> str | None:
    """Why an agent that writes pages cannot have the sandbox that it needs."""
    from brain.agents.sandbox import missing

    why = missing()
    return f"agents run in a sandbox, and {why}" if why and not config.run.unsandboxed else None


def edits_in(git: Git) -> tuple[str, ...]:
    """Files that a person changed in the folder since the last commit."""
    raw = git.run("--no-optional-locks", "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")
    named = (entry[3:] for entry in raw.decode("utf-8", "replace").split("\0") if entry)
    return tuple(sorted(path for path in named if layout.is_tracked(path) and not layout.is_generated(path)))


def pages_by_type(tree: Tree) -> dict[str, int]:
    """How many pages of each type, in the order of the format; types without pages are left out."""
    pages = filter(None, map(layout.page_id, tree.paths("knowledge/")))
    count = Counter(map(layout.page_type, pages))
    return {kind: count[kind] for kind in layout.TYPE_DIRS if count[kind]}


def rows_of(tree: Tree) -> list[SessionRow]:
    """The session index, empty when there is none yet."""
    return parse_rows(tree.read(layout.SESSION_INDEX)) if layout.SESSION_INDEX in tree else []


def pending_of(tree: FolderTree, rows: list[SessionRow], edits: tuple[str, ...]) -> Pending:
    """The next run's work, from the watermarks in the session index."""
    text = tree.read(layout.INSTRUCTIONS) if layout.INSTRUCTIONS in tree else ""
    work, _ = work_of(rows, parse_instructions(text))
    return Pending(
        summarise=sum(item.summarises for item in work),
        attach=len(work),
        turns=sum(item.turns for item in work),
        edits=edits,
    )
