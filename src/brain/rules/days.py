"""Does a text, said on a day, speak of this date? Literal dates and relative phrases, in many languages.

A claim's date is tested against the words and the time of its evidence, so nothing here guesses a date that is not
asked for. The phrases are matched independently of the distiller's table: one checks the other.
"""

# ruff: noqa: E501 — lists of words and patterns, one language a line
from __future__ import annotations

import re
from datetime import date, timedelta

MONTHS = (
    "january|jan|janvier|januar|enero|январ|січ|1月",
    "february|feb|février|fevrier|februar|febrero|феврал|лют|2月",
    "march|mar|mars|märz|marzo|март|берез|3月",
    "april|apr|avril|abril|апрел|квіт|4月",
    "may|mai|mayo|мая|май|мае|трав|5月",
    "june|jun|juin|juni|junio|июн|черв|6月",
    "july|jul|juillet|juli|julio|июл|лип|7月",
    "august|aug|août|aout|agosto|август|серп|8月",
    "september|sept|sep|septembre|septiembre|сентябр|верес|9月",
    "october|oct|octobre|oktober|octubre|октябр|жовт|10月",
    "november|nov|novembre|noviembre|ноябр|листопад|11月",
    "december|dec|décembre|decembre|dezember|diciembre|декабр|груд|12月",
)
"""Of each month, how its name begins in several languages, as alternatives of a pattern."""
_MONTH = tuple(
    re.compile(rf"(?<![^\W\d_])(?:{names})|(?<!\d){number}月", re.I) for number, names in enumerate(MONTHS, 1)
)
_WEEKDAYS = (
    "monday|mon\\b|lundi|montag|lunes|понедельник|понеділ|周一|星期一|礼拜一|月曜",
    "tuesday|tue\\b|tues\\b|mardi|dienstag|martes|вторник|вівтор|周二|星期二|礼拜二|火曜",
    "wednesday|wed\\b|mercredi|mittwoch|miércoles|miercoles|сред[ауые]|серед[ауи]|周三|星期三|礼拜三|水曜",
    "thursday|thu\\b|thurs\\b|jeudi|donnerstag|jueves|четверг|четвер|周四|星期四|礼拜四|木曜",
    "friday|fri\\b|vendredi|freitag|viernes|пятниц|п'ятниц|п’ятниц|周五|星期五|礼拜五|金曜",
    "saturday|sat\\b|samedi|samstag|sábado|sabado|суббот|субот|周六|星期六|礼拜六|土曜|weekend|week-end|выходн|вихідн|周末|週末",
    "sunday|sun\\b|dimanche|sonntag|domingo|воскресен|неділ|周日|周天|星期日|星期天|礼拜天|日曜|weekend|week-end|выходн|вихідн|周末|週末",
)
_WEEKDAY = tuple(re.compile(names, re.I) for names in _WEEKDAYS)

NUMBER_WORDS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "several": 4, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5,
    "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "dos": 2, "tres": 3, "cuatro": 4, "два": 2, "две": 2, "дві": 2, "три": 3,
    "четыре": 4, "чотири": 4, "пять": 5, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "十": 10,
}  # fmt: skip
_DAY_UNIT = "days?|jours?|tag(?:en|e)?|días?|дн(?:я|ей|і|ів|ями)|день|天|日"
_WEEK_UNIT = "weeks?|semaines?|wochen?|semanas?|недел[юиья]|тиж(?:день|ні|нів)|周|星期|週間?|礼拜"
_MONTH_UNIT = "months?|mois|monat(?:e|en)?|mes(?:es)?|месяц(?:а|ев)?|місяц(?:ь|і|ів)|个月|個月|か月|ヶ月|カ月"
_YEAR_UNIT = "years?|ans?|années?|jahre?n?|años?|год(?:а|у)?|лет|р(?:ік|оки|оків)|年"
_AMOUNT = re.compile(
    rf"(?P<n>[0-9]+|[^\W\d_]+|[一两二三四五六七十])\s*(?:of\s+)?(?:(?P<d>{_DAY_UNIT})|(?P<w>{_WEEK_UNIT})|(?P<m>{_MONTH_UNIT})|(?P<y>{_YEAR_UNIT}))(?![^\W\d_]*[a-zа-я])",
    re.I,
)
_UNIT_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}

