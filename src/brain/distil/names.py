"""Names in sentences without a model: people, organisations, places, products, tools and projects, by how they are written."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from brain.distil import gazetteer as known
from brain.distil.cues_en import KIN
from brain.types import Subject, SubjectKind

_CAP = r"[A-ZÀ-ÖØ-ÞĀ-ŽА-ЯІЇЄҐΑ-Ω]"
_LINK = r"(?:of|de|du|des|la|le|del|von|van|da|di|the|&|y|і|та)"
_NAME = re.compile(
    rf"(?<![\w@/.#-])(?:(?:Mr|Mrs|Ms|Dr|Prof|Mme)\.?\s)?{_CAP}[\w’'+&-]*(?:\.[a-z]{{1,3}}\b|\.(?={_CAP}))?(?:\s(?:{_LINK}\s){{0,2}}(?:{_CAP}|\d+\b)[\w’'+&-]*){{0,5}}"
)
_INNER_CAP = re.compile(r"^[A-Z]?[a-z]+[A-Z]|\d|^[A-Z]{2,}[a-z]?$|\.[a-z]{1,3}$")
_QUOTED_TITLE = re.compile(r"[\"“«]([A-ZÀ-ÞА-ЯІЇЄҐ][^\"”»\n]{1,50})[\"”»]")
_TICKED = re.compile(r"`([A-Za-z][\w.+-]{1,40})`")
_PROJECT = re.compile(
    r"\b(?:[Tt]he|[Oo]ur|[Mm]y|[Yy]our)\s+([A-Z][\w-]*(?:\s[\w-]+){0,3}?\s+(?:sprint|campaign|study|trial|pilot|migration|redesign|launch))\b"
    r"|\b(?:[Tt]he|[Oo]ur|[Mm]y|[Yy]our)\s+([A-Z][\w-]*(?:\s[A-Z][\w-]*){0,3})\s+(?:project|app|repo|repository|website|pipeline)\b"
    r"|\b[Pp]roject\s+([A-Z][\w-]*(?:\s[A-Z][\w-]*){0,2})"
)
_KIN_NAME = re.compile(rf"\b(?P<kin>{KIN})s?,?\s+(?:(?:named|called|is|was)\s+)?$", re.IGNORECASE)
PETS = frozenset({"dog", "cat", "puppy", "kitten", "pet", "turtle", "guinea pig", "pup"})
_AT_WORK = re.compile(
    r"\b(?:work(?:s|ed|ing)?|job|intern\w*|joined|join|employed|position|role|offer|hired|client|partner|volunteer\w*|started|interview\w*|host(?:ed|s)?)\b.{0,30}\b(?:at|for|with|by|from)?\s*(?:the\s)?$",
    re.IGNORECASE,
)
_TO_PLACE = re.compile(
    r"\b(?:in|to|from|near|around|visit(?:ed|ing)?|across|through|outside|explore|exploring|at)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_PLACE_VERB = re.compile(
    r"\b(?:live|lived|living|moved|move|moving|travel\w*|trip|visit\w*|went|go|going|fly|flew|stay\w*|born|grew|from|vacation|based|drive|drove|hike|city|town)\b",
    re.IGNORECASE,
)
_USING = re.compile(
    r"\b(?:using|use|used|uses|with|via|install\w*|run|running|upgrade\w*|switch\w* to|on|in)\s+$", re.IGNORECASE
)
_SAYS = re.compile(
    r"^\s+(?:said|says|told|thinks|asked|wants|suggested|agreed|and I\b|is my|loves|likes|called|texted|mentioned|recommended|joined|helped|gave|works|replied|will|wrote)\b"
)
_WITH = re.compile(
    r"\b(?:with|met|meet|call(?:ed)?|ask(?:ed)?|told|tell|thank|emailed|friend|named)\s+$",
    re.IGNORECASE,
)


_OTHER_SCRIPT = re.compile(r"\s?[(（]\s?((?:[^\W\d_A-Za-zÀ-ɏ][^\W\dA-Za-zÀ-ɏ]*[ ·・]?){1,4}?)\s?[)）]")
"""A name in its own script behind its Latin form: `Zhang Wei (张伟)`."""


@dataclass(slots=True)
class NameBook:
    """What a transcript's names are, learnt over its sentences: whether a word is ever a name, and of which kind."""

    people: dict[str, str] = field(default_factory=dict)
    """Case-folded name or nickname of a speaker → full name."""
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _kinds: dict[str, Counter[SubjectKind]] = field(default_factory=dict)
    _inside: set[str] = field(default_factory=set)
    _common: set[str] = field(default_factory=set)
    _longer: dict[str, str] = field(default_factory=dict)
    _projects: list[str] = field(default_factory=list)

    def learn(self, sentence: str) -> None:
        """Take in how names are written and used in `sentence`."""
        if sentence.isascii() and sentence[1:].islower():
            return
        for m in _PROJECT.finditer(sentence):
            self._projects.append(m[1] or m[2] or m[3])
        for m in _NAME.finditer(sentence):
            name = _clean(m[0])
            self._learn_longer(name)
            if name and m.start() > 1 and sentence[m.start() - 2] not in ".!?:…":
                self._inside.add(name)
                self._vote(name, sentence, m)
            elif name and (" " in name or name in known.GIVEN_NAMES):
                self._vote(name, sentence, m)

    def _learn_longer(self, name: str) -> None:
        first, _, rest = name.partition(" ")
        if rest and rest[:1].isupper() and first not in known.PLACES and first not in known.TOOLS:
            self._longer[first] = name if self._longer.get(first, name) == name else "?"

    def learn_known(self, name: str, project: bool) -> None:
        """A name that has a page: short forms of it in the talk mean it."""
        if project:
            self._projects.append(name)
        else:
            self._learn_longer(name)

    def note_common(self, words: Iterable[str]) -> None:
        """Words seen in lower case: at the start of a sentence their capital means nothing."""
        self._common.update(words)

    def _vote(self, name: str, sentence: str, m: re.Match[str]) -> None:
        kind, strength = _guess(name, sentence[max(0, m.start() - 40) : m.start()], sentence[m.end() : m.end() + 24])
        if kind is not SubjectKind.OTHER:
            self._kinds.setdefault(name, Counter())[kind] += strength

    def kind(self, name: str) -> SubjectKind:
        if name.casefold() in self.people:
            return SubjectKind.PERSON
        votes = self._kinds.get(name)
        if not votes:
            return SubjectKind.OTHER
        return max(votes, key=lambda k: (votes[k], k.value))

    def find(self, sentence: str) -> list[Subject]:
        """Subjects named in `sentence`, in order, without doubles."""
        found: dict[str, Subject] = {}
        if not sentence.isascii():
            _find_cjk(sentence, found)
        for m in _PROJECT.finditer(sentence):
            name = m[1] or m[2] or m[3]
            if name in NOT_PROJECTS or name.split(" ")[0] in known.NOT_NAMES:
                continue
            found.setdefault(name.casefold(), Subject(name=name, kind=SubjectKind.PROJECT))
        for m in _QUOTED_TITLE.finditer(sentence):
            if PRODUCTS.search(sentence[max(0, m.start() - 40) : m.start()]) and len(m[1].split()) <= 7:
                title = m[1].strip(" ,.!?")
                found.setdefault(title.casefold(), Subject(name=title, kind=SubjectKind.PRODUCT))
        for m in _NAME.finditer(sentence):
            self._add(found, sentence, m)
        for m in _TICKED.finditer(sentence):
            if "." not in m[1] or m[1].count(".") == 1:
                found.setdefault(m[1].casefold(), Subject(name=m[1], kind=SubjectKind.TOOL))
        return list(found.values())

    def _add(self, found: dict[str, Subject], sentence: str, m: re.Match[str]) -> None:
        name = _clean(m[0])
        if not name or any(name.casefold() in f and name.casefold() != f for f in found):
            return
        person = self.people.get(name.casefold())
        if person:
            found.setdefault(person.casefold(), self.subject(person))
            return
        start = m.start() <= 1 or sentence[max(0, m.start() - 2)] in ".!?:…"
        if start and name not in self._inside and not self._surely(name):
            return
        written = _OTHER_SCRIPT.match(sentence, m.end())
        also = (written[1],) if written else ()
        if longer := self.full(name):
            found.setdefault(longer.casefold(), Subject(name=longer, kind=self.kind(longer), aliases=(name, *also)))
            return
        kind = self.kind(name)
        if kind is SubjectKind.OTHER:
            kind, _ = _guess(name, sentence[max(0, m.start() - 40) : m.start()], sentence[m.end() : m.end() + 24])
        found.setdefault(name.casefold(), Subject(name=name, kind=kind, aliases=also))

    def _surely(self, name: str) -> bool:
        first = name.split(" ")[0]
        if first.lower() in self._common and first not in known.GIVEN_NAMES:
            return False
        return (
            name in known.PLACES
            or name in known.TOOLS
            or first in known.GIVEN_NAMES
            or name in known.LONG_PLACES
            or (
                " " in name
                and first not in known.NOT_NAMES
                and first.lower() not in self._common
                and not first.endswith("ing")
            )
        )

    def project(self, folder: str) -> Subject:
        """The project a folder is named for, by the fuller name that is used in the talk ("japan-sprint" → "Japan
        universal design sprint")."""
        parts = [p for p in re.split(r"[-_ .]+", folder.casefold()) if p]
        for name in self._projects:
            words = name.casefold().split()
            if len(words) > 1 and all(p in words for p in parts):
                return Subject(name=name, kind=SubjectKind.PROJECT, aliases=(folder,))
        return Subject(name=folder, kind=SubjectKind.PROJECT)

    def full(self, name: str) -> str | None:
        """The one longer name that a single word stands for in this transcript ("Haruka" for "Haruka Nishida")."""
        longer = self._longer.get(name)
        return longer if longer and longer != "?" else None

    def subject(self, person: str) -> Subject:
        """A speaker as a subject, with nicknames as aliases."""
        return Subject(name=person, kind=SubjectKind.PERSON, aliases=self.aliases.get(person, ()))


