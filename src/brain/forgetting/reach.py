"""What a deletion reaches: which sources it bars, which words it takes, which files and lines go.

>>> reach = Reach(turns={"5c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f": ((3, 4),)})
>>> reach.left("session://5c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f#t2-t5")
'session://5c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f#t2,t5'
>>> Reach(terms=("Marco",)).says("MARCO's van"), Reach(terms=("Marco",)).says("Marcos")
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from brain.errors import FormatError
from brain.text import normal_name, slugify
from brain.tree import uri
from brain.tree.deletions import overlaps
from brain.tree.uri import Range, SessionUri

_SPACED = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A page that goes: its names, and the sources that may not speak of it any more."""

    names: tuple[str, ...]
    uris: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """`sessions` go whole, `turns` by session in part; `terms` are words that may stand nowhere; `records` of
    connectors are named by their URIs; `subjects` are pages by id, `snippets` single lines of notes by theirs."""

    sessions: frozenset[str] = frozenset()
    turns: Mapping[str, tuple[Range, ...]] = field(default_factory=dict)
    terms: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    subjects: Mapping[str, Subject] = field(default_factory=dict)
    snippets: frozenset[str] = frozenset()

    def left(self, source: str) -> str | None:
        """What of a source may still be cited; None when nothing may."""
        try:
            parsed = uri.parse(source)
        except FormatError:
            return source
        if not isinstance(parsed, SessionUri):
            barred = (uri.parse(record) for record in self.records)
            return None if any(overlaps(parsed, record) for record in barred) else source
        if parsed.session in self.sessions:
            return None
        gone = self.turns.get(parsed.session)
        if not gone:
            return source
        if not parsed.ranges:
            return None
        ranges = _without(parsed.ranges, gone)
        return str(SessionUri(parsed.session, ranges)) if ranges else None

    def says(self, text: str) -> bool:
        """Whether a text holds one of the terms: as words, whatever case or form of its letters."""
        return bool(self.terms) and _pattern(self.terms).search(normal_name(text)) is not None

    def names(self, path_or_id: str) -> bool:
        """Whether a path, a slug or an id is made of one of the terms."""
        slugs = (slugify(term) for term in self.terms)
        parts = re.split(r"[/.]", path_or_id)
        return any(slug and re.search(rf"(?:^|-){re.escape(slug)}(?:-|$)", part) for slug in slugs for part in parts)

    def speaks_of(self, text: str, sources: Sequence[str]) -> bool:
        """Whether a statement is about a page that goes: it names it, on no other sources than are barred for it."""
        return any(
            _pattern(subject.names).search(normal_name(text)) and all(_among(one, subject.uris) for one in sources)
            for subject in self.subjects.values()
            if sources and subject.names
        )


def _without(ranges: Iterable[Range], gone: Iterable[Range]) -> tuple[Range, ...]:
    left = list(ranges)
    for first, last in gone:
        left = [
            piece
            for a, b in left
            for piece in ([(a, b)] if b < first or last < a else [(a, first - 1), (last + 1, b)])
            if piece[0] <= piece[1]
        ]
    return tuple(left)


def _among(source: str, others: Iterable[str]) -> bool:
    try:
        parsed = uri.parse(source)
        return any(overlaps(parsed, uri.parse(other)) for other in others)
    except FormatError:
        return False


@lru_cache(maxsize=64)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Terms as words; where a script has no spaces between words, anywhere."""
    forms = []
    for term in sorted({normal_name(term) for term in terms if normal_name(term)}, key=len, reverse=True):
        first, last = ("(?<!\\w)" if _bounded(end) else "" for end in (term[0], term[-1]))
        forms.append(f"{first}{re.escape(term)}{last.replace('<!', '!')}")
    return re.compile("|".join(forms) or "(?!)")


def _bounded(letter: str) -> bool:
    return bool(_SPACED.match(letter)) and not "\u2e80" <= letter <= "\ufaff" and not "\u0e00" <= letter <= "\u0eff"
