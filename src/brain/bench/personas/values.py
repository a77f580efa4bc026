"""Values of facts: drawn from what a table allows, as they are said, and in every form in which they may be answered.

8..14 g        a whole number with its unit      1.2..3.8 mm    with one digit after the point
200..900/50 €  in steps                          red; green     one of these
@place @org @person @code                        made up        @day    a day some weeks ahead
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from brain.bench.personas.banks import language
from brain.bench.personas.chance import Chance
from brain.errors import FormatError

_RANGE = re.compile(r"(\d+(?:\.\d)?)\.\.(\d+(?:\.\d)?)(?:/(\d+))?(?: (.+))?")
_COMMA = {"de", "fr", "es", "uk"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """`shown` as people say it, `answer` as it is kept, `forms` other right ones. `kind` as questions have it."""

    kind: str
    shown: str
    answer: str
    forms: tuple[str, ...] = ()
    day: date | None = None
    number: float | None = None
    unit: str = ""

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.answer, self.shown, *self.forms)))


class Maker:
    """Draws values for one persona; none comes twice, and none that is taken already, as are the names around."""

    def __init__(self, chance: Chance, tongue: str, start: date, *, taken: Iterable[str] = ()) -> None:
        self._chance, self._tongue, self._start = chance, tongue, start
        self._taken = {text.casefold() for text in taken}

    def draw(self, spec: str, count: int = 1, *, tongue: str = "") -> list[Value]:
        """Different values of one kind, in no order. Raises FormatError when the table allows too few."""
        tongue = tongue or self._tongue
        found: list[Value] = []
        for _ in range(400):
            value = self._one(spec, tongue)
            key = value.shown.casefold()
            if key not in self._taken or (value.kind == "number" and all(key != one.shown.casefold() for one in found)):
                self._taken.add(key)
                found.append(value)
            if len(found) == count:
                return found
        raise FormatError(f"{spec!r} has no {count} values left", hint="give the table more to choose from")

    def could(self, spec: str, count: int) -> bool:
        """Whether so many options are left."""
        if spec.startswith("@") or _RANGE.fullmatch(spec):
            return True
        options = [part.strip() for part in spec.split(";")]
        return sum(option.partition("~")[0].strip().casefold() not in self._taken for option in options) >= count

    def _one(self, spec: str, tongue: str) -> Value:
        if match := _RANGE.fullmatch(spec):
            return _number(self._chance, match, tongue)
        if spec == "@day":
            return day_value(self._start + timedelta(days=self._chance.number(40, 200)), tongue)
        if spec.startswith("@"):
            return self._made(spec[1:], tongue)
        if ".." in spec:
            raise FormatError(f"{spec!r} is no range", hint="whole numbers, or one digit after the point in both")
        option = self._chance.pick([part.strip() for part in spec.split(";") if part.strip()])
        shown, *forms = (part.strip() for part in option.split("~"))
        return Value(kind="text", shown=shown, answer=shown, forms=tuple(forms))

    def _made(self, what: str, tongue: str) -> Value:
        bank = language(tongue)
        if what == "place":
            return _text(self._chance.pick(bank.listed("places")))
        if what == "person" and bank.head.get("names") == "family first":
            return _text(f"{self._chance.pick(bank.listed('family'))}{self._chance.pick(bank.listed('given'))}")
        if what == "person":
            return _text(f"{self._chance.pick(bank.listed('given'))} {self._chance.pick(bank.listed('family'))}")
        if what == "org":
            return _text(f"{self._chance.pick(bank.listed('orgs'))} {self._chance.pick(bank.listed('trades'))}")
        if what == "code":
            letters = "".join(self._chance.pick("ABCDEFGHKLMNPRSTUVWXYZ") for _ in range(2))
            return _text(f"{letters}-{self._chance.number(102, 989)}")
        if what == "time":
            shown = f"{self._chance.number(7, 19)}:{self._chance.pick(('05', '10', '20', '25', '35', '40', '50'))}"
            return Value(kind="text", shown=shown, answer=shown, forms=(shown.zfill(5),))
        raise FormatError(f"no value is called '@{what}'", hint="@place, @person, @org, @code, @time, @day")


def _text(text: str) -> Value:
    return Value(kind="text", shown=text, answer=text)


def _number(chance: Chance, match: re.Match[str], tongue: str) -> Value:
    low, high, step, unit = match[1], match[2], int(match[3] or 1), match[4] or ""
    if "." in low:
        number = chance.number(round(float(low) * 10), round(float(high) * 10)) / 10
        return number_value(number, unit, tongue)
    number = int(low) + step * chance.number(0, (int(high) - int(low)) // step)
    return number_value(number, unit, tongue)


def number_value(number: float, unit: str, tongue: str) -> Value:
    plain = f"{number:.2f}".rstrip("0").rstrip(".") if number % 1 else str(int(number))
    local = plain.replace(".", ",") if tongue in _COMMA else plain
    if number >= 10_000 and not number % 1:
        local = f"{int(number):,}".replace(",", {"en": ",", "ja": ",", "de": ".", "es": "."}.get(tongue, " "))
    glue = "" if tongue == "ja" else " "
    shown = f"{local}{glue}{unit}" if unit else local
    forms = (plain, local, f"{plain} {unit}".strip(), f"{plain}{unit}", f"{local}{unit}")
    return Value(
        kind="number",
        shown=shown,
        answer=f"{plain} {unit}".strip(),
        forms=tuple(form for form in dict.fromkeys(forms) if form != shown),
        number=number,
        unit=unit,
    )


def day_value(day: date, tongue: str) -> Value:
    """A day as it is said in a language, answered as an ISO date."""
    months = language(tongue).listed("months")
    month = months[day.month - 1]
    pattern = language(tongue).head["day"]
    shown = pattern.replace("D", str(day.day), 1).replace("M", month, 1)
    forms = [f"{shown} {day.year}", f"{day.day}.{day.month}.{day.year}", f"{day:%d.%m.%Y}", f"{day:%d/%m/%Y}"]
    if tongue == "en":
        forms += [f"{month} {day.day}", f"{month} {day.day}, {day.year}", f"{day.day} {month[:3]} {day.year}"]
    if tongue == "ja":
        forms = [f"{day.year}年{shown}", f"{day:%Y/%m/%d}"]
    return Value(kind="date", shown=shown, answer=day.isoformat(), forms=(shown, *forms), day=day)
