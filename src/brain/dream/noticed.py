"""Putting what outside sources say onto a page, line by line: new, moved, taken back, in agreement or in dispute.

What a person or the user said is never replaced by a source: where the two differ, the page says both and asks. What a
source said before moves to History when it says otherwise now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from brain.dream import draft, supersede
from brain.dream.draft import Line, body_claims
from brain.dream.likeness import content
from brain.dream.links import Linker
from brain.dream.sightings import CALENDAR, Sighting, addresses_in
from brain.rules import claim_sha
from brain.sync.manifest import RemovedClaim, Why
from brain.text import one_line, words
from brain.tree import edit, markdown
from brain.tree.claims import Claim
from brain.tree.page import Page, links
from brain.tree.uri import ConnectorUri, parse
from brain.types import Qualifier

MOST = 8
"""Lines of one source's records that a page holds."""

FULL = 50
"""Claims of a page above which nothing is added from outside."""

NEAR = 60
"""Days between what a page and a source say of one event; further apart they are two events."""

_ENDED = re.compile(r"; (?:cancelled, as|not in) \S+ (?:says|any more) on ")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_STAMP = re.compile(r"\((?:as of|before|about|after|week of) [^)]*\)")
_MAIL = re.compile(r"\b(?:e-?mail|mail|address|courriel|adresse|reach(?:able|ed)?|contact)\b", re.IGNORECASE)


@dataclass(slots=True)
class Notes:
    """What happened to a page: lines added, retired, agreed with and disputed, and the base lines that went."""

    added: int = 0
    retired: int = 0
    agreed: int = 0
    disputed: int = 0
    removed: list[RemovedClaim] = field(default_factory=list)

    def words(self) -> str:
        """For the changelog: `2 added, 1 replaced from outside`."""
        parts = (
            (self.added, "added"),
            (self.retired, "replaced"),
            (self.agreed, "confirmed"),
            (self.disputed, "disputed"),
        )
        return ", ".join(f"{number} {what}" for number, what in parts if number) + " from outside sources"


