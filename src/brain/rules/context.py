"""What a rule may look at: the proposed tree and its base, evidence, deletions, config; parsed once, by content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from brain.config import Config
from brain.errors import FormatError, NotFound
from brain.rules.evidence import Evidence
from brain.rules.graph import Graph
from brain.tree import note, page, summary, uri
from brain.tree.claims import Claim
from brain.tree.deletions import Deletions
from brain.tree.files import Tree
from brain.tree.layout import FileClass, classify
from brain.tree.note import NoteFile
from brain.tree.page import Page
from brain.tree.summary import Summary
from brain.types import Qualifier, Turn

T = TypeVar("T")


class Commit(Protocol):
    """The commit that is about to be made: its whole message, author and committer as `Name <mail>`."""

    @property
    def message(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def committer(self) -> str: ...


class Context:
    """One check. `changed` names the paths to look at, None = all of them.

    `kind` is the kind of commit (format §13). `manifest` is `brain.sync.manifest.Manifest` or what looks like it;
    `human_lines` holds, by path, the lines that a person changed last since the page's last Dream commit; `override`
    is a person's word that a large change is meant; `regenerated` that generated files were written for this state.
    """

    def __init__(
        self,
        staged: Tree,
        base: Tree,
        *,
        config: Config,
        evidence: Evidence,
        deletions: Deletions,
        now: datetime,
        manifest: Any = None,
        changed: Iterable[str] | None = None,
        kind: str = "human",
        commit: Commit | None = None,
        human_lines: Mapping[str, Iterable[str]] | None = None,
        override: bool = False,
        regenerated: bool = False,
    ) -> None:
        self.staged, self.base, self.config, self.evidence = staged, base, config, evidence
        self.deletions, self.now, self.manifest, self.kind, self.commit = deletions, now, manifest, kind, commit
        self.human_lines = {path: frozenset(lines) for path, lines in (human_lines or {}).items()}
        self.override = override
        self.regenerated = regenerated
        self.all = changed is None
        everything = {*staged.paths(), *base.paths()} if changed is None else set(changed)
        self.changed = tuple(sorted(everything))
        self._texts: dict[tuple[int, str], str | None] = {}

    @property
    def by_run(self) -> bool:
        """Whether an engine made this change, not a person."""
        return self.manifest is not None or self.kind == "dream"

    @cached_property
    def graph(self) -> Graph:
        return Graph.of(self.staged, self.text)

    @cached_property
    def base_graph(self) -> Graph:
        return Graph.of(self.base, self.base_text)

    def text(self, path: str) -> str | None:
        """The staged text, None when there is no such file or it is not UTF-8."""
        return self._read(self.staged, path)

    def base_text(self, path: str) -> str | None:
        return self._read(self.base, path)

    def differs(self, path: str) -> bool:
        return self.text(path) != self.base_text(path)

    def of_class(self, kind: FileClass) -> list[str]:
        """Changed paths of a class that the staged tree still has."""
        return [path for path in self.changed if classify(path) is kind and path in self.staged]

    def removed(self, kind: FileClass) -> list[str]:
        """Changed paths of a class that only the base has."""
        return [
            path for path in self.changed if classify(path) is kind and path not in self.staged and path in self.base
        ]

    def page(self, path: str) -> Page | None:
        return _parsed(_page, path, self.text(path))

    def base_page(self, path: str) -> Page | None:
        return _parsed(_page, path, self.base_text(path))

    def note(self, path: str) -> NoteFile | None:
        return _parsed(_note, path, self.text(path))

    def summary(self, path: str) -> Summary | None:
        return _parsed(_summary, path, self.text(path))

    def base_summary(self, path: str) -> Summary | None:
        return _parsed(_summary, path, self.base_text(path))

    def new_claims(self, shown: Page) -> list[Claim]:
        """Claims of a page whose words, qualifiers or sources are not those of a claim of the base page."""
        before = self.base_page(shown.path)
        if before is None:
            return list(shown.claims)
        known = {(c.raw, tuple(before.uris(c))) for c in before.claims}
        return [c for c in shown.claims if (c.raw, tuple(shown.uris(c))) not in known]

    def sources(self, shown: Page, claim: Claim) -> list[uri.SourceUri]:
        """The sources of a claim that parse."""
        return [found for raw in shown.uris(claim) if (found := parse_uri(raw)) is not None]

    def turns(self, sources: Iterable[uri.SourceUri]) -> list[Turn]:
        """The cited turns, in the order of the sources; what does not resolve gives nothing."""
        found: list[Turn] = []
        for source in sources:
            if isinstance(source, uri.SessionUri):
                for first, last in source.ranges or ((1, self._turns_of(source.session)),):
                    found += self.evidence.turns(source.session, first, last)
            else:
                found += self.evidence.document(source)
        return found

    @staticmethod
    def uri(raw: str) -> uri.SourceUri | None:
        return parse_uri(raw)

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """What the brain's owners are called: by the config, and by title and aliases of their pages."""
        facts = (self.graph.pages.get(owner) for owner in self.config.owners)
        called = [name for fact in facts if fact for name in (fact.title, *fact.aliases) if name]
        return tuple(dict.fromkeys([*self.config.owner_names, *called]))

    @staticmethod
    def names(shown: Page) -> tuple[str, ...]:
        """Title and aliases of a page."""
        return tuple(name for name in (shown.title, *shown.aliases) if name)

    def _turns_of(self, session: str) -> int:
        row = self.evidence.row(session)
        return row.turns if row else 0

    def _read(self, tree: Tree, path: str) -> str | None:
        key = (id(tree), path)
        if key not in self._texts:
            try:
                self._texts[key] = tree.read(path)
            except (NotFound, FormatError):
                self._texts[key] = None
        return self._texts[key]


@lru_cache(maxsize=16384)
def parse_uri(raw: str) -> uri.SourceUri | None:
    try:
        return uri.parse(raw)
    except FormatError:
        return None


def qualifier(claim: Claim) -> Qualifier | None:
    """The first qualifier of a claim that the format knows."""
    return next((Qualifier(q) for q in claim.qualifiers if q in set(Qualifier)), None)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _parsed(read: Callable[[str, str], T | None], path: str, text: str | None) -> T | None:
    return None if text is None else read(path, text)


@lru_cache(maxsize=2048)
def _page(path: str, text: str) -> Page | None:
    try:
        return page.parse(text, path)
    except FormatError:
        return None


@lru_cache(maxsize=512)
def _note(path: str, text: str) -> NoteFile | None:
    try:
        return note.parse(text, path)
    except FormatError:
        return None


@lru_cache(maxsize=512)
def _summary(path: str, text: str) -> Summary | None:
    try:
        return summary.parse(text, path)
    except FormatError:
        return None


def executable_or_linked(tree: Tree, path: str) -> str | None:
    """What is wrong with a file on disk beyond its bytes; None for trees that are not folders."""
    root = getattr(tree, "root", None)
    if not isinstance(root, Path):
        return None
    file = root / path
    if file.is_symlink():
        return "is a symbolic link"
    if not file.is_file():
        return "is not a regular file" if file.exists() else None
    stat = file.stat()
    if stat.st_nlink > 1:
        return "has another hard link"
    return "has an executable bit" if stat.st_mode & 0o111 else None
