"""What a probe stands on: pages as they are proposed or published, who they are about, and what must not be said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from urllib.parse import quote

from brain.config import Config
from brain.connectors import Entry
from brain.dream import orient
from brain.dream.draft import body_claims
from brain.dream.engine import Desk
from brain.dream.extractive import directory_of
from brain.dream.links import Linker
from brain.dream.memory import Memory
from brain.dream.noticed import Notes
from brain.dream.orient import Instructions
from brain.dream.pages import Written
from brain.dream.sightings import CALENDAR, Sighting
from brain.dream.subjects import Directory, Head
from brain.errors import FormatError
from brain.git import Git
from brain.rules import check
from brain.rules.evidence import Evidence, TreeEvidence
from brain.sync.history import human_lines
from brain.sync.manifest import Op, Operation
from brain.text import slugify
from brain.tree import deletions, edit
from brain.tree.claims import Claim
from brain.tree.deletions import Deletions
from brain.tree.files import FolderTree, OverlayTree, Tree
from brain.tree.layout import page_path
from brain.tree.page import Page, parse
from brain.tree.uri import ConnectorUri
from brain.tree.uri import parse as parse_uri
from brain.types import Severity

MOST_FRESH = 12
"""New claims of a page that are looked up outside."""

MOST_READ = 800
"""Characters of a record that are looked at for the names of pages."""

_RULES = ("CIT", "SRC", "QUA", "SEC", "TXT", "DEL", "STR")
_RANK = {"project": 0, "concept": 2, "person": 3}
"""Whose page an event goes to when it names several: projects, then organisations and places, then the rest."""


@dataclass(slots=True, kw_only=True)
class Ground:
    """The pages a probe may write on. `texts` gives a page as it is proposed, `base` as it is published; `owners` are
    their names, `people` the ids of their pages."""

    config: Config
    now: datetime
    run_id: str
    base: Tree
    texts: Callable[[str], str]
    directory: Directory
    memory: Memory
    evidence: Evidence
    instructions: Instructions
    log: Deletions
    human: Callable[[str], frozenset[str]]
    owners: tuple[str, ...] = ()
    people: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    linker: Linker = field(init=False)

    def __post_init__(self) -> None:
        self.linker = Linker(head for head in self.directory.heads.values() if head.id in self)

    @classmethod
    def of_desk(cls, desk: Desk, git: Git) -> Ground:
        """What an engine has just written, over what was published."""
        heads = [head.id for head in desk.directory.heads.values() if head.has_page]
        changed = {id for id in heads if page_path(id) in desk.stage and _differs(desk, page_path(id))}
        return cls(
            config=desk.config,
            now=desk.now,
            run_id=desk.run_id,
            base=desk.base,
            texts=desk.stage.read,
            directory=desk.directory,
            memory=Memory(git, git.resolve("main")),
            evidence=desk.evidence,
            instructions=desk.orientation.instructions,
            log=deletions.read(desk.orientation.deletions_text),
            human=lambda page: desk.human(page_path(page)),
            owners=tuple(desk.owners.values()),
            people=frozenset(desk.owners),
            touched=frozenset(changed),
        )

    @classmethod
    def published(cls, git: Git, config: Config, commit: str, now: datetime) -> Ground:
        """The pages as they are, when no engine has anything to write."""
        tree = git.tree(commit)
        text = tree.read(orient.INSTRUCTIONS) if orient.INSTRUCTIONS in tree else ""
        log = tree.read(orient.DELETIONS) if orient.DELETIONS in tree else ""
        return cls(
            config=config,
            now=now,
            run_id="0" * 26,
            base=tree,
            texts=tree.read,
            directory=directory_of(tree),
            memory=Memory(git, commit),
            evidence=TreeEvidence(FolderTree(git.root), authoritative=config.authoritative),
            instructions=orient.parse_instructions(text),
            log=deletions.read(log),
            human=lambda page: human_lines(git, commit, [page_path(page)]).get(page_path(page), frozenset()),
            owners=config.owner_names,
            people=frozenset(config.owners),
        )

    def __contains__(self, id: object) -> bool:
        """Whether a subject has a page that reads."""
        if not isinstance(id, str) or id not in self.directory.heads or id in self.directory.unreadable:
            return False
        return self.directory.heads[id].has_page and (page_path(id) in self.base or id in self.touched)

    def head(self, id: str) -> Head:
        return self.directory[id]

    def read(self, id: str) -> str:
        return self.texts(page_path(id))

    @staticmethod
    def path(id: str) -> str:
        return page_path(id)

    def changed(self) -> set[str]:
        """Pages that the run wrote on: their new claims are worth looking up."""
        return set(self.touched)

    def citing(self, connector: str) -> list[str]:
        return self.memory.citing(f"connector://{connector}?")

    def ever(self, sighting: Sighting, id: str) -> bool:
        """Whether the page showed a record, or had a label filled, once: what a person took away does not come back."""
        record = f"&id={quote(sighting.record.id, safe=':-._~')}&sha="
        return self.memory.ever(record if sighting.of_record else f"**{sighting.label}**", id)

    def barred(self, uri: ConnectorUri, id: str, text: str) -> bool:
        """Whether a deletion or a standing instruction keeps this off the page."""
        return self.log.bars(uri, id) is not None or self.instructions.barred_by(text) is not None

    def people_called(self, names: Iterable[str]) -> dict[str, str]:
        """Page ids of people, owners left out, by the folded name under which somebody writes."""
        by_slug = {
            slugify(name): head.id
            for head in self.directory.heads.values()
            if head.kind == "person" and head.id in self and head.id not in self.people
            for name in head.names
        }
        return {name: by_slug[slugify(name)] for name in names if slugify(name) in by_slug}

    def called(self, names: Iterable[str]) -> list[str]:
        """Page ids of what is called by one of these names, whatever it is."""
        wanted = {slugify(name) for name in names}
        heads = (head for head in self.directory.heads.values() if head.id in self)
        return sorted(head.id for head in heads if wanted & {slugify(name) for name in head.names})

    def named_by(self, entries: Iterable[Entry]) -> dict[str, list[Entry]]:
        """Entries by the page they are about: of those that a title names, else a text does, the one that says most."""
        found: dict[str, list[Entry]] = {}
        for entry in entries:
            for text in (entry.title, entry.text[:MOST_READ]):
                ids = {id for _, _, id in self.linker.mentions(text)} - self.people
                if ids and (text == entry.title or entry.kind != "event" or self._few(ids)):
                    best = min(ids, key=lambda page: (_RANK.get(self.head(page).kind, 1), page))
                    found.setdefault(best, []).append(entry)
                    break
        return found

    def _few(self, ids: set[str]) -> bool:
        """Whether a text names more than people: a dinner with somebody is not about them."""
        return any(self.head(id).kind != "person" for id in ids)

    def shown(self, page: Page, connector: str) -> dict[str, date | None]:
        """The records of a connector that lines of a page rest on, with the day each was about."""
        known = page.references
        found: dict[str, date | None] = {}
        for claim in body_claims(page):
            for number in claim.cites if claim.label == CALENDAR else ():
                source = parse_uri(known[number].uri) if number in known else None
                if isinstance(source, ConnectorUri) and source.name == connector:
                    days = re.findall(r"\b\d{4}-\d\d-\d\d\b", claim.text)
                    found[dict(source.query).get("id", "")] = _day(days[0]) if days else None
        return found

    def fresh(self, page: Page) -> list[Claim]:
        """Claims that this run put on a page on other grounds than sources from outside."""
        if page.id not in self.touched:
            return []
        standing = parse(self.base.read(page.path), page.path).claims if page.path in self.base else ()
        before = {claim.raw for claim in standing}
        known = page.references
        return [
            claim
            for claim in body_claims(page)
            if claim.cites
            and claim.raw not in before
            and not any(known[n].uri.startswith("connector://") for n in claim.cites if n in known)
        ][:MOST_FRESH]

    def with_source(self, page: Page, claim: Claim, uri: ConnectorUri) -> Page:
        return edit.add_cites(page, claim, [str(uri)], {str(uri): f"{uri.at[:10]} · {uri.name}"})

    def finished(self, page: Page, base: Page, notes: Sequence[Notes]) -> Written | None:
        """A page with its changelog line, and what was done to it; None when a rule refuses it."""
        total = Notes()
        for one in notes:
            total.added, total.retired = total.added + one.added, total.retired + one.retired
            total.agreed, total.disputed = total.agreed + one.agreed, total.disputed + one.disputed
            total.removed += one.removed
        if not any(self.run_id[:8] in claim.text for claim in page.claims if claim.section == "Changelog"):
            page = edit.add_changelog(page, self.now.date(), self.run_id, total.words())
        if self._refused(page, base):
            return None
        published = self.base.read(page.path) if page.path in self.base else None
        before = parse(published, page.path) if published is not None else None
        fresh = tuple(sorted(set(page.references) - set((before or base).references)))
        op = Op(
            op=Operation.UPDATE, path=page.path, reason="outside sources", note=total.words()[:100],
            cites_added=fresh, claims_removed=tuple(total.removed),
        )  # fmt: skip
        return Written(page=page, op=op, added=total.added, retired=total.retired)

    def _refused(self, page: Page, base: Page) -> bool:
        """Whether a rule finds an error on the page that it does not find without what was put on it."""
        return len(self._errors(page)) > len(self._errors(base))

    def _errors(self, page: Page) -> list[str]:
        try:
            found = check(
                OverlayTree(self.base, {page.path: page.text}), self.base, config=self.config, evidence=self.evidence,
                deletions=self.log, now=self.now, changed={page.path}, kind="dream",
            )  # fmt: skip
        except FormatError as error:
            return [error.reason]
        return [
            f"{one.rule} {one.message}"
            for one in found
            if one.severity is Severity.E and one.path == page.path and one.rule.startswith(_RULES)
        ]


def _differs(desk: Desk, path: str) -> bool:
    return path not in desk.base or desk.stage.read(path) != desk.base.read(path)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
