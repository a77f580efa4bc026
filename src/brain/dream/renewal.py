"""News of what a page says already: it takes that claim's place, wherever the claim stands, and closes it to History.

A statement that says something is otherwise than before (`rules.renewal`) is looked for on the pages that share words
with it. What it renews moves to History with both sources; where no page says the news yet, it takes the old line's
place, so that a value once told is told at its newest. When in doubt both stand, each with its day.
"""

# ruff: noqa: E501 — one pattern a line

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from brain.dream.clear import is_exchange
from brain.dream.draft import body_claims, said_days
from brain.dream.engine import Desk
from brain.dream.entries import lead_alone
from brain.dream.likeness import overlap, same
from brain.dream.pages import Pen, Written
from brain.dream.place import Attached, Placement, place
from brain.dream.subjects import Directory
from brain.rules import voice
from brain.rules.renewal import Matter
from brain.tree import markdown, uri
from brain.tree.claims import Claim
from brain.tree.layout import page_id, page_path
from brain.tree.page import Page, parse
from brain.types import Fact, FactKind

SAID = 0.5
"""The share of words from which a sentence of a turn is taken to be the one behind a statement."""

MANY = 30
"""Pages that hold a word from which it says nothing of what they are about."""

ROOT = 4
"""Letters that forms of one word have in common (`rules.wording.alike`)."""

_NO_NEWS = frozenset({FactKind.QUESTION, FactKind.WORKFLOW, FactKind.ARTEFACT})
_WISHES = frozenset({"Preferences", "Corrections"})
_ASKS = re.compile(
    r"\b(?:please|prefers?|wants?|would like|bitte|will ich|möchte|hätte gern|merci de|s['’]il te plaît|je (?:veux|préfère|voudrais)|por favor|quier[oe]|prefier[oe]|будь ласка|хочу|краще|пожалуйста|лучше)\b"
    r"|请|希望|ください|お願い|欲しい|ほしい",
    re.IGNORECASE,
)
"""A wish, also where it stands among facts."""

