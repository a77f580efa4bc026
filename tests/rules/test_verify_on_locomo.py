"""Verification on real chats: what the distiller lifts is supported, and the same statement falsified is not."""

from __future__ import annotations

import os
import re
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from brain.bench.datasets import locomo
from brain.distil.context import DistilContext
from brain.distil.facts import facts
from brain.rules import verify
from brain.types import Transcript

DATA = os.environ.get("BRAIN_TEST_DATA")
SESSION = "1eaf53d4-09e0-5823-bb96-c8662f582708"


def falsified(text: str, speaker: str | None, other: str) -> dict[str, str]:
    """The statement with another number, date or speaker."""
    out = {}
    if match := re.search(r"(?<![\d-])\d{1,3}(?![\d-])", text):
        out["number"] = f"{text[: match.start()]}{int(match[0]) + 7}{text[match.end() :]}"
    if match := re.search(r"\d{4}-\d\d-\d\d", text):
        moved = date.fromisoformat(match[0]) + timedelta(days=45)
        out["date"] = f"{text[: match.start()]}{moved.isoformat()}{text[match.end() :]}"
    if speaker and text.startswith(speaker):
        out["speaker"] = text.replace(speaker, other)
    return out


@pytest.mark.skipif(not DATA, reason="set BRAIN_TEST_DATA to a folder with data/locomo")
def test_lifted_statements_are_supported_and_falsified_ones_are_not() -> None:
    conversation = locomo.load(Path(DATA or "") / "data/locomo/locomo_dev6.json")[0]
    true: Counter[bool] = Counter()
    false: Counter[tuple[str, bool]] = Counter()
    for session in conversation.sessions:
        transcript = Transcript(
            id=SESSION,
            source="locomo",
            external_id=session.external_id,
            title=session.title,
            started_at=session.started_at,
            participants=tuple(session.participants),
            turns=session.turns,
        )
        for fact in facts(transcript, 1, len(transcript.turns), DistilContext()):
            turns = [t for t in transcript.turns if fact.first_turn <= t.number <= fact.last_turn]
            owners = conversation.speakers
            true[verify(fact.text, turns, qualifier=fact.qualifier, owners=owners).ok] += 1
            other = next(name for name in owners if name != turns[-1].name)
            for kind, text in falsified(fact.text, turns[-1].name, other).items():
                false[kind, verify(text, turns, qualifier=fact.qualifier, owners=owners).ok] += 1
    assert true[True] > 100
    assert true[False] <= 0.01 * true[True]
    assert false["number", True] == 0
    assert false["date", True] == 0
    assert false["speaker", True] <= 0.05 * false["speaker", False]
