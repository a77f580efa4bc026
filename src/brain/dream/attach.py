"""Phase three: every fact to its subjects, every subject that has earned one to a page, every fact to one page.

A subject is looked for among the pages first (T02). One without a page stays a name in the notes until it comes back;
when it does, its earlier notes are recalled and move in with it, so a run costs what its new turns cost.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from brain.dream import concepts, learn, projects, topics
from brain.dream.clear import unclear
from brain.dream.links import Linker
from brain.dream.past import Past
from brain.dream.place import PULL, STANDING, Attached, Placement, home, place
from brain.dream.subjects import MAX_ALIASES, Directory, Head, by_length, type_of
from brain.dream.undertakings import Vocabulary, matters, title_of
from brain.text import slugify
from brain.tree.layout import TYPE_DIRS
from brain.types import Fact, FactKind, Qualifier, Subject, SubjectKind

_SHORT_NAME = 3
AREA_FACTS = 9
"""How many statements of one area of life an owner's page takes before the area gets a page of its own."""
_OWN_STORY = frozenset({"person", "org"})
"""Kinds whose new page tells what notes said of them, also where another page says it as well."""


@dataclass(slots=True)
class Attachment:
    """Where each fact goes (by page), which subjects got a page now, and which facts stay in notes alone.

    `met` counts how often a page was named in statements that live on another, `unclear` statements that do not
    stand alone, by reason, `lessons` gives the subject of each learning page.
    """

    placements: dict[str, list[Placement]] = field(default_factory=dict)
    earned: list[str] = field(default_factory=list)
    unplaced: list[Fact] = field(default_factory=list)
    met: dict[str, dict[str, int]] = field(default_factory=dict)
    unclear: Counter[str] = field(default_factory=Counter)
    lessons: dict[str, str] = field(default_factory=dict)


