"""Facts of a transcript's turns: the statements worth remembering, each self-contained, dated and attributed.

No model: every statement is a sentence of a turn, selected, made to stand alone and never added to.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date

from brain.distil import agent, exchange
from brain.distil import cues_en as en
from brain.distil.attributes import Attribute, attribute_of
from brain.distil.context import Cast, DistilContext, cast_of, name_book
from brain.distil.dates import days_said
from brain.distil.judge import KEEP, Judgement, content_words, directive, is_question, judge
from brain.distil.names import NameBook
from brain.distil.rewrite import Voice, Written, quote, quoted, strip_request, strip_talk, write
from brain.distil.sentences import clauses, clip, sentences, word_count
from brain.distil.speech import Block, BlockKind, blocks
from brain.language import language_of
from brain.types import Fact, FactKind, Qualifier, Role, Subject, SubjectKind, Transcript, Trust, Turn

_EARLIER = 400
"""How many sentences back a correction may look for what it corrects."""

_PASTE = 1_600
"""A user's turn longer than this that hardly says "I" is pasted text."""


@dataclass(slots=True)
class _Session:
    """The state of one pass over a transcript."""

    transcript: Transcript
    context: DistilContext
    cast: Cast
    names: NameBook
    days: list[date | None]
    earlier: deque[str] = field(default_factory=lambda: deque(maxlen=_EARLIER))
    seen: set[frozenset[str]] = field(default_factory=set)
    out: list[Fact] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    language: str = "en"

    @property
    def project(self) -> Subject | None:
        name = re.split(r"[\\/]", self.transcript.cwd.rstrip("\\/"))[-1] if self.transcript.cwd else ""
        return (
            Subject(name=name, kind=SubjectKind.PROJECT)
            if len(name) > 1 and name not in ("home", "root", "src", "tmp")
            else None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """One sentence of a turn on its way to a fact. `before` is the sentence it leans on."""

    text: str
    judgement: Judgement
    language: str
    before: str = ""
    answers: bool = False


def facts(
    transcript: Transcript, first: int = 1, last: int | None = None, context: DistilContext | None = None
) -> list[Fact]:
    """Facts whose turns end within `first`..`last` (turn numbers, inclusive); earlier turns are read for context only.

    Deterministic. Nothing comes from system turns, machine blocks, recalled memory, code, or redacted text.
    """
    context = context or DistilContext()
    end = last if last is not None else (transcript.turns[-1].number if transcript.turns else 0)
    turns = tuple(t for t in transcript.turns if t.number <= end)
    cast = cast_of(transcript, context)
    session = _Session(
        transcript=replace(transcript, turns=turns),
        context=context,
        cast=cast,
        names=name_book(cast, context),
        days=days_said(turns, context.tz),
    )
    session.language = context.language
    _learn_names(session, first)
    for index, turn in enumerate(turns):
        if turn.number < first:
            _remember(session, turn)
        else:
            _read_turn(session, index, turn)
    return session.out


def _learn_names(session: _Session, first: int) -> None:
    for turn in session.transcript.turns:
        if turn.number < first - 200 or turn.role not in (Role.USER, Role.ASSISTANT):
            continue
        for block in blocks(turn.text[:6000]):
            for sentence in sentences(block.text):
                session.names.learn(sentence)
                session.names.note_common(w for w in sentence.split(" ")[1:] if w.isalpha() and w.islower())


def _remember(session: _Session, turn: Turn) -> None:
    """Take an old turn's sentences as context for what follows."""
    if turn.role is Role.SYSTEM or turn.redacted or len(turn.text) > 6000:
        return
    for block in blocks(turn.text):
        session.earlier.extend(sentences(block.text))


def _read_turn(session: _Session, index: int, turn: Turn) -> None:
    if turn.redacted or turn.role is Role.SYSTEM:
        return
    if turn.call or turn.role is Role.TOOL:
        _artefacts(session, turn)
        if turn.role is Role.TOOL:
            return
    if turn.trusted_as is Trust.EXTERNAL:
        _external(session, index, turn)
    elif turn.role is Role.ASSISTANT:
        _assistant(session, index, turn)
    else:
        _spoken(session, index, turn)
    _remember(session, turn)


def _spoken(session: _Session, index: int, turn: Turn) -> None:
    """A person's turn: sentences are judged, joined to what they lean on, answers to their questions; the best are kept."""
    voice = session.cast.voice(turn)
    parts = list(blocks(turn.text))
    pasted = _is_paste(turn.text)
    prose = [b for b in parts if b.kind is BlockKind.PROSE or (b.kind is BlockKind.ITEM and not pasted)]
    if pasted:
        prose = (
            [prose[0], prose[-1]]
            if len(prose) > 1 and len(prose[0].text) < 500
            else prose[-1:]
            if prose and len(prose[-1].text) < 500
            else []
        )
    question = _question_before(session, index, voice)
    consumed = _agreement(session, index, turn, voice, prose)
    said = _sentences(session, prose, voice, question, skip=consumed)
    limit = 3 if len(turn.text) < 700 else 6
    kept = sorted(sorted(said, key=lambda s: -s.judgement.weight)[:limit], key=lambda s: said.index(s))
    for one in kept:
        _emit(session, index, turn, voice, one, question)
    for block in parts:
        if block.kind is BlockKind.IMAGE:
            _image(session, index, turn, voice, block)


def _is_paste(text: str) -> bool:
    if len(text) < _PASTE:
        return False
    return len(en.FIRST.findall(text[:8000])) < len(text[:8000]) / 400


def _question_before(session: _Session, index: int, voice: Voice) -> str:
    if index == 0:
        return ""
    before = session.transcript.turns[index - 1]
    if before.role in (Role.SYSTEM, Role.TOOL) or before.redacted or session.cast.speaker(before) == voice.name:
        return ""
    return exchange.closing_question(before.text, session.cast.voice(before))


def _sentences(session: _Session, prose: list[Block], voice: Voice, question: str, *, skip: int) -> list[_Said]:
    """The sentences of a turn worth keeping, each with what it leans on."""
    found: list[_Said] = []
    before: tuple[str, Judgement | None] | None = None
    number = 0
    for block in prose:
        for raw in sentences(block.text):
            number += 1
            if number <= skip:
                continue
            language = language_of(raw, session.language)
            session.language = language if len(raw) > 30 else session.language
            for said in _one_sentence(session, raw, voice, language, question if number == 1 else "", before):
                if said.before and found and found[-1].text == said.before:
                    found.pop()
                found.append(said)
            bare = strip_talk(raw, voice) if language == "en" else raw
            before = (bare, judge(bare, language, to_assistant=not voice.chat)) if bare else None
    return [s for s in found if s.judgement.weight >= KEEP]


def _one_sentence(
    session: _Session, raw: str, voice: Voice, language: str, question: str, before: tuple[str, Judgement | None] | None
) -> Iterable[_Said]:
    to_assistant = not voice.chat
    if language != "en":
        judged = judge(raw, language, to_assistant=to_assistant)
        if judged is None and question and exchange.needs_question(raw, question, language):
            judged = Judgement(kind=FactKind.FACT, weight=KEEP + 0.05)
        if judged:
            for piece in clauses(raw):
                yield _Said(
                    text=piece,
                    judgement=judged,
                    language=language,
                    answers=bool(question) and exchange.needs_question(raw, question, language),
                )
        return
    correction = judge(raw, language, to_assistant=to_assistant)
    bare = strip_talk(raw, voice)
    if question and exchange.needs_question(bare or raw, question, language):
        yield _Said(text=bare or raw, judgement=_answer_weight(question, bare or raw), language=language, answers=True)
        return
    if not bare:
        return
    if to_assistant:
        bare = strip_request(bare)
    for piece in clauses(bare):
        judged = judge(piece, language, to_assistant=to_assistant)
        if judged is None:
            continue
        if correction and correction.correction and not judged.correction:
            judged = replace(
                judged, kind=FactKind.CORRECTION, weight=max(judged.weight, correction.weight), correction=True
            )
        yield _with_before(piece, judged, language, before)


def _with_before(piece: str, judged: Judgement, language: str, before: tuple[str, Judgement | None] | None) -> _Said:
    """Join a sentence that opens with a loose pronoun to the one before it; alone it weighs less."""
    if not en.DANGLING.match(piece) or judged.correction:
        return _Said(text=piece, judgement=judged, language=language)
    if (
        before
        and before[1]
        and not is_question(before[0])
        and not en.DANGLING.match(before[0])
        and word_count(before[0]) + word_count(piece) <= 34
    ):
        base = before[1]
        kind = base.kind if base.kind is not FactKind.FACT else judged.kind
        weight = min(1.0, max(base.weight, judged.weight) + 0.04)
        return _Said(
            text=piece, judgement=replace(judged, kind=kind, weight=weight), language=language, before=before[0]
        )
    return _Said(text=piece, judgement=replace(judged, weight=judged.weight - 0.12), language=language)


def _answer_weight(question: str, answer: str) -> Judgement:
    content = len(content_words(question)) + len(content_words(answer))
    weight = 0.3 + min(0.25, 0.05 * content)
    if is_question(answer) or len(content_words(question)) < 2:
        weight = 0.2
    return Judgement(kind=FactKind.FACT, weight=weight)


def _emit(session: _Session, index: int, turn: Turn, voice: Voice, said: _Said, question: str) -> None:
    day = session.days[index]
    first = turn.number
    written: Written
    if said.answers:
        text = exchange.answer_text(question, clip(said.text, 18), voice.name, said.language)
        written = Written(text=text, dated=said.text, quoted=True)
        first = session.transcript.turns[index - 1].number
    else:
        written = write(said.text, voice, day, said.language, said.before)
    attribute: Attribute | None = None
    kind = said.judgement.kind
    if said.judgement.correction:
        source, attribute = exchange.replaced(said.text, list(session.earlier))
        written = _correction(written, source, voice, said)
    elif said.language == "en" and not is_question(said.text):
        attribute = attribute_of(written.dated)
    if said.judgement.question:
        kind = FactKind.QUESTION
    about, attribute = _about(session, written, voice, attribute, kind)
    _add(session, Fact(
        session=session.transcript.id, first_turn=first, last_turn=turn.number, text=written.text, kind=kind, day=day, speaker=voice.name, about=about,
        attribute=attribute.name if attribute else None, value=attribute.value if attribute else None, language=said.language, weight=round(said.judgement.weight, 3),
    ))  # fmt: skip


def _correction(written: Written, source: str, voice: Voice, said: _Said) -> Written:
    """A correction names what it corrects, so that it stands alone."""
    if not source or len(content_words(said.text)) > 6:
        return written
    text = quote(said.text, voice.name, said.language)
    room = 38 - word_count(text)
    if room < 6:
        return written
    label = "correcting" if said.language == "en" else "←"
    return Written(text=f"{text} ({label} {quoted(clip(source, room))})", dated=written.dated, quoted=True)


def _about(
    session: _Session, written: Written, voice: Voice, attribute: Attribute | None, kind: FactKind
) -> tuple[tuple[Subject, ...], Attribute | None]:
    """Subjects of a statement, the main one first: the attribute's own, else the one the sentence opens with, else the speaker."""
    speaker = session.names.subject(voice.name)
    if voice.name.startswith("The "):
        speaker = Subject(name=voice.name, kind=SubjectKind.PERSON)
    named = [s for s in session.names.find(written.dated) if s.name != voice.name]
    work = kind in (FactKind.DECISION, FactKind.WORKED, FactKind.FAILED, FactKind.ARTEFACT) and not session.cast.chat
    main: Subject | None = None
    if attribute and attribute.subject:
        wanted = attribute.subject.casefold()
        main = next((s for s in named if s.name.casefold() == wanted), None) or (
            session.names.subject(session.names.people[wanted]) if wanted in session.names.people else None
        )
        if main is None:
            kind_ = session.names.kind(attribute.subject)
            main = Subject(name=attribute.subject, kind=kind_ if attribute.subject[:1].isupper() else SubjectKind.OTHER)
            if not attribute.subject[:1].isupper():
                attribute = replace(attribute, name=f"{attribute.name} of {attribute.subject}")
                main = session.project or (named[0] if named else None)
    elif attribute and attribute.subject == "":
        main = session.project or next((s for s in named if s.kind in (SubjectKind.PROJECT, SubjectKind.EVENT)), None)
    if main is None and work and session.project:
        main = session.project
    if main is None and not written.quoted and named and written.dated.startswith(named[0].name):
        main = named[0]
    order = [s for s in (main, speaker, *named, session.project if work else None) if s]
    return tuple({s.name.casefold(): s for s in order}.values())[:6], attribute


def _agreement(session: _Session, index: int, turn: Turn, voice: Voice, prose: list[Block]) -> int:
    """A yes to the assistant's proposal is the user's decision; returns how many sentences it used."""
    if session.cast.chat or index == 0 or not prose:
        return 0
    before = session.transcript.turns[index - 1]
    if before.role is not Role.ASSISTANT or before.trusted_as is Trust.EXTERNAL or before.redacted:
        return 0
    opening = next(sentences(prose[0].text), "")
    language = language_of(opening, session.language)
    if not opening or not exchange.agreed(opening, language):
        return 0
    offered = exchange.proposal(before.text)
    taken = exchange.chosen(opening, offered) if offered else ""
    if not taken or directive(taken) or "‹redacted:" in taken:
        return 0
    text = (
        f"{voice.name} agreed ({quoted(clip(opening, 8))}) to the assistant's proposal: {quoted(clip(taken, 22))}"
        if language == "en"
        else f"{voice.name}: {quoted(clip(opening, 8))} ← {quoted(clip(taken, 26))}"
    )
    about = tuple(s for s in (session.project, session.names.subject(voice.name), *session.names.find(taken)) if s)[:5]
    _add(session, Fact(session=session.transcript.id, first_turn=before.number, last_turn=turn.number, text=text, kind=FactKind.DECISION, day=session.days[index],
                       speaker=voice.name, about=about, language=language, weight=0.6))  # fmt: skip
    return 1


def _assistant(session: _Session, index: int, turn: Turn) -> None:
    """An assistant's turn: results it reports, and the heads of a list it gave; always marked as the assistant's."""
    base = {"session": session.transcript.id, "first_turn": turn.number, "last_turn": turn.number}
    day = session.days[index]
    voice = Voice(name="The assistant")
    for sentence in agent.results(turn.text) if session.transcript.cwd or turn.call or session.files else ():
        written = write(sentence, voice, day, language_of(sentence, session.language))
        failed = re.search(r"\b(?:fail|error|bug|root cause|issue|problem|culprit)", sentence, re.IGNORECASE)
        kind = FactKind.FAILED if failed else FactKind.WORKED
        about = tuple(s for s in (session.project, *session.names.find(sentence)) if s)[:5]
        _add(
            session,
            Fact(
                **base,
                text=written.text,
                kind=kind,
                day=day,
                qualifier=Qualifier.ASSISTANT,
                speaker=voice.name,
                about=about,
                weight=0.5,
            ),
        )
    request = _request_before(session, index)
    heads = agent.suggestions(turn.text) if request else []
    if heads:
        text = agent.suggestion_text(request, heads)
        about = tuple(s for s in session.names.find(text) if s.kind is not SubjectKind.OTHER)[:5]
        _add(
            session,
            Fact(
                **base,
                text=text,
                kind=FactKind.FACT,
                day=day,
                qualifier=Qualifier.ASSISTANT,
                speaker=voice.name,
                about=about,
                weight=0.42,
            ),
        )


def _request_before(session: _Session, index: int) -> str:
    """The task a user gave in the turn before, "" when there is none to name."""
    if index == 0 or session.cast.chat:
        return ""
    before = session.transcript.turns[index - 1]
    if before.role is not Role.USER or before.redacted or before.trusted_as is Trust.EXTERNAL:
        return ""
    for block in blocks(before.text[:3000]):
        for sentence in sentences(block.text):
            if (
                (is_question(sentence) or en.REQUEST.search(sentence))
                and word_count(sentence) > 3
                and "‹redacted:" not in sentence
            ):
                return sentence
    return ""


def _artefacts(session: _Session, turn: Turn) -> None:
    for path in agent.written_paths(turn, session.transcript.cwd):
        if path in session.files or "‹redacted:" in path:
            continue
        session.files.add(path)
        qualifier = Qualifier.ASSISTANT if turn.trusted_as is Trust.AGENT else None
        about = tuple(s for s in (session.project,) if s)
        index = session.transcript.turns.index(turn)
        _add(session, Fact(session=session.transcript.id, first_turn=turn.number, last_turn=turn.number, text=f"File written: `{path}`.", kind=FactKind.ARTEFACT,
                           day=session.days[index], qualifier=qualifier, speaker="The assistant", about=about, weight=0.45))  # fmt: skip


def _external(session: _Session, index: int, turn: Turn) -> None:
    """Text from outside is kept as a quoted source at most: no orders, no wishes, two statements."""
    kept = 0
    parts = [s for b in blocks(turn.text) if b.kind is BlockKind.PROSE for s in sentences(b.text)]
    if any(directive(s) for s in parts):
        parts = []
    for sentence in parts:
        language = language_of(sentence, session.language)
        judged = judge(sentence, language, to_assistant=False)
        if (
            judged is None
            or judged.question
            or judged.weight < KEEP
            or not 6 <= word_count(sentence) <= 36
            or en.FIRST.search(sentence)
        ):
            continue
        source = turn.name or "a page from outside"
        text = f"{source[:1].upper()}{source[1:]}: {quoted(clip(sentence, 34))}"
        _add(session, Fact(session=session.transcript.id, first_turn=turn.number, last_turn=turn.number, text=text, kind=FactKind.FACT, day=session.days[index],
                           qualifier=Qualifier.EXTERNAL, speaker=None, about=tuple(session.names.find(sentence))[:5], language=language, weight=0.4))  # fmt: skip
        kept += 1
        if kept == 2:
            return


def _image(session: _Session, index: int, turn: Turn, voice: Voice, block: Block) -> None:
    caption = re.sub(
        r"^(?:an?\s+)?(?:photo|picture|image|photography|close up|screenshot)\s+(?:of\s+)?",
        "",
        block.text,
        flags=re.IGNORECASE,
    ).strip(" .")
    if (len(content_words(caption)) < 2 and caption.isascii()) or directive(caption) or "‹redacted:" in caption:
        return
    text = f"{voice.name} shared a picture: {quoted(clip(caption, 28))}"
    _add(session, Fact(session=session.transcript.id, first_turn=turn.number, last_turn=turn.number, text=text, kind=FactKind.FACT, day=session.days[index], qualifier=Qualifier.IMAGE,
                       speaker=voice.name, about=(session.names.subject(voice.name), *session.names.find(caption))[:5], weight=0.4))  # fmt: skip


def _add(session: _Session, fact: Fact) -> None:
    """Keep a fact unless the session has said the same before."""
    key = frozenset(w for w in re.findall(r"\w+", fact.text.casefold()) if len(w) > 2) or frozenset((fact.text,))
    if key in session.seen:
        return
    session.seen.add(key)
    session.out.append(fact)
