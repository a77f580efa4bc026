"""Questions about a life, each bound to the turns or records that hold its answer, with how it follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import combinations
from typing import Any

from brain.bench.personas.banks import fill, language
from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Fact, Persona, Spot
from brain.bench.personas.outside import CALENDAR, MAIL
from brain.bench.personas.values import Value, day_value, number_value

CATEGORIES = {
    "single-fact": 112,
    "multi-session": 88,
    "temporal": 80,
    "preference": 76,
    "knowledge-update": 80,
    "activity-detail": 80,
    "workflow": 48,
    "abstention": 38,
    "deletion": 38,
}
"""How many questions of each category 44 personas are asked: 640."""

_CATEGORY = {
    "fact": "single-fact",
    "cal": "single-fact",
    "mail": "single-fact",
    "did": "activity-detail",
    "held": "activity-detail",
    "reported": "activity-detail",
    "made": "activity-detail",
    "tried": "activity-detail",
    "change": "knowledge-update",
    "moved": "knowledge-update",
    "prefer": "preference",
    "event": "temporal",
    "meet": "temporal",
    "flow": "workflow",
    "rule": "workflow",
    "sum": "multi-session",
    "list": "multi-session",
    "role": "multi-session",
    "secret": "deletion",
    "gone": "deletion",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question as it goes into `questions.jsonl`. `setting["how"]` says by what steps the answer follows."""

    text: str
    category: str
    kind: str
    answer: str | None
    accepts: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    forget: Mapping[str, list[str]] | None = None
    evidence: tuple[Mapping[str, Any], ...] = ()
    setting: Mapping[str, Any] = field(default_factory=dict)


