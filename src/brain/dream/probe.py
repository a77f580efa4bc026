"""Probing outside sources in a run: which can be read, what they say of the wiki's subjects, and whether it agrees.

Nothing is looked for but the names of pages; what is found is quoted, cited and stays external. A source that cannot be
read is a note of the run, never its failure. The same state outside gives the same page, so a second run changes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from brain.config import Config
from brain.connectors import Connectors, Entry, Standing
from brain.dream.engine import Desk
from brain.dream.ground import Ground
from brain.dream.noticed import Hand
from brain.dream.orient import INSTRUCTIONS, Instructions, parse_instructions
from brain.dream.pages import Written
from brain.dream.sightings import Identity, Sighting, identities, newest, of_address, of_event, of_signature, of_tag
from brain.dream.vouching import vouch
from brain.errors import BrainError
from brain.git import MAIN, Git
from brain.ingest.redact import redacting
from brain.tree.files import Tree
from brain.tree.page import Page, parse
from brain.tree.snapshot import Record
from brain.tree.uri import ConnectorUri
from brain.types import Qualifier

SECONDS = 60.0
"""How long sources may be asked about claims in one run; what is not asked then is said."""

MOST_PAGES = 50
MOST_EVENTS = 8
MOST_ASKED = 20
"""Subjects that one source is searched for in a run, where its lists do not say what it holds."""

_SCOPE = re.compile(r"^(?P<verb>only|skip|ignore|exclude|never|no)\b.*?\bconnectors?\b(?P<rest>.*)$", re.IGNORECASE)


@dataclass(slots=True)
class Seen:
    """What one source holds: entries by the page they name, who wrote in it by page, the days of events by title."""

    name: str
    kind: str
    by_page: dict[str, list[Entry]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    days: dict[str, set[str]] = field(default_factory=dict)
    writers: dict[str, list[Identity]] = field(default_factory=dict)
    called: list[str] = field(default_factory=list)
    read: dict[str, list[Record]] = field(default_factory=dict)


class Probe:
    """The sources of one run. `skipped` counts what was not used, by reason."""

    def __init__(self, connectors: Connectors, git: Git, config: Config, now: datetime) -> None:
        self.connectors = connectors
        self.git = git
        self.config = config
        self.now = now
        self.standings: tuple[Standing, ...] = ()
        self.skipped: dict[str, int] = {}
        self._used: set[str] = set()
        self._seen: list[Seen] | None = None
        self._until = 0.0

    @classmethod
    def open(cls, git: Git, config: Config, *, now: datetime) -> Probe:
        """Look which sources can be read; those that standing instructions leave out are not opened."""
        redact = redacting(config.privacy.redact_allow)
        probe = cls(Connectors(git.root, config, redact=redact, clock=lambda: now), git, config, now)
        names = probe.connectors.names
        rules = instructions_of(git.tree(git.resolve(MAIN))) if names else Instructions()
        probe.standings = tuple(probe.connectors.check(name) for name in names if in_scope(name, rules))
        return probe

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connectors.close()

    def lines(self) -> tuple[str, ...]:
        """For the orientation: what can be asked, and what cannot and why."""
        return tuple(standing.line() for standing in self.standings)

    def notes(self, *, worked: bool = True) -> tuple[str, ...]:
        """For the result: sources that could not be read; of a run that worked, also what it passed over."""
        away = [f"{one.line()}" + (f" ({one.hint})" if one.hint else "") for one in self.standings if not one.ok]
        left = [f"from outside, not used: {why} ({number})" for why, number in sorted(self.skipped.items())]
        return tuple(away + left if worked else away)

    def used(self) -> tuple[str, ...]:
        """The URIs of the snapshots that pages cite because of this run."""
        return tuple(sorted(self._used))

    def has_news(self, commit: str | None) -> bool:
        """Whether the sources say something that the published pages do not."""
        if commit is None or not any(one.ok for one in self.standings):
            return False
        ground = Ground.published(self.git, self.config, commit, self.now)
        found = next(self._written(ground), None) is not None
        if found:  # the run that follows counts anew
            self._used.clear()
            self.skipped.clear()
        return found

    def written(self, desk: Desk) -> Iterator[Written]:
        """The pages with what the sources say of them, and the run's new claims with what confirms them."""
        if any(one.ok for one in self.standings):
            yield from self._written(Ground.of_desk(desk, self.git))

    # What is there

    def _written(self, ground: Ground) -> Iterator[Written]:
        seen = self._look(ground)
        self._until = monotonic() + SECONDS
        named = {id for one in seen for id in (*one.by_page, *one.writers, *one.called)}
        wanted = sorted(named | self._standing(ground) | ground.changed())
        for number, id in enumerate(id for id in wanted if id in ground):
            if number >= MOST_PAGES:
                self._skip("pages left for the next run")
                continue
            try:
                written = self._page(ground, id, seen)
            except BrainError as error:
                self._skip(error.message)
                continue
            if written is not None:
                yield written

    def _page(self, ground: Ground, id: str, seen: list[Seen]) -> Written | None:
        base = parse(ground.read(id), ground.path(id))
        page, cited = base, set[str]()
        hands = []
        for one in seen:
            hand = Hand(
                connector=one.name,
                mark=None if self.config.connectors[one.name].owner_authoritative else Qualifier.EXTERNAL,
                linker=ground.linker,
                human=ground.human(id),
                ever=lambda sighting: ground.ever(sighting, id),
            )
            for sighting in self._sightings(one, ground, id):
                before, uri = page, self._pin(ground, one.name, sighting.record)
                if uri is None or ground.barred(uri, id, sighting.text):
                    continue
                page = hand.put(page, sighting, uri, frozenset(one.days.get(sighting.title.casefold(), ())))
                if page is not before:
                    cited.add(str(uri))
            page = self._without_absent(ground, page, one, hand, cited)
            hands.append(hand)
        page = self._vouched(ground, page, seen, hands, cited)
        if page is base:
            return None
        written = ground.finished(page, base, [hand.notes for hand in hands])
        if written is None:
            self._skip("lines that break a rule")
            return None
        self._used |= cited
        return written

    def _sightings(self, seen: Seen, ground: Ground, id: str) -> list[Sighting]:
        """What one source says of the subject of a page."""
        kind = ground.head(id).kind
        found: list[Sighting] = []
        if seen.kind == "calendar":
            for entry in seen.by_page.get(id, ()):
                sighting = of_event(self.connectors.read(seen.name, entry.id), kind)
                if sighting is None:
                    self._skip("events whose words read as an instruction or cannot be quoted")
                else:
                    found.append(sighting)
            return newest(found, MOST_EVENTS)
        if id in seen.writers:
            found += self._of_person(seen, seen.writers[id])
        if id in seen.called:
            found += self._of_repository(seen, kind)
        return found

    def _of_person(self, seen: Seen, writers: list[Identity]) -> Iterator[Sighting]:
        """The address somebody writes from, when it is one, and how they sign now."""
        addresses: dict[str, list[Entry]] = {}
        for one in writers:
            for address, rows in one.entries.items():
                addresses.setdefault(address, []).extend(rows)
        if len(addresses) != 1:
            self._skip("people who write from several addresses")
            return
        ((address, rows),) = addresses.items()
        yield of_address(self.connectors.read(seen.name, rows[0].id), address)
        if seen.kind == "mail":
            signed = of_signature(self.connectors.read(seen.name, rows[-1].id), writers[0].name)
            if signed is not None:
                yield signed

    def _of_repository(self, seen: Seen, kind: str) -> Iterator[Sighting]:
        """The newest tag of a repository whose folder or connector is called as the page's subject is."""
        tag = next((entry for entry in seen.entries if entry.kind == "tag"), None)
        sighting = of_tag(self.connectors.read(seen.name, tag.id), kind) if tag else None
        if sighting is not None:
            yield sighting

    def _without_absent(self, ground: Ground, page: Page, seen: Seen, hand: Hand, cited: set[str]) -> Page:
        """Coming events that a calendar no longer has are gone; past ones may have been tidied away.

        Of a calendar that did not read as a whole nothing is gone.
        """
        if seen.kind != "calendar" or not seen.entries or self.connectors.skipped(seen.name):
            return page
        known, today = {entry.id for entry in seen.entries}, self.now.astimezone(self.config.zone).date()
        for id, day in ground.shown(page, seen.name).items():
            if id in known or day is None or day <= today:
                continue
            record = Record(kind="absence", id=id, title="no such event", text=f"The calendar has no event {id}.")
            uri = self._pin(ground, seen.name, record)
            if uri is not None:
                before = page
                page = hand.absent(page, id, uri, f"not in {seen.name} any more on {uri.at[:10]}")
                if page is not before:
                    cited.add(str(uri))
        return page

    def _vouched(self, ground: Ground, page: Page, seen: list[Seen], hands: list[Hand], cited: set[str]) -> Page:
        """New claims of the run that a mail, a commit, a document or a tool's answer bears out get it as a source."""
        fresh = ground.fresh(page)
        for claim in fresh:
            for one, hand in zip(seen, hands, strict=True):
                if one.kind == "calendar":
                    continue
                if monotonic() > self._until:
                    self._skip("claims that were not looked up, for lack of time")
                    break
                record = vouch(claim, ground, page, self._candidates(one, ground, page.id))
                uri = self._pin(ground, one.name, record) if record is not None else None
                if uri is not None and not ground.barred(uri, page.id, claim.words):
                    page = ground.with_source(page, claim, uri)
                    hand.notes.agreed += 1
                    cited.add(str(uri))
                    break
        return page

    def _candidates(self, seen: Seen, ground: Ground, id: str) -> list[Record]:
        """Records that may bear out a claim of a page: those that name its subject. Each is read once."""
        if id not in seen.read:
            seen.read[id] = list(self._named(seen, ground, id))
        return seen.read[id]

    def _named(self, seen: Seen, ground: Ground, id: str) -> Iterator[Record]:
        rows: Iterable[Entry] = seen.by_page.get(id, ())[:5]
        if self._asked(seen.name):
            if len(seen.read) >= MOST_ASKED:
                self._skip(f"subjects that {seen.name} was not asked about")
                return
            try:
                rows = self.connectors.search(seen.name, ground.head(id).title, 3)
            except BrainError as error:
                self._skip(error.message)
        for entry in rows:
            with suppress(BrainError):
                yield self.connectors.read(seen.name, entry.id)

    # Reading

    def _look(self, ground: Ground) -> list[Seen]:
        """Everything the sources hold that names a page, read once."""
        if self._seen is None:
            self._seen = [Seen(name=one.name, kind=one.kind) for one in self.standings if one.ok]
            for seen in self._seen:
                if not self._asked(seen.name):
                    self._read(seen)
        for seen in self._seen:
            self._attach(seen, ground)
        return self._seen

    def _attach(self, seen: Seen, ground: Ground) -> None:
        """Find the pages that what one source holds is about."""
        if self._asked(seen.name):
            return
        seen.by_page = ground.named_by(seen.entries)
        seen.writers, seen.called = {}, []
        if seen.kind != "calendar":
            known = identities(seen.entries)
            for name, id in ground.people_called(known).items():
                seen.writers.setdefault(id, []).append(known[name])
        if seen.kind == "git":
            folder = Path(self.config.connectors[seen.name].path).name.removesuffix(".git")
            seen.called = ground.called([seen.name, folder])

    def _read(self, seen: Seen) -> None:
        try:
            seen.entries = list(self.connectors.list(seen.name))
        except BrainError as error:
            self._skip(error.message)
        for entry in seen.entries:
            seen.days.setdefault(entry.title.replace('"', "'").casefold(), set()).add(entry.day)

    def _standing(self, ground: Ground) -> set[str]:
        """Pages that cite a source of this run already: they may have to change, whatever the source says now."""
        return {id for one in self.standings if one.ok for id in ground.citing(one.name)}

    def _asked(self, name: str) -> bool:
        return self.connectors.kind(name).asked

    def _pin(self, ground: Ground, name: str, record: Record) -> ConnectorUri | None:
        """The record as a snapshot; None for one that was forgotten, of which nothing is stored again."""
        try:
            if ground.log.bars(self.connectors.pins.pin(name, record, self.now, dry_run=True).uri):
                return None
            return self.connectors.pins.pin(name, record, self.now).uri
        except BrainError as error:
            self._skip(error.message)
            return None

    def _skip(self, why: str) -> None:
        self.skipped[why] = self.skipped.get(why, 0) + 1


def survey(git: Git, config: Config) -> tuple[str, ...]:
    """A line on each connector: what can be asked, and what cannot and why."""
    if not config.connectors:
        return ()
    with Probe.open(git, config, now=datetime.now(UTC)) as probe:  # the time is for what is pinned; nothing is
        return probe.lines()


def instructions_of(tree: Tree) -> Instructions:
    return parse_instructions(tree.read(INSTRUCTIONS)) if INSTRUCTIONS in tree else Instructions()


def in_scope(name: str, instructions: Instructions) -> bool:
    """Whether standing instructions let a connector be read: `skip connector mail`, `only connectors calendar`."""
    only: list[bool] = []
    for rule in instructions.scope:
        match = _SCOPE.match(rule.text)
        if match is None:
            continue
        named = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", match["rest"], re.IGNORECASE) is not None
        everyone = not match["rest"].strip(" .:")
        if match["verb"].lower() == "only":
            only.append(named)
        elif named or everyone:
            return False
    return any(only) if only else True
