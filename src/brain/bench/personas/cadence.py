"""When somebody sits down to work: quiet weeks, days full of sessions, one-liners, long afternoons with tools."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Session

TURNS = 2_300
"""Turns of one persona on the average. They vary by half of it, as people do."""

_CHATS = {"chatgpt", "claude-ai", "dialogue"}
_TALK, _WORK = 13, 47  # turns of a usual session of either kind, for planning only


def sessions(persona: Persona, chance: Chance) -> list[Session]:
    """Empty sessions in the order of time, none overlapping another."""
    tools = max(0.25, float(persona.work.head.get("tools", "0.3")))
    wanted = TURNS * (0.7 + 0.7 * chance.share())
    each = 0.25 * 2 + 0.75 * ((1 - tools) * _TALK + tools * _WORK)
    count = max(24, round(wanted / each))
    found: list[Session] = []
    for start in _starts(persona, chance, count):
        roll = chance.share()
        kind = "one" if roll < 0.25 else "work" if roll < 0.25 + 0.75 * tools else "talk"
        second = persona.second != persona.tongue and kind != "work" and chance.happens(0.45)
        found.append(
            Session(
                id=chance.uuid(),
                host=_host(persona, chance, kind),
                kind=kind,
                start=start,
                tongue=persona.second if second else persona.tongue,
                topic=chance.number(0, len(persona.undertakings) - 1),
            )
        )
    return found


def _host(persona: Persona, chance: Chance, kind: str) -> str:
    shells = [host for host in persona.hosts if host not in _CHATS]
    chats = [host for host in persona.hosts if host in _CHATS] or shells
    if kind == "work":
        return chance.pick(shells or chats)
    return chance.pick(chats) if chance.happens(0.75) else chance.pick(persona.hosts)


def _starts(persona: Persona, chance: Chance, count: int) -> Iterator[datetime]:
    """As many beginnings as wanted: days in a rhythm of calm, usual and full weeks; up to seven sessions on one day."""
    days: list[int] = []
    day = 0
    while day < persona.days:
        pace = chance.pick(("calm", "usual", "usual", "usual", "full", "away"))
        length = chance.number(4, 12) if pace != "away" else chance.number(9, 24)
        share = {"calm": 0.2, "usual": 0.55, "full": 0.9, "away": 0.0}[pace]
        for at in range(day, min(day + length, persona.days)):
            weekend = (persona.start + timedelta(days=at)).weekday() >= 5
            if chance.happens(share * (0.35 if weekend else 1)):
                days += [at] * (chance.number(1, 3) if pace != "full" else chance.number(2, 6))
        day += length
    while len(days) < count:
        days.append(chance.number(0, persona.days - 1))
    chosen = sorted(chance.some(days, count))
    last: datetime | None = None
    for at in chosen:
        date = persona.start + timedelta(days=at)
        if last is None or last.date() != date:
            start = datetime.combine(date, time(chance.number(7, 10), chance.number(0, 59)), persona.zone)
        else:
            start = last + timedelta(minutes=chance.number(35, 130))
        if start.hour >= 21 or start.date() != date:
            continue
        last = start
        yield start
