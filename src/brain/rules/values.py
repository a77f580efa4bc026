"""Values in a text, by kind and in one spelling: what a later statement may give anew.

    >>> [(one.kind, one.form) for one in values("The freeze moved from 3 June to 9 June, Ana Berg says.")]
    [('day', '06-03'), ('day', '06-09'), ('name', 'ana berg')]

Kinds are days, weekdays, times of day, amounts with their unit, names of two words and more, codes (PDF, MPL-2.0), and
words with a capital inside a sentence. `old` says that the text itself calls a value a former one: "from 3 June to …",
"nicht mehr am Dienstag", "ya no Urbano".
"""

# ruff: noqa: E501 — one language a line
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from brain.rules.days import NUMBER_WORDS
from brain.rules.when import places
from brain.rules.wording import STOP, canonical_number, stem
from brain.text import words

_STAMP = re.compile(r"\s*\([^()]*\d{4}-\d{2}[^()]*\)")
"""Days in brackets are the Dream's own: when something was said, or what a phrase about time meant."""

_WEEKDAYS = (
    r"mondays?|lundis?|montags?|lunes|понедельник\w*|понеділ\w+|周一|星期一|礼拜一|月曜日?",
    r"tuesdays?|mardis?|dienstags?|martes|вторник\w*|вівтор\w+|周二|星期二|礼拜二|火曜日?",
    r"wednesdays?|mercredis?|mittwochs?|mi[ée]rcoles|сред[ауыие]|серед[аиуі]|周三|星期三|礼拜三|水曜日?",
    r"thursdays?|jeudis?|donnerstags?|jueves|четверг\w*|четвер\w*|周四|星期四|礼拜四|木曜日?",
    r"fridays?|vendredis?|freitags?|viernes|пятниц\w|п['’]ятниц\w+|周五|星期五|礼拜五|金曜日?",
    r"saturdays?|samedis?|samstags?|s[áa]bados?|суббот\w|субот\w|周六|星期六|礼拜六|土曜日?",
    r"sundays?|dimanches?|sonntags?|domingos?|воскресень\w|неділ\w|周日|周天|星期日|星期天|礼拜天|日曜日?",
)
_WEEKDAY = tuple(re.compile(rf"(?<![^\W\d_])(?:{names})(?![a-zà-ÿ])", re.I) for names in _WEEKDAYS)
_TIME = re.compile(
    r"(?<![\d:.,-])(?P<h>[01]?\d|2[0-4])(?:(?:[:h.](?P<m>[0-5]\d))(?!\s?(?:€|%|\d|[$£]))\s?(?P<half>[ap]\.?m\b|uhr\b)?|\s?(?P<only>[ap]\.?m\b|uhr\b|h\b|時|点))(?![\d:-]|\.\d)",
    re.I,
)
_AMOUNT = re.compile(
    r"(?P<before>[$€£¥])?\s?(?<![A-Za-zÀ-ÿ\d.,-])(?P<n>\d+(?:[.,  '’]\d{3})*(?:[.,]\d{1,2})?)(?![\d.,]\d)\s?(?P<unit>%|[€$£¥]|[ぁ-ヿ一-龯]|[^\W\d_ぁ-ヿ一-龯]+)?"
)
_SPELLED = re.compile(r"(?<![\w-])(?P<n>[^\W\d_]+)\s(?P<unit>[a-zà-ÿ]{3,})", re.I)
_TOO_VAGUE = frozenset(
    [
        "a",
        "an",
        "one",
        "un",
        "une",
        "ein",
        "eine",
        "einem",
        "einer",
        "uno",
        "una",
        "couple",
        "few",
        "several",
        "один",
        "одна",
        "одне",
    ]
)
_CURRENCY = {
    "eur": "€", "euro": "€", "euros": "€", "usd": "$", "dollars": "$", "dollar": "$", "gbp": "£", "pounds": "£", "円": "¥", "yen": "¥",
}  # fmt: skip
_CAPITAL = r"[^\W\d_a-zà-ÿа-яіїєґё][\w’'-]*[a-zà-ÿа-яіїєґё][\w’'-]*"
_NAME = re.compile(rf"(?<![\w@#/.-]){_CAPITAL}(?:\s{_CAPITAL})+")
_ADDRESSED = re.compile(r"([一-龯々]{2,6})(?:さん|さま|様|氏|先生|先輩|先生)")
_WORD = re.compile(rf"(?<![\w@#/.-]){_CAPITAL}")
_KATAKANA = re.compile(r"[ァ-ヿー]{3,}語?")
_CODE = re.compile(
    r"(?<![\w.-])(?:[A-Z]{2,6}[0-9]?|[A-Za-z]{2,}-\d+(?:\.\d+)+|v?\d+\.\d+\.\d+|v\d+(?:\.\d+)*)(?![\w-]|\.\d)"
)
_NO_CODE = frozenset(
    ["OK", "AM", "PM", "TV", "AI", "IT", "US", "UK", "EU", "ID", "NO", "YES", "THE", "AND", "I", "II", "III", "IV"]
)
_NO_WORD = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "asked",
        "change",
        "correction",
    ]
)

