"""What is not a person's word: an assistant's results and lists, files that tools wrote, text from outside."""

from __future__ import annotations

import re

from brain.distil import agent
from brain.distil import cues_en as en
from brain.distil.judge import KEEP, directive, is_question, judge
from brain.distil.rewrite import Voice, quoted, write
from brain.distil.sentences import clip, sentences, word_count
from brain.distil.session import Session
from brain.distil.speech import BlockKind, blocks
from brain.language import language_of
from brain.types import FactKind, Qualifier, Role, SubjectKind, Trust, Turn

ASSISTANT = "The assistant"
MAX_FILES = 12
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
    request = _request_before(session, index)
    heads = agent.suggestions(turn.text) if request and agent.ASKS_FOR_NAMES.search(request) else []
    if heads:
        text = agent.suggestion_text(request, heads)
        about = tuple(s for s in session.names.find(text) if s.kind is not SubjectKind.OTHER)
        first = session.transcript.turns[index - 1].number
        session.add(
            index,
            text,
            FactKind.FACT,
            0.42,
            first=first,
            speaker=ASSISTANT,
            about=about,
            qualifier=Qualifier.ASSISTANT,
        )


def _request_before(session: Session, index: int) -> str:
    """The task a user gave in the turn before, "" when there is none to name."""
    before = session.before(index)
    if session.cast.chat or before is None or before.role is not Role.USER or before.redacted:
        return ""
    if before.trusted_as is Trust.EXTERNAL:
        return ""
    for block in blocks(before.text[:3000]):
        for sentence in sentences(block.text):
            if "‹redacted:" in sentence or directive(sentence) or word_count(sentence) < 4:
                continue
            if is_question(sentence) or en.REQUEST.search(sentence):
                return sentence
    return ""


def read_call(session: Session, index: int, turn: Turn) -> None:
    """Add the files that a tool call wrote."""
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
