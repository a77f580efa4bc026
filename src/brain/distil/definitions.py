"""What a sentence says of a name in passing: "my sister Emily", "Sapphir, a transport cooperative", "I'm Nadia, researcher at …".

Each becomes a short statement of its own, so that the page of that name can open with it.
"""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass

from brain.distil.attributes import attribute_of
from brain.distil.cues_en import KIN
from brain.distil.dates_en import CUE as TIME_CUE
from brain.distil.gazetteer import NOT_NAMES
from brain.distil.sentences import word_count

_CAP = r"[A-ZÀ-Þ][\w’'&-]*(?:\s(?:(?:of|de|the|&)\s)?[A-ZÀ-Þ][\w’'&-]*){0,4}"
_PERSON = r"[A-ZÀ-Þ][\w’-]+(?:\s[A-ZÀ-Þ][\w’-]+){0,2}"
_MY_KIN = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur)\s+(?P<adj>(?:older|younger|little|big|twin|best|new|old|eldest|late|former)\s+)?(?P<kin>{KIN}),?\s+(?P<name>{_PERSON})(?=[\s,.;:!?)]|'s|$)"
)
_NAME_MY_KIN = re.compile(
    rf"\b(?P<name>{_PERSON}),\s+(?:my|our)\s+(?P<adj>(?:older|younger|little|big|twin|best|new|old|former)\s+)?(?P<kin>{KIN})\b(?=[\s,.;:!?)]|$)"
)
_CONTRACTION = re.compile(r"['’](?:s|t|m|d|ll|re|ve)$")
_PETS = r"(?:dog|cat|puppy|pup|kitten|kitty|turtle|rabbit|bunny|hamster|parrot|horse|pony|fish|guinea pig|snake|bird|lizard|goat|daughter|son|baby|niece|nephew)"
_NAMED_PET = re.compile(
    rf"\b(?:I|we)(?:'ve)?\s(?:(?:have|just|also|recently|finally|even|both)\s){{0,2}}(?:have|had|got|adopted|bought|own|rescued|welcomed)\b[^.;]{{0,40}}?\b(?:an?|the|this|our|my)\s(?:[\w-]+\s){{0,3}}?(?P<kin>{_PETS})\b(?:,?\s(?:named|called|whose name is)\s|[^.;]{{0,40}}[;.,]?\s(?:and\s)?(?:her|his|its)\s(?:name's|name\sis)\s)(?P<name>[A-ZÀ-Þ][\w’-]+)(?=[\s,.;:!?)]|'s|$)"
    rf"|\bmy\s(?P<kin2>{_PETS})(?:'s\s|\s)name\sis\s(?P<name2>[A-ZÀ-Þ][\w’-]+)"
)
_APPOSITION = re.compile(
    rf"(?P<name>{_CAP}),\s+(?P<what>(?:an?|the|our|my)\s+(?:[\w'’-]+\s){{0,6}}?[\w'’-]+(?:\s(?:that|which|who|in|at|of|for|near|from|with|on|by|based)\s[^,;.!?]{{2,120}})?)(?P<end>[.!?]*$|,\s)"
)
_SPLICE = re.compile(
    rf"^(?P<main>(?P<name>{_CAP})\s[^,;]{{5,160}}),\s+(?:they're|they are|it's|it is|he's|he is|she's|she is)\s+(?P<what>(?:an?|the)\s+[^,;]{{3,120}}?)[.!?]*$"
)
_BEFORE_NAME = re.compile(
    r"\b(?:is|are|was|with|by|at|for|met|meet|called|named|joined|from|visit|visited|contact|hosts?|use|using|see|saw|told|asked)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\bI(?:'m| am)\s+(?P<name>[A-ZÀ-Þ][\w’'-]+)(?:\s[A-ZÀ-Þ][\w’'-]+)?,\s+(?P<what>(?:an?\s+|the\s+)?[a-z][^,;.!?]{4,100})(?:,\s+(?:we're|we are|it's|which is)\s+(?P<org>an?\s[^,;.!?]{4,100}))?[.!?]*$"
)
_AT_ORG = re.compile(rf"\b(?:at|for|of)\s+(?P<org>{_CAP})$")
_UNIQUE_KIN = frozenset(
    {
        "boss",
        "manager",
        "wife",
        "husband",
        "spouse",
        "partner",
        "girlfriend",
        "boyfriend",
        "fiancé",
        "fiancée",
        "advisor",
        "supervisor",
        "landlord",
        "therapist",
    }
)
_WHO_DOES = re.compile(r"^(?P<kind>(?:an?|the)\s(?:[\w'’-]+\s){1,5}?)(?:that|which|who)\s(?P<does>[a-z]+s\s.{4,})$")
_TIME_INSIDE = re.compile(
    r"^(?:an?|the)\s(?:few|couple|bit|little|lot|while|year|month|week|day|night|hour|long|short|good|great|moment|minute|second)\b"
)
_VERB_INSIDE = re.compile(r"^\w+\s[\w'’-]+\s(?:told|said|asked|came|went|made|was|is|gave|took|had|has)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """`text` is the statement, `name` whom or what it is about; `kin` is set when it tells a relation to the speaker."""

    text: str
    name: str
    kin: str = ""
    attribute: str | None = None
    value: str | None = None

    @property
    def unique(self) -> bool:
        """A relation one has to one person at a time."""
        return self.kin.lower() in _UNIQUE_KIN


def definitions(sentence: str, speaker: str) -> tuple[str, list[Definition]]:
    """The sentence without what became a statement of its own (as said where nothing was cut), and those statements."""
    if "," not in sentence and "my " not in sentence and "our " not in sentence.lower() and "My " not in sentence:
        return sentence, []
    if TIME_CUE.search(sentence) and _APPOSITION.search(sentence):
        return sentence, []
    if m := _SELF.search(sentence):
        return _self(sentence, m, speaker)
    if (m := _SPLICE.match(sentence)) and _is_name(m["name"]):
        return f"{m['main']}.", _is(m["name"], m["what"])
    found = [
        _relation(m, speaker)
        for pattern in (_MY_KIN, _NAME_MY_KIN)
        for m in pattern.finditer(sentence)
        if _is_name(m["name"])
    ]
    if found:
        return sentence, found
    m = _APPOSITION.search(sentence)
    if (
        m
        and _is_name(m["name"])
        and _BEFORE_NAME.search(sentence[: m.start()])
        and word_count(m["what"]) >= 3
        and not _VERB_INSIDE.match(m["what"])
        and not _TIME_INSIDE.match(m["what"])
    ):
        if m["end"] == ", " or m["what"].startswith(("my ", "our ")):
            return sentence, []
        return f"{sentence[: m.end('name')]}.", _is(m["name"], m["what"])
    return sentence, []


def _is(name: str, what: str) -> list[Definition]:
    """ "X is a Y that runs 18 Z" as two statements, for what X does may change while what it is stays."""
    what = what.strip()
    m = _WHO_DOES.match(what)
    kind = m["kind"] if m else what
    found = [
        Definition(text=f"{name} is {kind.strip()}.", name=name, attribute="is a", value=kind.strip().split(" ", 1)[-1])
    ]
    if m:
        does = f"{name} {m['does']}."
        attribute = attribute_of(does)
        own = attribute if attribute and attribute.subject == name else None
        found.append(
            Definition(text=does, name=name, attribute=own.name if own else None, value=own.value if own else None)
        )
    return found


def named_ones(text: str, speaker: str) -> list[Definition]:
    """ "I got a puppy … her name's Coco" → "Coco is Maria's puppy"."""
    if "name" not in text and "called" not in text:
        return []
    m = _NAMED_PET.search(text)
    name = (m["name"] or m["name2"]) if m else ""
    if m is None or not _is_name(name):
        return []
    kin = (m["kin"] or m["kin2"]).lower()
    return [Definition(text=f"{name} is {_owned(speaker)} {kin}.", name=name, kin=kin)]


def _owned(speaker: str) -> str:
    if speaker.startswith("The "):
        return f"the {speaker[4:]}'s"
    return f"{speaker}'" if speaker.endswith("s") and " " not in speaker else f"{speaker}'s"


def _self(sentence: str, m: re.Match[str], speaker: str) -> tuple[str, list[Definition]]:
    what = m["what"].strip()
    if not what.startswith(("a ", "an ", "the ")):
        what = f"{'an' if what[:1] in 'aeio' else 'a'} {what}"
    found = [Definition(text=f"{speaker} is {what}.", name=speaker, attribute="job", value=what.split(" ", 1)[1])]
    org = _AT_ORG.search(what)
    if m["org"] and org:
        found.extend(_is(org["org"], m["org"]))
    before = sentence[: m.start()].rstrip(" ,;:-–—")
    return (f"{before}." if word_count(before) > 4 else ""), found


def _relation(m: re.Match[str], speaker: str) -> Definition:
    kin = f"{m['adj'] or ''}{m['kin']}".strip()
    return Definition(text=f"{m['name']} is {_owned(speaker)} {kin}.", name=m["name"], kin=m["kin"])


def _is_name(name: str) -> bool:
    return not any(part in NOT_NAMES or _CONTRACTION.search(part) for part in name.split(" "))
