"""Files to documents: what one search result can be. A claim of a page, a note line, a bullet of a summary, a turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2b
from pathlib import Path

from brain.corpus.search import when
from brain.corpus.search.needles import lowered, may_hold, needles
from brain.corpus.search.when import Span
from brain.errors import FormatError
from brain.language import language_of
from brain.tree import layout, markdown, note, page, summary, transcript
from brain.tree.layout import FileClass
from brain.tree.uri import SessionUri, parse, turns_uri
from brain.types import Role, Surface, Turn

Cite = tuple[str, int, int]
"""Session, first turn, last turn."""

PASSAGE = 110  # words a vector is made of; the model was trained on texts of this length
PARTS = {Role.USER: 8, Role.ASSISTANT: 4, Role.SYSTEM: 1, Role.TOOL: 1}
"""How many passages of a turn get a vector; the words index holds all of it."""

KIND_WORDS = {"org": ("organisation", "company"), "person": ("person",), "place": ("place",), "tool": ("tool",)}
"""What a page's subject may be asked for as, beside its name."""

PROJECT = "project"  # the type of a page that a `project` filter may name
UNSEARCHED = frozenset({"References", "Changelog", "See also"})

_TIME_WORDS = (
    r"yesterday|today|tonight|tomorrow|ago|weeks?|months?|years?|weekend|morning|evening|since|recently"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|hier|demain|semaine|mois|année|gestern|heute|morgen|woche|monat|jahr|ayer|mañana|semana|mes"
    r"|вчора|сьогодні|завтра|тижд\w+|місяц\w+|року|вчера|сегодня|недел\w+|месяц\w+|году?"
)
_TIME_WORD = re.compile(rf"\b(?:{_TIME_WORDS})\b", re.IGNORECASE)
_TIME_NEEDLES = needles(_TIME_WORDS)
_TIME_NUMBER = re.compile(r"\d(?:(?<=\b\d)(?:\d{3}|\d?[/.:-]\d{1,2})\b|[年月日号號])")  # a digit first: scanned fast
_TIME_SIGN = re.compile(r"[昨今明]日|[先来]週|[先来]月|[去来]年|[昨今明]天|[上下]周|[上下]个月")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One thing that can be found. `line` is where it begins in the file at `path`.

    `heading` is the page's section or the summary's; `context` more words it may be found by (a page's other names).
    `first` and `last` are turns of `session`: the turn itself, or what a note or bullet stands on. `cites` are the
    turns it leads to. `dated` = the text speaks of a time, `about` = of these days. `projects` are ids of the project
    pages that a page (said at its lead) or a summary names. `role` is who spoke a turn, or
    what kind of thing a page is about. `qualifier` says who stands behind it, None = the user.
    """

    path: str
    surface: Surface
    line: int
    uri: str
    text: str
    title: str = ""
    heading: str = ""
    context: str = ""
    language: str = "en"
    day: date | None = None
    session: str | None = None
    first: int | None = None
    last: int | None = None
    speaker: str | None = None
    role: str | None = None
    dated: bool = False
    about: Span | None = None
    projects: tuple[str, ...] = ()
    qualifier: str | None = None
    cites: tuple[Cite, ...] = ()

    def words(self) -> str:
        """What the words index reads."""
        if self.surface is Surface.TURN:
            return self.text
        return "\n".join(part for part in (self.title, self.context, self.heading, self.text) if part)

    def passages(self) -> list[str]:
        """What the embedder reads: the text in pieces of about PASSAGE words, opened by what it is about."""
        if self.surface is not Surface.TURN:
            opening = f"{self.title}: " if self.title and self.title not in self.text else ""
            return [opening + self.text] if self.text else []
        return _pieces(self.text)[: PARTS[Role(self.role or Role.USER)]]

    def identity(self) -> bytes:
        """The same for the same content, wherever its line has moved to."""
        fields = (
            self.path, self.surface, self.uri, self.text, self.title, self.heading, self.context, self.language,
            self.day, self.speaker, self.role, self.qualifier, self.cites, self.projects,
        )  # fmt: skip
        return blake2b(repr(fields).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def tells_time(text: str) -> bool:
    """Whether a text speaks of a time, by a word or a number that may be one."""
    if _TIME_NUMBER.search(text) or (not text.isascii() and _TIME_SIGN.search(text)):
        return True
    return may_hold(lowered(text), _TIME_NEEDLES) and _TIME_WORD.search(text) is not None


def unit_hash(passage: str) -> bytes:
    """Under which the vector of a passage is kept: equal texts share one, and it survives a rebuild."""
    return blake2b(passage.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def documents(file: Path, path: str, language: str, *, behind: tuple[int, int] = (0, 0)) -> Iterator[Document]:
    """The documents of the file at a path of the tree, in file order. `language` is the brain's own.

    Of a transcript, those `behind` so many bytes, which are so many lines: what it has grown by.

    Raises FormatError when the file does not follow its format; NotFound-like OS errors pass through.
    """
    kind = layout.classify(path)
    if kind is FileClass.TRANSCRIPT:
        return _turns(file, path, language, *behind)
    reader = _READERS.get(kind)
    return reader(file, path, language) if reader else iter(())


def is_searched(path: str) -> bool:
    """Whether a file has documents at all."""
    kind = layout.classify(path)
    return kind is FileClass.TRANSCRIPT or kind in _READERS


def _turns(file: Path, path: str, language: str, start: int, line: int) -> Iterator[Document]:
    head = transcript.read_head(file)
    line = line or _head_length(file)
    for turn in transcript.iter_turns_from(file, start) if start else transcript.iter_turns(file):
        if turn.text.strip():
            yield _turn(turn, path, line + 2, head.id, head.title, head.started_at, language)
        line += 4 + turn.text.count("\n")


def _head_length(file: Path) -> int:
    with file.open(encoding="utf-8", newline="\n") as lines:
        marks = (number for number, line in enumerate(lines, start=1) if line.rstrip("\n") == "---")
        next(marks)
        return next(marks)


def _turn(
    turn: Turn, path: str, line: int, session: str, title: str, started: datetime | None, language: str
) -> Document:
    time = turn.time or started
    day = time.date() if time else None
    spoken = language_of(turn.text, language)
    dated = tells_time(turn.text)
    return Document(
        path=path,
        surface=Surface.TURN,
        line=line,
        uri=str(turns_uri(session, turn.number)),
        text=turn.text,
        title=title,
        language=spoken,
        day=day,
        session=session,
        first=turn.number,
        last=turn.number,
        speaker=turn.name if turn.role is not Role.TOOL else None,
        role=turn.role.value,
        dated=dated,
        about=when.said(turn.text, day, spoken) if dated else None,
    )


def _page(file: Path, path: str, language: str) -> Iterator[Document]:
    found = page.parse(file.read_text("utf-8"), path)
    if found.superseded_by:
        return
    own = found.language or language
    updated = found.updated_at.date() if found.updated_at else None
    lead = markdown.plain(found.lead_text)
    kind = found.entity_kind or found.type
    linked = (layout.page_id(layout.page_path(target)) for target in page.link_targets(found))
    named = {one for one in (found.id, *linked) if one and layout.page_type(one) == PROJECT}
    yield Document(
        path=path, surface=Surface.PAGE, line=found.body_line, uri=found.id, title=found.title,
        text=lead or found.description, language=own, day=updated, role=kind,
        projects=tuple(sorted(named)),
        context=" · ".join([*found.aliases, *KIND_WORDS.get(kind, ()), found.description]),
        cites=_cites(uri for claim in found.lead for uri in found.uris(claim)),
    )  # fmt: skip
    for section in found.sections:
        if section.heading in UNSEARCHED:
            continue
        for claim in section.claims:
            text = markdown.plain(f"{claim.label} — {claim.text}" if claim.label else claim.text)
            if text:
                yield Document(
                    path=path, surface=Surface.PAGE, line=claim.line, uri=found.id, title=found.title, text=text,
                    heading=section.heading, context=" · ".join(found.aliases), language=own, day=updated, role=kind,
                    dated=tells_time(text), about=when.said(text, None, own),
                    cites=_cites(found.uris(claim)),
                    qualifier=" ".join(claim.qualifiers) or None,
                )  # fmt: skip


def _notes(file: Path, path: str, language: str) -> Iterator[Document]:
    found = note.parse(file.read_text("utf-8"), path)
    for snippet in found.snippets:
        cites = _cites([snippet.uri])
        session, first, last = cites[0] if cites else (None, None, None)
        yield Document(
            path=path, surface=Surface.NOTE, line=snippet.line, uri=snippet.uri, title=found.title,
            text=markdown.plain(snippet.text), language=language_of(snippet.text, language), day=snippet.day,
            session=session, first=first, last=last, dated=tells_time(snippet.text), cites=cites,
            about=when.said(snippet.text, snippet.day, language), qualifier=snippet.qualifier,
        )  # fmt: skip


def _summary(file: Path, path: str, language: str) -> Iterator[Document]:
    text = file.read_text("utf-8")
    found = summary.parse(text, path)
    day = found.started_at.date() if found.started_at else None
    lines = text.split("\n")
    own = language_of(found.summary, language)
    yield Document(
        path=path, surface=Surface.SUMMARY, line=_line_of(lines, "## Summary"), uri=f"session://{found.id}",
        title=found.title, text=f"{found.title}. {found.summary}", language=own, day=day, session=found.id, first=1,
        last=found.through_turn or None, projects=found.projects,
    )  # fmt: skip
    for heading, bullets in found.bullets.items():
        for bullet in bullets:
            yield Document(
                path=path, surface=Surface.SUMMARY, line=_line_of(lines, f"- {bullet.text}"), title=found.title,
                uri=str(turns_uri(found.id, bullet.first, bullet.last)), text=markdown.plain(bullet.text),
                heading=heading, language=own, day=day, session=found.id, first=bullet.first, last=bullet.last,
                dated=tells_time(bullet.text), cites=((found.id, bullet.first, bullet.last),),
                about=when.said(bullet.text, day, own),
            )  # fmt: skip


def _line_of(lines: list[str], start: str) -> int:
    return next((number for number, line in enumerate(lines, start=1) if line.startswith(start)), 1)


def _cites(uris: Iterator[str] | list[str]) -> tuple[Cite, ...]:
    found: dict[Cite, None] = {}
    for uri in uris:
        try:
            source = parse(uri)
        except FormatError:
            continue  # a rule reports it; search goes on with the others
        if isinstance(source, SessionUri):
            found.update(((source.session, first, last), None) for first, last in source.ranges)
    return tuple(found)


_BREAK = re.compile(r"[.!?…。！？\n](?:(?<=\n)|(?<=[。！？])|(?=\s))")  # a set first: the scan skips what is none of it


def _pieces(text: str) -> list[str]:
    """Cut at sentence and line ends into pieces of about PASSAGE words; a sentence longer than that is cut by force."""
    pieces: list[str] = []
    held: list[str] = []
    size = at = 0
    for end in (*(match.end() for match in _BREAK.finditer(text)), len(text)):
        words = text[at:end].split()
        at = end
        for start in range(0, len(words), PASSAGE):
            part = words[start : start + PASSAGE]
            weight = max(len(part), sum(map(len, part)) // 6)  # scripts without spaces: six characters count as a word
            if held and size + weight > PASSAGE:
                pieces.append(" ".join(held))
                held, size = [], 0
            held += part
            size += weight
    return [*pieces, " ".join(held)] if held else pieces


_READERS: dict[FileClass, Callable[[Path, str, str], Iterator[Document]]] = {
    FileClass.PAGE: _page,
    FileClass.NOTE: _notes,
    FileClass.SUMMARY: _summary,
}
