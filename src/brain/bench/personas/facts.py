"""From the rows of tables to facts of one life: values drawn, said in some wording, with twins and contrary voices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from brain.bench.personas.banks import Bank, Row, fill, language, slots_in
from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Fact, Mention, Persona
from brain.bench.personas.values import Maker, Value
from brain.errors import FormatError

CONTRARY = 0.35  # of facts: the assistant proposes another value, in vain
TWINS = 0.7  # of facts about an undertaking: the same is said of another one, with another value
PLANTED = 0.2  # of facts: a page or a mail of somebody else tells the assistant to store another value


class Drawing:
    """Draws the facts of one persona from its banks."""

    def __init__(self, persona: Persona, chance: Chance, maker: Maker) -> None:
        self.persona, self.chance, self.maker = persona, chance, maker
        self._count = 0
        self._alone = chance.shuffled(persona.people)

    def facts(self, bank: Bank, tongue: str, *, limits: dict[str, int]) -> Iterator[Fact]:
        """So many rows of each kind as facts; rows whose values are used up are passed over."""
        for kind, most in limits.items():
            made = 0
            for row in self.chance.shuffled(bank.of(kind)):
                if made >= most:
                    break
                try:
                    found = list(KINDS[kind](self, row, tongue))
                except FormatError as error:
                    if "values left" in str(error):
                        continue
                    raise
                made += bool(found)
                yield from found

    # Makings shared by the kinds

    def topic(self, *texts: str) -> int | None:
        return self.chance.number(0, len(self.persona.undertakings) - 1) if any("{u}" in t for t in texts) else None

    def slots(self, topic: int | None) -> dict[str, str]:
        first, second = self.chance.some(self.persona.people, 2)
        slots = {"p": first, "q": second, "c": self.persona.city}
        if topic is not None:
            slots["u"] = self.persona.undertakings[topic].alias
        return slots

    def alone(self) -> str:
        """Somebody of whom no role has been told yet, so that nobody lives in two places."""
        if not self._alone:
            raise FormatError("no people or values left", hint="ask for fewer roles")
        return self._alone.pop()

    def fact(
        self,
        row: Row,
        tongue: str,
        asks: tuple[str, ...],
        mentions: list[Mention],
        slots: dict[str, str],
        *,
        values: list[Value] | None = None,
        wrong: list[Value] | None = None,
        untold: str = "",
        extra: str = "",
    ) -> Fact:
        self._count += 1
        id = f"f{self._count:03d}"
        named = tuple(replace(mention, id=f"{id}.{at}") for at, mention in enumerate(mentions, start=1))
        return Fact(
            id=id, kind=row.kind, row=row.place, tongue=tongue, asks=asks, mentions=named, slots=slots,
            values=tuple(values or ()), wrong=tuple(wrong or ()), untold=untold, extra=extra,
        )  # fmt: skip

    def say(self, row: Row, column: int, slots: dict[str, str]) -> str:
        wordings = row.wordings(column)
        if not wordings:
            raise FormatError(f"{row.place}: column {column + 1} is empty", hint="see personas/facts.py")
        return fill(self.chance.pick(wordings), slots)

    def planted(self, row: Row, column: int, slots: dict[str, str], value: Value, tongue: str) -> Mention:
        """A text from outside that would have the assistant believe otherwise."""
        claim = self.say(row, column, {**slots, "v": value.shown, "w": value.shown})
        text = fill(self.chance.pick(language(tongue).said("inject")), {"claim": claim})
        return Mention(id="", text=text, tongue=tongue, by="outside", order=1)

    def against(self, value: Value, tongue: str) -> str:
        return fill(self.chance.pick(language(tongue).said("against")), {"w": value.shown})


def _fact(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`fact | VALUE | says | asks`: said once; where it is of an undertaking, often of a second one too."""
    topic = draw.topic(*row.columns[1:3])
    twins = topic is not None and draw.chance.happens(TWINS)
    contrary = draw.chance.happens(CONTRARY) and _is_choice(row) and draw.maker.could(row.columns[0], 4)
    values = draw.maker.draw(row.columns[0], 1 + twins + contrary, tongue=tongue)
    wrong = values.pop() if contrary else None
    slots = draw.slots(topic)
    others = [at for at in range(len(draw.persona.undertakings)) if at != topic]
    untold = draw.persona.undertakings[others[-1]].alias if twins and len(others) > 1 else ""
    told = [topic, others[0]] if twins else [topic]
    for at, value in list(zip(told, values, strict=True)):
        mine = slots if at is None else {**slots, "u": draw.persona.undertakings[at].alias}
        mention = Mention(
            id="", text=draw.say(row, 1, {**mine, "v": value.shown}), tongue=tongue, topic=at,
            by={"held": "tool", "reported": "assistant"}.get(row.kind, "user"),
            command=row.columns[3] if row.kind == "held" and len(row.columns) > 3 else "",
            against=draw.against(wrong, tongue) if wrong and at == topic else "",
        )  # fmt: skip
        mentions = [mention]
        if at == topic and draw.chance.happens(PLANTED) and draw.maker.could(row.columns[0], 2):
            (false,) = draw.maker.draw(row.columns[0], tongue=tongue)
            mentions.append(draw.planted(row, 1, mine, false, tongue))
            values.append(false)
        yield draw.fact(
            row, tongue, row.wordings(2), mentions, mine, values=[value],
            wrong=[*([wrong] if wrong and at == topic else []), *(one for one in values if one is not value)],
            untold=untold if at == topic else "",
        )  # fmt: skip


