"""What a page says of its subject in one breath: the lead under the title, and the description the index shows.

Both are put together from the page's own claims: what the subject is, then how it stands, so that each can be checked
against the turns those claims cite. The same claims always give the same words.
"""

# ruff: noqa: E501 — one pattern a line

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brain.dream.worth import is_quote, substance
from brain.text import clip

DESCRIPTION = (20, 160)
LEAD_WORDS = 50
LEAST_THEMES = 2
KNOWN = 1.3
"""What a claim must score to count as saying who or what a subject is."""
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_STAMP = re.compile(r"\s*\((?:as of|before|about|week of|after) \d{4}-\d{2}(?:-\d{2})?\)")
_LINK = re.compile(r"\[\[[^\]|]+\|([^\]]+)\]\]|\[\[([^\]]+)\]\]")
_IS = re.compile(r"^(?:is|was|are|were) (?:an?|the|one of|\w+'s|his|her|their)\b")
_DOES = re.compile(
    r"^(?:currently |now |also )?(?:works|lives|runs|owns|studies|teaches|leads|manages|grew up|comes from|is from|volunteers|founded|graduated|"
    r"started (?:an?|the|his|her|their) (?:own |new )?(?:job|business|studio|store|shop|company|career)|opened (?:an?|his|her|their)|moved (?:to|from)|"
    r"has (?:got )?(?:an?|two|three|four|five|\d+) (?!lot|bit|few|great|good)|adopted|married)\b"
)
_NEXT = re.compile(
    r"^(?:plans|wants|hopes|intends|is planning|is going|is looking|is working|is researching|started|opened|moved|decided|passed|finished|won|bought|joined|signed)\b"
)
_THEMES = re.compile(r" talks most of (?P<listed>.+?); latest: ")
_GOAL = re.compile(r"^(?:the |our |my )?(?:\w+ )?(?:goal|aim|purpose|objective)\b|目标|目標|目的", re.IGNORECASE)
_DATED_START = re.compile(r"^(?:On|In|At|By|Since) .{0,24}\d{4}")
_IDENTITY_LABELS = frozenset(
    {"job", "role", "occupation", "profession", "works as", "works at", "works on", "identity", "lives in", "field"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One claim of a page as the lead sees it. `uris` are its sources."""

    head: str
    text: str
    label: str | None = None
    when: str = ""
    uris: tuple[str, ...] = ()
    qualified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The lead sentence, the sources it rests on, and the description."""

    text: str
    uris: tuple[str, ...]
    description: str


def last_day(text: str) -> str:
    """The last day a text names, "" when it names none; days compare as text."""
    return max(_DATE.findall(text), default="")


def plain(text: str) -> str:
    """Text without links: their labels, or the last part of their ids."""
    return _LINK.sub(lambda m: m[1] or m[2].rpartition("/")[2].replace("-", " "), text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A topic an owner talks of: the title of its page, and a source in which they do."""

    title: str
    uri: str


def compose(
    title: str,
    names: Sequence[str],
    type: str,
    kind: str,
    claims: Sequence[Said],
    *,
    people: Sequence[str] = (),
    themes: Sequence[Theme] = (),
    carries: Callable[[str, Sequence[str]], bool] = lambda _, __: True,
) -> Lead | None:
    """Lead and description of a page, None when no claim can carry them.

    `people` are those a topic is told by, `themes` what an owner talks of. `carries` says whether the sources of a
    clause hold it where it stands in other words than the claim it is from.
    """
    usable = [claim for claim in claims if not claim.qualified] or list(claims)
    usable = [claim for claim in usable if len(claim.text.split()) <= LEAD_WORDS and claim.head != "Open questions"]
    usable = [claim for claim in usable if not is_quote(claim.text)] or usable
    usable = [claim for claim in usable if carries(claim.text, claim.uris)]
    if not usable:
        return None
    recent = _recency(usable)
    rests = {id(claim): _rest(plain(claim.text), names) for claim in usable}
    defined = next((claim for claim in usable if type == "project" and _definition(plain(claim.text), names)), None)

    def is_what(claim: Said) -> tuple[float, int, str]:
        return (_identity(claim, rests[id(claim)], type) + substance(claim.text), -len(claim.text), claim.text)

    def stands_how(claim: Said) -> tuple[float, int, str]:
        score = _state(claim, rests[id(claim)], type) + 1.5 * recent[claim.when] + 2 * substance(claim.text)
        return (score, -len(claim.text), claim.text)

    identity = max(usable, key=is_what)
    known = _identity(identity, rests[id(identity)], type) > 0 and is_what(identity)[0] >= KNOWN
    rest = [claim for claim in usable if claim is not identity]
    if type == "entity" and kind == "person" and known and title not in people:
        rest = [claim for claim in rest if claim.head == "Preferences" and substance(claim.text) >= 0] or rest
    news = max(rest, key=stands_how, default=None)
    if defined is not None:
        what = f"{title}: {_definition(plain(defined.text), names)}"
        then = max((c for c in usable if c is not defined and c.head == "Status"), key=stands_how, default=None)
        return _joined(title, kind, what, defined.uris, then)
    if not known and len(themes) >= LEAST_THEMES:
        return _themes(title, names, themes, max(usable, key=stands_how))
    if not known and people and title not in people and type in ("concept", "entity"):
        return _topic(title, kind, people, max(usable, key=stands_how))
    return _sentence(title, names, kind, identity, rests[id(identity)], news, None if news is None else rests[id(news)])


def _themes(title: str, names: Sequence[str], themes: Sequence[Theme], news: Said) -> Lead:
    """What an owner is like when no claim says who they are: the topics they have pages on, and the latest."""
    listed = _listed([theme.title if theme.title.isupper() else theme.title.lower() for theme in themes])
    told = _bare(plain(news.text))
    rest = _rest(told, names)
    text = _end(f"{title} talks most of {listed}; latest: {told}")
    description = _describe(
        [f"Talks most of {listed}", _bare(_STAMP.sub("", told if rest is None else rest))], title, "person"
    )
    return Lead(
        text=text, uris=tuple(dict.fromkeys((*(theme.uri for theme in themes), *news.uris))), description=description
    )


def themes_in(lead: str) -> list[str]:
    """The topics that a lead of ours names."""
    match = _THEMES.search(lead)
    return re.split(r", | and ", match["listed"]) if match else []


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _recency(claims: Sequence[Said]) -> dict[str, float]:
    """0 for the oldest day named, 1 for the newest."""
    days = sorted({claim.when for claim in claims})
    return {day: at / max(1, len(days) - 1) for at, day in enumerate(days)}


def alone(title: str, kind: str, names: Sequence[str], claims: Sequence[Said]) -> Lead:
    """The lead of last resort: the first claim as it stands."""
    first = next((claim for claim in claims if not claim.qualified), claims[0])
    text = _end(plain(first.text))
    rest = _rest(plain(first.text), names)
    told = _bare(_STAMP.sub("", rest if rest is not None else plain(first.text)))
    return Lead(text=text, uris=first.uris, description=_describe([told], title, kind))


def _sentence(
    title: str,
    names: Sequence[str],
    kind: str,
    identity: Said,
    rest: str | None,
    state: Said | None,
    state_rest: str | None,
) -> Lead:
    first = _bare(plain(identity.text)) if rest is None else f"{title} {_bare(rest)}"
    if rest is None and not any(name.lower() in first.lower() for name in names):
        first = f"{title}: {first}"
    parts, uris = [first], list(identity.uris)
    if state is not None and len(f"{first} {state.text}".split()) <= LEAD_WORDS:
        parts.append(_bare(state_rest if state_rest is not None and rest is not None else plain(state.text)))
        uris += state.uris
    text = _end("; ".join(parts))
    told = [_bare(_STAMP.sub("", rest if rest is not None else plain(identity.text)))]
    if state is not None:
        told.append(_bare(_STAMP.sub("", state_rest if state_rest is not None else plain(state.text))))
    return Lead(text=text, uris=tuple(dict.fromkeys(uris)), description=_describe(told, title, kind))


def _joined(title: str, kind: str, what: str, uris: Sequence[str], then: Said | None) -> Lead:
    parts, sources = [_bare(what)], list(uris)
    if then is not None:
        parts.append(_bare(plain(then.text)))
        sources += then.uris
    told = [_bare(what).removeprefix(f"{title}: "), *(_bare(_STAMP.sub("", part)) for part in parts[1:])]
    return Lead(
        text=_end("; ".join(parts)), uris=tuple(dict.fromkeys(sources)), description=_describe(told, title, kind)
    )


def _topic(title: str, kind: str, people: Sequence[str], latest: Said) -> Lead:
    """What people talk about, when nothing they said tells what it is."""
    told = _bare(plain(latest.text))
    who = " and ".join(people[:2])
    own = any(title.startswith(f"{name.split(' ')[0]}'s ") for name in people)
    talk = f"{'whom' if kind == 'person' else 'which'} {who} {'talk' if len(people) > 1 else 'talks'} about"
    text = _end(f"{title}: {told}" if own else f"{title}, {talk}; latest: {told}")
    news = _bare(_STAMP.sub("", plain(latest.text)))
    parts = [news] if own else [f"What {who} {'tell' if len(people) > 1 else 'tells'}; latest: {news}"]
    return Lead(text=text, uris=latest.uris, description=_describe(parts, title, kind))


def _describe(parts: Sequence[str], title: str, kind: str) -> str:
    least, most = DESCRIPTION
    first = re.sub(r"^(?:is|was) (?:an? |the )?", "", parts[0])
    text = first[:1].upper() + first[1:]
    for part in parts[1:]:
        if len(text) + 2 + len(part) <= most:
            text = f"{text}; {part}"
        elif len(text) < most // 2:
            text = clip(f"{text}; {part}", most)
    text = clip(text, most)
    if len(text) < least:
        text = f"{kind.capitalize()} {title}: {text}"
    return clip(text, most) if len(text) >= least else f"{text}, known from one statement"


def _identity(claim: Said, rest: str | None, type: str) -> float:
    score = 0.0
    if rest is not None:
        score += (
            1.5
            if _IS.match(rest) or (type == "project" and rest.startswith("is "))
            else 1.0
            if _DOES.match(rest)
            else 0.0
        )
    if claim.label and claim.label.lower() in _IDENTITY_LABELS:
        score += 2.0
    if claim.head in ("Goals", "Definition", "How it works") and type != "entity":
        score += 1.0
    if claim.head == "Goals" and _GOAL.search(claim.text):
        score += 1.0
    if claim.head == "Relationship":
        score += 0.4
    if score and len(claim.text.split()) > 20:
        score -= 0.5
    return score


def _state(claim: Said, rest: str | None, type: str) -> float:
    score = 0.0 if rest is not None or _DATED_START.match(claim.text) else -0.5
    if claim.head in ("Status", "Decisions", "Plans", "Goals", "Timeline"):
        score += 0.4
    if rest is not None:
        score += 0.3 + (0.3 if _NEXT.match(rest) else 0.0)
    if type == "entity" and claim.head == "Preferences":
        score -= 0.5
    return score


def _rest(text: str, names: Sequence[str]) -> str | None:
    """What a sentence says of its subject after naming it, None when it does not begin so or define it ("…: ten days")."""
    for name in sorted(names, key=len, reverse=True):
        for start in (f"{name} ", f"The {name} "):
            if text.startswith(start):
                return text[len(start) :]
    return None


def _definition(text: str, names: Sequence[str]) -> str | None:
    """What follows a subject's name and a colon: "This folder is for the Harbour survey: ten days of soundings"."""
    for name in sorted(names, key=len, reverse=True):
        _, found, rest = text.partition(f"{name}: ")
        if found and len(rest.split()) >= 4:
            return rest
    return None


def _bare(text: str) -> str:
    return text.rstrip(" .!;,")


def _end(text: str) -> str:
    return text if text.rstrip("\"”»」'’)").endswith((".", "!", "?", "。", "！", "？")) else text + "."
