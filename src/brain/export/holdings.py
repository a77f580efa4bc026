"""What leaves memory: the pages and notes that may be shown, the sessions behind them, and the evidence they cite.

Who may see what is decided here, once for every form of export: a page above the sensitivity asked for is left out,
links to it become words, and turns of a session above it stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from brain.errors import BrainError, FormatError, NotFound
from brain.tree import cites, layout, log, markdown, note, page, sessions, summary, transcript, uri
from brain.tree.files import FolderTree
from brain.tree.log import LogEntry
from brain.tree.note import NoteFile
from brain.tree.page import Page
from brain.tree.sessions import SessionRow, SessionState
from brain.tree.summary import Summary
from brain.types import Transcript, Turn

LEVELS = ("normal", "private", "restricted")
"""Sensitivity, from what anybody may see up."""

UNREADABLE = "does not read"


class Turns(StrEnum):
    """Which turns go along: those that something cites, all of them, or none."""

    CITED = "cited"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session that goes along, with the turns that do. `name` is its file's, without ending."""

    row: SessionRow
    head: Transcript
    name: str
    turns: tuple[Turn, ...]
    summary: Summary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """Everything an export writes. `files` are artifacts and snapshots by their path under `sessions/artifacts/`.

    `left_out` says, by reason, what was not taken; `broken` which files of memory do not read.
    """

    pages: dict[str, Page] = field(default_factory=dict)
    notes: dict[str, NoteFile] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    log: tuple[LogEntry, ...] = ()
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    broken: tuple[str, ...] = ()

    @property
    def titles(self) -> dict[str, str]:
        return {id: one.title for id, one in self.pages.items()}

    @property
    def newest(self) -> str:
        """When the newest page was changed, as it says itself: an export has no clock."""
        return max((one.get("updated_at") for one in self.pages.values()), default="")

    def place(self, source: str) -> tuple[str, int | None] | None:
        """The session's name and first turn, or an artifact's path, that a source leads to; None when it stays here."""
        try:
            found = uri.parse(source)
        except FormatError:
            return None
        if isinstance(found, uri.SessionUri):
            session = self.sessions.get(found.session)
            wanted = set(found.turns())
            first = (
                next((t.number for t in session.turns if not wanted or t.number in wanted), None) if session else None
            )
            return (session.name, first) if session and first is not None else None
        path = artifact(found)
        return (path, None) if path in self.files else None


def artifact(source: uri.SourceUri) -> str:
    """The path under `sessions/artifacts/` of a file or snapshot, empty for what lies elsewhere."""
    if isinstance(source, uri.ConnectorUri):
        return layout.snapshot_path(source.name, source.sha).removeprefix(layout.ARTIFACTS)
    return source.path if isinstance(source, uri.FileUri) and source.root == "artifacts" else ""


def collect(tree: FolderTree, *, include: str = "normal", turns: Turns = Turns.CITED) -> Holdings:
    """What of the memory in a folder may go out. `include` is the highest sensitivity that is taken along."""
    return _Collecting(tree, LEVELS.index(include), turns).all()