NOT_PROJECTS = frozenset({"The", "A", "This", "That", "Next", "New"})
PRODUCTS = known.PRODUCT_LEADS


def _clean(raw: str) -> str:
    """The name in a match: no possessive, no leading or trailing word that is no name; "" when nothing is left."""
    name = raw.replace("’", "'")
    if name.endswith("'s"):
        name = name[:-2]
    parts = [p for p in name.strip(" .'&-").split(" ") if p]
    while parts and (
        parts[0].split("'")[0] in known.NOT_NAMES
        or ("'" in parts[0] and parts[0].split("'")[1] in ("m", "ve", "ll", "d", "re", "s"))
    ):
        parts.pop(0)
    while parts and (parts[-1] in known.NOT_NAMES or parts[-1].islower() or (parts[-1].isdigit() and len(parts) == 1)):
        parts.pop()
    while parts and (parts[0].islower() or parts[0].isdigit()):
        parts.pop(0)
    name = " ".join(parts)
    if len(name) < 2 or len(name) > 60 or name in known.NOT_NAMES:
        return ""
    return name[:-2] if name.endswith("'s") else name


def _guess(name: str, before: str, after: str) -> tuple[SubjectKind, int]:
    """The kind of a name by its own form, then by the words around it; the number says how sure."""
    parts = name.split(" ")
    first, last = parts[0], parts[-1]
    if known.TITLES.match(name):
        return SubjectKind.PERSON, 6
    if (last in known.ORG_ENDINGS and len(parts) > 1) or (first in known.ORG_OPENINGS and len(parts) > 1):
        return SubjectKind.ORG, 6
    if kin := _KIN_NAME.search(before):
        return (SubjectKind.OTHER if kin["kin"].lower() in PETS else SubjectKind.PERSON), 5
    if name in known.PLACES or name in known.LONG_PLACES:
        return SubjectKind.PLACE, 4
    if last in known.PLACE_ENDINGS and len(parts) > 1:
        return SubjectKind.PLACE, 5
    if last in known.EVENT_ENDINGS and len(parts) > 1:
        return SubjectKind.EVENT, 5
    if name in known.TOOLS or (len(parts) > 1 and first in known.TOOLS and first not in ("Go", "Word", "Excel")):
        return SubjectKind.TOOL, 4
    if first in known.GIVEN_NAMES and len(parts) <= 3:
        return SubjectKind.PERSON, 3
    if known.PRODUCT_LEADS.search(before):
        return SubjectKind.PRODUCT, 2
    if _INNER_CAP.search(first) and len(parts) <= 3:
        return (SubjectKind.TOOL, 2) if _USING.search(before) or not name.isupper() else (SubjectKind.OTHER, 0)
    if _AT_WORK.search(before):
        return SubjectKind.ORG, 2
    if _TO_PLACE.search(before) and _PLACE_VERB.search(before):
        return SubjectKind.PLACE, 2
    if len(parts) <= 2 and (
        _SAYS.match(after) or (len(parts) == 1 and _WITH.search(before) and not _USING.search(before))
    ):
        return SubjectKind.PERSON, 1
    return SubjectKind.OTHER, 0


def _find_cjk(sentence: str, found: dict[str, Subject]) -> None:
    for pattern, kind in (
        (known.CJK_ORGS, SubjectKind.ORG),
        (known.CJK_PERSONS, SubjectKind.PERSON),
        (known.CJK_PLACES, SubjectKind.PLACE),
    ):
        for m in pattern.finditer(sentence):
            if not any(m[0] in name for name in found):
                found[m[0]] = Subject(name=m[0], kind=kind)
    for m in known.CJK_TITLES.finditer(sentence):
        if "《" in m[0] or "『" in m[0]:
            found.setdefault(m[1], Subject(name=m[1], kind=SubjectKind.PRODUCT))
