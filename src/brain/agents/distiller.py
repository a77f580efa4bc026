"""Distilling by a model: notes and summary of a session as structured output, every line of it checked by code.

    chunks of turns → model → reply → sift (turns, dates, language, evidence, speaker) → facts and bullets

A reply that cannot be used goes back with the exact fault, at most twice; then the session fails and stays pending.
Parts of a reply that do not hold are sent back with the rest, and left out when they still do not hold.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from brain.agents.asking import ask_agent
from brain.agents.chunks import Chunk, chunks, shown
from brain.agents.form import answer_tokens, form_agent
from brain.agents.ledger import Ledger
from brain.agents.metered import Metered, metered
from brain.agents.models import context_tokens
from brain.agents.prompts import prompt, quoted
from brain.agents.reading import Reading
from brain.agents.replies import Distillate
from brain.agents.roles import Role as Part
from brain.agents.sift import Sieve
from brain.agents.tongue import spoken
from brain.agents.unfinished import Unfinished
from brain.distil import DistilContext, Distilled
from brain.distil.notes import snippets
from brain.distil.person import is_first_person
from brain.distil.sentences import word_count
from brain.distil.session import Session, open_session
from brain.distil.summary import BULLET_WORDS, MOST, summarise
from brain.errors import ContextOverflow
from brain.language import language_of
from brain.rules.text import relative_words
from brain.text import clip, est_tokens, one_line
from brain.tree import markdown
from brain.tree.summary import SECTIONS, Bullet, Outcome, Summary
from brain.types import Fact, Role, Transcript, Trust

if TYPE_CHECKING:
    from pydantic_ai import Agent, RunContext
    from pydantic_ai.models import Model

REPAIRS = 2
CUTS = 3
"""How often a chunk that was too much for the model is cut in two."""

CHUNK_TOKENS = 8_000
LEAST_TOKENS = 500
ANSWER_TOKENS = 3_000
"""Of new turns in one request, at most and at least, and of the answer when the settings do not say."""

_FAULTS = 12
_TITLE = 12


class ModelDistiller:
    """A distiller on any model. Nothing of a session is kept unless all of it could be read."""

    name = "model"

    def __init__(self, ledger: Ledger, *, model: Model | str | None = None) -> None:
        self.ledger = ledger
        self._given = model

    @cached_property
    def _model(self) -> Metered:
        return metered(self.ledger, Part.DISTIL, self._given)

    @property
    def model(self) -> str:
        return self._model.name

    def distil(
        self, transcript: Transcript, from_turn: int, context: DistilContext, previous: Summary | None = None
    ) -> Distilled:
        """Raises BadOutput, ContextOverflow, ModelFailed, BudgetExceeded, ConfigError."""
        last = transcript.turns[-1].number if transcript.turns else 0
        session = open_session(transcript, from_turn, last, context)
        done = _Done(session=session, so_far=previous.summary if previous and from_turn > 1 else "")
        for chunk in chunks(session.transcript.turns, from_turn, self._room):
            self._read(done, chunk, CUTS)
        return done.distilled(from_turn, previous)

    # -- one chunk

    def _read(self, done: _Done, chunk: Chunk, cuts: int) -> None:
        try:
            reply = self._asked(done, chunk)
        except (ContextOverflow, Unfinished):
            halves = chunk.halves() if cuts else None
            if halves is None:
                raise
            for half in halves:
                self._read(done, half, cuts - 1)
        else:
            done.take(reply)

    def _asked(self, done: _Done, chunk: Chunk) -> Reading:
        reply = Reading(sieve=done.sieve(chunk))
        ask_agent(
            self.ledger,
            self._agent,
            _request(done, reply.sieve, self.ledger.root),
            role=Part.DISTIL,
            model=self._model,
            deps=reply,
            requests=REPAIRS + 1,
        )
        return reply

    @cached_property
    def _agent(self) -> Agent[Reading, Distillate]:
        agent = form_agent(
            self.ledger,
            self._model,
            Distillate,
            deps=Reading,
            instructions=self._instructions,
            answer=self._answer,
            repairs=REPAIRS,
        )
        agent.output_validator(_checked)
        return agent

    @cached_property
    def _instructions(self) -> str:
        return prompt("distil", self.ledger.root)

    @property
    def _answer(self) -> int:
        return answer_tokens(self.ledger, Part.DISTIL, ANSWER_TOKENS)

    @cached_property
    def _room(self) -> int:
        """Tokens of new turns in one request: what the model's context leaves, within bounds."""
        context = context_tokens(self.ledger.config, Part.DISTIL, self._model)
        left = context - est_tokens(self._instructions) - self._answer - 2_000  # the schema, the frame, a repair
        return max(LEAST_TOKENS, min(CHUNK_TOKENS, left))


