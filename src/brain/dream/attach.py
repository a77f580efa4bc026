"""Phase three: every fact to the one page it belongs to, under the head and label it belongs under.

A fact names its subjects; the subject that is not simply "me" tells most, so a statement of the user about a project
lives on the project's page, while who the user is, prefers and how things stand with them lives on the user's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from brain.dream import topics
from brain.dream.subjects import Directory, by_length, type_of
from brain.types import Fact, FactKind, Qualifier, Subject, SubjectKind

Recall = Callable[[Sequence[str]], list[Fact]]
"""Earlier notes that hold any of these names or words, as facts: how a subject that earns a page gets its past."""

_ISO = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_STANDING = frozenset({FactKind.PREFERENCE, FactKind.RELATION, FactKind.STATE, FactKind.CORRECTION})
_LESSONS = frozenset({FactKind.CORRECTION, FactKind.WORKED, FactKind.FAILED})
_PULL = {"project": 0.9, "learning": 0.85, "concept": 0.8, "person": 0.85, "org": 0.75, "product": 0.7, "tool": 0.6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A fact with its subjects resolved: page ids or candidates, in the order the fact names them."""

    fact: Fact
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One claim to be: the page, its head and group, and the words; `key` is what a newer value of it would replace."""

    page: str
    head: str
    text: str
    fact: Fact
    group: str | None = None
    label: str | None = None
    when: date | None = None

    @property
    def uri(self) -> str:
        first, last = self.fact.first_turn, self.fact.last_turn
        return f"session://{self.fact.session}#t{first}" + (f"-t{last}" if last > first else "")


@dataclass(slots=True)
class Attachment:
    """What attaching found: where each fact goes, which subjects got a page, and what stays in notes alone."""

    placements: list[Placement] = field(default_factory=list)
    earned: list[str] = field(default_factory=list)
    unplaced: list[Fact] = field(default_factory=list)


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

    People, projects and organisations need two statements over two sessions, everything else three; from a single session it takes
    four or more statements that weigh.
    """
    texts = {fact.text for fact in facts}
    sessions = {fact.session for fact in facts}
    weight = sum(fact.weight for fact in facts)
    least = 2 if kind in ("person", "project", "org") else 3
    if kind == "concept" and any(fact.kind is FactKind.WORKFLOW for fact in facts):
        return len(texts) >= 2 and weight >= 1.2
    return (len(sessions) >= 2 and len(texts) >= least) or (len(texts) >= 4 and weight >= 2.4)


def home(item: Attached, directory: Directory, owners: frozenset[str], topic: str | None = None) -> str | None:
    """The page a fact lives on, of those of its subjects that have one."""
    best: tuple[float, str] | None = None
    for at, id in enumerate(item.ids):
        head = directory.heads[id]
        if not head.has_page:
            continue
        if id in owners:
            pull = 1.1 if item.fact.kind in _STANDING else 0.3
        else:
            pull = _PULL.get(head.kind, 0.4)
        score = pull + (0.15 if at == 0 else -0.05 * at)
        if best is None or score > best[0]:
            best = (score, id)
    if topic is not None and (best is None or best[1] in owners or best[0] < _PULL["concept"]) and item.fact.kind is not FactKind.RELATION:
        return topic
    return best[1] if best else None


def place(item: Attached, page: str, directory: Directory, owners: frozenset[str]) -> Placement:
    """Head, group, label and wording of a fact on its page."""
    head_of = directory.heads[page]
    kind, fact = head_of.kind, item.fact
    when = event_day(fact)
    head, group = _section(fact, kind, page in owners, dated=_ISO.search(fact.text) is not None)
    label = None
    if fact.attribute and fact.kind is not FactKind.EVENT:
        main = item.ids[0] if item.ids else page
        label = sentence_case(fact.attribute)
        if main != page:
            label = f"{directory.heads[main].title}: {fact.attribute}"
    return Placement(page=page, head=head, group=group, label=label, text=wording(fact), fact=fact, when=when)


def event_day(fact: Fact) -> date | None:
    """The day a statement is about: the first one it names, else the day it was said."""
    if match := _ISO.search(fact.text):
        try:
            return date.fromisoformat(match[1])
        except ValueError:
            return fact.day
    return fact.day


def wording(fact: Fact) -> str:
    """The claim's sentence: the fact's own words, with the day they held when the words carry none.

    What may change is `(as of D)`; something that happened, told on a day without saying when, was `(before D)`.
    """
    text = fact.text.strip()
    if fact.day is None or _ISO.search(text):
        return text
    stamp = None
    if fact.kind is FactKind.STATE or (fact.attribute and fact.kind is not FactKind.EVENT) or fact.kind is FactKind.PLAN:
        stamp = f"(as of {fact.day.isoformat()})"
    elif fact.kind is FactKind.EVENT:
        stamp = f"(before {fact.day.isoformat()})"
    if stamp is None:
        return text
    body, mark = (text[:-1], text[-1]) if text[-1:] in ".!。！" else (text, "")
    return f"{body} {stamp}{mark}"


def sentence_case(words: str) -> str:
    return words[:1].upper() + words[1:]


def _section(fact: Fact, kind: str, owner: bool, *, dated: bool) -> tuple[str, str | None]:
    page = type_of(kind)
    if page == "learning":
        heads = {FactKind.WORKED: "Works", FactKind.FAILED: "Fails", FactKind.CORRECTION: "Corrections"}
        return heads.get(fact.kind, "When to apply"), None
    if fact.kind is FactKind.QUESTION:
        return "Open questions", None
    if fact.kind is FactKind.PREFERENCE:
        return ("Preferences" if fact.qualifier is None else "Facts"), None
    if page == "project":
        table = {FactKind.STATE: "Status", FactKind.PLAN: "Goals", FactKind.DECISION: "Decisions"}
        if fact.kind in (FactKind.EVENT, FactKind.ARTEFACT):
            return ("Timeline" if dated or fact.day else "Facts"), None
        return table.get(fact.kind, "Facts"), None
    if page == "concept":
        if fact.kind is FactKind.WORKFLOW:
            return "How it works", None
        if fact.kind is FactKind.PLAN:
            return "Plans", None
        if fact.kind is FactKind.EVENT:
            return ("Timeline" if dated or fact.day else "Facts"), None
        return ("Decisions" if fact.kind is FactKind.DECISION else "Facts"), None
    if fact.kind is FactKind.WORKFLOW:
        return "Workflows", None
    if fact.kind is FactKind.DECISION:
        return "Decisions", None
    if kind != "person":
        return ("Interactions" if fact.kind in (FactKind.EVENT, FactKind.PLAN) else "Facts"), None
    if fact.kind is FactKind.RELATION:
        return "Relationship", None
    if not owner:
        return ("Interactions" if fact.kind in (FactKind.EVENT, FactKind.PLAN) else "Facts"), None
    area = topics.area(fact.text)
    return "Facts", None if area == "Facts" else area
