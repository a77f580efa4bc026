"""What a working set begins with: the map, then pages by the index's own score, recent notes, recent summaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from brain.config import Config
from brain.corpus.corpus import Corpus, File, State
from brain.errors import FormatError
from brain.tree import index, note, page
from brain.tree.layout import (
    AGENTS,
    CONFIG,
    INSTRUCTIONS,
    KNOWLEDGE_INDEX,
    SESSION_INDEX,
    SESSION_INDEX_MD,
    note_id,
    page_id,
    page_path,
)
from brain.tree.page import Page
from brain.tree.sessions import SessionRow, SessionState, parse_rows
from brain.workset.manifest import Budget

MAP = (AGENTS, KNOWLEDGE_INDEX, SESSION_INDEX_MD, INSTRUCTIONS)
SHARES = (("page", 0.6), ("note", 0.8), ("summary", 1.0))
"""Up to which part of what the map leaves each kind may fill the set, in this order; what one leaves, the next may
use."""

NOTES_READ = 400
"""Note files looked at when choosing the newest; standing topics come first in that."""

SUMMARIES = 50
_STANDING = ("notes/preferences/", "notes/workflows/")
_PRIVATE = ("restricted",)
_OLD = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A file for the set and why it is in it."""

    file: File
    why: str


def choose(corpus: Corpus, config: Config, budget: Budget, *, at: str) -> Iterator[Chosen]:
    """Files of commit `at` within the budget, the most useful first. Restricted pages are never preloaded."""
    purse = _Purse(budget)
    here = {file.path: file for file in corpus.fetch(MAP, at=at) if file.state is State.SENT}
    for file in here.values():
        if purse.pays(file, 1.0):
            yield Chosen(file=file, why="map")
    purse.close_map()
    kinds = {
        "page": lambda: _pages(corpus, config, here.get(KNOWLEDGE_INDEX), at),
        "note": lambda: _notes(corpus, at),
        "summary": lambda: _summaries(corpus, at),
    }
    for kind, share in SHARES:
        for chosen in kinds[kind]():
            if purse.spent(share):
                break
            if purse.pays(chosen.file, share):
                yield chosen


class _Purse:
    """What is spent of the budget. Shares are of what was left when the map had been paid."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.bytes = 0
        self.files = 0
        self.map = Budget(bytes=0, files=0)

    def close_map(self) -> None:
        self.map = Budget(bytes=self.bytes, files=self.files)

    def limit(self, share: float) -> Budget:
        size = self.map.bytes + share * (self.budget.bytes - self.map.bytes)
        return Budget(bytes=int(size), files=self.map.files + round(share * (self.budget.files - self.map.files)))

    def pays(self, file: File, share: float) -> bool:
        limit = self.limit(share)
        if self.bytes + len(file.data) > limit.bytes or self.files + 1 > limit.files:
            return False
        self.bytes += len(file.data)
        self.files += 1
        return True

    def spent(self, share: float) -> bool:
        limit = self.limit(share)
        return self.bytes >= limit.bytes * 0.98 or self.files >= limit.files


def _pages(corpus: Corpus, config: Config, compact: File | None, at: str) -> Iterator[Chosen]:
    """The pages that the compact index lists, the profile first, then by score; ties by id."""
    if compact is None:
        return
    ids = listed(compact.data.decode("utf-8", "replace"))
    files = {file.path: file for file in corpus.fetch(map(page_path, ids), at=at) if file.state is State.SENT}
    pages = [read for file in files.values() if (read := _page(file)) and read.sensitivity not in _PRIVATE]
    inbound = index.inbound_links(pages)
    newest = max((one.updated_at for one in pages if one.updated_at), default=None)
    owners = {owner: place for place, owner in enumerate(config.owners)}
    pages.sort(
        key=lambda p: (owners.get(p.id, len(owners)), not p.pinned, -index.score(p, inbound[p.id], newest), p.id)
    )
    for one in pages:
        why = "profile" if one.id in owners or one.pinned else "page by score"
        yield Chosen(file=files[page_path(one.id)], why=why)


def listed(compact: str) -> list[str]:
    """Page ids that a compact index lists, in its order."""
    starts = (line.partition(" — ")[0] for line in compact.splitlines() if " — " in line)
    return [start for start in starts if page_id(page_path(start)) == start]


def _page(file: File) -> Page | None:
    try:
        return page.parse(file.data.decode("utf-8"), file.path)
    except (FormatError, UnicodeDecodeError):
        return None


def _notes(corpus: Corpus, at: str) -> Iterator[Chosen]:
    paths = [path for path in corpus.paths("notes/", at=at) if note_id(path)]
    paths.sort(key=lambda path: (not path.startswith(_STANDING), path))
    dated: list[tuple[bool, datetime, File]] = []
    for file in corpus.fetch(paths[:NOTES_READ], at=at):
        try:
            when = note.parse(file.data.decode("utf-8"), file.path).updated_at or _OLD
        except (FormatError, UnicodeDecodeError):
            continue
        dated.append((file.path.startswith(_STANDING), when, file))
    dated.sort(key=lambda row: (not row[0], -row[1].timestamp() if row[1] is not _OLD else 0.0, row[2].path))
    for standing, _, file in dated:
        yield Chosen(file=file, why="standing notes" if standing else "recent notes")


def _summaries(corpus: Corpus, at: str) -> Iterator[Chosen]:
    rows = _newest(parse_rows(_text(corpus.fetch([SESSION_INDEX], at=at))))
    paths = [row.summary for row in rows if row.summary and row.sensitivity not in _PRIVATE]
    for file in corpus.fetch(paths[:SUMMARIES], at=at):
        if file.state is State.SENT:
            yield Chosen(file=file, why="recent summary")


def _newest(rows: Sequence[SessionRow]) -> list[SessionRow]:
    alive = [row for row in rows if row.state not in (SessionState.DELETED, SessionState.REDACTED)]
    return sorted(alive, key=lambda row: (row.last_turn_at or row.started_at or _OLD, row.id), reverse=True)


def _text(files: Iterable[File]) -> str:
    return "".join(file.data.decode("utf-8") for file in files if file.state is State.SENT)


def settings(corpus: Corpus, at: str) -> Config:
    """The brain's settings as of a commit."""
    text = _text(corpus.fetch([CONFIG], at=at))
    return Config.parse(text) if text else Config()