_WANTS = re.compile(r"(?P<who>[A-Z][\w’'-]+) (?:wants|prefers|asked|asks|needs|expects)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A claim as it may be renewed: on which page, told when and in which turns."""

    page: str
    claim: Claim
    matter: Matter
    uris: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _News:
    """A statement that says something is otherwise now."""

    fact: Fact
    matter: Matter
    uri: str


class Renewal:
    """One run's news against what pages say, those of this run included; `keep` takes each page that changed."""

    def __init__(self, desk: Desk, directory: Directory, pen: Pen, keep: Callable[[Written], None]) -> None:
        self.desk = desk
        self.directory = directory
        self.pen = pen
        self.keep = keep
        self.people = tuple(desk.owners.values())
        people = (head for id, head in directory.heads.items() if head.kind == "person" and id not in desk.owners)
        self.others = tuple(name for head in people for name in head.names)
        self._pages: dict[str, Page] = {}
        self._told: dict[str, list[_Told]] = {}
        self._by_root: dict[str, dict[str, list[_Told]]] = {}

    def run(self, facts: Iterable[Fact], placed: Iterable[Placement], written: Sequence[str]) -> None:
        """Close what the news among `facts` renew, oldest news first. `written` are paths of pages of this run.

        A page made now may say what earlier news renewed already: notes on its subject are looked at too.
        """
        made = [id for path in written if path not in self.desk.base and (id := page_id(path)) in self.directory]
        names = sorted({name for id in made if id for name in self.directory[id].names if len(name) > 1})
        news = list(self._news([*facts, *(self.desk.past.recall(names) if names else ())]))
        if not news:
            return
        homes = {(one.fact.session, one.fact.first_turn, one.fact.text): one for one in placed}
        pages = {id for path in written if (id := page_id(path))}
        for id in sorted(pages | self._near(news)):
            self._read(id)
        for one in news:
            self._renew(one, homes.get((one.fact.session, one.fact.first_turn, one.fact.text)))

    def _news(self, facts: Iterable[Fact]) -> Iterator[_News]:
        seen = set()
        for fact in sorted(
            (one for one in facts if one.day is not None and one.qualifier is None and one.kind not in _NO_NEWS),
            key=lambda one: (one.day, one.session, one.first_turn),
        ):
            key = (fact.session, fact.first_turn, fact.text)
            if key in seen or is_exchange(fact.text):
                continue
            seen.add(key)
            turns = self.desk.evidence.turns(fact.session, fact.first_turn, fact.last_turn)
            said = [part for turn in turns for part in voice.sentences(turn.text) if overlap(part, fact.text) >= SAID]
            matter = self._matter(fact.text, str(fact.day), " ".join(said))
            if matter.changes or any(one.old for one in matter.values):
                span = f"-t{fact.last_turn}" if fact.last_turn > fact.first_turn else ""
                yield _News(fact=fact, matter=matter, uri=f"session://{fact.session}#t{fact.first_turn}{span}")

    def _matter(self, text: str, day: str, said: str = "") -> Matter:
        return Matter.of(text, day=day, said=said, but=self.people)

    def _near(self, news: Sequence[_News]) -> set[str]:
        """Pages of earlier runs that hold a word of the news which few pages hold."""
        parts = {part for one in news for part in (*one.matter.stems, *_forms(one.matter)) if len(part) > 1}
        found = self.desk.past.saying(sorted(parts)) if parts else {}
        return {id for ids in found.values() if len(ids) <= MANY for id in ids}

    def _read(self, id: str) -> None:
        path = page_path(id)
        if path not in self.desk.stage or id not in self.directory or id in self.directory.unreadable:
            return
        page = parse(self.desk.stage.read(path), path)
        days, human = said_days(page), self.desk.human(path)
        self._pages[id] = page
        self._told[id] = [
            _Told(
                page=id,
                claim=claim,
                matter=self._matter(markdown.plain(claim.words), days[claim.line]),
                uris=frozenset(page.uris(claim)),
            )
            for claim in (*body_claims(page), *self._lead_alone(page))
            if claim.is_cited and not claim.qualifiers and page.lines[claim.line - 1] not in human
        ]
        self._by_root[id] = defaultdict(list)
        for told in self._told[id]:
            for root in _roots(told.matter):
                self._by_root[id][root].append(told)

    def _lead_alone(self, page: Page) -> Iterator[Claim]:
        """Sentences of a lead that no other line of the page says; one that is restated goes with its claim."""
        texts = {one.text for one in lead_alone(page)}
        return (claim for claim in page.lead if markdown.plain(claim.text) in texts)

    def _renew(self, news: _News, home: Placement | None) -> None:
        roots = _roots(news.matter)
        near = [told for page in self._by_root.values() for told in _of_roots(page, roots)]
        old = [
            told
            for told in near
            if self._is_older(told, news) and news.matter.renews(told.matter, wish=self._is_wish(told))
        ]
        stated = {told.page for told in near if self._says(told, news)}
        for told in sorted(old, key=lambda one: (one.matter.day, one.page, one.claim.line), reverse=True):
            page = self._pages[told.page]
            alone = all(one.claim is told.claim for one in self._told[told.page])
            stands = bool(stated) and not (alone and told.page not in stated)
            owners = frozenset(self.desk.owners)
            given = home or place(Attached(fact=news.fact, ids=()), told.page, self.directory, owners)
            section = told.claim.section or given.head
            given = replace(given, page=told.page, head=section, group=told.claim.group)
            claim = next((one for one in (*body_claims(page), *page.lead) if one.raw == told.claim.raw), None)
            done = self.pen.renew(self.directory[told.page], page, claim, given, stands=stands) if claim else None
            if done is not None:
                self.keep(done)
                self._read(told.page)
                stated.add(told.page)

    def _is_older(self, told: _Told, news: _News) -> bool:
        if news.uri in told.uris or not told.matter.day or told.matter.day > news.matter.day:
            return False
        if told.matter.day < news.matter.day:
            return True
        last = [read.last for one in told.uris if (read := _turns(one)) and read.session == news.fact.session]
        return bool(last) and max(last) < news.fact.first_turn

    def _is_wish(self, told: _Told) -> bool:
        own = told.page in self.desk.owners or told.page.startswith("learnings/")
        others = any(f"{name} " in told.matter.text for name in self.others)
        wants = _WANTS.match(told.matter.text)
        others = others or (wants is not None and not any(wants["who"] in name for name in self.people))
        return own and not others and (told.claim.section in _WISHES or _ASKS.search(told.matter.text) is not None)

    def _says(self, told: _Told, news: _News) -> bool:
        return news.uri in told.uris and same(told.matter.text, news.fact.text)


@dataclass(frozen=True, slots=True)
class _Turns:
    session: str
    last: int


def _turns(source: str) -> _Turns | None:
    read = uri.parse(source)
    return _Turns(read.session, read.ranges[-1][1]) if isinstance(read, uri.SessionUri) and read.ranges else None


def _forms(matter: Matter) -> Iterator[str]:
    """Values as they may stand on a page: only those whose spelling is one."""
    return (one.form for one in matter.values if one.kind in ("name", "code", "word"))


def _roots(matter: Matter) -> set[str]:
    """The beginnings of a statement's words: what shares none of them is about something else."""
    return {part[:ROOT] for one in (*matter.stems, *_forms(matter)) for part in one.split()}


def _of_roots(page: dict[str, list[_Told]], roots: set[str]) -> list[_Told]:
    found = {(told.claim.line, told.claim.raw): told for root in roots if root in page for told in page[root]}
    return [found[place] for place in sorted(found)]
