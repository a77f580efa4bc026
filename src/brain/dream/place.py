"""Where one fact goes: the page it lives on, the head and label it stands under, and the words of the claim.

A fact names its subjects; the subject that is not simply "me" tells most, so a statement of the user about a project
lives on the project's page, while who the user is, prefers and how things stand with them lives on the user's own.
"""

# ruff: noqa: E501 — one pattern a line

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from brain.dream import topics
from brain.dream.days import STAMP, event_day, is_dated, with_year
from brain.dream.lesson import HEAD, head_of, is_lesson
from brain.dream.subjects import Directory, Head, type_of
from brain.dream.topic_words import FAMILY
from brain.dream.worth import condensed
from brain.rules.values import values
from brain.text import normal_name, words
from brain.types import Fact, FactKind

_GOAL = re.compile(
    r"\b(?:goals?|aims?|objectives?|purpose|want(?:s|ed)? to (?:build|make|create|find out|launch|write|learn|become|reach)|but est|objectif|мета|目标|目標|目的)\b",
    re.IGNORECASE,
)
_OPENED = re.compile(r"^(?P<label>[A-Z][a-zà-ÿ]+(?: [\w'’-]+){0,4}): (?P<rest>(?![\"“«「]).{12,})$")
_CLAUSE = re.compile(
    r"^.* (?:gave|gives|set|sets|has|had|got|sent|made|put) (?:.+ )?(?:a|an|the) (?P<noun>[a-z]+(?: [a-z]+)?)$"
)
"""An opener that is a sentence itself ("Ana gave Ben a deadline"): its last noun is the label on Ben's page."""

_REASON = re.compile(r"^(?:and )?why\b", re.IGNORECASE)
_FOLDED = frozenset(
    """the a an this that these those his her their its my our on in at by since after before when if once from with for
    to while because although as until every each both all some most one two three four five six seven eight nine
    ten""".split()  # noqa: SIM905
)
_ROLE = re.compile(r"^(?:contact|host|partner|client|customer|supplier|sponsor|funder|paid by|funded by)\b")
_GOAL_OPENER = re.compile(r"^(?:the |our |my )?(?:goal|aim|purpose)(?: in one line)?(?: is)?: (?=\w)", re.IGNORECASE)
_LASTING = frozenset(
    {FactKind.QUESTION, FactKind.WORKFLOW, FactKind.ARTEFACT, FactKind.WORKED, FactKind.FAILED, FactKind.EVENT}
)
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
    at_work = bool(item.fact.attribute and _ROLE.match(item.fact.attribute))
    for at, head in enumerate(directory[id] for id in item.ids):
        if not head.has_page:
            continue
        if head.id in owners:
            pull = 1.1 if item.fact.kind in STANDING and at == 0 and not at_work else 0.3
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
        if main != page and main not in owners and not _stands_by_itself(fact, directory[main]):
            label = f"{directory[main].title}: {fact.attribute}"
    worded = wording(fact, head_of.names)
    quoted = not fact.speaker or fact.text.startswith(f"{fact.speaker}:")
    opener, text = (None, worded) if quoted else opened(worded, head_of.names)
    names = {name for id in item.ids for name in directory[id].names}
    label = label or (opener if opener not in names else None)
    text = worded if opener in names and label is None else text
    return Placement(page=page, head=head, group=group, label=label, text=text, fact=fact, when=when, ids=item.ids)


def wording(fact: Fact, names: Sequence[str] = ()) -> str:
    """The claim's sentence: the fact's own words, with the day they held when the words carry none.

    `names` are those of the page it stands on: that it names its own subject is no value.

    What may change is `(as of D)`: states, wishes, values such as an amount, a weekday or who does something. So is
    every plan, for a plan is what was meant on that day. What happened, told without saying when, was `(before D)`.
    """
    text = with_year(condensed(fact.text.strip()), fact.day)
    if fact.day is None or STAMP.search(text) or (is_dated(text) and not _is_ahead(fact, text)):
        return text
    stamp = None
    if fact.kind in (FactKind.STATE, FactKind.PLAN) or (
        fact.kind is not FactKind.EVENT and _may_change(fact, text, names)
    ):
        stamp = f"(as of {fact.day.isoformat()})"
    elif fact.kind is FactKind.EVENT and not is_dated(text):
        stamp = f"(before {fact.day.isoformat()})"
    if stamp is None:
        return text
    body, mark = (text[:-1], text[-1]) if text[-1:] in ".!。！" else (text, "")
    return f"{body} {stamp}{mark}"