class Attacher:
    """One run's attaching of facts."""

    def __init__(self, directory: Directory, past: Past, *, owners: frozenset[str], language: str = "en") -> None:
        self.directory = directory
        self.past = past
        self.owners = owners
        self.language = language
        self.out = Attachment()
        self._claimed: dict[int, str] = {}
        self._kept: list[Attached] = []  # so that ids of items stay theirs

    def attach(self, facts: Sequence[Fact], vocabulary: Sequence[tuple[str, Vocabulary]] = ()) -> Attachment:
        """Give every fact its place; new pages are entered in the directory.

        Captions of shared pictures stay in the notes: what a picture shows is seldom what a page is about. So do
        statements that do not stand alone; that a subject was spoken of counts for its page all the same.
        """
        said = [fact for fact in facts if fact.qualifier is not Qualifier.IMAGE]
        self.out.unplaced += [fact for fact in facts if fact.qualifier is Qualifier.IMAGE]
        self.out.unclear.update(why for fact in said if (why := unclear(fact)))
        items = resolve(said, self.directory)
        unnamed = self._undertakings(items, vocabulary) if len(self.owners) == 1 else {}
        items = projects.assign(items, self.directory, self.owners, self.past.body, unnamed)
        items += self._earn(items)
        items = [item for item in items if unclear(item.fact) is None]
        lesson_of = self._learnings(items)
        topic_of = self._topics(items)
        topic_of |= self._areas(items, topic_of)
        for item in items:
            page = (
                self._claimed.get(id(item))
                or lesson_of.get(id(item))
                or home(item, self.directory, self.owners, topic_of.get(id(item)))
            )
            if page is None:
                self.out.unplaced.append(item.fact)
            else:
                self._place(item, page)
        return self.out

    def _undertakings(self, items: Sequence[Attached], vocabulary: Sequence[tuple[str, Vocabulary]]) -> dict[str, str]:
        """Session → project, for sessions that name none but keep coming back to one matter."""
        named = {item.fact.session for item in items if any(self.directory[id].kind == "project" for id in item.ids)}
        pages = {head.id: self.past.body(head.id) for head in self.directory.heads.values() if head.kind == "project"}
        of: dict[str, str] = {}
        for matter in matters([one for one in vocabulary if one[0] not in named], pages):
            title = None if matter.page else title_of(matter)
            page = matter.page
            if title is not None:
                page = self.directory.resolve(Subject(name=title, kind=SubjectKind.PROJECT))
            if page is not None:
                of.update(dict.fromkeys(matter.sessions, page))
        return of

    def _place(self, item: Attached, page: str) -> None:
        self.out.placements.setdefault(page, []).append(place(item, page, self.directory, self.owners))
        for other in (self.directory[id] for id in item.ids):
            if other.id != page and other.has_page:
                for one, two in ((page, other.id), (other.id, page)):
                    row = self.out.met.setdefault(one, {})
                    row[two] = row.get(two, 0) + 1

    def _earn(self, items: Sequence[Attached]) -> list[Attached]:
        """Make pages for candidates that have earned one, and bring back what earlier notes say of them."""
        facts: dict[str, list[Fact]] = defaultdict(list)
        for item in items:
            for at, subject in enumerate(item.ids):
                if not self.directory[subject].has_page and self._speaks_for(item, at):
                    facts[subject].append(item.fact)
        candidates = [self.directory.heads[subject] for subject in facts]
        names = sorted({name for head in candidates for name in head.names if len(name) > 1})
        past = self._recall(names) if names else []
        new = {item.fact.text for item in items}
        self._learn_names(candidates, past)
        linker = Linker(self.directory[head.id] for head in candidates)
        earlier: dict[str, list[Fact]] = defaultdict(list)
        for fact in past:
            if fact.text not in new:
                for subject in dict.fromkeys(id for _, _, id in linker.mentions(fact.text)):
                    earlier[subject].append(fact)
        late: list[Attached] = []
        taken: set[str] = set()
        for subject in sorted(facts):
            kind = self.directory.heads[subject].kind
            if has_earned(kind, [*facts[subject], *earlier[subject]]):
                self._open(subject)
                page = self.directory[subject].id
                for item in self._mentioned(fact for fact in earlier[subject] if fact.text not in taken):
                    taken.add(item.fact.text)
                    if kind in _OWN_STORY:
                        self._claimed[id(item)] = page
                        late.append(item)
                    elif not self.past.cited(item.fact):
                        late.append(item)
        self._kept += late
        return late

    def _recall(self, names: Sequence[str]) -> list[Fact]:
        """Earlier notes with these names that stand alone."""
        return [fact for fact in self.past.recall(names) if unclear(fact) is None]

    def _learn_names(self, candidates: Sequence[Head], past: Sequence[Fact]) -> None:
        """A candidate known by one word takes the full name that its earlier notes give, when they give only one."""
        for head in candidates:
            if " " in head.title or head.kind not in ("person", "org", "other") or len(head.title) < _SHORT_NAME:
                continue
            fuller = re.compile(rf"(?<!\w){re.escape(head.title)}((?: [A-ZÀ-ÞА-ЯІЇЄ][\w’'-]+){{1,3}})")
            found = {match[0] for fact in past for match in fuller.finditer(fact.text)}
            if len(found) == 1:
                name = found.pop()
                if self.directory.find_exact(name, but=head.id) is None:
                    aliases = (head.title, *(alias for alias in head.aliases if alias != name))
                    self.directory.add(replace(head, title=name, aliases=aliases[:MAX_ALIASES]))

    def _speaks_for(self, item: Attached, at: int) -> bool:
        """Whether a fact counts for its subject at this place, or only mentions it."""
        kind = self.directory[item.ids[at]].kind
        return at == 0 or kind == "project" or (item.fact.kind not in STANDING and PULL.get(kind, 0.4) >= PULL["tool"])

    def _mentioned(self, facts: Iterable[Fact]) -> list[Attached]:
        """Earlier notes have lost their subjects; they are read off the names in them."""
        linker = Linker(self.directory.heads.values())
        return [
            Attached(fact=fact, ids=tuple(dict.fromkeys(id for _, _, id in linker.mentions(fact.text))))
            for fact in facts
        ]

    def _open(self, subject: str) -> str:
        """Give a candidate its page id; the run's facts follow because names now lead there."""
        head = self.directory.heads[subject]
        taken = self.directory.find_exact(head.title, but=subject)
        if taken is not None:
            head = replace(head, title=f"{head.title} ({head.kind})"[:80])
            self.directory.heads[subject] = head
        page = page_id(head, self.directory)
        self.directory.rename(subject, page)
        self.out.earned.append(page)
        return page

    def _learnings(self, items: Sequence[Attached]) -> dict[int, str]:
        of: dict[int, str] = {}
        found = learn.lessons(items, self.directory, self.owners, self.language, self.past.body)
        for subject, head, group in list(found):
            page = head.id
            if not head.has_page:
                page = self._open(self.directory.add(head).id)
            of.update({id(item): page for item in group})
            self.out.lessons[page] = self.directory[subject].id
        return of

    def _topics(self, items: list[Attached]) -> dict[int, str]:
        """Concept pages for topics that come back in what belongs to owners alone; their earlier notes join `items`."""
        pool = [item for item in items if self._is_loose(item)]
        found = concepts.discover(pool, self.directory, self._recall)
        page_of = dict(found.page_of)
        of: dict[int, str] = {}
        for topic in found.found:
            known = self.directory.find(Subject(name=topic.title, kind=SubjectKind.CONCEPT))
            if known is None or not self.directory[known].has_page:
                known = self._open(
                    known
                    or self.directory.add(Head(id=f"?concept:{topic.title}", title=topic.title, kind="concept")).id
                )
            page_of[topic.stem] = known
            late = self._mentioned(fact for fact in topic.earlier if not self.past.cited(fact))
            items += late
            of.update({id(item): known for item in late})
        of.update({id(pool[at]): page_of[stem] for at, stem in found.of.items()})
        return of

    def _areas(self, items: Sequence[Attached], topic_of: dict[int, str]) -> dict[int, str]:
        """Areas of an owner's life that outgrow their page get one of their own ("Mara's health"), English for now."""
        groups: dict[tuple[str, str], list[Attached]] = defaultdict(list)
        for item in items:
            page = home(item, self.directory, self.owners)
            if id(item) not in topic_of and page in self.owners and self._is_loose(item) and item.fact.language == "en":
                area = topics.area(item.fact.text)
                if page and area != topics.NO_AREA and item.fact.kind not in STANDING:
                    groups[page, area].append(item)
        of: dict[int, str] = {}
        for (owner, area), group in sorted(groups.items()):
            title = f"{self.directory[owner].title.split(' ')[0]}'s {area.lower()}"
            known = self.directory.find(Subject(name=title, kind=SubjectKind.CONCEPT))
            if known is None and len(group) + _held(self.past.body(owner), area) >= AREA_FACTS and len(group) >= 3:
                known = self._open(self.directory.add(Head(id=f"?concept:{title}", title=title, kind="concept")).id)
            if known is not None:
                of.update({id(item): known for item in group})
        return of

    def _is_loose(self, item: Attached) -> bool:
        if item.fact.kind in (FactKind.RELATION, FactKind.QUESTION) or (
            item.fact.kind is FactKind.STATE and item.fact.attribute
        ):
            return False
        page = home(item, self.directory, self.owners)
        return page is None or page in self.owners