_SMALL = r"(?:(?:the|a|an|on|at|of|to|by|am|im|den|dem|der|die|das|le|la|les|el|los|las|un|une|du|des|en|à|l['’]|d['’]|[«\"“(„])\s*){0,3}"
_GONE_BEFORE = re.compile(
    rf"(?:\b(?:over from|(?:up|down|cut|moved|went|slipped|raised|lowered|changed|switched|pushed|brought|postponed) to [^;]{{1,16}} from|not|no more|instead of|rather than|(?:gave|given|giving) up|stopped|dropped|used to be|replac\w+|no longer|was|left|quit)"
    rf"|\b(?:pas|plus|au lieu de|plutôt que|à la place de|abandonné|arrêté|quitté|remplac\w+)"
    rf"|\b(?:nicht|nicht mehr|statt|anstatt|anstelle von|kein|keine|keinen)"
    rf"|\b(?:no|ya no|en vez de|en lugar de|dejado|dejé|dejo|sustituy\w+)"
    rf"|\b(?:не|вже не|більше не|замість|було|був|була|попередн\w+|покинув|покинула|кинув|кинула)"
    rf"|\b(?:уже не|больше не|вместо|было|был|была|бросил|бросила)"
    rf"|不是|不再|原来|之前|原本)\s*{_SMALL}$",
    re.I,
)
_GIVEN_UP = re.compile(
    rf"(?:\b(?:no more|instead of|rather than|(?:gave|given|giving) up|stopped|dropped|quit|switched from|replac\w+|au lieu de|plutôt que|abandonné|arrêté|statt|anstatt|en vez de|en lugar de|dejado|замість|вместо))\s*{_SMALL}$",
    re.I,
)
_GIVEN_UP_AFTER = re.compile(r"^(?:はやめ|をやめ|から\w{1,12}[にへ])")
_FROM_BEFORE = re.compile(rf"(?:\b(?:from|vom?|de|d['’]|du|del|desde|з|із|с)\b|从|由)\s*{_SMALL}$", re.I)
_ONWARD = re.compile(r"^.{0,24}?(?:\b(?:to|auf|zu|zum|a|à|au|al|hasta|jusqu|на|до)\b|到|に|改)", re.I)
"""A way from one value to another: "from 3 June to …"; without an end, "from Ida" says whose it is."""

