"""What a page says of its subject in one breath: the lead under the title, and the description the index shows.

Both are put together from the page's own claims, one sentence a claim, each with that claim's sources: who or what the
subject is, then how it stands. The same claims always give the same words.

    person, organisation   what it is or is to others, then what lasts: never what it said one day
    project                its definition, then the newest of its dates and values
    method                 "How Mara runs a depth survey, in six steps", then its rule
    topic of a chat        for each who talks of it, what lasts
    learning               what worked, what failed
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brain.dream import roles
from brain.dream.days import STAMP
from brain.dream.lead import Lead, Said, Sentence, Theme, bare, end, made, plain, verbatim
from brain.dream.place import continued
from brain.dream.steps import numbered, rule_of, steps_in
from brain.dream.topics import terms
from brain.dream.worth import is_quote, substance
from brain.text import normal_name

LEAD_WORDS = 50
SECOND_WORDS = 30
LEAST_THEMES = 2
LASTS = 0.25
"""What a statement on a topic must score to open its page."""
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_THEMES = re.compile(r" talks most of (?P<listed>[^.;(]+?)(?= \(|\.|;|$)")
_GOAL = re.compile(r"^(?:the |our |my )?(?:\w+ )?(?:goal|aim|purpose|objective)\b|目标|目標|目的", re.IGNORECASE)
_AIM = re.compile(
    r"\b(?:goal|aim|purpose) (?:is|of)\b|\b(?:wants? (?:to|an?)|aims? to|plans? to|is planning|would like to"
    r"|is (?:building|writing|learning|preparing|training)) ",
    re.IGNORECASE,
)
_DUE = re.compile(r"\b(?:due|deadline|submit)\b", re.IGNORECASE)
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

Carries = Callable[[str, Sequence[str], bool], bool]
"""Whether sources hold a sentence (text, URIs, whether it is the Dream's own conclusion)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """The page a lead is for, and its claims that a lead may use."""

    title: str
    names: Sequence[str]
    type: str
    kind: str
    claims: Sequence[Said]
    carries: Carries
    origin: Sequence[str] = ()
    english: bool = True

    def rest(self, claim: Said) -> str | None:
        return roles.predicate(plain(claim.text), self.names)


def themes_in(lead: str) -> list[str]:
    """The topics that a lead of ours names."""
    match = _THEMES.search(lead)
    return re.split(r", | and ", match["listed"]) if match else []


def compose(
    title: str,
    names: Sequence[str],
    type: str,
    kind: str,
    claims: Sequence[Said],
    *,
    people: Sequence[str] = (),
    themes: Sequence[Theme] = (),
    origin: Sequence[str] = (),
    english: bool = True,
    carries: Carries = lambda _, __, ___: True,
) -> Lead | None:
    """Lead and description of a page, None when no claim can carry them.

    `people` are those a topic is told by, `themes` what an owner talks of, `origin` the sources in which somebody sets
    out to tell a workflow.
    """
    usable = [claim for claim in claims if not claim.qualified] or list(claims)
    usable = [claim for claim in usable if len(claim.text.split()) <= LEAD_WORDS and claim.head != "Open questions"]
    usable = [claim for claim in usable if not is_quote(claim.text)] or usable
    usable = [claim for claim in usable if carries(claim.text, claim.uris, False)]
    if not usable:
        return None
    page = _Subject(
        title=title, names=names, type=type, kind=kind, claims=usable, carries=carries, origin=origin, english=english
    )
    if type == "concept" and (lead := _method(page, claims)):
        return lead
    if type == "learning":
        return _lessons(page)
    if type == "project":
        return _project(page)
    if people and title not in people and (lead := _topic(page, people)):
        return lead
    return _entity(page, themes)


def alone(title: str, kind: str, names: Sequence[str], claims: Sequence[Said]) -> Lead:
    """The lead of last resort: the first claim as it stands."""
    first = next((claim for claim in claims if not claim.qualified), claims[0])
    told = roles.predicate(plain(first.text), names) or plain(first.text)
    return made(title, kind, [verbatim(first)], [told])


def _entity(page: _Subject, themes: Sequence[Theme]) -> Lead:
    """Who or what it is; else what an owner talks of; then what lasts."""
    recent = _recency(page.claims)
    ranked = sorted(page.claims, key=lambda claim: (-_identity(page, claim), len(claim.text), claim.text))
    first = ranked[0]
    rest = page.rest(first)
    if _identity(page, first) < roles.SURE and (theme := _themes(page, themes)) is not None:
        then = _second(page, recent, but=None)
        told = [bare(theme.text.removeprefix(page.title + " "))]
        return made(page.title, page.kind, [theme, *_verbatims(then)], [*told, *_told(page, then)])
    if _identity(page, first) < roles.SURE:
        then = _second(page, recent, but=None)
        if then is None:
            return alone(page.title, page.kind, page.names, page.claims)
        return made(page.title, page.kind, [_named(page, then)], _told(page, then))
    then = _second(page, recent, but=first)
    return made(page.title, page.kind, [_named(page, first), *_again(page, then)], [rest or "", *_told(page, then)])


def _identity(page: _Subject, claim: Said) -> float:
    told = roles.telling(page.rest(claim), claim.label)
    return told + 0.2 * substance(claim.text) if told else 0.0


def _second(page: _Subject, recent: dict[str, float], but: Said | None) -> Said | None:
    """The claim that tells best how a subject stands, None when all tell of one day or one remark."""

    def score(claim: Said) -> float:
        rest = page.rest(claim)
        if page.type == "project" and claim.head in ("Status", "Goals") and claim.label and ": " not in claim.label:
            own = 0.6 + 0.4 * bool(_DATE.search(STAMP.sub("", claim.text)) or _DUE.search(claim.text))
        else:
            own = roles.lasting(rest, claim.label, claim.head)
        return own + 0.3 * recent[claim.when] + substance(claim.text)

    fits = [c for c in page.claims if c is not but and len(c.text.split()) <= SECOND_WORDS and score(c) > 0.2]
    fits = [c for c in fits if but is None or not (c.label and c.label == but.label)]
    return max(fits, key=lambda claim: (score(claim), -len(claim.text), claim.text), default=None)


def _project(page: _Subject) -> Lead:
    """Its definition, else its goal, then the newest of its dates and values."""
    recent = _recency(page.claims)
    defined = next((claim for claim in page.claims if roles.definition(plain(claim.text), page.names)), None)
    if defined is not None:
        told = roles.definition(plain(defined.text), page.names) or ""
        first = Sentence(text=end(f"{page.title}: {bare(told)}"), uris=defined.uris)
    else:
        ranked = sorted(page.claims, key=lambda claim: (-_identity(page, claim), claim.text))
        goals = [claim for claim in page.claims if claim.head == "Goals" or _GOAL.search(claim.text)]
        defined = ranked[0] if _identity(page, ranked[0]) >= roles.SURE else next(iter(goals), None)
        if defined is None:
            then = _second(page, recent, but=None) or max(
                page.claims, key=lambda c: (_purpose(page, c) + substance(c.text) + recent[c.when] / 4, c.text)
            )
            return made(page.title, page.kind, [verbatim(then)], [page.rest(then) or plain(then.text)])
        first, told = verbatim(defined), page.rest(defined) or plain(defined.text)
    news = _second(page, recent, but=defined)
    return made(page.title, page.kind, [first, *_again(page, news)], [told, *_told(page, news)])


def _purpose(page: _Subject, claim: Said) -> float:
    """How far a claim says what a project is for: a wish or an aim, in the words of its title."""
    wanted = {stem for stem in terms(f"of {page.title.lower()}") if " " not in stem}
    shared = len(wanted & set(terms(claim.text))) / max(1, len(wanted))
    return 0.5 * shared + 0.5 * bool(_AIM.search(claim.text))


def _method(page: _Subject, claims: Sequence[Said]) -> Lead | None:
    """How somebody does something: by whom, in how many steps, and the rule it ends with."""
    texts = [claim.text for claim in claims if claim.head == "How it works"]
    number = max([*numbered(texts), len(steps_in(texts))])
    steps = [claim for claim in claims if claim.head == "How it works" and not claim.qualified]
    if number < 3 or not steps:
        return None
    owners = Counter(
        m[1] for text in texts if (m := re.search(r"(?:^|, |Then |First )([A-Z][\w’'-]+) [a-z]+s\b", text))
    )
    who = max(owners, key=lambda name: (owners[name], name)) if owners else None
    count = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    sources = tuple(dict.fromkeys((*page.origin, *(uri for claim in (steps[0], steps[-1]) for uri in claim.uris))))[:4]
    day = max((claim.when for claim in steps), default="")
    article = "an" if page.title[:1].lower() in "aeiou" else "a"
    name = page.title if page.title.isupper() else page.title[:1].lower() + page.title[1:]
    said = [f"How {who} runs {article} {name}, in {count} steps"] if who else []
    rule = rule_of([claim.text for claim in page.claims if claim.head == "How it works"])
    ruled = next((claim for claim in page.claims if claim.text == rule), None)
    words = said[0] if said else f"{page.title} in {count} steps"
    text = f"{words} (as of {day})." if day else f"{words}."
    told = [words, *([part] if ruled and (part := continued(plain(ruled.text))) else [])]
    if page.carries(text, sources, True):
        first = Sentence(text=text, uris=sources, inferred=True)
        return made(page.title, page.kind, [first, *_verbatims(ruled)], told)
    return made(page.title, page.kind, [verbatim(steps[0]), *_verbatims(ruled)], told)


def _lessons(page: _Subject) -> Lead:
    """What worked, then what failed, the newest of each."""
    by_head = {head: [c for c in page.claims if c.head == head] for head in ("Works", "Fails", "Corrections")}
    best = [max(found, key=lambda c: (substance(c.text), c.when, c.text)) for found in by_head.values() if found]
    chosen = best[:2] or [page.claims[0]]
    return made(page.title, page.kind, [verbatim(claim) for claim in chosen], [_first_part(c) for c in chosen])


def _first_part(claim: Said) -> str:
    text = plain(claim.text).partition("; ")[0]
    return continued(text) or text


def _topic(page: _Subject, people: Sequence[str]) -> Lead | None:
    """What lasts of what each of these people tells of a topic, one sentence each."""
    wanted = set(terms(f"of {page.title.lower()}")) | set(normal_name(page.title).split())
    own = "'s " in page.title
    recent = _recency(page.claims)
    chosen: list[Said] = []
    talkers: list[Said] = []
    for person in people:
        names = [person, f"{person} and others"]
        on_it = [
            (claim, rest)
            for claim in page.claims
            if (own or wanted & (set(terms(claim.text)) | set(normal_name(claim.text).split())))
            and (rest := roles.predicate(plain(claim.text), names))
        ]
        talkers += [claim for claim, _ in on_it[:1]]
        scored = [
            (roles.lasting(rest, claim.label, claim.head) + substance(claim.text) + 0.2 * recent[claim.when], claim)
            for claim, rest in on_it
            if len(claim.text.split()) <= SECOND_WORDS and roles.lasting(rest, claim.label, claim.head) > 0
        ]
        best = max(scored, key=lambda pair: (pair[0], pair[1].text), default=None)
        if best is not None and best[0] >= LASTS:
            chosen.append(best[1])
    if chosen:
        told = [plain(claim.text) for claim in chosen[:2]]
        return made(page.title, page.kind, [verbatim(claim) for claim in chosen[:2]], told)
    return _talked(page, people, talkers)


def _talked(page: _Subject, people: Sequence[str], talkers: Sequence[Said]) -> Lead | None:
    """That somebody talks about a topic, when nothing they say of it lasts; None when sources do not carry it."""
    names = [name for name in people if any(plain(claim.text).startswith(name) for claim in talkers)]
    if not names:
        return None
    _, _, area = page.title.partition("'s ")
    topic = area or (page.title if page.title.isupper() else page.title.lower())
    day = max((claim.when for claim in page.claims), default="")
    words = f"{' and '.join(names[:2])} {'talk' if len(names) > 1 else 'talks'} about {topic}"
    text = f"{words} (as of {day})." if day else f"{words}."
    newest = max(page.claims, key=lambda claim: (claim.when, substance(claim.text), claim.text))
    for claims in (talkers[:2], sorted(page.claims, key=lambda claim: claim.when)[-4:]):
        sources = tuple(dict.fromkeys(uri for claim in claims for uri in claim.uris))
        if page.carries(text, sources, True):
            first = Sentence(text=text, uris=sources, inferred=True)
            return made(page.title, page.kind, [first], [words, plain(newest.text)])
    return None


def _themes(page: _Subject, themes: Sequence[Theme]) -> Sentence | None:
    """What an owner is like when no claim says who they are: the topics they have pages on."""
    if len(themes) < LEAST_THEMES:
        return None
    words = [theme.title if theme.title.isupper() else theme.title.lower() for theme in themes]
    listed = f"{', '.join(words[:-1])} and {words[-1]}"
    sources = tuple(dict.fromkeys(theme.uri for theme in themes))
    made = Sentence(text=f"{page.title} talks most of {listed}.", uris=sources, inferred=True)
    return made if page.carries(made.text, sources, True) else None


def _recency(claims: Sequence[Said]) -> dict[str, float]:
    """0 for the oldest day named, 1 for the newest."""
    days = sorted({claim.when for claim in claims})
    return {day: at / max(1, len(days) - 1) for at, day in enumerate(days)}


def _named(page: _Subject, claim: Said) -> Sentence:
    """A claim as a sentence about the page's subject by its full name."""
    rest = page.rest(claim)
    return verbatim(claim) if rest is None else Sentence(text=end(f"{page.title} {bare(rest)}"), uris=claim.uris)


def _verbatims(claim: Said | None) -> list[Sentence]:
    return [verbatim(claim)] if claim is not None else []


def _again(page: _Subject, claim: Said | None) -> list[Sentence]:
    """A second sentence about the same: "It …" for things, the given name for people."""
    if claim is None:
        return []
    rest = page.rest(claim)
    text = plain(claim.text)
    if rest is None or not page.english:
        return [verbatim(claim)]
    if page.kind != "person" and re.match(r"[a-z]+s\b|was |had ", rest):
        return [Sentence(text=end(f"It {bare(rest)}"), uris=claim.uris)]
    if page.kind == "person" and text.startswith(f"{page.title} ") and re.match(r"(?!The |An? )\S+ ", page.title):
        return [Sentence(text=end(f"{page.title.split(' ')[0]} {bare(rest)}"), uris=claim.uris)]
    return [verbatim(claim)]


def _told(page: _Subject, claim: Said | None) -> list[str]:
    """A claim as a part of the description, when it can follow another part."""
    if claim is None:
        return []
    part = page.rest(claim) or continued(plain(claim.text))
    return [part] if part else []
