"""One life from its ledger to its sessions: facts drawn, spread over months, talked about, and asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from brain.bench.personas import cadence, outside
from brain.bench.personas.banks import language
from brain.bench.personas.chance import Chance
from brain.bench.personas.facts import Drawing
from brain.bench.personas.labour import Labour
from brain.bench.personas.ledger import Fact, Mention, Outside, Persona, Session, Spot
from brain.bench.personas.lives import persona as persona_of
from brain.bench.personas.talk import Writer
from brain.bench.personas.values import Maker

_WORK = {
    "fact": 6, "did": 4, "held": 4, "reported": 3, "made": 2, "tried": 3, "change": 4, "prefer": 2, "event": 4,
    "flow": 2, "rule": 2, "sum": 2, "list": 2, "role": 3,
}  # fmt: skip
_LIFE = {
    "fact": 4, "did": 1, "change": 3, "prefer": 4, "event": 3, "rule": 1, "sum": 1, "list": 2, "role": 1, "secret": 2,
    "gone": 1,
}  # fmt: skip
_APART = timedelta(days=6)  # between two values of the same thing
_MOST = 4  # things of the ledger told in one session


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What is written down of one persona."""

    persona: Persona
    facts: list[Fact]
    sessions: list[Session]
    records: list[Outside]
    spots: Mapping[str, Spot]
    asked_at: datetime


def history(seed: int, number: int) -> History:
    """The whole life of a persona, the same for the same seed and number."""
    persona = persona_of(seed, number)
    draw = Drawing(
        persona, Chance(seed, persona.id, "facts"),
        Maker(
            Chance(seed, persona.id, "values"), persona.tongue, persona.start, taken=(persona.name, *persona.people)
        ),
    )  # fmt: skip
    facts = list(draw.facts(persona.work, persona.tongue, limits=_WORK))
    found, records = outside.records(draw, Chance(seed, persona.id, "outside"))
    facts += found
    facts += draw.facts(language(persona.second), persona.second, limits=_LIFE)  # one life, told in one language
    chance = Chance(seed, persona.id, "sessions")
    sessions = cadence.sessions(persona, chance)
    sessions += _place(persona, facts, sessions, Chance(seed, persona.id, "places"))
    sessions.sort(key=lambda session: session.start)
    _write(persona, sessions, Chance(seed, persona.id, "words"))
    spots = {
        turn.mention: Spot(session=session.id, turn=number, at=turn.at, text=turn.text)
        for session in sessions
        for number, turn in enumerate(session.turns, start=1)
        if turn.mention
    }
    asked_at = max(session.turns[-1].at for session in sessions) + timedelta(days=3)
    return History(
        persona=persona, facts=facts, sessions=sessions, records=records, spots=spots, asked_at=asked_at
    )  # fmt: skip


def _place(persona: Persona, facts: list[Fact], sessions: list[Session], chance: Chance) -> list[Session]:
    """Give each mention a session, later values to later ones; the new sessions are those of private matters.

    A fact whose mentions find no room in the right order is not told at all.
    """
    apart = []
    for fact in facts:
        chosen: list[tuple[Mention, Session]] = []
        for order in sorted({mention.order for mention in fact.mentions}):
            same = [mention for mention in fact.mentions if mention.order == order]
            after = max((one.start for _, one in chosen), default=None)
            last = max(mention.order for mention in fact.mentions)
            for mention in same:
                if mention.private:
                    apart.append(_private(persona, mention, chance))
                    continue
                taken = {id(one) for _, one in chosen}
                fitting = [
                    one for one in _fitting(persona, mention, sessions, after, order, last) if id(one) not in taken
                ]
                if not fitting:
                    break
                chosen.append((mention, min(chance.some(fitting, 4), key=lambda one: len(one.mentions))))
        if len(chosen) == len(fact.mentions):
            for mention, session in chosen:
                session.mentions.append(mention)
                if mention.topic is not None and session.kind == "talk":
                    session.topic = mention.topic
    return apart


def _fitting(
    persona: Persona, mention: Mention, sessions: list[Session], after: datetime | None, order: int, last: int
) -> list[Session]:
    """Sessions in which a mention may be told. Of things that change, the first values come in the first part."""
    kinds = ("work",) if mention.by in ("tool", "outside", "assistant") else ("talk", "work")
    until = persona.start + timedelta(days=persona.days * (order + 1) / (last + 1))
    return [
        one
        for one in sessions
        if one.kind in kinds
        and (one.tongue == mention.tongue or mention.by == "outside")
        and len(one.mentions) < _MOST
        and (after is None or one.start > after + _APART)
        and one.start.date() < until
    ]


def _private(persona: Persona, mention: Mention, chance: Chance) -> Session:
    day = persona.start + timedelta(days=chance.number(3, persona.days))
    start = datetime(day.year, day.month, day.day, 22, chance.number(1, 40), tzinfo=persona.zone)
    return Session(
        id=chance.uuid(), host=chance.pick(persona.hosts), kind="private", start=start, tongue=mention.tongue,
        topic=mention.topic or 0, mentions=[mention],
    )  # fmt: skip


def _write(persona: Persona, sessions: list[Session], chance: Chance) -> None:
    writer = Writer(persona, chance)
    labour = Labour(writer)
    for session in sessions:
        write = {"one": writer.one, "talk": writer.talk, "private": writer.private, "work": labour.write}
        write[session.kind](session)