_GONE_AFTER = re.compile(
    r"^[ \"»”')]{0,2}(?:\s?(?:any ?more|any longer|no longer|didn['’]t|can['’]t|cannot|couldn['’]t|is (?:ill|sick|on leave|away|out|gone|off)|has no time|left\b|has left|quit\b|changed teams?|retired|moved on|stepped down|is leaving|leaves\b)"
    r"|\s?(?:ist (?:krank|weg|raus|verhindert)|fällt aus|nicht mehr|hat keine zeit|hat gekündigt|geht in)"
    r"|\s?(?:est (?:malade|parti|partie|absent)|n['’]est plus|ne \w+ plus|n['’]a plus|a quitté|s['’]en va)"
    r"|\s?(?:se ha (?:roto|ido|jubilado)|está (?:enferm|de baja)|ya no|deja\b|no puede|se va)"
    r"|\s?(?:захворі|не може|більше не|вже не|пішов|пішла|звільни)|\s?(?:заболе|не может|больше не|уже не|ушел|ушёл|ушла|уволи)"
    r"|(?:さん|様|氏)?(?:から|ではなく|でなく|じゃなく|はやめ|をやめ|が辞め|は辞め|に代わ|の代わ)|(?:改为|改成|换成|不行|不再))",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value: its kind, its one spelling, where it stands (offsets), and whether the text calls it a former one."""

    kind: str
    form: str
    start: int
    end: int
    old: bool = False

    def meets(self, other: Value) -> bool:
        """Whether both are the same value: a year left out, or a name told in part, is no difference."""
        if self.kind != other.kind:
            return False
        if self.kind == "day":
            return self.form[-5:] == other.form[-5:] and (
                min(len(self.form), len(other.form)) == 5 or self.form == other.form
            )
        if self.kind == "name":
            mine, others = set(self.form.split()), set(other.form.split())
            return mine <= others or others <= mine
        return self.form == other.form


@lru_cache(maxsize=16384)
def values(text: str) -> tuple[Value, ...]:
    """Every value of a text in its order, each place read once. Days in brackets are the Dream's own, and are none."""
    text = _STAMP.sub(lambda match: " " * len(match[0]), text)
    found: list[tuple[int, int, str, str]] = []

    def add(start: int, end: int, kind: str, form: str) -> None:
        if not any(start < last and first < end for first, last, _, _ in found):
            found.append((start, end, kind, form))

    for start, end, when in places(text):
        if when.month and when.day:
            year = f"{when.year:04}-" if when.year else ""
            add(start, end, "day", f"{year}{when.month:02}-{when.day:02}")
        else:
            add(start, end, "", "")
    for number, pattern in enumerate(_WEEKDAY):
        for match in pattern.finditer(text):
            add(match.start(), match.end(), "weekday", str(number))
    for match in _TIME.finditer(text):
        add(match.start(), match.end(), "time", _clock(match))
    for match in _ADDRESSED.finditer(text):
        add(match.start(1), match.end(1), "name", match[1])
    for match in _CODE.finditer(text):
        if match[0] not in _NO_CODE:
            add(match.start(), match.end(), "code", match[0].lower())
    for start, end, unit, form in _amounts(text):
        add(start, end, f"amount {unit}".rstrip(), form)
    for start, end, form in _names(text):
        add(start, end, "name", form)
    for start, end, form in _single(text):
        add(start, end, "word", form)
    placed = sorted(one for one in found if one[2])
    return tuple(
        Value(kind=kind, form=form, start=start, end=end, old=_is_old(kind, text, start, end))
        for start, end, kind, form in placed
    )


def bare(text: str, but: Sequence[Value]) -> str:
    """The text without these values and without stamps, for its other words."""
    text = _STAMP.sub(lambda match: " " * len(match[0]), text)
    for one in but:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _clock(match: re.Match[str]) -> str:
    hour, half = int(match["h"]), (match["half"] or match["only"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    return f"{hour:02}:{match['m'] or '00'}"


def _amounts(text: str) -> Iterator[tuple[int, int, str, str]]:
    for match in _AMOUNT.finditer(text):
        unit = match["before"] or match["unit"] or ""
        end = match.end() if match["unit"] and not match["before"] else match.end("n")
        low = unit.lower()
        if low in STOP:
            low, end = "", match.end("n")
        yield match.start(), end, _CURRENCY.get(low, stem(low) if low else ""), canonical_number(match["n"])
    for match in _SPELLED.finditer(text):
        number = NUMBER_WORDS.get(match["n"].lower())
        if number and match["n"].lower() not in _TOO_VAGUE and match["unit"].lower() not in STOP:
            yield match.start(), match.end(), stem(match["unit"].lower()), str(number)


def _names(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _NAME.finditer(text):
        parts, start = match[0].split(" "), match.start()
        while parts and (parts[0].lower() in STOP or parts[0].lower() in _NO_WORD):
            start += len(parts[0]) + 1
            parts = parts[1:]
        if len(parts) > 1:
            form = " ".join(word for part in parts for word in words(part))
            yield start, match.end(), form.replace("'s", "")


def _single(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _WORD.finditer(text):
        before = text[: match.start()].rstrip(" \"'“«„(*_[")
        low = match[0].lower().removesuffix("'s").removesuffix("’s")
        if before and before[-1] not in ".!?:;…" and low not in STOP and low not in _NO_WORD:
            yield match.start(), match.end(), low
    for match in _KATAKANA.finditer(text):
        yield match.start(), match.end(), match[0]


def _is_old(kind: str, text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 40) : start], text[end : end + 40]
    if kind == "word":  # "from Berlin", "not Ana": only what somebody gave up
        return bool(_GIVEN_UP.search(before) or _GIVEN_UP_AFTER.search(after))
    if _GONE_BEFORE.search(before) or _GONE_AFTER.search(after):
        return True
    return bool(_FROM_BEFORE.search(before) and _ONWARD.search(after))