def _is_ahead(fact: Fact, text: str) -> bool:
    """Whether a day in a text was still to come when it was told; then it may move."""
    said = fact.day.isoformat() if fact.day else ""
    return fact.kind is FactKind.PLAN or any(one.kind == "day" and one.form > said for one in values(text))


def _may_change(fact: Fact, text: str, names: Sequence[str]) -> bool:
    if fact.kind in _LASTING:
        return False
    own = {word for name in (*names, fact.speaker or "") for word in words(name)}
    told = (one for one in values(text) if one.kind != "word" and not set(one.form.split()) & own)
    return fact.kind is FactKind.PREFERENCE or bool(fact.attribute) or any(told)


def _asks(fact: Fact) -> bool:
    return fact.kind is FactKind.QUESTION


def _stands_by_itself(fact: Fact, main: Head) -> bool:
    """Whether an attribute says of what it is: a project's deadline of something, a role that its holder is the value of."""
    if main.title in ("I", "We"):
        return True
    own = normal_name(fact.value or "") in {normal_name(name) for name in main.names}
    return own or (main.kind == "project" and " of " in (fact.attribute or ""))


def opened(text: str, names: Sequence[str] = ()) -> tuple[str | None, str]:
    """A statement's opener as its label, and the rest. An opener that is a sentence gives its noun on the page (with
    these `names`) of whom it speaks, and stays where it is anywhere else.

    >>> opened("Staffing: Ana moved on.")
    ('Staffing', 'Ana moved on.')
    >>> opened("Ana gave Ben a deadline: charts ready by 2026-08-25.", ["Ben"])
    ('Deadline', 'Charts ready by 2026-08-25.')
    """
    match = _OPENED.match(text)
    if match is None or match["label"].split(" ")[0].lower() in ("asked", "the"):
        goal = _GOAL_OPENER.match(text)
        return (None, sentence_case(text[goal.end() :])) if goal else (None, text)
    if _REASON.match(match["label"]):
        return None, sentence_case(match["rest"])
    if clause := _CLAUSE.match(match["label"]):
        spoken_of = any(name in match["label"] for name in names)
        return (sentence_case(clause["noun"]), sentence_case(match["rest"])) if spoken_of else (None, text)
    return match["label"], sentence_case(match["rest"])


def sentence_case(words: str) -> str:
    return words[:1].upper() + words[1:]


def continued(words: str) -> str | None:
    """The words as the second part of a sentence; None when their first may be a name.

    >>> continued("Coin cells failed."), continued("Ida failed.")
    ('coin cells failed.', None)
    """
    first = re.match(r"[^\W\d_]+", words)
    if first is None or first[0].islower():
        return words
    second = words[first.end() :].split(" ")[1:2]
    compound = bool(second) and topics.is_noun(second[0]) and not topics.is_verbal(second[0])
    plain = first[0].lower() in _FOLDED or (compound and topics.is_noun(first[0]) and not first[0].isupper())
    return words[:1].lower() + words[1:] if plain else None


def _section(fact: Fact, kind: str, owner: bool, *, dated: bool) -> tuple[str, str | None]:
    page = type_of(kind)
    if page == "learning":
        if fact.kind is FactKind.CORRECTION:
            return "Corrections", None
        return (head_of(fact.text) if is_lesson(fact) else "When to apply"), None
    if fact.kind is FactKind.QUESTION and fact.text.rstrip(' ."”»').endswith(("?", "？")):
        return "Open questions", None
    if fact.kind is FactKind.PREFERENCE:
        return ("Preferences" if fact.qualifier is None else "Facts"), None
    if page == "project":
        if is_lesson(fact) and fact.kind is not FactKind.CORRECTION:
            return HEAD, None
        if fact.attribute and fact.attribute != "is a" and fact.kind not in (FactKind.EVENT, FactKind.ARTEFACT):
            return "Status", None
        if fact.attribute == "is a":
            return "Facts", None
        if fact.kind in (FactKind.PLAN, FactKind.QUESTION):
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
        area = topics.area(condensed(fact.text))
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
    area = topics.area(condensed(fact.text))
    return "Facts", None if area == "Facts" else area
