"""Facts of a transcript's turns: the statements worth remembering, each self-contained, dated and attributed.

No model: every statement is a sentence of a turn, selected, made to stand alone and never added to.
"""

from __future__ import annotations

from brain.distil.context import DistilContext
from brain.distil.reported import read_assistant, read_call, read_external
from brain.distil.session import Session, open_session
from brain.distil.spoken import read_person
from brain.types import Fact, Role, Transcript, Trust, Turn


def facts(
    transcript: Transcript, first: int = 1, last: int | None = None, context: DistilContext | None = None
) -> list[Fact]:
    """Facts whose turns end within `first`..`last` (turn numbers, inclusive); earlier turns are context only.

    Deterministic. Nothing comes from system turns, machine blocks, recalled memory, code or redacted text.
    """
    end = last if last is not None else (transcript.turns[-1].number if transcript.turns else 0)
    session = open_session(transcript, first, end, context or DistilContext())
    for index, turn in enumerate(session.transcript.turns):
        if turn.number >= first:
            _read(session, index, turn)
        session.remember(turn)
    return session.out


def _read(session: Session, index: int, turn: Turn) -> None:
    if turn.redacted or turn.role is Role.SYSTEM:
        return
    if turn.call or turn.role is Role.TOOL:
        if turn.role is Role.ASSISTANT or turn.trusted_as is not Trust.EXTERNAL:
            read_call(session, index, turn)
        elif turn.trusted_as is Trust.EXTERNAL:
            read_external(session, index, turn)
    elif turn.role is Role.ASSISTANT:
        if turn.trusted_as is Trust.EXTERNAL:
            read_external(session, index, turn)
        else:
            read_assistant(session, index, turn)
    elif turn.trusted_as is Trust.EXTERNAL and not turn.name:
        read_external(session, index, turn)
    else:
        read_person(session, index, turn)
