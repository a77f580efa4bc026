"""The state of one pass over a transcript: who speaks, the days, the names, what was said before, the facts so far."""

# ruff: noqa: E501, SIM905 — word lists and patterns, one thing a line
from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field, replace
from datetime import date

from brain.distil.context import Cast, DistilContext, cast_of, name_book
from brain.distil.dates import days_said
from brain.distil.names import NameBook
from brain.distil.sentences import sentences
from brain.distil.speech import blocks
from brain.distil.workflow import LASTS as METHOD_LASTS
from brain.tree.transcript import dated
from brain.types import Fact, FactKind, Qualifier, Role, Subject, SubjectKind, Transcript, Turn

EARLIER = 400
"""How many sentences back a correction may look for what it corrects."""

_LONG = 6_000
_ANSWER = 1_500
"""How much of an answer is read for how names are used; those that matter are in the user's words."""

_NAMES_BACK = 200
_NO_PROJECT = frozenset(
    "home users root src source tmp var opt srv mnt work code dev git repos repositories projects project workspace "
    "workspaces desktop documents downloads private volumes data".split()
)
_WORD = re.compile(r"\w+")


def folder_of(cwd: str | None) -> str:
    """The first folder of a working directory below home or a folder of projects, "" when there is none."""
    parts = [p for p in re.split(r"[\\/]", cwd or "") if p and not p.endswith(":")]
    while parts and parts[0].lower() in _NO_PROJECT:
        if parts.pop(0).lower() in ("home", "users") and parts:
            parts.pop(0)
    return parts[0] if parts and len(parts[0]) > 1 and not parts[0].startswith(".") else ""


def project_of(cwd: str | None) -> Subject | None:
    """The project that a working directory belongs to, by its folder's name."""
    folder = folder_of(cwd)
    return Subject(name=folder, kind=SubjectKind.PROJECT) if folder else None


@dataclass(slots=True)
class Session:
    """A transcript being read. `days` has, for each turn, the day its relative words count from."""

    transcript: Transcript
    context: DistilContext
    cast: Cast
    names: NameBook
    days: list[date | None]
    language: str
    earlier: deque[str] = field(default_factory=lambda: deque(maxlen=EARLIER))
    out: list[Fact] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    method: Subject | None = None
    method_at: int = 0
    answers: int = 0
    figures: int = 0
    _seen: set[frozenset[str]] = field(default_factory=set)

    @property
    def folder(self) -> str:
        """The name of the project's folder, "" when there is none."""
        return folder_of(self.transcript.cwd)

    @property
    def project(self) -> Subject | None:
        """The project that the working folder is named for."""
        return self.names.project(self.folder) if self.folder else None

    def method_now(self, index: int) -> Subject | None:
        """The method being explained, when one was named not long ago."""
        return self.method if self.method and index - self.method_at <= METHOD_LASTS else None

    def before(self, index: int) -> Turn | None:
        return self.transcript.turns[index - 1] if index else None

    def remember(self, turn: Turn) -> None:
        """Take a turn's sentences as context for what follows."""
        if turn.role is Role.SYSTEM or turn.redacted or len(turn.text) > _LONG:
            return
        for block in blocks(turn.text):
            self.earlier.extend(sentences(block.text))

    def add(
        self,
        index: int,
        text: str,
        kind: FactKind,
        weight: float,
        *,
        speaker: str | None,
        about: tuple[Subject | None, ...] = (),
        first: int | None = None,
        qualifier: Qualifier | None = None,
        attribute: str | None = None,
        value: str | None = None,
        language: str = "en",
    ) -> None:
        """A fact of the turn at `index` (and of those from turn `first`), unless the session has said the same before."""
        if text[-1:] in '"”' and text[-2:-1] not in ".!?…。！？":
            text += "."
        key = frozenset(w for w in _WORD.findall(text.casefold()) if len(w) > 2) or frozenset((text,))
        if key in self._seen:
            return
        self._seen.add(key)
        number = self.transcript.turns[index].number
        subjects = {s.name.casefold(): s for s in about if s is not None}
        self.out.append(
            Fact(
                session=self.transcript.id,
                first_turn=number if first is None else first,
                last_turn=number,
                text=text,
                kind=kind,
                day=self.days[index],
                qualifier=qualifier,
                speaker=speaker,
                about=tuple(subjects.values())[:6],
                attribute=attribute,
                value=value,
                language=language,
                weight=round(max(0.0, min(1.0, weight)), 3),
            )
        )


def open_session(transcript: Transcript, first: int, last: int, context: DistilContext) -> Session:
    """A session ready to be read from turn `first` on, its names learnt up to turn `last`."""
    turns = dated((t for t in transcript.turns if t.number <= last), transcript.started_at)
    cast = cast_of(transcript, context)
    session = Session(
        transcript=replace(transcript, turns=turns),
        context=context,
        cast=cast,
        names=name_book(cast, context),
        days=days_said(turns, context.tz),
        language=context.language,
    )
    for turn in turns:
        if turn.number >= first - _NAMES_BACK and turn.role in (Role.USER, Role.ASSISTANT) and not turn.call:
            _learn_names(session.names, turn.text[: _LONG if turn.role is Role.USER or cast.chat else _ANSWER])
    return session


def _learn_names(names: NameBook, text: str) -> None:
    for block in blocks(text):
        for sentence in sentences(block.text):
            names.learn(sentence)
            names.note_common(w for w in sentence.split(" ")[1:] if w.isalpha() and w.islower())