def drafts(persona: Persona, facts: list[Fact], spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    """Every question that could be asked about what came to be said; most of them will not be."""
    told = [fact for fact in facts if all(mention.id in spots for mention in fact.mentions)]
    for fact in told:
        yield from _KINDS.get(fact.kind, _stated)(persona, fact, spots, chance)
        if fact.untold:
            yield _untold(fact, chance)
    yield from _between(persona, told, spots, chance)
    yield from _kept(told, spots, chance)
    for tongue in dict.fromkeys((persona.tongue, persona.second)):
        for row in chance.some(language(tongue).of("trap"), 2):
            slots = {"p": chance.pick(persona.people), "u": chance.pick(persona.undertakings).alias}
            setting = {"how": "never told", "row": row.place, "tongue": tongue}
            text = fill(chance.pick(row.wordings(0)), slots)
            yield Question(text=text, category="abstention", kind="none", answer=None, setting=setting)


def _ask(fact: Fact, chance: Chance, **slots: str) -> str:
    return fill(chance.pick(fact.asks), {**fact.slots, **slots})


def _evidence(fact: Fact, spots: Mapping[str, Spot]) -> list[dict[str, Any]]:
    """The turns of what the person, their assistant and their tools said, not of others."""
    own = [spots[mention.id] for mention in fact.mentions if mention.by in ("user", "assistant", "tool")]
    return [{"session": spot.session, "turn": spot.turn} for spot in own]


def _setting(fact: Fact, how: str, **more: Any) -> dict[str, Any]:
    return {"how": how, "fact": fact.id, "row": fact.row, "tongue": fact.tongue, **more}


def _forms(values: list[Value] | tuple[Value, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for value in values for form in value.all))


def _wrong(fact: Fact) -> tuple[str, ...]:
    right = {form.casefold() for form in fact.values[-1].all}
    return tuple(value.shown for value in fact.wrong if value.shown.casefold() not in right)


def _stated(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    value, earlier = fact.values[-1], fact.values[:-1]
    current = _evidence(fact, spots)[-1:] if fact.mentions else []
    if fact.extra:
        connector = MAIL if fact.kind == "mail" else CALENDAR
        current = [{"connector": connector, "record": fact.extra}]
    yield Question(
        text=_ask(fact, chance),
        category=_CATEGORY[fact.kind],
        kind="preference" if fact.kind == "prefer" else value.kind,
        answer=value.answer,
        accepts=value.all[1:],
        stale=_forms(earlier),
        must_not=_wrong(fact) if fact.kind != "tried" else (),
        evidence=tuple(current),
        setting=_setting(fact, "stated", others=[value.shown for value in fact.wrong]),
    )


def _event(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    (mention,) = fact.mentions
    value = day_value(_day(persona, fact, spots), fact.tongue)
    yield Question(
        text=_ask(fact, chance), category="temporal", kind="date", answer=value.answer, accepts=value.all[1:],
        evidence=tuple(_evidence(fact, spots)), setting=_setting(fact, "day", offset=mention.offset),
    )  # fmt: skip


def _day(persona: Persona, fact: Fact, spots: Mapping[str, Spot]) -> date:
    (mention,) = fact.mentions
    return spots[mention.id].at.astimezone(persona.zone).date() + timedelta(days=mention.offset or 0)


def _flow(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    yield Question(
        text=_ask(fact, chance), category="workflow", kind="text", answer=fact.values[0].answer,
        evidence=tuple(_evidence(fact, spots)), setting=_setting(fact, "stated"),
    )  # fmt: skip


def _rule(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    value, times = fact.values[0], int(fact.slots["n"])
    result = number_value(round((value.number or 0) * times, 1), value.unit, fact.tongue)
    wrong = [number_value(round((one.number or 0) * times, 1), one.unit, fact.tongue).shown for one in fact.wrong]
    yield Question(
        text=_ask(fact, chance), category="workflow", kind="number", answer=result.answer, accepts=result.all[1:],
        must_not=tuple(wrong), evidence=tuple(_evidence(fact, spots)),
        setting=_setting(fact, "times", measure=value.shown, times=times),
    )  # fmt: skip


def _sum(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    total = number_value(round(sum(value.number or 0 for value in fact.values), 1), fact.values[0].unit, fact.tongue)
    yield Question(
        text=_ask(fact, chance), category="multi-session", kind="number", answer=total.answer, accepts=total.all[1:],
        evidence=tuple(_evidence(fact, spots)),
        setting=_setting(fact, "sum", parts=[value.shown for value in fact.values]),
    )  # fmt: skip


def _list(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    items = [value.shown for value in fact.values]
    yield Question(
        text=_ask(fact, chance), category="multi-session", kind="list", answer="; ".join(items),
        accepts=(", ".join(items),), evidence=tuple(_evidence(fact, spots)),
        setting=_setting(fact, "list", parts=items),
    )  # fmt: skip


def _role(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    value = fact.values[0]
    yield Question(
        text=_ask(fact, chance), category="multi-session", kind=value.kind, answer=value.answer, accepts=value.all[1:],
        evidence=tuple(_evidence(fact, spots)), setting=_setting(fact, "join", by=fact.slots["p"]),
    )  # fmt: skip


def _forgotten(persona: Persona, fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    spot = spots[fact.mentions[0].id]
    value = fact.values[0]
    forget = {"terms": [value.shown]} if fact.kind == "gone" else {"sessions": [spot.session]}
    yield Question(
        text=_ask(fact, chance), category="deletion", kind="none", answer=None, must_not=value.all, forget=forget,
        setting=_setting(fact, "forgotten", forgotten=[{"session": spot.session, "turn": spot.turn}]),
    )  # fmt: skip


def _untold(fact: Fact, chance: Chance) -> Question:
    """The same question of a subject nobody spoke of, where two others make it tempting."""
    values = tuple(dict.fromkeys(value.shown for value in (*fact.values, *fact.wrong)))
    return Question(
        text=_ask(fact, chance, u=fact.untold), category="abstention", kind="none", answer=None, must_not=values,
        setting=_setting(fact, "never told", of=fact.untold),
    )  # fmt: skip


def _between(persona: Persona, told: list[Fact], spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    """How many days lay between two things of which each was told on a day of its own."""
    named = [fact for fact in told if fact.kind == "event" and fact.extra]
    for first, second in chance.some(list(combinations(named, 2)), 4):
        days = abs((_day(persona, first, spots) - _day(persona, second, spots)).days)
        if first.tongue != second.tongue or days < 2:
            continue
        slots = {"a": first.extra, "b": second.extra}
        text = fill(chance.pick(language(first.tongue).said("between")), slots)
        evidence = (*_evidence(first, spots), *_evidence(second, spots))
        setting = _setting(first, "between", offsets=[one.mentions[0].offset for one in (first, second)])
        yield Question(
            text=text, category="temporal", kind="number", answer=str(days), evidence=evidence, setting=setting
        )


def _kept(told: list[Fact], spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    """What must still be known when something else has been forgotten."""
    forgotten = [fact for fact in told if fact.kind in ("secret", "gone")]
    others = [fact for fact in told if fact.kind == "fact" and not fact.extra]
    if not forgotten or not others:
        return
    fact, gone = chance.pick(others), chance.pick(forgotten)
    spot = spots[gone.mentions[0].id]
    forget = {"terms": [gone.values[0].shown]} if gone.kind == "gone" else {"sessions": [spot.session]}
    for question in _stated_alone(fact, spots, chance):
        setting = {**question.setting, "kept": True}
        yield replace(question, category="deletion", forget=forget, setting=setting)


def _stated_alone(fact: Fact, spots: Mapping[str, Spot], chance: Chance) -> Iterator[Question]:
    value = fact.values[-1]
    yield Question(
        text=_ask(fact, chance), category="single-fact", kind=value.kind, answer=value.answer, accepts=value.all[1:],
        must_not=_wrong(fact), evidence=tuple(_evidence(fact, spots)[-1:]), setting=_setting(fact, "stated"),
    )  # fmt: skip


_KINDS = {
    "event": _event,
    "flow": _flow,
    "rule": _rule,
    "sum": _sum,
    "list": _list,
    "role": _role,
    "secret": _forgotten,
    "gone": _forgotten,
}
