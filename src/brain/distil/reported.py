"""What is not a person's word: an assistant's results and lists, files that tools wrote, text from outside."""

from __future__ import annotations

import re

from brain.distil import agent, exchange
from brain.distil import cues_en as en
from brain.distil.answers import MOST_A_TURN, Answer, answers, short
from brain.distil.judge import KEEP, content_words, directive, is_question, judge
from brain.distil.rewrite import Voice, quote, quoted, strip_talk, write
from brain.distil.sentences import clip, sentences, word_count
from brain.distil.session import Session
from brain.distil.speech import BlockKind, blocks
from brain.language import language_of
from brain.types import FactKind, Qualifier, Role, SubjectKind, Trust, Turn

ASSISTANT = "The assistant"
MAX_FILES = 12
MOST_FIGURES = 4
"""Figures printed by tools that one session leaves."""

MOST_ANSWERS = 30
"""Notes that an assistant's answers may leave in one session."""

_OPENS = re.compile(r"(?:I\b|I['’]|Your\b|The\b|We\b|My\b|Total|Estimated)")
_TROUBLE = re.compile(r"\b(?:fail|error|bug|root cause|issue|problem|culprit)", re.IGNORECASE)


def read_assistant(session: Session, index: int, turn: Turn) -> None:
    """Add the results an assistant reports and the heads of a list it gives; always marked as the assistant's."""
    working = bool(session.transcript.cwd or session.files)
    for sentence in agent.results(turn.text) if working else ():
        language = language_of(sentence, session.language)
        written = write(sentence, Voice(name=ASSISTANT), session.days[index], language)
        kind = FactKind.FAILED if _TROUBLE.search(sentence) else FactKind.WORKED
        about = (session.project, *session.names.find(sentence))
        session.add(index, written.text, kind, 0.5, speaker=ASSISTANT, about=about, qualifier=Qualifier.ASSISTANT)
    if not session.cast.chat and session.answers < MOST_ANSWERS:
        _answers(session, index, turn)


def _answers(session: Session, index: int, turn: Turn) -> None:
    """Add what an answer settled or listed, marked as the assistant's and told with what was asked."""
    request = _request_before(session, index)
    first = session.transcript.turns[index - 1].number if request else None
    brief = short(turn.text) if request else ""
    told = answers(turn.text, request)
    if brief:
        text = f"Asked {quoted(clip(request, 14))}, the assistant said: {quoted(brief)}"
        told = [Answer(text=text, spoken=False, weight=0.45)]
    for one in told[:MOST_A_TURN]:
        text = one.text
        if one.pick and _taken(session, index):
            continue
        since = first if text.startswith(("On ", "Asked ")) else None
        language = language_of(text, session.language)
        if one.spoken:
            voice = Voice(name=ASSISTANT, other=session.cast.owner)
            bare = strip_talk(text, voice)
            written = write(bare, voice, session.days[index], language)
            plain = language != "en" or written.quoted or _OPENS.match(bare)
            text = written.text if plain else quote(bare, ASSISTANT, language)
        about = tuple(s for s in session.names.find(text) if s.kind is not SubjectKind.OTHER)
        session.answers += 1
        session.add(
            index,
            text,
            FactKind.FACT,
            one.weight,
            first=since,
            speaker=ASSISTANT,
            about=(session.project, *about),
            qualifier=Qualifier.ASSISTANT,
            language=language,
        )


def _taken(session: Session, index: int) -> bool:
    """Whether the user's next turn takes what is proposed: that becomes their decision."""
    turns = session.transcript.turns
    after = turns[index + 1].text[:400] if index + 1 < len(turns) and turns[index + 1].role is Role.USER else ""
    opening = next(iter(sentences(after)), "")
    return bool(opening) and exchange.agreed(opening, language_of(opening, session.language))


def _request_before(session: Session, index: int) -> str:
    """The task a user gave in the turn before, "" when there is none to name."""
    before = session.before(index)
    if session.cast.chat or before is None or before.role is not Role.USER or before.redacted:
        return ""
    if before.trusted_as is Trust.EXTERNAL:
        return ""
    found = ""
    most = 0
    for block in blocks(before.text[:3000]):
        for sentence in sentences(block.text):
            if "‹redacted:" in sentence or directive(sentence) or word_count(sentence) < 3:
                continue
            asks = is_question(sentence) or en.REQUEST.search(sentence) or not sentence.isascii()
            worth = len(content_words(sentence)) + (0 if sentence.isascii() else len(sentence) // 6)
            if asks and worth > most:
                found, most = sentence, worth
    return strip_talk(found, session.cast.voice(before)) or found


def read_call(session: Session, index: int, turn: Turn) -> None:
    """Add the files that a tool call wrote, and the figure that a run printed."""
    figure = agent.measured(turn) if turn.role is Role.TOOL and session.figures < MOST_FIGURES else ""
    if figure:
        session.figures += 1
        about = (session.project, *session.names.find(figure))
        text = f"Output of {turn.name or 'a tool'}: {quoted(figure)}"
        session.add(index, text, FactKind.FACT, 0.42, speaker=None, about=about)
    for path in agent.written_paths(turn, session.transcript.cwd):
        weight = agent.artefact_weight(path)
        if path in session.files or "‹redacted:" in path or weight < KEEP or len(session.files) >= MAX_FILES:
            continue
        session.files.add(path)
        qualifier = Qualifier.ASSISTANT if turn.trusted_as is Trust.AGENT else None
        text = f"File written: `{path}`."
        session.add(
            index, text, FactKind.ARTEFACT, weight, speaker=ASSISTANT, about=(session.project,), qualifier=qualifier
        )


def read_external(session: Session, index: int, turn: Turn) -> None:
    """Text from outside is a quoted source at most: two statements, none of it when it gives orders."""
    spoken = [s for b in blocks(turn.text) if b.kind is BlockKind.PROSE for s in sentences(b.text)]
    if any(directive(s) for s in spoken):
        return
    kept = 0
    for sentence in spoken:
        language = language_of(sentence, session.language)
        judged = judge(sentence, language, to_assistant=False)
        if judged is None or judged.question or judged.weight < KEEP or en.FIRST.search(sentence):
            continue
        if not 6 <= word_count(sentence) <= 36:
            continue
        source = turn.name or "a page from outside"
        text = f"{source[:1].upper()}{source[1:]}: {quoted(clip(sentence, 34))}"
        about = tuple(session.names.find(sentence))
        session.add(
            index, text, FactKind.FACT, KEEP, speaker=None, about=about, qualifier=Qualifier.EXTERNAL, language=language
        )
        kept += 1
        if kept == 2:
            return
