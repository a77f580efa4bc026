"""Who the personas are: names, cities, languages, undertakings, and the hosts they work with."""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from brain.bench.personas.banks import Bank, language, languages, works
from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Undertaking

_FIRST = date(2025, 1, 13)
_LATIN = ("de", "es", "fr")  # names of the people around are written the same in English
_SHELLS = ("claude-code", "codex", "gemini-cli")
_CHATS = ("chatgpt", "claude-ai", "dialogue")


def persona(seed: int, number: int) -> Persona:
    """The persona of a number, the same for the same seed whatever else is generated."""
    id = f"p{number:02d}"
    chance = Chance(seed, id, "life")
    order = Chance(seed, "works").shuffled(works())
    work = order[(number - 1) % len(order)]
    tongue = work.head["tongue"]
    second = tongue
    if tongue == "en" and chance.happens(0.4):
        second = chance.pick(languages())
    elif tongue in _LATIN and chance.happens(0.5):
        second = "en"
    zone, city = chance.pick([place.split("~") for place in language(tongue).listed("homes")])
    names = _names(chance, language(second if tongue == "en" else tongue), language(tongue))
    return Persona(
        id=id,
        name=names[0],
        work=work,
        tongue=tongue,
        second=second,
        zone=ZoneInfo(zone.strip()),
        city=city.strip(),
        people=tuple(names[1:]),
        undertakings=_undertakings(work, chance, (number - 1) // len(order)),
        hosts=(*chance.some(_SHELLS, chance.number(1, 2)), *chance.some(_CHATS, chance.number(1, 2))),
        start=_FIRST + timedelta(days=chance.number(0, 200)),
        days=chance.number(110, 240),
    )


def _undertakings(work: Bank, chance: Chance, turn: int) -> tuple[Undertaking, ...]:
    """Three of a profession's; of two personas of one profession each begins elsewhere in its list."""
    rows = work.of("undertaking")
    chosen = [rows[(turn * 3 + at) % len(rows)] for at in range(3)]
    return tuple(
        Undertaking(name=row.columns[0], alias=row.columns[1], folder=row.columns[2])
        for row in chance.shuffled(chosen)
    )  # fmt: skip


def _names(chance: Chance, own: Bank, around: Bank) -> list[str]:
    """One's own name and those of eight people around, no given or family name twice."""
    given, family = chance.shuffled(around.listed("given")), chance.shuffled(around.listed("family"))
    around_first = around.head.get("names") == "family first"
    people = [f"{family[at]}{given[at]}" if around_first else f"{given[at]} {family[at]}" for at in range(8)]
    first, last = chance.pick(own.listed("given")), chance.pick(own.listed("family"))
    return [
        f"{last}{first}" if own.head.get("names") == "family first" and own is around else f"{first} {last}",
        *people,
    ]