# offset in days from the day it was said: phrases (matched anywhere, case-insensitively)
_NEAR = (
    ((0, 0), r"\btoday\b|tonight|this (?:morning|afternoon|evening)|just now|\bnow\b|currently|aujourd|ce soir|ce matin|heute|\bhoy\b|сегодня|сьогодні|今天|今日|今晚|今朝|今夜|本日"),
    ((-1, -1), r"yesterday|last night|\bhier\b|gestern|\bayer\b|anoche|вчера|вчора|昨天|昨日|昨晚|昨夜"),
    ((1, 1), r"tomorrow|demain|\bmorgen\b|mañana|завтра|明天|明日|明晚"),
    ((-2, -2), r"day before yesterday|avant-hier|vorgestern|anteayer|позавчера|позавчора|前天|一昨日|おととい"),
    ((2, 2), r"day after tomorrow|après-demain|übermorgen|pasado mañana|послезавтра|післязавтра|后天|後天|明後日|あさって"),
    ((-14, 0), r"last week|past week|semaine dernière|semaine passée|letzte[nr]? woche|vorige[nr]? woche|semana pasada|прошл\w+ недел|минул\w+ тиж|上周|上星期|上个星期|上礼拜|先週"),
    ((0, 14), r"next week|coming week|semaine prochaine|nächste[nr]? woche|próxima semana|semana que viene|следующ\w+ недел|наступн\w+ тиж|下周|下星期|下个星期|下礼拜|来週"),
    ((-7, 7), r"this week|cette semaine|diese[rn]? woche|esta semana|эт\w+ недел|ц\w+ тиж|本周|这周|这星期|今週|\bweekend\b|week-end|wochenende|fin de semana|выходн|вихідн|周末|週末"),
    ((-21, 0), r"recently|lately|the other day|récemment|kürzlich|neulich|recientemente|недавно|нещодавно|最近|先日|この間"),
    ((0, 21), r"\bsoon\b|bientôt|\bbald\b|pronto|скоро|незабаром|很快|もうすぐ|近いうち"),
    ((-62, 0), r"last month|past month|mois dernier|letzte[nr]? monat|mes pasado|прошл\w+ месяц|минул\w+ місяц|上个月|上月|先月"),
    ((0, 62), r"next month|mois prochain|nächste[nr]? monat|próximo mes|следующ\w+ месяц|наступн\w+ місяц|下个月|下月|来月"),
    ((-31, 31), r"this month|ce mois|diese[nr]? monat|este mes|эт\w+ месяц|ц\w+ місяц|本月|这个月|今月"),
    ((-730, 0), r"last (?:year|spring|summer|autumn|fall|winter)|(?:année|an) derni|letzte[ns]? jahr|año pasado|прошл\w+ (?:год|лет|зим|весн|осен)|минул\w+ (?:р|лі|зим|вес|ос)|торік|去年|昨年"),
    ((0, 730), r"next (?:year|spring|summer|autumn|fall|winter)|(?:année|an) prochain|nächste[ns]? jahr|próximo año|следующ\w+ (?:год|лет)|наступн\w+ (?:р|лі)|明年|来年"),
    ((-366, 366), r"this (?:year|spring|summer|autumn|fall|winter)|cette année|cet (?:été|automne|hiver)|diese[sn]? jahr|este año|эт\w+ (?:год|лет)|ц\w+ (?:року|лі)|今年"),
)  # fmt: skip
_NEAR_PATTERNS = tuple((span, re.compile(phrases, re.I)) for span, phrases in _NEAR)
_SLACK = 1  # the speaker's day and the turn's UTC day may differ by one
_DAY_IN_MONTH = re.compile(r"(?<![\d.:])([0-3]?\d)(?:st|nd|rd|th|er|\.|日|号|-?го|-?е)?(?![\d:]|[.,]\d)")


