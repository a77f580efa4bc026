"""What a hit rests on, read through a corpus: the page or note it stands in, its claim, its links and its sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from brain.corpus.corpus import Corpus, State
from brain.errors import FormatError
from brain.tree import page
from brain.tree.layout import SESSION_INDEX, page_id
from brain.tree.page import Page
from brain.tree.sessions import SessionRow, SessionState, parse_rows
from brain.tree.uri import SessionUri, parse, turns_uri
from brain.types import Hit, Surface

RESTRICTED = "restricted"
"""Sensitivity of what is never brought near: it stays where the owner can ask for it by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Turns behind a statement."""

    session: str
    first: int
    last: int

    @property
    def uri(self) -> str:
        return str(turns_uri(self.session, self.first, self.last))


def ranges_uri(session: str, sources: Iterable[Source], *, around: int, end: int) -> str:
    """The turns of a session that some sources name, with their neighbours up to turn `end`, as one URI."""
    ranges = [(max(1, source.first - around), min(end, source.last + around)) for source in sources]
    return str(SessionUri(session=session, ranges=tuple((a, b) for a, b in ranges if a <= b)))


class Reader:
    """Reads pages and session rows of one commit, each once."""

    def __init__(self, corpus: Corpus, commit: str) -> None:
        self.corpus = corpus
        self.commit = commit
        self._pages: dict[str, Page | None] = {}
        self._rows: dict[str, SessionRow] | None = None

    def pages(self, paths: Iterable[str]) -> dict[str, Page]:
        """The pages at these paths that there are and that are not restricted, read in one batch."""
        wanted = [path for path in dict.fromkeys(paths) if page_id(path)]
        fresh = [path for path in wanted if path not in self._pages]
        for file in self.corpus.fetch(fresh, at=self.commit) if fresh else ():
            read = _page(file.path, file.data) if file.state is State.SENT else None
            self._pages[file.path] = None if read is None or read.sensitivity == RESTRICTED else read
        return {path: found for path in wanted if (found := self._pages.get(path))}

    def row(self, session: str) -> SessionRow | None:
        """The session's line of the index, None for one that is not there or was deleted."""
        if self._rows is None:
            file = next(iter(self.corpus.fetch([SESSION_INDEX], at=self.commit)))
            rows = parse_rows(file.data.decode("utf-8")) if file.state is State.SENT else []
            self._rows = {row.id: row for row in rows if row.state is not SessionState.DELETED}
        return self._rows.get(session)

    def sources(self, hit: Hit) -> tuple[Source, ...]:
        """The turns a hit is, or cites."""
        if hit.surface is Surface.PAGE:
            found = self.pages([hit.path]).get(hit.path)
            return tuple(_of_line(found, hit.line)) if found else ()
        if hit.session and hit.first_turn and hit.last_turn:
            return (Source(session=hit.session, first=hit.first_turn, last=hit.last_turn),)
        return ()

    def open_to_all(self, hits: Sequence[Hit]) -> list[Hit]:
        """Hits without those on restricted pages, in restricted sessions, or of what rests on a restricted session."""
        self.pages(hit.path for hit in hits if hit.surface is Surface.PAGE)
        return [hit for hit in hits if not self._restricted(hit)]

    def _restricted(self, hit: Hit) -> bool:
        if hit.surface is Surface.PAGE and hit.path not in self.pages([hit.path]):
            return True
        behind = {source.session for source in self.sources(hit)} if hit.surface is Surface.PAGE else set()
        rows = map(self.row, behind | ({hit.session} if hit.session else set()))
        return any(row.sensitivity == RESTRICTED for row in rows if row)

    def sizes(self, paths: Iterable[str]) -> dict[str, int]:
        """Bytes of files, read in one batch."""
        return {file.path: len(file.data) for file in self.corpus.fetch(paths, at=self.commit)}


def _page(path: str, data: bytes) -> Page | None:
    try:
        return page.parse(data.decode("utf-8"), path)
    except (FormatError, UnicodeDecodeError):
        return None  # `brain check` reports it; the rest of memory is still worth reading


def _of_line(found: Page, line: int) -> Iterator[Source]:
    claims = [*found.lead, *(claim for section in found.sections for claim in section.claims)]
    on_line = [claim for claim in claims if claim.line == line] or (list(found.lead) if line <= found.body_line else [])
    for claim in on_line:
        for uri in found.uris(claim):
            try:
                source = parse(uri)
            except FormatError:
                continue
            if isinstance(source, SessionUri):
                yield from (Source(session=source.session, first=a, last=b) for a, b in source.ranges)
