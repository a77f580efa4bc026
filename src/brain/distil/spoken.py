"""A person's turn: its statements, a yes to a proposal, corrections of what was said, pictures shared."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import replace

from brain.distil import cues_en as en
from brain.distil import exchange, told
from brain.distil.attributes import Attribute, attribute_of
from brain.distil.definitions import Definition, definitions, named_ones
from brain.distil.judge import content_words, directive, is_question
from brain.distil.material import prose_of
from brain.distil.names import PETS
from brain.distil.person import is_first_person
from brain.distil.rewrite import Voice, Written, quote, quoted, write
from brain.distil.sentences import clip, sentences, word_count
from brain.distil.session import Session
from brain.distil.speech import Block, BlockKind, blocks
from brain.distil.statements import Said, remarks, statements
from brain.distil.workflow import confirms_list, listed, method_named, numbered, step_texts
from brain.language import language_of
from brain.types import FactKind, Qualifier, Role, Subject, SubjectKind, Trust, Turn

_WORK = frozenset({FactKind.DECISION, FactKind.WORKED, FactKind.FAILED})
_ISO = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_UNDATED_KINDS = frozenset({FactKind.FACT, FactKind.STATE, FactKind.EVENT})
_THIS_FOLDER = re.compile(
    r"^This (folder|project|repo|repository|directory|workspace)\b(?= (?:is|holds|has|contains)\b)", re.IGNORECASE
)
_FOLDER_DEFINES = re.compile(
    r"^This \w+ (?:is for|holds|contains|is) (?:the|our|my) (?P<name>[A-ZÀ-Þ][\w -]{3,60}): (?P<what>[a-z].+)$"
)
_REFUSES = re.compile(r"(?:no|nope|wrong)\b", re.IGNORECASE)
_FIRM, _MOST = 0.55, 8
"""In a talk with an assistant a turn may give more statements than three when they weigh this much."""

_WE = re.compile(
    r"\b(?:we|us|our|wir|uns|unser\w*|nous|notre|nos|nosotros|nuestr\w+|ми|нас|нам|наш\w*|мы)\b|私たち|我々|うちの|我们|我們",
    re.IGNORECASE,
)
"""An aside that is about people working together, though it does not name what they work on."""

_TELLS_LANGUAGE = 30
"""Characters of an answer that tell which language is spoken, for the short sentences that follow it."""

_TEAM = re.compile(
    r"^(?:On [^,]+, )?(?:The team|The (?:plan|project|sprint|goal|budget|deadline|trip|schedule|grant|launch|release))\b"
)
_PICTURE = re.compile(r"^(?:an?\s+)?(?:photo\w*|picture|image|close up|screenshot)\s+(?:of\s+)?", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:pics?|photos?|picture|look at|check (?:it|this|out)|here(?:'s| is| are)|this is|these are|take a look|(?:made|took|painted|drew|baked|built|got) (?:this|these)|this one|see this)\b",
    re.IGNORECASE,
)


def read_person(session: Session, index: int, turn: Turn) -> None:
    """Add the facts of a turn that a person said."""
    voice = session.cast.voice(turn)
    if session.project and not session.cast.chat:
        voice = replace(voice, group="the team")
    parts = list(blocks(turn.text))
    external = turn.trusted_as is Trust.EXTERNAL
    question = _question_before(session, index, voice)
    asked = question != "" or _asks(session.before(index))
    prose = prose_of(parts, turn.text, chat=session.cast.chat, asked=asked)
    if not session.cast.chat and not external and (method := method_named(turn.text)):
        session.method, session.method_at = method, index
    before = session.before(index)
    if before is not None and before.role is Role.ASSISTANT and not before.call and len(before.text) > _TELLS_LANGUAGE:
        session.language = language_of(before.text[:400], session.language)
    used = 0 if external else _agreement(session, index, turn, voice, prose)
    method = session.method_now(index)
    said = statements(
        session, prose, voice, question, skip=used, method=method is not None, asked=asked, external=external
    )
    if session.transcript.source == "note" and not external:
        said = remarks(session, prose)
    if external:
        said = [s for s in said if not s.judgement.standing and not directive(s.text)]
    if not session.cast.chat and not external:
        _steps(session, index, voice, parts)
    limit = 3 if len(turn.text) < 700 else 6
    order = sorted(range(len(said)), key=lambda i: (-said[i].judgement.weight, i))
    firm = 0 if voice.chat else sum(s.judgement.weight >= _FIRM for s in said)
    best = order[: max(limit, min(firm, _MOST))]
    for i in sorted(best):
        for one in _with_definitions(session, index, turn, voice, said[i]):
            _emit(session, index, turn, voice, one, question)
    for block in parts:
        if block.kind is BlockKind.IMAGE:
            _image(session, index, turn, voice, block)


def _steps(session: Session, index: int, voice: Voice, parts: list[Block]) -> None:
    """Add a numbered list of steps that a person wrote, in its order; not the list of a task."""
    lead, steps = listed(parts)
    language = language_of(lead, session.language)
    if not steps or told.asks(f"{lead}.", language) or any(directive(s) or "‹redacted:" in s for s in steps):
        return
    about = (session.method_now(index), session.names.subject(voice.name))
    for text in step_texts(lead, steps, room=32):
        session.add(index, text, FactKind.WORKFLOW, 0.75, speaker=voice.name, about=about, language=language)


def _asks(before: Turn | None) -> bool:
    return before is not None and before.role is Role.ASSISTANT and "?" in before.text[-600:]


def _question_before(session: Session, index: int, voice: Voice) -> str:
    before = session.before(index)
    if before is None or before.role in (Role.SYSTEM, Role.TOOL) or before.call or before.redacted:
        return ""
    if session.cast.speaker(before) == voice.name or "‹redacted:" in before.text:
        return ""
    question = exchange.closing_question(before.text, session.cast.voice(before))
    return "" if not session.cast.chat and en.META_QUESTION.search(question) else question


def _with_definitions(session: Session, index: int, turn: Turn, voice: Voice, said: Said) -> list[Said]:
    """Add what the sentence tells of a name in passing, and give back what is left of it to tell."""
    if said.language != "en" or said.answers or said.judgement.question or said.judgement.correction:
        return [said]
    said = _named_folder(session, said)
    left, found = definitions(said.text, voice.name)
    found = [*found, *named_ones(f"{said.before} {said.text}".strip(), voice.name)]
    for one in found:
        subject = session.names.people.get(one.name.casefold())
        about = session.names.subject(subject) if subject else Subject(name=one.name, kind=_kind_of(session, one))
        speaker = session.names.subject(voice.name)
        session.add(
            index,
            one.text,
            FactKind.RELATION if one.kin else FactKind.STATE,
            0.72,
            speaker=voice.name,
            about=(speaker, about) if one.unique else (about, speaker),
            qualifier=Qualifier.EXTERNAL if turn.trusted_as is Trust.EXTERNAL else None,
            attribute=one.kin.lower() if one.unique else one.attribute,
            value=one.name if one.unique else one.value,
        )
    if left == said.text:
        return [said]
    return [replace(said, text=left)] if word_count(left) > 3 else []


def _named_folder(session: Session, said: Said) -> Said:
    """ "This folder is for …" names its folder, so that it stands alone."""
    m = _THIS_FOLDER.match(said.text)
    if m is None or session.folder == "":
        return said
    text = f"The {session.folder} {m[1].lower()}{said.text[m.end() :]}"
    if defined := _FOLDER_DEFINES.match(said.text):
        text = f"The {defined['name']} is {defined['what']}"
    return replace(
        said, text=text, before="", judgement=replace(said.judgement, weight=min(1.0, said.judgement.weight + 0.2))
    )


def _kind_of(session: Session, one: Definition) -> SubjectKind:
    if one.kin:
        return SubjectKind.OTHER if one.kin.lower() in PETS else SubjectKind.PERSON
    return session.names.kind(one.name)


def _emit(session: Session, index: int, turn: Turn, voice: Voice, said: Said, question: str) -> None:
    first: int | None = None
    before = session.before(index)
    if said.answers and before is not None:
        text = exchange.answer_text(question, clip(said.text, 18), voice.name, said.language)
        written = Written(text=text, dated=said.text, quoted=True)
        first = before.number
    else:
        written = write(said.text, voice, session.days[index], said.language, said.before)
        if said.judgement.correction and said.language == "en" and _REFUSES.match(said.text) and not written.quoted:
            written = replace(written, text=quote(said.text, voice.name, "en"), quoted=True)
    attribute: Attribute | None = None
    bonus = 0.0
    if said.judgement.correction:
        source, attribute = exchange.replaced(said.text, list(session.earlier))
        written = _correcting(written, source, voice, said)
        bonus = 0.25 if source or attribute else 0.0
    elif said.language == "en" and not is_question(said.text):
        attribute = attribute_of(written.dated)
    if said.judgement.standing and not written.quoted and said.language == "en" and not is_first_person(said.text):
        written = replace(written, text=f"{voice.name} asked: {quoted(said.text)}", quoted=True)
    kind, weight = said.judgement.kind, said.judgement.weight + bonus
    day = session.days[index]
    if day and kind in _UNDATED_KINDS and any(d > day.isoformat() for d in _ISO.findall(written.dated)):
        kind, weight = FactKind.PLAN, weight + 0.06
    aside = said.aside and not _WE.search(said.text)
    about, attribute = _about(session, written, voice, attribute, kind, aside=aside)
    if kind is FactKind.WORKFLOW:
        about = (session.method_now(index), *about)
    session.add(
        index,
        written.text,
        kind,
        weight,
        first=first,
        speaker=voice.name,
        about=about,
        qualifier=Qualifier.EXTERNAL if turn.trusted_as is Trust.EXTERNAL else None,
        attribute=attribute.name if attribute else None,
        value=attribute.value if attribute else None,
        language=said.language,
    )


def _correcting(written: Written, source: str, voice: Voice, said: Said) -> Written:
    """A short correction names what it corrects, so that it stands alone."""
    if not source or not (written.quoted or said.language != "en" or len(content_words(said.text)) < 4):
        return written
    text = quote(said.text, voice.name, said.language)
    room = 38 - word_count(text)
    if room < 6:
        return written
    label = "correcting" if said.language == "en" else "←"
    return Written(text=f"{text} ({label} {quoted(clip(source, room))})", dated=written.dated, quoted=True)


def _about(
    session: Session,
    written: Written,
    voice: Voice,
    attribute: Attribute | None,
    kind: FactKind,
    *,
    aside: bool = False,
) -> tuple[tuple[Subject | None, ...], Attribute | None]:
    """Subjects, the main one first: the attribute's own, the project of work, what the sentence opens with, the speaker."""
    speaker = session.names.subject(voice.name)
    named = [s for s in session.names.find(written.dated) if s.name != voice.name]
    private = aside or kind in (FactKind.PREFERENCE, FactKind.RELATION)
    work = session.project if not session.cast.chat and not private else None
    we = work is not None and (kind in _WORK or _TEAM.search(written.text) is not None)
    main: Subject | None = None
    if attribute and attribute.subject is not None:
        main, attribute = _attribute_subject(session, named, attribute)
    if main is None and we:
        main = work
    if main is None and not written.quoted and named and written.dated.startswith(named[0].name):
        main = named[0]
    return (main, speaker, *named, work), attribute


