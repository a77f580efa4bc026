"""A wiki as it lies on disk, read once for every measure: pages, their claims, and the turns that a claim cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from brain.config import Config
from brain.errors import FormatError
from brain.rules.evidence import TreeEvidence
from brain.rules.graph import Graph
from brain.tree import note, page, uri
from brain.tree.claims import Claim
from brain.tree.files import FolderTree
from brain.tree.layout import SESSION_INDEX, FileClass, classify, page_id
from brain.tree.page import Page
from brain.tree.sessions import SessionRow, SessionState, parse_rows
from brain.types import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One claim that owes its sources, with the page it stands on and the URIs it cites."""

    page: Page
    claim: Claim
    uris: tuple[str, ...]

    @property
    def words(self) -> str:
        return self.claim.words

    def __str__(self) -> str:
        return f"{self.page.id}: {self.words}"


class Wiki:
    """The tree at `root`. Raises NotABrain, ConfigError."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tree = FolderTree(root)
        self.config = Config.load(root)
        roots = {name: Path(place).expanduser() for name, place in self.config.roots.items()}
        self.evidence = TreeEvidence(self.tree, roots, self.config.authoritative)

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """In order of path; a page that does not read is none."""
        return tuple(self._pages())

    def _pages(self) -> Iterator[Page]:
        for path in self.tree.paths("knowledge/"):
            if page_id(path):
                try:
                    yield page.parse(self.tree.read(path), path)
                except FormatError:
                    continue

    @cached_property
    def graph(self) -> Graph:
        return Graph.of(self.tree, self.tree.read)

    @cached_property
    def rows(self) -> tuple[SessionRow, ...]:
        """Sessions that are there."""
        if SESSION_INDEX not in self.tree:
            return ()
        rows = parse_rows(self.tree.read(SESSION_INDEX))
        return tuple(row for row in rows if row.state is not SessionState.DELETED)

    @cached_property
    def stated(self) -> tuple[Stated, ...]:
        """Every claim of every page that owes its sources; History with the rest."""
        return tuple(
            Stated(page=one, claim=claim, uris=tuple(one.uris(claim)))
            for one in self.pages
            for claim in one.claims
            if claim.section not in page.UNCITED
        )

    def snippets(self) -> Iterator[tuple[str, str, str]]:
        """Lines of the notes: path, words, source."""
        for path in self.tree.paths("notes/"):
            if classify(path) is FileClass.NOTE:
                for one in note.parse(self.tree.read(path), path).snippets:
                    yield path, one.text, one.uri

    def turns(self, source: str) -> Sequence[Turn]:
        """What a citation names, a record or file as one turn; nothing at all when a part of it is not there."""
        try:
            read = uri.parse(source)
        except FormatError:
            return ()
        if not isinstance(read, uri.SessionUri):
            return self.evidence.document(read)
        row = self.evidence.row(read.session)
        if row is None:
            return ()
        found: list[Turn] = []
        for first, last in read.ranges or ((1, row.turns),):
            turns = self.evidence.turns(read.session, first, last)
            if [turn.number for turn in turns] != list(range(first, last + 1)):
                return ()
            found += turns
        return found

    def behind(self, one: Stated) -> list[Turn]:
        """All the turns a claim cites."""
        return [turn for source in one.uris for turn in self.turns(source)]

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Who speaks in the sessions: owners first, then the names that transcripts give."""
        said = {name for row in self.rows for name in self.evidence.people(row.id)}
        return tuple(dict.fromkeys((*self.config.owner_names, *sorted(said))))
