"""From the prose of a person's turn to the sentences worth keeping, each with its judgement and what it leans on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from brain.distil import coordination, exchange, told
from brain.distil import cues_en as en
from brain.distil.attributes import attribute_of
from brain.distil.cues_world import patterns, strip_request_world
from brain.distil.judge import KEEP, Judgement, content_words, hostile, is_question, judge, unfit
from brain.distil.material import UNOWNED_PENALTY, unowned
from brain.distil.rewrite import Voice, strip_request, strip_talk
from brain.distil.sentences import clauses, sentences, word_count
from brain.distil.session import Session
from brain.distil.speech import Block
from brain.distil.workflow import is_step, sequence
from brain.language import language_of
from brain.types import FactKind

_UNKNOWN = re.compile(
    r"\b(?:don't know|not sure|no idea|unclear|unknown|to be seen|open question|can't tell|who knows)\b", re.IGNORECASE
)
_ASKS = re.compile(r"\b(?:you|your|I)\b", re.IGNORECASE)
_MONTH_OR_I = r"(?:I\b|January|February|March|April|May|June|July|August|September|October|November|December)"
_LEANS_INSIDE = re.compile(
    r"^(?:\w+(?:'\w+)?\s){1,5}(?:it|them|him|her|those|that one|this one)\b"
    rf"(?![^.]*\s(?-i:(?!{_MONTH_OR_I})[A-Z]))(?:\W+\w+(?:'\w+)?){{0,9}}\W*$",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:the|and|my|with|more|this|that|just|you|it's|don't)\b", re.IGNORECASE)
"""Words that make a short sentence English though it has a foreign one too ("No more excuses, no delays")."""

_LABELLED = re.compile(r"^[^:：.]{3,60}[:：]\s*[^:：]{0,24}\d")
"""An amount under its name ("Rent: 900 euros"), as one answers a question for figures."""

_DAY = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d\b")
_NAMED_FROM = re.compile(r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)? (?:from|at|of) \w+ [a-z]+\b")
_STRONG = frozenset(
    ["lives in", "works at", "works on", "job", "relationship status", "diet", "host", "deadline", "contact", "leads"]
)
"""Attributes (or their first words) that are always worth a note."""

_REFUSES = re.compile(r"(?:no|nope|wrong)\b", re.IGNORECASE)
_TELLS_NOTHING = 30
"""A sentence of at most this many characters says little about its language."""

REMARK = 0.7
_WAY = 0.74
_JOINED = 36
"""Most words that a sentence and the one it leans on may have together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One sentence on its way to a fact. `before` is the sentence it leans on; `answers`: it needs the question;
    `told`: its speaker tells it unasked, so it stands though it is not about them; `aside`: they said so first."""

    text: str
    judgement: Judgement
    language: str
    before: str = ""
    answers: bool = False
    told: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    text: str
    judgement: Judgement | None


def statements(
    session: Session,
    prose: list[Block],
    voice: Voice,
    question: str,
    *,
    skip: int = 0,
    method: bool = False,
    asked: bool = False,
    external: bool = False,
) -> list[Said]:
    """What a turn says that is worth keeping. `question` is what was asked before; the first `skip` sentences are used
    up; `method` tells that a way of doing things is being explained, `asked` that the assistant asked something."""
    less = 0.0 if voice.chat or method else unowned(prose, asked=asked, project=session.project is not None)
    raws = [raw for block in prose for raw in sentences(block.text)]
    spoken = [(raw, _language(session, raw)) for raw in raws]
    own = not voice.chat and not external
    free = own and (not asked or told.only_goes_on(question))
    gain = told.TELLING if free and told.only_tells(spoken) else 0.0
    found: list[Said] = []
    before: _Before | None = None
    opened = False
    for number, (raw, language) in enumerate(spoken):
        if number < skip:
            continue
        opens = question if number == 0 else ""
        if own:
            announces, raw = told.announced(raw, language)
            opened = opened or announces
            if not raw or told.courtesy(raw, language):
                continue
        pieces = (
            _english(raw, voice, opens, before, alone=len(raws) == 1, method=method)
            if language == "en"
            else _other(raw, voice, opens, language)
        )
        if opened and told.wishes(raw, language) and not unfit(raw):
            wish = Judgement(kind=FactKind.PREFERENCE, weight=KEEP + told.ANNOUNCED, standing=True)
            pieces = iter([Said(text=piece, judgement=wish, language=language, told=True) for piece in clauses(raw)])
        elif own and (steps := sequence(raw, language, voice.name)) and (opened or not told.asks(raw, language)):
            way = Judgement(kind=FactKind.WORKFLOW, weight=_WAY)
            pieces = iter([Said(text=step, judgement=way, language=language, told=True) for step in steps])
        elif (gain or opened) and told.tells(raw, language, announced=opened):
            pieces = _told(raw, voice, language, list(pieces), told.ANNOUNCED if opened else gain)
        aside, opened = opened, False
        for said in pieces:
            said = replace(said, aside=aside)
            if asked and _LABELLED.match(said.text):
                weight = max(said.judgement.weight, KEEP + 0.06)
                said = replace(said, judgement=replace(said.judgement, weight=weight))
            if said.before and found and found[-1].text == said.before:
                found.pop()
            found.append(said)
        bare = strip_talk(raw, voice) if language == "en" else ""
        judged = judge(bare, language, to_assistant=not voice.chat) if bare else None
        if found and found[-1].text == bare:
            judged = found[-1].judgement
        before = _Before(text=bare, judgement=judged) if bare else None
    return [s for s in (_owned(s, less) for s in found) if s.judgement.weight >= KEEP]


def _language(session: Session, raw: str) -> str:
    """The language of a sentence; a longer one sets it for the short ones that follow."""
    language = language_of(raw, session.language)
    if language != "en" and len(raw) < 60 and raw.isascii() and _ENGLISH.search(raw):
        language = "en"
    if len(raw) <= _TELLS_NOTHING and language != "en" and patterns(language) is None:
        language = session.language  # so few words are taken for a neighbour of the language that is spoken
    if len(raw) > 30:
        session.language = language
    return language


def _told(raw: str, voice: Voice, language: str, pieces: list[Said], gain: float) -> Iterator[Said]:
    """The pieces of a sentence that somebody tells unasked: they weigh more, and one that no cue knows is kept too."""
    if not pieces and not unfit(raw):
        bare = strip_talk(raw, voice) if language == "en" else raw
        none = Judgement(kind=FactKind.FACT, weight=0.0)
        pieces = [Said(text=piece, judgement=none, language=language) for piece in clauses(bare)]
    for said in pieces:
        weight = min(1.0, max(KEEP + 0.02, said.judgement.weight + gain))
        yield replace(said, judgement=replace(said.judgement, weight=weight), told=True)


def _owned(said: Said, less: float) -> Said:
    """A statement weighs less where it is not about its speaker and the turn sets a task."""
    judged = said.judgement
    if (
        not less
        or said.told
        or said.language != "en"
        or judged.standing
        or judged.correction
        or en.FIRST.search(said.text)
    ):
        return said
    if less <= UNOWNED_PENALTY and not judged.question and _tells_of_others(said.text):
        return said
    return replace(said, judgement=replace(judged, weight=max(0.0, judged.weight - less)))


def _tells_of_others(text: str) -> bool:
    """News of somebody by name, which has no "I": what they are or do, or what they did on a day."""
    if attribute_of(text):
        return True
    return bool(_DAY.search(text) and (en.NAMED_SUBJECT.search(text) or _NAMED_FROM.match(text)))


def remarks(session: Session, prose: list[Block]) -> list[Said]:
    """Every sentence of a remark that a person made for memory on purpose (`brain note`)."""
    found: list[Said] = []
    for raw in (s for block in prose for s in sentences(block.text)):
        language = language_of(raw, session.language)
        judged = judge(raw, language, to_assistant=False) or Judgement(kind=FactKind.FACT, weight=0.0)
        if not hostile(raw) and "‹redacted:" not in raw:
            text = replace(judged, weight=max(judged.weight, REMARK))
            found.extend(Said(text=piece, judgement=text, language=language) for piece in clauses(raw))
    return found


def _other(raw: str, voice: Voice, question: str, language: str) -> Iterator[Said]:
    if not voice.chat:
        raw = strip_request_world(raw, language)
    judged = judge(raw, language, to_assistant=not voice.chat)
    answers = bool(question) and exchange.needs_question(raw, question, language)
    if judged is None and answers:
        judged = Judgement(kind=FactKind.FACT, weight=KEEP + 0.05)
    if judged:
        for piece in clauses(raw):
            yield Said(text=piece, judgement=judged, language=language, answers=answers)


def _english(
    raw: str, voice: Voice, question: str, before: _Before | None, *, alone: bool, method: bool
) -> Iterator[Said]:
    to_assistant = not voice.chat
    bare = strip_talk(raw, voice)
    task = to_assistant and en.REQUEST.search(bare or raw) is not None
    if question and not task and exchange.needs_question(bare or raw, question, "en"):
        weight = _answer_weight(question, bare or raw, alone=alone)
        yield Said(text=bare or raw, judgement=weight, language="en", answers=True)
        return
    if not bare:
        return
    whole = judge(raw, "en", to_assistant=to_assistant)
    if to_assistant:
        bare = strip_request(bare)
    if whole and whole.correction and _REFUSES.match(raw):
        bare = raw  # the no is what it says
    for piece in (c for part in coordination.parts(bare) for c in clauses(part)):
        judged = judge(piece, "en", to_assistant=to_assistant)
        if (
            judged is None
            and to_assistant
            and is_question(piece)
            and before
            and _UNKNOWN.search(before.text)
            and not _ASKS.search(piece)
        ):
            judged = Judgement(kind=FactKind.QUESTION, weight=0.6, question=True)
        if judged is None:
            continue
        if whole and whole.correction and not judged.correction:
            heavier = max(judged.weight, whole.weight)
            judged = replace(judged, kind=FactKind.CORRECTION, weight=heavier, correction=True)
        if method and not judged.question and is_step(piece):
            step = replace(judged, kind=FactKind.WORKFLOW, weight=min(1.0, judged.weight + 0.2))
            yield Said(text=piece, judgement=step, language="en")
        else:
            yield _with_before(piece, _weighed(piece, judged, before), before)


def _weighed(piece: str, judged: Judgement, before: _Before | None) -> Judgement:
    """What sets an attribute weighs more, and so does what follows "That worked!"."""
    attribute = None if judged.question else attribute_of(piece)
    if attribute:
        floor = 0.55 if attribute.name in _STRONG or attribute.name.split(" ")[0] in _STRONG else 0.0
        judged = replace(judged, weight=min(1.0, max(floor, judged.weight + 0.1)))
    if before and before.judgement is None and word_count(before.text) <= 4:
        for kind, cue in ((FactKind.WORKED, en.WORKED), (FactKind.FAILED, en.FAILED)):
            if cue.search(before.text):
                kind = kind if judged.kind in (FactKind.FACT, FactKind.EVENT) else judged.kind
                return replace(judged, kind=kind, weight=min(1.0, judged.weight + 0.25))
    return judged


def _with_before(piece: str, judged: Judgement, before: _Before | None) -> Said:
    """Join a sentence that leans on a loose pronoun to the one before it; alone it weighs much less."""
    opens = en.LEANS.match(piece) is not None
    if judged.correction or not (opens or _LEANS_INSIDE.match(piece)):
        return Said(text=piece, judgement=judged, language="en")
    if before is None or not _holds(before.text, piece):
        return Said(
            text=piece,
            judgement=replace(judged, weight=judged.weight - (0.24 if opens or word_count(piece) <= 8 else 0.08)),
            language="en",
        )
    base = before.judgement or Judgement(kind=FactKind.FACT, weight=0.0)
    kind = base.kind if base.kind is not FactKind.FACT else judged.kind
    joined = replace(judged, kind=kind, weight=min(1.0, max(base.weight, judged.weight) + 0.04))
    return Said(text=piece, judgement=joined, language="en", before=before.text)


def _holds(before: str, piece: str) -> bool:
    """Whether the sentence before says what the pronoun means, and both fit in one statement."""
    return (
        not is_question(before)
        and en.DANGLING.match(before) is None
        and len(content_words(before)) >= 2
        and word_count(before) + word_count(piece) <= _JOINED
    )


def _answer_weight(question: str, answer: str, *, alone: bool) -> Judgement:
    """A fragment with its question; a bare yes counts only when it is all that is said."""
    weight = 0.3 + min(0.25, 0.05 * (len(content_words(question)) + len(content_words(answer))))
    bare_yes = not content_words(answer)
    if is_question(answer) or exchange.loose(question) or (bare_yes and not alone):
        weight = 0.2
    return Judgement(kind=FactKind.FACT, weight=weight)
