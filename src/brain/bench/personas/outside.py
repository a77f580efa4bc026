"""What only a connector holds: a calendar with meetings and a mailbox, with some facts that no session tells."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from brain.bench.personas.banks import Row, fill, language
from brain.bench.personas.chance import Chance
from brain.bench.personas.facts import Drawing
from brain.bench.personas.ledger import Fact, Mention, Outside, Persona
from brain.bench.personas.values import day_value
from brain.text import slugify
from brain.tree.files import write_atomic

CALENDAR, MAIL = "calendar", "mail"
_FILLER = 14  # meetings and mails beside those that are asked about


def records(draw: Drawing, chance: Chance) -> tuple[list[Fact], list[Outside]]:
    """Facts of which a record is the evidence (`Fact.extra` is its id), and all records, in no order."""
    persona, facts, found = draw.persona, [], []
    for kind, count in (("meet", 1), ("cal", 2), ("moved", 2), ("mail", 2)):
        for row in chance.some(_rows(persona, kind), count):
            fact, record = _RECORDS[kind](draw, row, chance)
            facts.append(fact)
            found.append(record)
    bank = language(persona.tongue)
    for at in range(_FILLER):
        slots = {**draw.slots(0), "n": str(chance.number(2, 40)), "h": str(chance.number(2, 9))}
        connector = CALENDAR if at % 2 else MAIL
        row = chance.pick(bank.of("appointment" if at % 2 else "letter"))
        title = fill(chance.pick(row.wordings(0)), slots)
        body = fill(row.columns[1], slots) if len(row.columns) > 1 else ""
        found.append(_record(draw, chance, connector, title, _some_day(persona, chance), body=body))
    claim = fill(chance.pick(bank.said("inject")), {"claim": chance.pick(bank.said("claim"))})
    title = fill(chance.pick(bank.of("appointment")).wordings(0)[0], draw.slots(0))
    found.append(_record(draw, chance, CALENDAR, title, _some_day(persona, chance), body=claim))
    return facts, found


def _rows(persona: Persona, kind: str) -> tuple[Row, ...]:
    return persona.work.of(kind) + language(persona.tongue).of(kind)


def _some_day(persona: Persona, chance: Chance) -> date:
    day = persona.start + timedelta(days=chance.number(5, persona.days + 25))
    return day - timedelta(days=max(0, day.weekday() - 4))


def _record(
    draw: Drawing, chance: Chance, connector: str, title: str, day: date, *, body: str = "", place: str = "",
    revised: date | None = None,
) -> Outside:  # fmt: skip
    domain = "mail.example" if connector == MAIL else "calendar.example"
    sender = chance.pick(draw.persona.people)
    clock = f"{chance.number(8, 18)}:{chance.pick(('00', '15', '30', '45'))}"
    return Outside(
        id=f"{chance.hex(10)}@{domain}", connector=connector, title=title, day=day, time=clock.zfill(5), place=place,
        body=body, sender=sender, revised=revised,
    )  # fmt: skip


def _meet(draw: Drawing, row: Row, chance: Chance) -> tuple[Fact, Outside]:
    """`meet | summary | asks`: asked is its day."""
    persona = draw.persona
    slots = draw.slots(draw.topic(*row.columns))
    day = _some_day(persona, chance)
    record = _record(draw, chance, CALENDAR, fill(row.columns[0], slots), day)
    value = day_value(day, persona.tongue)
    return draw.fact(row, persona.tongue, row.wordings(1), [], slots, values=[value], extra=record.id), record


def _cal(draw: Drawing, row: Row, chance: Chance) -> tuple[Fact, Outside]:
    """`cal | summary | VALUE | description with {v} | asks`: asked is what the entry says beside its day."""
    persona = draw.persona
    slots = draw.slots(draw.topic(*row.columns))
    (value,) = draw.maker.draw(row.columns[1])
    body = fill(row.columns[2], {**slots, "v": value.shown})
    record = _record(draw, chance, CALENDAR, fill(row.columns[0], slots), _some_day(persona, chance), body=body)
    return draw.fact(row, persona.tongue, row.wordings(3), [], slots, values=[value], extra=record.id), record


def _moved(draw: Drawing, row: Row, chance: Chance) -> tuple[Fact, Outside]:
    """`moved | says with {v} | summary | asks`: a session tells the day as planned, the calendar as it is now."""
    persona = draw.persona
    topic = draw.topic(*row.columns)
    slots = draw.slots(topic)
    old = persona.start + timedelta(days=chance.number(60, persona.days))
    new = old + timedelta(days=chance.pick((5, 6, 8, 9, 12, 13, 20)))
    before, after = day_value(old, persona.tongue), day_value(new, persona.tongue)
    said = draw.say(row, 0, {**slots, "v": before.shown})
    mention = Mention(id="", text=said, tongue=persona.tongue, topic=topic)
    record = _record(draw, chance, CALENDAR, fill(row.columns[1], slots), new, revised=old - timedelta(days=9))
    fact = draw.fact(
        row, persona.tongue, row.wordings(2), [mention], slots, values=[before, after], extra=record.id
    )  # fmt: skip
    return fact, record


def _mail(draw: Drawing, row: Row, chance: Chance) -> tuple[Fact, Outside]:
    """`mail | subject | VALUE | body with {v} | asks`."""
    persona = draw.persona
    slots = draw.slots(draw.topic(*row.columns))
    (value,) = draw.maker.draw(row.columns[1])
    body = fill(row.columns[2], {**slots, "v": value.shown})
    day = persona.start + timedelta(days=chance.number(10, persona.days))
    record = _record(draw, chance, MAIL, fill(row.columns[0], slots), day, body=body)
    return draw.fact(row, persona.tongue, row.wordings(3), [], slots, values=[value], extra=record.id), record


_RECORDS = {"meet": _meet, "cal": _cal, "moved": _moved, "mail": _mail}


def write(folder: Path, persona: Persona, found: list[Outside]) -> None:
    """`calendar.ics` and `mail.mbox`, with their records in the order of time."""
    found = sorted(found, key=lambda record: (record.day, record.time, record.id))
    write_atomic(folder / "calendar.ics", _calendar(persona, found).encode())
    write_atomic(folder / "mail.mbox", b"\n".join(_letter(persona, one) for one in found if one.connector == MAIL))


def _calendar(persona: Persona, found: list[Outside]) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Brain//invented calendar of a persona//EN"]
    for one in found:
        if one.connector != CALENDAR:
            continue
        stamp = datetime.combine(one.revised or one.day - timedelta(days=20), time(9), UTC)
        start = f"{one.day:%Y%m%d}T{one.time.replace(':', '')}00"
        lines += [
            "BEGIN:VEVENT",
            f"UID:{one.id}",
            f"DTSTAMP:{stamp:%Y%m%dT%H%M%SZ}",
            f"DTSTART;TZID={persona.zone.key}:{start}",
            "DURATION:PT1H",
            f"SEQUENCE:{1 if one.revised else 0}",
            f"SUMMARY:{_escaped(one.title)}",
            *([f"DESCRIPTION:{_escaped(one.body)}"] if one.body else []),
            *([f"LOCATION:{_escaped(one.place)}"] if one.place else []),
            "END:VEVENT",
        ]
    return "\r\n".join([*map(_folded, lines), "END:VCALENDAR", ""])


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Lines of a calendar are at most 75 bytes; what is longer goes on behind a space."""
    parts, part = [], ""
    for letter in line:
        if len((part + letter).encode()) > 73:
            parts.append(part)
            part = ""
        part += letter
    return "\r\n ".join([*parts, part])


def _letter(persona: Persona, one: Outside) -> bytes:
    at = datetime.combine(one.day, time.fromisoformat(one.time), persona.zone)
    letter = EmailMessage()
    letter["From"] = f"{one.sender} <{slugify(one.sender)}@mail.example>"
    letter["To"] = f"{persona.name} <{slugify(persona.name)}@mail.example>"
    letter["Subject"] = one.title
    letter["Date"] = format_datetime(at)
    letter["Message-ID"] = f"<{one.id}>"
    letter.set_content(one.body.replace("\nFrom ", "\n>From "), cte="base64" if not one.body.isascii() else "7bit")
    sender = f"From {slugify(one.sender)}@mail.example {at.astimezone(UTC):%a %b %d %H:%M:%S %Y}\n"
    return sender.encode() + letter.as_bytes()