def speaks_of(text: str, day: date, said: date | None) -> bool:
    """Whether a text said on `said` gives the calendar day `day`, literally or by a relative phrase."""
    if _literal(text, day, said):
        return True
    if said is None:
        return False
    offset = (day - said).days
    if abs(offset) <= _SLACK:
        return True
    for (low, high), pattern in _NEAR_PATTERNS:
        if low - _SLACK <= offset <= high + _SLACK and pattern.search(text):
            return True
    if abs(offset) <= 15 and any(_WEEKDAY[(day.weekday() + shift) % 7].search(text) for shift in (0, -1, 1)):
        return True
    return any(abs(abs(offset) - days) <= slack for days, slack in _amounts(text))


def speaks_of_month(text: str, year: int, month: int, said: date | None) -> bool:
    """The same for a whole month, `2026-05` or May 2026."""
    if _MONTH[month - 1].search(text) and (str(year) in text or said is None or abs(_months(year, month, said)) <= 12):
        return True
    if f"{year}-{month:02d}" in text or re.search(rf"(?<!\d){month:02d}[./]{year}", text):
        return True
    if said is None:
        return False
    first = date(year, month, 1)
    middle = first + timedelta(days=14)
    return abs((middle - said).days) <= 17 or any(
        speaks_of(text, first + timedelta(days=step), said) for step in range(0, 31, 3)
    )


def speaks_of_year(text: str, year: int, said: date | None) -> bool:
    """The same for a year."""
    if re.search(rf"(?<!\d){year}(?!\d)", text):
        return True
    if said is None:
        return False
    if said.year == year:
        return True
    if any(
        p.search(text) and low - 366 <= (year - said.year) * 365 <= high + 366
        for (low, high), p in _NEAR_PATTERNS
        if high - low > 400
    ):
        return True
    return any(abs(abs(year - said.year) * 365 - days) <= slack + 366 for days, slack in _amounts(text) if days > 200)


def _months(year: int, month: int, said: date) -> int:
    return (year - said.year) * 12 + month - said.month


def _literal(text: str, day: date, said: date | None) -> bool:
    if day.isoformat() in text:
        return True
    near = said is None or abs((day - said).days) <= 400
    if _MONTH[day.month - 1].search(text) and (near or str(day.year) in text):
        for match in _MONTH[day.month - 1].finditer(text):
            around = text[max(0, match.start() - 14) : match.end() + 14]
            if any(
                int(m[1]) == day.day for m in _DAY_IN_MONTH.finditer(around.replace(match[0], " " + match[0] + " "))
            ):
                return True
    d, m, y = day.day, day.month, day.year
    for form in (
        rf"{d}/{m}",
        rf"{m}/{d}",
        rf"0?{d}[./-]0?{m}(?:[./-](?:{y}|{y % 100:02d}))?",
        rf"0?{m}/0?{d}(?:/(?:{y}|{y % 100:02d}))?",
    ):
        if re.search(rf"(?<![\d./-]){form}(?![\d/-]|\.\d)", text) and near:
            return True
    bare = re.search(rf"(?<!\d){d}(?:st|nd|rd|th|号|日)(?!\w)", text)
    return bare is not None and said is not None and abs((day - said).days) <= 45


def _amounts(text: str) -> list[tuple[int, int]]:
    """Distances a text speaks of, as (days, slack): `two weeks ago` is (14, 4)."""
    found = []
    for match in _AMOUNT.finditer(text):
        raw = match["n"].casefold()
        count = int(raw) if raw.isascii() and raw.isdigit() else NUMBER_WORDS.get(raw)
        unit = next(name for name in "dwmy" if match[name])
        if count is None or count > 3000:
            continue
        vague = 2 if raw in ("few", "several", "couple") else 1
        found.append((count * _UNIT_DAYS[unit], max(1, _UNIT_DAYS[unit] * 2 // 3) * vague))
    return found
