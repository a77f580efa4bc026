"""Which page a name means: by id, title or alias first, then by what the names of people and things do to themselves.

People's names change order ("Wei Zhang", "Zhang Wei"), script ("Zhang Wei (张伟)") and length ("Wei from infra"); a
hyphen is part of a name, so "Jean-Luc" and "Jean" stay two people. A name that could mean two pages means none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from brain.text import normal_name
from brain.types import Subject, SubjectKind

ENTITY_KINDS = frozenset({"person", "org", "place", "product", "account", "tool", "event", "other"})
MAX_ALIASES = 10
_PARENTHESES = re.compile(r"^(?P<out>[^()（）]+?)\s*[(（](?P<inner>[^()（）]+)[)）]$")
_FROM = re.compile(r"^(?P<name>\S+(?: \S+)?) (?:from|of|at|de chez|від|из) (?:the )?(?P<place>.+)$", re.IGNORECASE)
_HONORIFIC = re.compile(
    r"^(?:(?P<before>[^\s-]+(?: [^\s-]+)?)[- ](?:san|sama|sensei|kun|chan|ssi)"
    r"|(?:Mr|Mrs|Ms|Dr|Prof|Mme|M)\.? (?P<after>[A-ZÀ-Þ].+))$"
)
_ARTICLE = re.compile(r"^(?:the|a|an|le|la|les|l'|el|der|die|das)\s+", re.IGNORECASE)
_LEGAL = re.compile(r"[\s,]+(?:inc|ltd|llc|gmbh|co|corp|plc|s\.?a\.?)\.?$", re.IGNORECASE)
_NO_NAMES = frozenset({"the", "a", "an", "user", "me", "i", "we"})
_VAGUE = frozenset({SubjectKind.OTHER.value, ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a page's frontmatter says of its subject. `id` is a page id, or "?<kind>:<name>" as long as it has none."""

    id: str
    title: str
    kind: str = "other"
    aliases: tuple[str, ...] = ()
    language: str = "en"

    @property
    def has_page(self) -> bool:
        return not self.id.startswith("?")

    @property
    def names(self) -> tuple[str, ...]:
        return (self.title, *self.aliases)


def type_of(kind: str) -> str:
    """The page type a subject kind belongs to."""
    return kind if kind in ("project", "concept", "learning") else "entity"


@dataclass(slots=True)
class Directory:
    """All subjects by name: those with pages, and candidates met in this run."""

    heads: dict[str, Head] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    """Pages that do not read, with the reason: nobody writes them, so nothing a person typed is lost."""
    _exact: dict[str, list[str]] = field(default_factory=dict)
    _loose: dict[str, list[str]] = field(default_factory=dict)
    _parts: dict[str, list[str]] = field(default_factory=dict)
    _moved: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, id: str) -> Head:
        """The subject with this id, also by the id it had as a candidate."""
        return self.heads[self._moved.get(id, id)]

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._moved.get(id, id) in self.heads

    def add(self, head: Head) -> Head:
        """Enter a subject, or enter it anew with what is known now."""
        self.heads[head.id] = head
        for name in head.names:
            for variant in variants(name, head.kind):
                _file(self._exact, normal_name(variant), head.id)
                _file(self._loose, _loose_key(variant, head.kind), head.id)
                if head.kind == "person":
                    for part in normal_name(variant).split(" "):
                        _file(self._parts, part, head.id)
        return head

    def rename(self, old: str, new: str) -> Head:
        """A candidate got its page: every name leads there from now on."""
        head = replace(self.heads.pop(old), id=new)
        for table in (self._exact, self._loose, self._parts):
            for ids in table.values():
                if old in ids:
                    ids[:] = [new if id == old else id for id in ids]
        self.heads[new] = head
        self._moved[old] = new
        return head

    def find(self, subject: Subject) -> str | None:
        """The one page or candidate this subject means, else None."""
        kind = subject.kind.value
        if subject.name in self.heads:
            return subject.name
        for name in (subject.name, *subject.aliases):
            if found := self._by_name(name, kind):
                return found
        if subject.kind is SubjectKind.PERSON or _HONORIFIC.match(subject.name):
            return self._by_part(subject)
        if kind in ("org", "other"):
            return self._by_first_word(subject.name)
        return self._by_folder(subject.name) if kind == "project" else None

    def _by_first_word(self, name: str) -> str | None:
        """ "Sapphir" means the one organisation whose longer name begins so."""
        key = normal_name(name)
        if " " in key or len(key) < 4:
            return None
        fits = [
            h.id
            for h in self.heads.values()
            if h.kind == "org" and any(normal_name(n).startswith(key + " ") for n in h.names)
        ]
        return fits[0] if len(fits) == 1 else None

    def _by_folder(self, name: str) -> str | None:
        """ "japan-sprint" means the one project whose longer name begins, goes on and ends with its words."""
        parts = re.split(r"[\s_-]+", normal_name(name))
        fits = [h.id for h in self.heads.values() if h.kind == "project" and any(_within(parts, n) for n in h.names)]
        return fits[0] if len(fits) == 1 and len(parts) > 1 else None

    def find_exact(self, name: str, *, but: str) -> str | None:
        """A page other than `but` that bears exactly this title or alias, whatever it is about."""
        ids = self._exact.get(normal_name(name), ())
        return next((id for id in ids if id != but and id in self.heads and self.heads[id].has_page), None)

    def resolve(self, subject: Subject) -> str:
        """Find, or enter as a candidate. New names of a known subject become its aliases."""
        found = self.find(subject)
        if found is None:
            title, aliases = _title(subject)
            found = self.add(
                Head(id=f"?{subject.kind.value}:{title}", title=title, kind=subject.kind.value, aliases=aliases)
            ).id
            return found
        head = self.heads[found]
        known = {normal_name(name) for name in head.names}
        names = [name for given in (subject.name, *subject.aliases) for name in _kept_names(given, head.kind)]
        fresh = [name for name in dict.fromkeys(names) if normal_name(name) not in known and self._free(name, found)]
        if head.kind in _VAGUE and subject.kind.value not in _VAGUE and not head.has_page:
            head = replace(head, kind=subject.kind.value)
        if fresh or head is not self.heads[found]:
            head = replace(head, aliases=(*head.aliases, *fresh)[:MAX_ALIASES])
            if not head.has_page and head.kind == "person":
                head = _fullest(head)
            self.add(head)
        return found

    def _free(self, name: str, id: str) -> bool:
        return all(other == id for other in self._exact.get(normal_name(name), ()))

    def _by_name(self, name: str, kind: str) -> str | None:
        for variant in variants(name, kind):
            for table, key in ((self._exact, normal_name(variant)), (self._loose, _loose_key(variant, kind))):
                fits = [id for id in table.get(key, ()) if id in self.heads and _same_kind(self.heads[id].kind, kind)]
                if len(fits) == 1:
                    return fits[0]
        return None

    def _by_part(self, subject: Subject) -> str | None:
        """A given name alone means the one person who bears it; a full name means the one so far known by a part."""
        tokens = [token for variant in variants(subject.name, "person") for token in normal_name(variant).split(" ")]
        own = {normal_name(variant) for variant in variants(subject.name, "person")}
        if len(tokens) == 1 or all(" " not in name for name in own):
            fits = {id for token in own for id in self._parts.get(token, ()) if id in self.heads}
            return fits.pop() if len(fits) == 1 else None
        fits = {
            id
            for token in tokens
            for id in self._parts.get(token, ())
            if id in self.heads
            and all(" " not in normal_name(name) for name in self.heads[id].names if _plain(name))
            and any(normal_name(name) == token for name in self.heads[id].names)
        }
        return fits.pop() if len(fits) == 1 else None


