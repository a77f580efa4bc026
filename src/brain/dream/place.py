"""Where one fact goes: the page it lives on, the head and label it stands under, and the words of the claim.

A fact names its subjects; the subject that is not simply "me" tells most, so a statement of the user about a project
lives on the project's page, while who the user is, prefers and how things stand with them lives on the user's own.
"""

# ruff: noqa: E501 — one pattern a line

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from brain.dream import topics
from brain.dream.subjects import Directory, type_of
from brain.dream.topic_words import FAMILY
from brain.dream.worth import condensed
from brain.types import Fact, FactKind

_ISO = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_MONTH = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b"
)
_YEAR_MONTH = re.compile(r"\b(\d{4})-(\d{2})\b(?!-)")
_YEAR = re.compile(r"\b(?:in|about|since|before|of) (\d{4})\b")
_GOAL = re.compile(
    r"\b(?:goals?|aims?|objectives?|purpose|want(?:s|ed)? to (?:build|make|create|find out|launch|write|learn|become|reach)|but est|objectif|мета|目标|目標|目的)\b",
    re.IGNORECASE,
)
_OPENED = re.compile(r"^(?P<label>[A-Z][a-zà-ÿ]+(?: [\w'’-]+){0,4}): (?P<rest>(?![\"“«「]).{12,})$")
_GOAL_OPENER = re.compile(r"^(?:the |our |my )?(?:goal|aim|purpose)(?: in one line)?(?: is)?: (?=\w)", re.IGNORECASE)
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
STANDING = frozenset({FactKind.PREFERENCE, FactKind.RELATION, FactKind.STATE, FactKind.CORRECTION})
PULL = {"project": 0.9, "learning": 0.85, "concept": 0.8, "person": 0.85, "org": 0.75, "product": 0.7, "tool": 0.6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A fact with its subjects resolved: page ids or candidates, in the order the fact names them."""

    fact: Fact
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One claim to be: the page, its head and group, the words; `ids` are all subjects of its fact."""

    page: str
    head: str
    text: str
    fact: Fact
    group: str | None = None
    label: str | None = None
    when: date | None = None
    ids: tuple[str, ...] = ()

    @property
    def uri(self) -> str:
        first, last = self.fact.first_turn, self.fact.last_turn
        return f"session://{self.fact.session}#t{first}" + (f"-t{last}" if last > first else "")


def home(item: Attached, directory: Directory, owners: frozenset[str], topic: str | None = None) -> str | None:
    """The page a fact lives on, of those of its subjects that have one."""
    best: tuple[float, str] | None = None
    for at, head in enumerate(directory[id] for id in item.ids):
        if not head.has_page:
            continue
        if head.id in owners:
            pull = 1.1 if item.fact.kind in STANDING and at == 0 else 0.3
        else:
            pull = PULL.get(head.kind, 0.4)
        score = pull + (0.15 if at == 0 else -0.05 * at)
        if best is None or score > best[0]:
            best = (score, head.id)
    if (
        topic is not None
        and (best is None or best[1] in owners or best[0] < PULL["concept"])
        and item.fact.kind is not FactKind.RELATION
    ):
        return topic
    return best[1] if best else None


def place(item: Attached, page: str, directory: Directory, owners: frozenset[str]) -> Placement:
    """Head, group, label and wording of a fact on its page."""
    head_of = directory[page]
    kind, fact = head_of.kind, item.fact
    when = event_day(fact)
    head, group = _section(fact, kind, page in owners, dated=is_dated(fact.text))
    label = None
    if fact.attribute and fact.kind is not FactKind.EVENT and not _asks(fact) and fact.attribute != "is a":
        main = directory[item.ids[0]].id if item.ids else page
        label = sentence_case(fact.attribute)
        if main != page and main not in owners and directory[main].title not in ("I", "We"):
            label = f"{directory[main].title}: {fact.attribute}"
    opener, text = (
        opened(wording(fact))
        if fact.speaker and not fact.text.startswith(f"{fact.speaker}:")
        else (None, wording(fact))
    )
    label = label or (opener if opener not in {name for id in item.ids for name in directory[id].names} else None)
    text = text if label or opener is None else wording(fact)
    return Placement(page=page, head=head, group=group, label=label, text=text, fact=fact, when=when, ids=item.ids)


def event_day(fact: Fact) -> date | None:
    """The day a statement is about: the first day, month or year it names, else the day it was said."""
    text = fact.text
    try:
        if match := _ISO.search(text):
            return date.fromisoformat(match[1])
        if match := _MONTH.search(text):
            return date(int(match[2]), _MONTHS.index(match[1]) + 1, 1)
        if match := _YEAR_MONTH.search(text):
            return date(int(match[1]), int(match[2]), 1)
        if match := _YEAR.search(text):
            return date(int(match[1]), 1, 1)
    except ValueError:
        return fact.day
    return fact.day


def is_dated(text: str) -> bool:
    """Whether a text says when: a day, a month or a year."""
    return any(pattern.search(text) for pattern in (_ISO, _MONTH, _YEAR_MONTH, _YEAR))


def wording(fact: Fact) -> str:
    """The claim's sentence: the fact's own words, with the day they held when the words carry none.

    What may change is `(as of D)`; something that happened, told on a day without saying when, was `(before D)`.
    """
    text = condensed(fact.text.strip())
    if fact.day is None or is_dated(text):
        return text
    stamp = None
    if (
        fact.kind is FactKind.STATE
        or (fact.attribute and fact.kind is not FactKind.EVENT)
        or fact.kind is FactKind.PLAN
    ):
        stamp = f"(as of {fact.day.isoformat()})"
    elif fact.kind is FactKind.EVENT:
        stamp = f"(before {fact.day.isoformat()})"
    if stamp is None:
        return text
    body, mark = (text[:-1], text[-1]) if text[-1:] in ".!。！" else (text, "")
    return f"{body} {stamp}{mark}"


def _asks(fact: Fact) -> bool:
    return fact.kind is FactKind.QUESTION


def opened(text: str) -> tuple[str | None, str]:
    """A statement's opener as its label, and the rest: "Staffing: Ana moved on." is a label and a sentence.

    >>> opened("Staffing: Ana moved on.")
    ('Staffing', 'Ana moved on.')
    """
    match = _OPENED.match(text)
    if match is None or match["label"].split(" ")[0].lower() in ("asked", "the"):
        goal = _GOAL_OPENER.match(text)
        return (None, sentence_case(text[goal.end() :])) if goal else (None, text)
    return match["label"], sentence_case(match["rest"])


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
        if fact.attribute and fact.attribute != "is a" and fact.kind not in (FactKind.EVENT, FactKind.ARTEFACT):
            return "Status", None
        if fact.attribute == "is a":
            return "Facts", None
        if fact.kind is FactKind.PLAN:
            return ("Goals" if _GOAL.search(fact.text) else "Plans"), None
        table = {FactKind.STATE: "Status", FactKind.DECISION: "Decisions"}
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
    if fact.kind is FactKind.RELATION and owner:
        area = topics.area(fact.text)
        return "Facts", FAMILY if area == "Facts" else area
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
