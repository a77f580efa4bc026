"""The stage between import and dream: a session's new turns become facts, snippets and a summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from brain.distil.context import DistilContext
from brain.distil.facts import facts
from brain.distil.notes import snippets
from brain.distil.summary import summarise
from brain.tree.note import Snippet
from brain.tree.summary import Summary
from brain.types import Fact, Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """What one session's new turns gave. `snippets` by note id; `merge_notes` files them into what is there.

    `dropped` counts what was noted and did not pass the checks, by reason.
    """

    facts: tuple[Fact, ...] = ()
    snippets: Mapping[str, tuple[Snippet, ...]] = field(default_factory=dict)
    summary: Summary
    dropped: Mapping[str, int] = field(default_factory=dict)


class Distiller(Protocol):
    """An engine of distilling. Its output is never trusted: rules and verification look at it like at anything else."""

    name: str

    def distil(
        self, transcript: Transcript, from_turn: int, context: DistilContext, previous: Summary | None = None
    ) -> Distilled:
        """Facts of the turns `from_turn`.. and the session's summary; `previous` is the summary so far.

        Raises BrainError when the session could not be read to its end: then nothing of it is kept.
        """
        ...


class ExtractiveDistiller:
    """Selection without a model."""

    name = "extractive"

    def distil(
        self, transcript: Transcript, from_turn: int, context: DistilContext, previous: Summary | None = None
    ) -> Distilled:
        found = facts(transcript, from_turn, None, context)
        summary = summarise(transcript, found, context, from_turn=from_turn, previous=previous)
        return Distilled(facts=tuple(found), snippets=snippets(found), summary=summary)
