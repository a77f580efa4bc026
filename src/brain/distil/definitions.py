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
_APPOSITION = re.compile(
    rf"(?P<name>{_CAP}),\s+(?P<what>(?:an?|the|our|my)\s+(?:[\w'’-]+\s){{0,6}}?[\w'’-]+(?:\s(?:that|which|who|in|at|of|for|near|from|with|on|by|based)\s[^,;.!?]{{2,120}})?)(?P<end>[.!?]*$|,\s)"
)
_SPLICE = re.compile(
    rf"^(?P<main>(?P<name>{_CAP})\s[^,;]{{5,160}}),\s+(?:they're|they are|it's|it is|he's|he is|she's|she is)\s+(?P<what>(?:an?|the|our|my)\s+[^,;]{{3,120}}?)[.!?]*$"
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
    owner = f"{speaker}'" if speaker.endswith("s") and " " not in speaker else f"{speaker}'s"
    return Definition(text=f"{m['name']} is {owner} {kin}.", name=m["name"], kin=m["kin"])


def _is_name(name: str) -> bool:
    return not any(part in NOT_NAMES for part in name.split(" "))