class _Collecting:
    def __init__(self, tree: FolderTree, level: int, turns: Turns) -> None:
        self.tree, self.level, self.which = tree, level, turns
        self.left: dict[str, list[str]] = {}
        self.broken: list[str] = []

    def all(self) -> Holdings:
        rows = {row.id: row for row in self._rows()}
        hidden = {id for id, row in rows.items() if not self._may(row.sensitivity)}
        pages = self._pages()
        notes = {one.id: one for one in (self._shown(file, hidden) for file in self._notes()) if one.snippets}
        pages = {id: _without_glosses(self._linked(one, pages), hidden) for id, one in pages.items()}
        notes = {id: replace(one, snippets=tuple(self._linked_snippet(s, pages) for s in one.snippets))
                 for id, one in notes.items()}  # fmt: skip
        cited = list(_cited(pages.values(), notes.values()))
        found = self._sessions(rows, cited, pages)
        if hidden and self.which is not Turns.NONE:
            self.left["sessions that are not for everybody"] = sorted(hidden)
        return Holdings(
            pages=pages,
            notes=notes,
            sessions=found,
            files=self._files(cited) if self.which is not Turns.NONE else {},
            log=self._log(pages),
            left_out={reason: tuple(ids) for reason, ids in sorted(self.left.items())},
            broken=tuple(self.broken),
        )

    def _may(self, sensitivity: str) -> bool:
        return sensitivity in LEVELS and LEVELS.index(sensitivity) <= self.level

    def _read(self, path: str) -> str | None:
        try:
            return self.tree.read(path)
        except (NotFound, FormatError):
            self.broken.append(path)
            return None

    def _pages(self) -> dict[str, Page]:
        found: dict[str, Page] = {}
        for path in self.tree.paths("knowledge/"):
            id = layout.page_id(path)
            if id is None or (text := self._read(path)) is None:
                continue
            try:
                shown = page.parse(text, path)
            except FormatError:
                self.broken.append(path)
                continue
            if self._may(shown.sensitivity):
                found[id] = shown
            else:
                self.left.setdefault(f"{shown.sensitivity} pages", []).append(id)
        gone = {id for id, one in found.items() if one.superseded_by and one.superseded_by not in found}
        if gone:
            self.left["pages whose place another took that is not taken along"] = sorted(gone)
        return {id: one for id, one in sorted(found.items()) if id not in gone}

    def _notes(self) -> Iterator[NoteFile]:
        for path in self.tree.paths("notes/"):
            id = layout.note_id(path)
            if id is None or (text := self._read(path)) is None:
                continue
            try:
                yield replace(note.parse(text, path), id=id)
            except FormatError:
                self.broken.append(path)

    def _shown(self, file: NoteFile, hidden: set[str]) -> NoteFile:
        """A note file with its snippets alone, but those of sessions that are not for everybody."""
        kept = tuple(snippet for snippet in file.snippets if _session(snippet.uri) not in hidden)
        dropped = len(file.snippets) - len(kept)
        if dropped:
            self.left.setdefault("note files with lines of sessions that are not for everybody", []).append(file.id)
        if any(line.text.strip() for line in file.foreign):
            self.left.setdefault("note files with lines that are no snippets", []).append(file.id)
        return replace(file, snippets=kept, foreign=())

    def _linked(self, shown: Page, pages: dict[str, Page]) -> Page:
        """The page with links to what stays here as plain words."""
        lines = list(shown.lines)
        for link in reversed(page.links(shown)):
            if link.target not in pages:
                words = link.label or link.target.rpartition("/")[2].replace("-", " ")
                line = lines[link.line - 1]
                lines[link.line - 1] = line[: link.start] + words + line[link.end :]
        text = "\n".join(lines)
        return shown if text == shown.text else page.parse(text, shown.path)

    def _linked_snippet(self, snippet: note.Snippet, pages: dict[str, Page]) -> note.Snippet:
        def word(link: markdown.Wikilink) -> str | None:
            return None if link.target in pages else link.label or link.target.rpartition("/")[2].replace("-", " ")

        return replace(snippet, text=markdown.rewrite_links(snippet.text, word))

    def _rows(self) -> list[SessionRow]:
        if layout.SESSION_INDEX not in self.tree or (text := self._read(layout.SESSION_INDEX)) is None:
            return []
        try:
            return sorted(sessions.parse_rows(text), key=sessions.sort_key)
        except FormatError:
            self.broken.append(layout.SESSION_INDEX)
            return []

    def _sessions(
        self, rows: dict[str, SessionRow], cited: Iterable[uri.SourceUri], pages: dict[str, Page]
    ) -> dict[str, Session]:
        if self.which is Turns.NONE:
            return {}
        wanted: dict[str, set[int] | None] = {}
        for source in cited:
            if isinstance(source, uri.SessionUri):
                known = wanted.setdefault(source.session, set())
                wanted[source.session] = None if not source.ranges or known is None else known | set(source.turns())
        if self.which is Turns.ALL:
            wanted = dict.fromkeys(rows, None)
        found: dict[str, Session] = {}
        for id, row in rows.items():
            if id in wanted and self._may(row.sensitivity) and row.state is not SessionState.DELETED:
                one = self._session(row, wanted[id], pages)
                if one is not None and one.turns:
                    found[id] = one
        return found

    def _session(self, row: SessionRow, wanted: set[int] | None, pages: dict[str, Page]) -> Session | None:
        place = self.tree.root / row.transcript
        try:
            head = transcript.read_head(place)
            last = max(wanted, default=0) if wanted is not None else row.turns
            turns = transcript.read_turns(place, 1, last)
        except (OSError, BrainError):
            self.broken.append(row.transcript)
            return None
        kept = tuple(t for t in turns if wanted is None or t.number in wanted)
        told = self._summary(row)
        if told is not None:
            told = replace(told, projects=tuple(id for id in told.projects if id in pages))
        return Session(row=row, head=head, name=layout.stem(row), turns=kept, summary=told)

    def _summary(self, row: SessionRow) -> Summary | None:
        if row.summary is None or row.summary not in self.tree or (text := self._read(row.summary)) is None:
            return None
        try:
            return summary.parse(text, row.summary)
        except FormatError:
            self.broken.append(row.summary)
            return None

    def _files(self, cited: Iterable[uri.SourceUri]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for source in cited:
            path = artifact(source)
            if path and path not in found:
                try:
                    found[path] = self.tree.read_bytes(layout.ARTIFACTS + path)
                except (NotFound, OSError):
                    continue
        return dict(sorted(found.items()))

    def _log(self, pages: dict[str, Page]) -> tuple[LogEntry, ...]:
        """The log without what it says of pages that stay here."""
        if layout.LOG not in self.tree or (text := self._read(layout.LOG)) is None:
            return ()
        try:
            entries = log.parse(text)
        except FormatError:
            return ()  # a person wrote into it; it is no page
        kept = (replace(one, pages=tuple(p for p in one.pages if p.page in pages)) for one in entries)
        return tuple(one for one in kept if one.pages)


def _without_glosses(shown: Page, hidden: set[str]) -> Page:
    """The page without the first words of turns that are not for everybody."""
    if not any(_session(d.uri) in hidden for d in shown.definitions):
        return shown
    return cites.set_references(shown, [replace(d, gloss="") if _session(d.uri) in hidden else d
                                        for d in shown.definitions])  # fmt: skip


def _session(source: str) -> str:
    return source.removeprefix("session://").partition("#")[0]


def _cited(pages: Iterable[Page], notes: Iterable[NoteFile]) -> Iterator[uri.SourceUri]:
    """Every source that something taken along cites."""
    told = [d.uri for one in pages for d in one.definitions]
    told += [snippet.uri for file in notes for snippet in file.snippets]
    for source in dict.fromkeys(told):
        try:
            yield uri.parse(source)
        except FormatError:
            continue