def _attribute_subject(
    session: Session, named: list[Subject], attribute: Attribute
) -> tuple[Subject | None, Attribute]:
    subject = attribute.subject or ""
    if attribute.name == "host" and subject:
        host = next((s for s in named if s.name.casefold() == attribute.value.casefold()), None)
        if host:
            return host, replace(attribute, name=f"host in {subject}")
    if not subject:
        thing = next((s for s in named if s.kind in (SubjectKind.PROJECT, SubjectKind.EVENT)), None)
        return session.project or thing, attribute
    for one in named:
        if one.name.casefold() == subject.casefold():
            return one, attribute
    if person := session.names.people.get(subject.casefold()):
        return session.names.subject(person), attribute
    if subject[:1].isupper() and not any(w[:1].islower() and len(w) > 3 for w in subject.split()):
        return Subject(name=subject, kind=session.names.kind(subject)), attribute
    return session.project or (named[0] if named else None), replace(
        attribute, name=f"{attribute.name} of {subject[:1].lower()}{subject[1:]}"
    )


def _agreement(session: Session, index: int, turn: Turn, voice: Voice, prose: list[Block]) -> int:
    """A yes to the assistant's proposal is the user's decision; returns how many sentences it used."""
    before = session.before(index)
    if session.cast.chat or not prose or before is None or before.role is not Role.ASSISTANT:
        return 0
    if before.trusted_as is Trust.EXTERNAL or before.redacted or before.call:
        return 0
    method = session.method_now(index)
    spoken = [s for b in prose for s in sentences(b.text)]
    if method and confirms_list(spoken) and not any(directive(s) for s in numbered(before.text)):
        for text in step_texts(method.name, numbered(before.text)):
            session.add(
                index,
                text,
                FactKind.WORKFLOW,
                0.75,
                first=before.number,
                speaker=voice.name,
                about=(method, session.names.subject(voice.name)),
            )
    opening = next(iter(sentences(prose[0].text)), "")
    language = language_of(opening, session.language)
    if not opening or not exchange.agreed(opening, language):
        return 0
    offered = exchange.proposal(before.text)
    taken = exchange.chosen(opening, offered) if offered else ""
    if not taken or directive(taken) or "‹redacted:" in taken:
        return 0
    yes = quoted(clip(opening, 8))
    if language == "en":
        text = f"{voice.name} agreed ({yes}) to the assistant's proposal: {quoted(clip(taken, 22))}"
    else:
        text = f"{voice.name}: {yes} ← {quoted(clip(taken, 26))}"
    about = (session.project, session.names.subject(voice.name), *session.names.find(taken))
    session.add(
        index, text, FactKind.DECISION, 0.6, first=before.number, speaker=voice.name, about=about, language=language
    )
    return 1


def _image(session: Session, index: int, turn: Turn, voice: Voice, block: Block) -> None:
    """A picture is kept when the turn points at it or its caption says a good deal."""
    caption = _PICTURE.sub("", block.text).strip(" .")
    content = content_words(caption)
    if (len(content) < 2 and caption.isascii()) or directive(caption) or "‹redacted:" in caption:
        return
    spoken = turn.text.replace(block.text, "")
    weight = 0.24 + 0.02 * len(content) + (0.1 if _POINTS.search(spoken) else 0.0)
    if weight < IMAGE_KEEP:
        return
    text = f"{voice.name} shared a picture: {quoted(clip(caption, 28))}"
    about = (session.names.subject(voice.name), *session.names.find(caption))
    session.add(index, text, FactKind.FACT, weight, speaker=voice.name, about=about, qualifier=Qualifier.IMAGE)


IMAGE_KEEP = 0.42