def _is_choice(row: Row) -> bool:
    """Whether it is of the work and somebody chose it, so that others may advise otherwise: no names, no counts."""
    spec = row.columns[0]
    counted = spec[:1].isdigit() and " " not in spec
    return row.kind == "fact" and len(row.place.partition(":")[0]) > 2 and not spec.startswith("@") and not counted


def _tried(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`tried | FAILED | WORKED | say failed | say worked | asks`: what did not help, and later what did."""
    topic = draw.topic(*row.columns[2:])
    failed, worked = draw.maker.draw(row.columns[0], tongue=tongue), draw.maker.draw(row.columns[1], tongue=tongue)
    slots = draw.slots(topic)
    mentions = [
        Mention(id="", text=draw.say(row, 2, {**slots, "v": failed[0].shown}), tongue=tongue, topic=topic),
        Mention(id="", text=draw.say(row, 3, {**slots, "v": worked[0].shown}), tongue=tongue, topic=topic, order=1),
    ]
    yield draw.fact(row, tongue, row.wordings(4), mentions, slots, values=worked, wrong=failed)


def _change(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`change | VALUES | say first | say second | say third | asks`: what held, and what holds since."""
    topic = draw.topic(*row.columns[1:])
    count = 3 if row.wordings(3) and draw.chance.happens(0.5) else 2
    values = draw.maker.draw(row.columns[0], count, tongue=tongue)
    if values[0].day is not None:
        values.sort(key=lambda value: value.day or draw.persona.start)
    slots = draw.slots(topic)
    mentions = [
        Mention(
            id="", text=draw.say(row, 1 + at, {**slots, "v": value.shown, "w": values[max(at - 1, 0)].shown}),
            tongue=tongue, topic=topic, order=at,
        )
        for at, value in enumerate(values)
    ]  # fmt: skip
    yield draw.fact(row, tongue, row.wordings(4), mentions, slots, values=values)


def _prefer(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`prefer | VALUES | says | asks | says corrected`: stated once, or corrected; somebody else wants it otherwise."""
    corrected = bool(row.wordings(3)) and draw.chance.happens(0.4)
    rival = draw.chance.happens(0.5) and draw.maker.could(row.columns[0], 3 + corrected)
    contrary = draw.chance.happens(CONTRARY) and draw.maker.could(row.columns[0], 3 + corrected + rival)
    values = draw.maker.draw(row.columns[0], 1 + corrected + rival + contrary, tongue=tongue)
    slots = draw.slots(None)
    wrong = [values.pop() for _ in range(rival + contrary)]
    mentions = [
        Mention(id="", text=draw.say(row, 3 if at else 1, {**slots, "v": value.shown}), tongue=tongue, order=at)
        for at, value in enumerate(values)
    ]
    if contrary:
        mentions[-1] = replace(mentions[-1], against=draw.against(wrong[0], tongue))
    if rival:
        said = fill(draw.chance.pick(language(tongue).said("rival")), {"p": slots["q"], "v": wrong[-1].shown})
        mentions.append(Mention(id="", text=said, tongue=tongue, by="rival", order=draw.chance.number(0, 1)))
    if draw.chance.happens(PLANTED) and draw.maker.could(row.columns[0], 2):
        wrong += draw.maker.draw(row.columns[0], tongue=tongue)
        mentions.append(draw.planted(row, 1, slots, wrong[-1], tongue))
    yield draw.fact(row, tongue, row.wordings(2), mentions, slots, values=values, wrong=wrong)


def _event(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`event | past or plan | says with {when} | asks | what it is called`: dated only by the day it is said on."""
    topic = draw.topic(*row.columns[1:])
    past = row.columns[0] == "past"
    whens = [when for when in language(tongue).of("when") if (int(when.columns[0]) < 0) == past]
    when = draw.chance.pick(whens)
    slots = draw.slots(topic)
    said = draw.say(row, 1, {**slots, "when": draw.chance.pick(when.wordings(1))})
    said = said[:1].upper() + said[1:]
    mention = Mention(id="", text=said, tongue=tongue, topic=topic, offset=int(when.columns[0]))
    noun = fill(row.columns[3], slots) if len(row.columns) > 3 else ""
    yield draw.fact(row, tongue, row.wordings(2), [mention], slots, extra=noun)


def _flow(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`flow | says with {steps} | step ~ once it is done; … | asks with {done}`: asked is what comes next."""
    steps = [tuple(part.strip() for part in item.split("~")) for item in row.items(1)]
    if any(len(step) != 2 for step in steps) or len(steps) < 4:
        raise FormatError(f"{row.place}: a flow needs four steps `do ~ done`", hint="see personas/facts.py")
    slots = draw.slots(None)
    joined = language(tongue).head["steps"].replace("_", " ").join(step for step, _ in steps)
    mention = Mention(id="", text=draw.say(row, 0, {**slots, "steps": joined}), tongue=tongue)
    at = draw.chance.number(0, len(steps) - 2)
    value = Value(kind="text", shown=steps[at + 1][0], answer=steps[at + 1][0])
    yield draw.fact(row, tongue, row.wordings(2), [mention], {**slots, "done": steps[at][1]}, values=[value])


def _rule(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`rule | VALUE | says | asks with {n} | 4..18`: a measure per unit, asked for so many units."""
    topic = draw.topic(*row.columns[1:])
    contrary = draw.chance.happens(CONTRARY)
    values = draw.maker.draw(row.columns[0], 1 + contrary, tongue=tongue)
    slots = draw.slots(topic)
    low, _, high = row.columns[3].partition("..")
    times = draw.chance.number(int(low), int(high))
    mention = Mention(
        id="", text=draw.say(row, 1, {**slots, "v": values[0].shown}), tongue=tongue, topic=topic,
        against=draw.against(values[1], tongue) if contrary else "",
    )  # fmt: skip
    yield draw.fact(
        row, tongue, row.wordings(2), [mention], {**slots, "n": str(times)}, values=values[:1], wrong=values[1:]
    )


def _sum(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`sum | VALUE | say | say | say … | asks`: amounts told on different days."""
    topic = draw.topic(*row.columns)
    slots = draw.slots(topic)
    says = range(1, len(row.columns) - 1)
    values = draw.maker.draw(row.columns[0], len(says), tongue=tongue)
    mentions = [
        Mention(id="", text=draw.say(row, at, {**slots, "v": value.shown}), tongue=tongue, topic=topic, order=0)
        for at, value in zip(says, values, strict=True)
    ]
    yield draw.fact(row, tongue, row.wordings(len(row.columns) - 1), mentions, slots, values=values)


def _list(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`list | a; b; c; … | says | asks`: three or four things told one at a time."""
    topic = draw.topic(*row.columns[1:])
    slots = draw.slots(topic)
    values = draw.maker.draw(row.columns[0], draw.chance.number(3, 4), tongue=tongue)
    says = draw.chance.shuffled(row.wordings(1))
    mentions = [
        Mention(
            id="", text=fill(says[at % len(says)], {**slots, "v": value.shown}), tongue=tongue, topic=topic, order=0
        )
        for at, value in enumerate(values)
    ]
    yield draw.fact(row, tongue, row.wordings(2), mentions, slots, values=values)


def _role(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`role | says with {p} | who that is`, with a `trait` of the language: who does it here, where they are there."""
    slots = {**draw.slots(draw.topic(*row.columns)), "p": draw.alone()}
    trait = draw.chance.pick(language(tongue).of("trait"))
    values = draw.maker.draw(trait.columns[0], tongue=tongue)
    mentions = [
        Mention(id="", text=draw.say(row, 0, slots), tongue=tongue),
        Mention(id="", text=draw.say(trait, 1, {**slots, "v": values[0].shown}), tongue=tongue),
    ]
    who = fill(row.columns[1], slots)
    yield draw.fact(row, tongue, trait.wordings(2), mentions, {**slots, "d": who}, values=values)


def _secret(draw: Drawing, row: Row, tongue: str) -> Iterator[Fact]:
    """`secret | VALUE | says | asks`: told in a session of its own, which is forgotten before the question is asked.

    `gone` is the same, forgotten by its words.
    """
    slots = draw.slots(None)
    values = draw.maker.draw(row.columns[0], tongue=tongue)
    mention = Mention(
        id="", text=draw.say(row, 1, {**slots, "v": values[0].shown}), tongue=tongue,
        private="terms" if row.kind == "gone" else "session",
    )  # fmt: skip
    yield draw.fact(row, tongue, row.wordings(2), [mention], slots, values=values)


KINDS: dict[str, Callable[[Drawing, Row, str], Iterator[Fact]]] = {
    "fact": _fact,
    "did": _fact,
    "made": _fact,
    "held": _fact,
    "reported": _fact,
    "tried": _tried,
    "change": _change,
    "prefer": _prefer,
    "event": _event,
    "flow": _flow,
    "rule": _rule,
    "sum": _sum,
    "list": _list,
    "role": _role,
    "secret": _secret,
    "gone": _secret,
}


def check(bank: Bank) -> Iterator[str]:
    """What is wrong with the rows of a bank, in words: for the tests of the tables."""
    for kind, rows in bank.rows.items():
        if kind not in KINDS:
            continue
        for row in rows:
            for column in row.columns:
                unknown = slots_in(column) - {"v", "w", "u", "p", "q", "c", "n", "when", "steps", "done", "d", "f"}
                if unknown:
                    yield f"{row.place}: nothing fills {sorted(unknown)}"
