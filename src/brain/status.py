"""What a brain holds, what is pending, and who does each stage and why; nothing degrades silently."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from brain.dream.orient import parse_instructions, work_of
from brain.tree import layout
from brain.tree.files import FolderTree, Tree
from brain.tree.ids import format_time
from brain.tree.sessions import SessionRow, parse_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage of the work, the engine that does it, and the reason it is this one."""

    name: str
    engine: str
    why: str


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
    indexed: int
    embedded: int
    embedder: str
    embedder_why: str
    writer: str | None

    def lines(self) -> list[str]:
        """The status for a person, one thing a line."""
        pages = ", ".join(f"{count} {kind}" for kind, count in self.pages.items()) or "none yet"
        pending = self.pending
        todo = f"{pending.summarise} sessions to summarise, {pending.attach} to attach, {pending.turns} turns"
        run = f"{self.last_run} at {format_time(self.last_run_at)}" if self.last_run and self.last_run_at else "none yet"
        out = [
            f"memory     {self.root}",
            f"commit     {self.commit[:12] if self.commit else 'none yet'}",
            f"last run   {run}",
            f"sessions   {self.sessions} with {self.turns} turns, {self.summaries} summarised",
            f"notes      {self.snippets} in {self.notes} files",
            f"pages      {sum(self.pages.values())}: {pages}",
            f"pending    {todo if pending.attach or pending.summarise else 'nothing; brain dream would change nothing'}",
        ]
        if pending.edits:
            shown = ", ".join(pending.edits[:3]) + (", …" if len(pending.edits) > 3 else "")
            out.append(f"edits      {len(pending.edits)} by a person, committed by the next command: {shown}")
        out += [f"{stage.name:<10} {stage.engine}: {stage.why}" for stage in self.stages]
        out.append(f"search     {self.indexed} documents by words, {self.embedded} by meaning")
        out.append(f"embedder   {self.embedder}: {self.embedder_why}")
        if self.writer:
            out.append(f"writing    {self.writer}")
        return out


def pages_by_type(tree: Tree) -> dict[str, int]:
    """How many pages of each type, in the order of the format; types without pages are left out."""
    count = Counter(layout.page_type(id) for path in tree.paths("knowledge/") if (id := layout.page_id(path)))
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
