"""What the first turns of a session tell before it is stored: whose run it was, a title, when it began."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from brain.ingest.noise import is_own_place, is_own_run
from brain.ingest.prepare import Prepared, Preparing
from brain.ingest.raw import RawSession, RawTurn
from brain.text import clip
from brain.types import Role, Transcript

PEEK = 200
"""Turns looked at for a title and a start."""


def looked_at(raw: RawSession) -> tuple[RawSession, bool]:
    """The session, and whether it is an agent's record of one of our own runs.

    Then its first user turn has their mark, or, with helpers of such an agent, it worked where only they do.
    """
    turns = iter(raw.turns)
    begun: list[RawTurn] = []
    for turn in turns:
        begun.append(turn)
        if turn.role is Role.USER or len(begun) >= PEEK:
            break
    ours = any(turn.role is Role.USER and is_own_run(turn.text) for turn in begun)
    return replace(raw, turns=chain(begun, turns)), ours or is_own_place(raw.cwd)


def named(head: Transcript, turns: list[Prepared], preparing: Preparing) -> Transcript:
    """The head with what only the turns can say: a title and a start, where the source gave none."""
    spoken = next((item.turn.text for item in turns if item.turn.role is Role.USER), None)
    spoken = spoken or next(
        (item.turn.text for item in turns if item.turn.role is Role.ASSISTANT and not item.turn.name), None
    )
    title = head.title or preparing.title(spoken or "") or f"{head.source} session {clip(head.external_id, 40)}"
    started = head.started_at or next((item.turn.time for item in turns if item.turn.time), None)
    return replace(head, title=title, started_at=started)