def _held(page: str, area: str) -> int:
    """How many claims stand under an area's head on a page."""
    _, found, rest = page.partition(f"\n### {area}\n")
    lines = rest.split("\n#", 1)[0].split("\n") if found else []
    return sum(line.startswith("- ") for line in lines)


def resolve(facts: Iterable[Fact], directory: Directory) -> list[Attached]:
    """Enter every subject of the batch, fuller names first, then read each fact's subjects off the directory."""
    facts = list(facts)
    for subject in by_length(subject for fact in facts for subject in fact.about):
        directory.resolve(subject)
    out = []
    for fact in facts:
        ids = [directory.find(subject) for subject in fact.about]
        out.append(Attached(fact=fact, ids=tuple(dict.fromkeys(id for id in ids if id))))
    return out


def has_earned(kind: str, facts: Sequence[Fact]) -> bool:
    """Whether a subject is worth a page: it comes back in another session, or one session says much of it.

    People, projects and organisations need two statements over two sessions, everything else three; from a single
    session it takes four or more statements that weigh. A workflow needs one retelling.
    """
    texts = {fact.text for fact in facts}
    sessions = {fact.session for fact in facts}
    weight = sum(fact.weight for fact in facts)
    least = 2 if kind in ("person", "project", "org") else 3
    if kind == "concept" and any(fact.kind is FactKind.WORKFLOW for fact in facts):
        return len(texts) >= 2 and weight >= 1.2
    return (len(sessions) >= 2 and len(texts) >= least) or (len(texts) >= 4 and weight >= 2.4)


def page_id(head: Head, directory: Directory) -> str:
    """A free page id for a new subject; two titles that share a slug get two ids."""
    folder, slug = TYPE_DIRS[type_of(head.kind)], slugify(head.title)
    if f"{folder}/{slug}" not in directory.heads:
        return f"{folder}/{slug}"
    number = 2
    while f"{folder}/{slug[:60]}-{number}" in directory.heads:
        number += 1
    return f"{folder}/{slug[:60]}-{number}"