def variants(name: str, kind: str) -> Iterator[str]:
    """The forms one written name stands for, the fullest first.

    >>> list(variants("Zhang Wei (张伟)", "person"))
    ['Zhang Wei', '张伟']
    >>> list(variants("Wei from infra", "person"))
    ['Wei']
    """
    name = name.strip().removesuffix("'s").removesuffix("’s")
    if match := _HONORIFIC.match(name):
        name = match["before"] or match["after"]
    if match := _PARENTHESES.match(name):
        yield match["out"].strip()
        yield match["inner"].strip()
        return
    if kind == "person" and (match := _FROM.match(name)):
        yield match["name"]
        return
    yield name


def _kept_names(name: str, kind: str) -> Iterator[str]:
    """What of a written name is worth keeping as an alias: its forms, and a "Wei from infra" whole."""
    forms = list(variants(name, kind))
    yield from (form for form in forms if form.casefold() not in _NO_NAMES)
    if kind == "person" and forms[0] != name and "(" not in name and "（" not in name and _FROM.match(name):
        yield name


def _title(subject: Subject) -> tuple[str, tuple[str, ...]]:
    forms = [form for name in (subject.name, *subject.aliases) for form in _kept_names(name, subject.kind.value)]
    forms = list(dict.fromkeys(forms)) or [subject.name]
    return forms[0][:80], tuple(forms[1 : MAX_ALIASES + 1])


def _fullest(head: Head) -> Head:
    """A person first met by a given name takes the full name as title when it turns up before the page is made."""
    if " " in head.title:
        return head
    full = next((name for name in head.aliases if len(name.split()) in (2, 3) and not _FROM.match(name)), None)
    if full is None:
        return head
    rest = (head.title, *(name for name in head.aliases if name != full))
    return replace(head, title=full, aliases=rest)


def _plain(name: str) -> bool:
    return not _FROM.match(name) and not _PARENTHESES.match(name)


def _same_kind(known: str, asked: str) -> bool:
    if known in _VAGUE or asked in _VAGUE or known == asked:
        return True
    return "person" not in (known, asked) and type_of(known) == type_of(asked)


def _loose_key(name: str, kind: str) -> str:
    """A key under which names meet that differ by order (people), or by article, plural, legal form (things)."""
    key = normal_name(name)
    if kind == "person":
        return " ".join(sorted(key.split(" ")))
    key = _LEGAL.sub("", _ARTICLE.sub("", key)).replace("-", " ")
    words = [
        word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word for word in key.split()
    ]
    return " ".join(words)


def _within(parts: Sequence[str], name: str) -> bool:
    other = re.split(r"[\s_-]+", normal_name(name))
    shorter, longer = sorted((list(parts), other), key=len)
    rest = iter(longer)
    return (
        len(shorter) > 1
        and shorter[0] == longer[0]
        and shorter[-1] == longer[-1]
        and all(part in rest for part in shorter)
    )


def _file(table: dict[str, list[str]], key: str, id: str) -> None:
    ids = table.setdefault(key, [])
    if key and id not in ids:
        ids.append(id)


def by_length(subjects: Iterable[Subject]) -> list[Subject]:
    """Order in which a batch is entered: fuller names first, so that short ones find them."""
    return sorted(
        dict.fromkeys(subjects), key=lambda subject: -len(next(variants(subject.name, subject.kind.value)).split())
    )
