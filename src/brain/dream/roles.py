"""What a claim says of a page's subject: who or what it is, what it is to others, what it does; or only what it said.

"Mara's contact at the port is Ida Holm."   of Ida Holm: "is Mara's contact at the port"
"In Oslo the team's host is Atelier Nord."  of Atelier Nord: "is the team's host in Oslo"
"""

# ruff: noqa: E501 — one pattern a line

from __future__ import annotations

import re
from collections.abc import Sequence

_IS = re.compile(
    r"^(?:is|was|are|were) (?:also )?(?:an?|the|one of|\w+['’]s?|his|her|their|ten|two|three|four|five|six|seven|eight|nine|\d+)\b"
)
_KIND = re.compile(r"^(?:is|was) an? ")
_LIKING = re.compile(
    r"^(?:is|was) (?:also )?an? (?:(?:big|huge|real|total|bit|great|little) )*(?:fan|mix|bit|lot|ton|blast|way|boost|reminder|challenge|ride|dream|part|sucker)\b"
)
_DOES = re.compile(
    r"^(?:currently |now |also )?(?:works|lives|runs|owns|studies|teaches|leads|manages|interprets|translates|builds|designs|writes for|coaches|hosts|pays|funds|sponsors|supplies|grew up|comes from|is from|volunteers|founded|graduated|takes over|moved to|"
    r"does (?:the |our |their |\w+['’]s )|started (?:an?|the|his|her|their) (?:own |new )?(?:job|business|studio|store|shop|company|career)|opened (?:an?|his|her|their)|moved from|"
    r"has (?:got )?(?:an?|two|three|four|five|\d+) (?!lot|bit|few|great|good|blast|tough|hard|setback|chance|picture)|married)\b"
)
_SPEECH = re.compile(
    r"^(?:also |just |already )?(?:says|said|tells|told|writes that|wrote that|asked|asks|answered|replied|mentioned|thinks|thought|sent|agreed|explained|suggested|noticed|heard|knows|wants to know|confirmed)\b"
)
_ONCE = re.compile(
    r"^(?:(?:also|just|finally|recently|actually|really|already|even|still|has|have|had) )*(?:went|took|had|met|saw|got|made|did|tried|was|felt|found|won|lost|been|keeps|bought|wrote|came|began|ran|read|gave|left|heard|sold|taught|told|spoke|built|drew|flew|drove|swam|sang|rode|broke|chose|caught|brought|thought|kept|held|spent|sent|paid|ate|drank|slept|grew|knew|threw|wore|hit|put|set|cut|"
    r"[a-z]+ed|is (?:so|really|very|super|still|also|just|always|even|currently|not)? ?(?:gonna|sure|hoping|[a-z]+ing|excited|happy|glad|proud|busy))\b"
)
_MEANT = re.compile(
    r"^(?:(?:also|just|really|still) )*(?:will|would|wants?|hopes?|plans?|is going|is planning|needs?|could|might|may|should|intends?)\b"
)
_ROLE_IS = re.compile(
    r"^(?:In (?P<place>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*),? )?(?P<what>(?:[A-Z][\w-]*|the team|our|his|her|their|my)(?:['’]s)? [a-z][\w’' -]*?(?: (?:at|in|for|from|with|of|to) [\w’' -]+?)?) (?:is|are|was) (?P<who>[^,;.]+)\.?$"
)
_AFFILIATION = re.compile(r"^(?:from|at|of|in) (?:the )?[\w’'-]+ (?=[a-z]+s\b)")
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿]$")
_IDENTITY = frozenset(
    {
        "job",
        "role",
        "occupation",
        "profession",
        "works as",
        "works at",
        "works on",
        "identity",
        "lives in",
        "field",
        "leads",
        "is a",
    }
)
_RELATION = re.compile(
    r"^(?:is |was )?(?:\w+['’]s? |the \w+['’]s? |the )?(?:contact|host|hosts|friend|sister|brother|mother|father|partner|wife|husband|colleague|boss|manager|client|customer|sponsor|funder|supplier|interprets|pays|funds|sponsors)\b"
)
SURE = 1.0
"""What a claim must score to count as saying who or what its subject is."""


def predicate(text: str, names: Sequence[str]) -> str | None:
    """What a sentence says of a subject: what follows its name at the start, or the role that it gives the name to."""
    for name in sorted(names, key=len, reverse=True):
        for start in (f"{name} ", f"The {name} ", *([name] if _UNSPACED.search(name) else [])):
            if text.startswith(start):
                rest = _AFFILIATION.sub("", text[len(start) :])
                return None if rest.startswith(("and ", "or ")) else rest.removeprefix("also ")
    if (match := _ROLE_IS.match(text)) and match["who"].strip() in names:
        what = re.sub(r"^(?:Our|His|Her|Their|My)\b", lambda m: m[0].lower(), match["what"])
        return f"is {what}" + (f" in {match['place']}" if match["place"] else "") + "."
    return None


def definition(text: str, names: Sequence[str]) -> str | None:
    """What follows a subject's name and a colon: "This folder is for the Harbour survey: ten days of soundings"."""
    for name in sorted(names, key=len, reverse=True):
        _, found, rest = text.partition(f"{name}: ")
        if found and len(rest.split()) >= 4 and not rest.startswith(("“", '"')):
            return rest
    return None


def telling(rest: str | None, label: str | None) -> float:
    """How far a claim says who or what its subject is: what it is, what it is to others and what it does tell most."""
    if rest is None or _SPEECH.match(rest) or _LIKING.match(rest):
        return 0.0
    score = 1.8 if _IS.match(rest) else 1.1 if _DOES.match(rest) else 0.0
    score += 0.6 if _KIND.match(rest) else 0.0
    score += 0.4 if _RELATION.match(rest) else 0.0
    score += 1.2 if label and label.lower().rpartition(": ")[2] in _IDENTITY and not _ONCE.match(rest) else 0.0
    return score - (0.4 if score and len(rest.split()) > 20 else 0.0)


def lasting(rest: str | None, label: str | None, head: str) -> float:
    """How well a claim tells how its subject stands: what lasts, not what somebody said or what happened one day."""
    if rest is None:
        return -1.0
    if _SPEECH.match(rest):
        return -1.0
    score = 0.5 if _RELATION.match(rest) else 0.3 if _IS.match(rest) or _DOES.match(rest) else 0.0
    score += 0.3 if label else 0.0
    score += 0.3 if head in ("Preferences", "Status", "Goals", "Decisions") else 0.0
    known = _DOES.match(rest) or (label or "").lower() in _IDENTITY
    return score - (0.9 if _ONCE.match(rest) and not known else 0.3 if _MEANT.match(rest) else 0.0)


def is_role(text: str, names: Sequence[str], label: str | None = None) -> bool:
    """Whether a statement says what its subject is, or is to somebody."""
    return telling(predicate(text, names), label) >= SURE