def _checked(ctx: RunContext[Reading], reply: Distillate) -> Distillate:
    """Sends a reply back with its faults; the last one is taken without the parts that do not hold."""
    from pydantic_ai import ModelRetry

    faults = ctx.deps.read(reply)
    fatal = [fault for fault in faults if fault.form]
    if faults and (fatal or ctx.retry < ctx.max_retries):
        listed = "\n".join(f"- {fault.reason}" for fault in (fatal or faults)[:_FAULTS])
        raise ModelRetry(f"Mend these and return the whole answer again:\n{listed}")
    return reply


def _request(done: _Done, sieve: Sieve, root: Path | None) -> str:
    session, chunk = sieve.session, sieve.chunk
    speaker = {turn.number: session.cast.speaker(turn) for turn in chunk.shown if turn.role is not Role.TOOL}
    words = " ".join(turn.text for turn in chunk.shown).casefold()
    known = [name for name in session.context.known if len(name) > 2 and name.casefold() in words]
    return prompt(
        "session",
        root,
        owner=session.cast.owner,
        speakers=", ".join(dict.fromkeys(speaker.values())) or session.cast.owner,
        language=sieve.language,
        known=", ".join(known[:40]) or "none",
        so_far=quoted(done.so_far) if done.so_far else "(none)",
        before=shown(chunk.before, speaker),
        turns=shown(chunk.turns, speaker),
        range=chunk.range,
    )


@dataclass(slots=True, kw_only=True)
class _Done:
    """A session as far as it was read."""

    session: Session
    so_far: str = ""
    facts: list[Fact] = field(default_factory=list)
    bullets: dict[str, list[Bullet]] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    title: str = ""
    outcome: str = ""
    language: str = field(init=False)

    def __post_init__(self) -> None:
        turns = self.session.transcript.turns
        said = " ".join(t.text[:400] for t in turns if t.role is Role.USER and t.trusted_as is Trust.OWNER)
        self.language = spoken(said, self.session.context.language)

    def sieve(self, chunk: Chunk) -> Sieve:
        return Sieve(session=self.session, chunk=chunk, language=self.language, so_far=markdown.plain(self.so_far))

    def take(self, reply: Reading) -> None:
        texts = {fact.text for fact in self.facts}
        self.facts += [fact for fact in reply.facts if fact.text not in texts]
        for section, bullets in reply.bullets.items():
            self.bullets.setdefault(section, []).extend(bullets)
        self.dropped += reply.dropped
        self.so_far = reply.paragraph or self.so_far
        if reply.told:
            self.title = self.title or one_line(reply.told.title)
            self.outcome = reply.told.outcome

    def distilled(self, from_turn: int, previous: Summary | None) -> Distilled:
        transcript, context = self.session.transcript, self.session.context
        base = summarise(transcript, self.facts, context, from_turn=from_turn, previous=previous)
        told = replace(base, summary=self.so_far) if self.so_far else base
        if self.outcome:
            told = replace(told, outcome=Outcome(self.outcome))
        named = transcript.title.strip() and transcript.title.strip() != transcript.external_id
        if self.title and not named and not self.session.cast.chat and self._is_title(self.title):
            told = replace(told, title=clip(self.title, 80))
        if self.bullets:
            told = replace(told, bullets=_joined(self.bullets, previous if from_turn > 1 else None))
        return Distilled(
            facts=tuple(self.facts),
            snippets=snippets(self.facts),
            summary=told,
            dropped={f"noted by the model: {what}": count for what, count in sorted(self.dropped.items())},
        )

    def _is_title(self, text: str) -> bool:
        """Few words of the right language that stay true: a title, not a sentence of the talk."""
        if word_count(text) > _TITLE or language_of(text, self.language) != self.language:
            return False
        return not relative_words(text, self.language) and not is_first_person(text)


def _joined(new: dict[str, list[Bullet]], previous: Summary | None) -> dict[str, tuple[Bullet, ...]]:
    """Bullets by section, those of before first, the latest of each section within the words a summary may have."""
    room = BULLET_WORDS
    found: dict[str, tuple[Bullet, ...]] = {}
    for section in SECTIONS:
        rows = [*(previous.bullets.get(section, ()) if previous else ()), *new.get(section, ())]
        kept: list[Bullet] = []
        for bullet in reversed(list(dict.fromkeys(rows))):
            words = word_count(bullet.text)
            if len(kept) < MOST[section] and words <= room:
                kept.append(bullet)
                room -= words
        if kept:
            found[section] = tuple(sorted(kept, key=lambda b: (b.first, b.last, b.text)))
    return found
