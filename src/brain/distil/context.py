"""What distilling knows besides the transcript, and who the speakers in a transcript are."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from brain.distil.cues_world import role_name
from brain.distil.names import NameBook
from brain.distil.rewrite import Voice
from brain.language import language_of
from brain.types import Role, Transcript, Trust, Turn

_I_AM = re.compile(
    r"\b(?:my name is|my name's|I'm called|call me)\s+(?P<a>[A-ZÀ-Þ][\w'’-]+(?:\s[A-ZÀ-Þ][\w'’-]+)?)|^(?:hi|hello|hey)?[,! ]*(?:I'm|I am|it's|this is)\s+(?P<b>[A-ZÀ-Þ][a-zà-ÿ'’-]+)(?=[,.!]| and | from | here)"
    r"|(?:je m['’]appelle|me llamo|ich heiße|mein name ist)\s+(?P<c>[A-ZÀ-Þ][\w'’-]+)|мене звати\s+(?P<d>[А-ЯІЇЄҐ][\w'’-]+)|меня зовут\s+(?P<e>[А-Я][\w-]+)|我叫(?P<f>[\u4e00-\u9fff]{2,4})",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"^(?:Sure|Sorry|Not|So|Very|Happy|Glad|Trying|Working|Looking|Just|Really|Here|Back|Fine|Good|Great|Ok|Okay|In|At|On|From|The|A)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilContext:
    """`owners`: display names of the users this memory belongs to. `tz`: their time zone, for the day a turn was said.

    `known`: names and aliases of subjects that have pages, mapped to page ids; optional help in telling names.
    """

    owners: tuple[str, ...] = ()
    language: str = "en"
    tz: tzinfo = UTC
    known: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The speakers of one transcript. `chat`: people talk with each other; else one user with an assistant."""

    chat: bool
    owner: str
    people: tuple[str, ...]

    def speaker(self, turn: Turn) -> str:
        if turn.role is Role.USER:
            return turn.name or self.owner
        return "The assistant"

    def voice(self, turn: Turn) -> Voice:
        """Who says this turn, whom it addresses, and by which names they may be called in it."""
        name = self.speaker(turn)
        others = tuple(p for p in self.people if p != name)
        other = others[0] if self.chat and len(others) == 1 else None
        nicknames = tuple(dict.fromkeys(n for p in others for n in (p, p.split(" ")[0]) if n))
        if other and len(other.split(" ")[0]) > 4:
            nicknames += (other[:3], other[:4])
        return Voice(name=name, other=other, nicknames=nicknames, chat=self.chat)


def cast_of(transcript: Transcript, context: DistilContext) -> Cast:
    """Who speaks: named users, the owner from the context, or the name a user gives ("I'm Nadia"); else "The user"."""
    spoken = list(dict.fromkeys(t.name for t in transcript.turns if t.role is Role.USER and t.name))
    people = list(dict.fromkeys([*spoken, *(transcript.participants if len(spoken) > 1 else ())]))
    if len(spoken) > 1 or (len(spoken) == 1 and not any(t.role is Role.ASSISTANT for t in transcript.turns)):
        return Cast(chat=True, owner=spoken[0], people=tuple(people))
    owner = spoken[0] if spoken else context.owners[0] if len(context.owners) == 1 else _introduced(transcript)
    if not owner:
        owner = role_name(_main_language(transcript, context.language))
    return Cast(chat=False, owner=owner, people=(owner,))


def _introduced(transcript: Transcript) -> str:
    for turn in transcript.turns[:40]:
        if turn.role is Role.USER and turn.trusted_as is Trust.OWNER and (m := _I_AM.search(turn.text[:600])):
            name = next(v for v in m.groups() if v)
            proper = name[:1].isupper() or name[0] >= "\u4e00"
            if proper and not _NOT_A_NAME.match(name.split(" ")[0]):
                return name
    return ""


def _main_language(transcript: Transcript, default: str) -> str:
    text = " ".join(t.text[:200] for t in transcript.turns[:12] if t.role is Role.USER)
    return language_of(text, default)


def name_book(cast: Cast, context: DistilContext) -> NameBook:
    """A name book that knows the speakers, their first names and nicknames."""
    book = NameBook()
    for name, page in sorted(context.known.items()):
        book.learn_known(name, page.startswith("projects/"))
    for person in cast.people:
        first = person.split(" ")[0]
        book.people.setdefault(person.casefold(), person)
        if first != person and sum(p.split(" ")[0] == first for p in cast.people) == 1:
            book.people.setdefault(first.casefold(), person)
            book.aliases[person] = (first,)
        if cast.chat and len(first) > 4 and "-" not in first:
            book.people.setdefault(first[:3].casefold(), person)
    return book