@dataclass(slots=True, kw_only=True)
class Hand:
    """Writes what one connector says onto one page. `mark` is the qualifier its lines carry, `human` the lines that a
    person changed last, `ever` whether the page's past knows a record that the page does not show."""

    connector: str
    mark: Qualifier | None
    linker: Linker
    human: frozenset[str] = frozenset()
    ever: Callable[[Sighting], bool] = lambda _: False
    notes: Notes = field(default_factory=Notes)

    def put(self, page: Page, sighting: Sighting, uri: ConnectorUri, days: frozenset[str] = frozenset()) -> Page:
        """The page with what this record says now. `days` are all days on which the source has an event so called."""
        cited = self._cited(page, sighting)
        mine = [claim for claim in body_claims(page) if self._is_mine(page, claim, sighting, cited)]
        if any(page.lines[claim.line - 1] in self.human for claim in mine):
            return page
        if sighting.gone:
            return self._taken_back(page, sighting, uri, mine, cited)
        rival = self._rival(page, sighting, mine, days)
        if rival is None and (told := self._agreeing(page, sighting, mine)) is not None:
            return self._agree(page, told, sighting, uri)
        line = self._line(page, sighting, uri, rival)
        if mine:
            return self._changed(page, mine[0], line, sighting, uri, rival)
        known = sighting.of_record and uri.sha in cited.values() and not _ended(page, cited)
        if known or self._is_full(page, sighting) or _is_told(page, line):
            return page
        if not (sighting.of_record and cited) and self.ever(sighting):
            return page
        self.notes.added += 1
        page = self._insert(page, line, uri, sighting)
        return self._ask(page, rival, sighting, uri) if rival is not None else page

    def absent(self, page: Page, id: str, uri: ConnectorUri, said: str) -> Page:
        """The page without what a record said that its source has no more; `said` says so."""
        cited = {n: "" for n, found in self._sources(page).items() if dict(found.query).get("id") == id}
        for claim in [c for c in body_claims(page) if c.label == CALENDAR and c.cites and c.cites[0] in cited]:
            if page.lines[claim.line - 1] not in self.human:
                page = self._retire(page, claim, f"{markdown.plain(claim.text).rstrip(' .')}; {said}.", uri)
        return self._settle_questions(page, cited, uri, said)

    # What stands there

    def _sources(self, page: Page) -> dict[int, ConnectorUri]:
        """The records of this connector that a page cites, by number."""
        found = {}
        for number, reference in page.references.items():
            if reference.uri.startswith(f"connector://{self.connector}?"):
                source = parse(reference.uri)
                if isinstance(source, ConnectorUri):
                    found[number] = source
        return found

    def _cited(self, page: Page, sighting: Sighting) -> dict[int, str]:
        """Numbers and hashes of what the page cites of this record; of any record when it fills a label."""
        return {
            number: source.sha
            for number, source in self._sources(page).items()
            if not sighting.of_record or dict(source.query).get("id") == sighting.record.id
        }

    def _is_mine(self, page: Page, claim: Claim, sighting: Sighting, cited: dict[int, str]) -> bool:
        if not claim.cites or (claim.label or "") != sighting.label:
            return False
        if not sighting.of_record:
            known = page.references
            return all(known[n].uri.startswith("connector://") for n in claim.cites if n in known)
        return bool(set(claim.cites) & set(cited)) and self._first_is_record(page, claim, cited)

    def _first_is_record(self, page: Page, claim: Claim, cited: dict[int, str]) -> bool:
        """Whether a line stands for the record, and does not only cite it beside the user's own words."""
        return claim.cites[0] in cited or Qualifier.DISPUTED in claim.qualifiers

    def _is_full(self, page: Page, sighting: Sighting) -> bool:
        own, claims = self._sources(page), body_claims(page)
        return (
            len(claims) >= FULL
            or sum(1 for c in claims if c.label == sighting.label and set(c.cites) & set(own)) >= MOST
        )

    # What is said by others

    def _rival(self, page: Page, sighting: Sighting, mine: Sequence[Claim], days: frozenset[str]) -> Claim | None:
        """The line that says otherwise: the same event on another day, or another address of the same person."""
        for claim in body_claims(page) if sighting.value else ():
            if claim in mine or claim.label == sighting.label or not claim.cites or self._only_outside(page, claim):
                continue
            text = claim.words
            if sighting.label == "E-mail":
                others = [one for one in addresses_in(text) if one != sighting.value]
                if others and sighting.value not in addresses_in(text) and _MAIL.search(text):
                    return claim
            elif sighting.of_record and self._same_event(text, sighting):
                said = _only_day(text)
                if said and said not in days and said != sighting.value and _apart(said, sighting.value) <= NEAR:
                    return claim
        return None

    def _agreeing(self, page: Page, sighting: Sighting, mine: Sequence[Claim]) -> Claim | None:
        """The line that says the same already, on other grounds."""
        for claim in body_claims(page) if not mine and sighting.value else ():
            if not claim.cites or (claim.label == sighting.label and self._only_outside(page, claim)):
                continue
            if sighting.of_record:
                if self._same_event(claim.words, sighting) and _only_day(claim.words) == sighting.value:
                    return claim
            elif f" {' '.join(words(sighting.value))} " in f" {' '.join(words(claim.words))} ":
                return claim
        return None

    def _same_event(self, text: str, sighting: Sighting) -> bool:
        """Whether a line speaks of the event: nearly all words of its title are in it."""
        wanted, held = content(sighting.title)[0], content(_STAMP.sub("", text))[0]
        return len(wanted) >= 2 and len(wanted & held) >= 0.75 * len(wanted)

    def _only_outside(self, page: Page, claim: Claim) -> bool:
        known = page.references
        return all(known[n].uri.startswith("connector://") for n in claim.cites if n in known)

    # What is written

    def _line(self, page: Page, sighting: Sighting, uri: ConnectorUri, rival: Claim | None) -> Line:
        done = {link.target for link in links(page)}
        text = self.linker.link(markdown.escape(sighting.text), page.id, done)
        others = tuple(page.uris(rival))[:2] if rival is not None else ()
        return Line(
            head=sighting.head, text=text, uris=(str(uri), *others), label=sighting.label, when=sighting.when,
            qualifier=self.mark if rival is None else Qualifier.DISPUTED, said=uri.at[:10], value=sighting.value,
        )  # fmt: skip

    def _insert(self, page: Page, line: Line, uri: ConnectorUri, sighting: Sighting) -> Page:
        return draft.finish(draft.insert(page, line), self._glosses(uri, sighting))

    def _changed(
        self, page: Page, old: Claim, line: Line, sighting: Sighting, uri: ConnectorUri, rival: Claim | None
    ) -> Page:
        """A line that stands, brought to what its source says now; byte for byte as it is when that is the same."""
        cited = self._cited(page, sighting)
        disputed = Qualifier.DISPUTED in old.qualifiers
        if markdown.plain(old.text) == markdown.plain(line.text):
            if disputed == (rival is not None):
                return page
            page = self._settle_questions(page, cited, uri, f"{self.connector} and the page agree")
            fresh = replace(line, text=old.text, uris=tuple(page.uris(old))[:1] if rival is None else line.uris)
            self.notes.removed.append(RemovedClaim(text_sha=claim_sha(old), why=Why.SUPERSEDED))
            qualifier = fresh.qualifier.value if fresh.qualifier else None
            page = edit.replace_claim(
                page, old, fresh.text, label=fresh.label, qualifier=qualifier, uris=fresh.uris,
                glosses=self._glosses(uri, sighting),
            )  # fmt: skip
            self.notes.agreed += rival is None
            return self._ask(page, rival, sighting, uri) if rival is not None else page
        if not sighting.of_record and sighting.record.day and sighting.record.day < (_only_day(old.text) or ""):
            return page
        page = self._settle_questions(page, cited, uri, f"{self.connector} says {sighting.value or 'otherwise'} now")
        said = supersede.history_line(markdown.plain(old.text), line, page.language)
        self.notes.added += 1
        page = self._insert(self._retire(page, old, markdown.plain(said), uri), line, uri, sighting)
        return self._ask(page, rival, sighting, uri) if rival is not None else page

    def _taken_back(
        self, page: Page, sighting: Sighting, uri: ConnectorUri, mine: Sequence[Claim], cited: dict[int, str]
    ) -> Page:
        if uri.sha in cited.values() and not mine:
            return page
        said = f"cancelled, as {self.connector} says on {uri.at[:10]}"
        for claim in mine:
            page = self._retire(page, claim, f"{markdown.plain(claim.text).rstrip(' .')}; {said}.", uri)
        told = self._agreeing(page, sighting, ())
        if told is not None:
            page = self._question(
                page, f'Is "{sighting.title}" cancelled? {self.connector} says so.', told, uri, sighting
            )
        return page

    def _retire(self, page: Page, claim: Claim, said: str, uri: ConnectorUri) -> Page:
        self.notes.removed.append(RemovedClaim(text_sha=claim_sha(claim), why=Why.SUPERSEDED))
        self.notes.retired += 1
        mark = self.mark.value if self.mark else None
        return edit.retire_claim(
            page, claim, markdown.escape(said), uris=(str(uri),), qualifier=mark,
            glosses={str(uri): f"{uri.at[:10]} · {self.connector}"},
        )  # fmt: skip

    def _agree(self, page: Page, claim: Claim, sighting: Sighting, uri: ConnectorUri) -> Page:
        """One more source for a line that says the same; none when it has one of this connector already."""
        if set(claim.cites) & set(self._sources(page)) or page.lines[claim.line - 1] in self.human:
            return page
        if not self._cited(page, sighting) and self.ever(sighting):
            return page
        self.notes.agreed += 1
        return edit.add_cites(page, claim, [str(uri)], self._glosses(uri, sighting))

    def _ask(self, page: Page, rival: Claim, sighting: Sighting, uri: ConnectorUri) -> Page:
        other = next(iter(addresses_in(rival.words)), "") if sighting.label == "E-mail" else _only_day(rival.words)
        what = f'"{sighting.title}"' if sighting.title else sighting.label
        if page.language.startswith("en"):
            said = f"Is {what} {other} or {sighting.value}? {self.connector} says {sighting.value}."
        else:
            said = f"{what}: {other} / {sighting.value} ({self.connector})?"
        self.notes.disputed += 1
        return self._question(page, said, rival, uri, sighting)

    def _question(self, page: Page, said: str, claim: Claim, uri: ConnectorUri, sighting: Sighting) -> Page:
        section = page.section("Open questions")
        if any(markdown.plain(one.text) == one_line(said) for one in (section.claims if section else ())):
            return page
        sources = (*page.uris(claim)[:2], str(uri))
        return edit.add_claim(
            page, "Open questions", markdown.escape(said), uris=sources, glosses=self._glosses(uri, sighting)
        )

    def _settle_questions(self, page: Page, cited: dict[int, str], uri: ConnectorUri, said: str) -> Page:
        """Questions that rest on this record move to History: its source says otherwise now."""
        section = page.section("Open questions")
        for question in section.claims if section else ():
            if set(question.cites) & set(cited):
                page = self._retire(page, question, f"{markdown.plain(question.text)} {said}.", uri)
        return page

    def _glosses(self, uri: ConnectorUri, sighting: Sighting) -> dict[str, str]:
        title = re.sub(r"[\"\\`<>\[\]]", " ", sighting.record.title)
        return {str(uri): one_line(f"{uri.at[:10]} · {self.connector}: {title}")[:100]}


def _ended(page: Page, cited: dict[int, str]) -> bool:
    """Whether History says that what a record said was taken back: when the source has it again, so has the page."""
    section = page.section("History")
    return any(
        set(claim.cites) & set(cited) and _ENDED.search(claim.text) for claim in (section.claims if section else ())
    )


def _is_told(page: Page, line: Line) -> bool:
    """Whether a line with the same label says the same, from whatever source."""
    said = markdown.plain(line.text)
    return any(claim.label == line.label and markdown.plain(claim.text) == said for claim in body_claims(page))


def _only_day(text: str) -> str:
    """The one day a line names, what it says of when it held left out; "" when it names none or several."""
    found = set(_DAY.findall(_STAMP.sub("", text)))
    return found.pop() if len(found) == 1 else ""


def _apart(one: str, other: str) -> int:
    try:
        return abs((date.fromisoformat(one) - date.fromisoformat(other)).days)
    except ValueError:
        return NEAR + 1
