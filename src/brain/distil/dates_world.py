"""Phrases about time in languages other than English: a table for fr, de, es, uk, ru, zh, ja; dateparser for a few more."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from brain.distil.days import DateSpan, add_days, add_months, monday, next_weekday, weekday_before, weekend


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How one language says relative times. `fixed`: phrase → (unit, offset); `ago` and `ahead` hold groups n and unit;
    `weekday_last`/`weekday_next` hold a group day; `forms` are the absolute texts to write."""

    fixed: tuple[tuple[str, str, int], ...]
    ago: str
    ahead: str
    units: tuple[tuple[str, str], ...]
    numbers: dict[str, int]
    weekdays: tuple[str, ...]
    weekday_last: str
    weekday_next: str
    forms: dict[str, str]
    bounded: bool = True


def _numbers(words: str) -> dict[str, int]:
    return {form: i + 1 for i, forms in enumerate(words.split()) for form in forms.split("/")}


LANGUAGES: dict[str, Language] = {
    "fr": Language(
        fixed=(
            ("avant[- ]hier", "day", -2), ("après[- ]demain", "day", 2), ("hier soir|hier matin|hier", "day", -1),
            ("aujourd['’]hui|ce matin|ce soir|cet après-midi|cette nuit", "day", 0), ("demain matin|demain soir|demain", "day", 1),
            ("(?:la )?semaine (?:dernière|passée)", "week", -1), ("cette semaine", "week", 0), ("(?:la )?semaine prochaine", "week", 1),
            ("le week-?end (?:dernier|passé)", "weekend", -1), ("ce week-?end", "weekend", 0), ("le week-?end prochain", "weekend", 1),
            ("(?:le )?mois (?:dernier|passé)", "month", -1), ("ce mois-ci", "month", 0), ("(?:le )?mois prochain", "month", 1),
            ("(?:l['’])?(?:an dernier|an passé|année dernière|année passée)", "year", -1), ("cette année", "year", 0),
            ("(?:l['’])?(?:an prochain|année prochaine)", "year", 1), ("récemment|dernièrement", "recent", 0), ("bientôt", "soon", 0),
        ),
        ago=r"il y a (?P<exact>exactement |tout juste )?(?P<n>\w+) (?P<unit>jours?|semaines?|mois|ans?|années?)",
        ahead=r"(?:(?P<exact>exactement |d['’]aujourd['’]hui )?(?:dans|en(?<=hui en))) (?P<n>\w+) (?P<unit>jours?|semaines?|mois|ans?)",
        units=(("jour", "day"), ("semaine", "week"), ("mois", "month"), ("an", "year")),
        numbers=_numbers("un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"),
        weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        weekday_last=r"(?P<day>{days}) (?:dernier|passé)", weekday_next=r"(?P<day>{days}) prochain",
        forms={"day": "le {d}", "week": "la semaine du {d}", "weekend": "le week-end du {d}", "month": "en {m}", "year": "en {y}",
               "about": "vers {d}", "recent": "peu avant {d}", "soon": "après {d}"},
    ),
    "de": Language(
        fixed=(
            ("vorgestern", "day", -2), ("übermorgen", "day", 2), ("gestern(?: abend| morgen)?", "day", -1),
            ("heute(?: abend| morgen| früh)?", "day", 0), ("morgen(?: abend| früh)", "day", 1), ("(?<!guten )(?<!heute )(?<!gestern )(?<!am )morgen", "day", 1),
            ("letzte woche|vergangene woche", "week", -1), ("diese woche", "week", 0), ("nächste woche", "week", 1),
            ("letztes wochenende|am letzten wochenende", "weekend", -1), ("dieses wochenende", "weekend", 0), ("nächstes wochenende", "weekend", 1),
            ("letzten monat|im letzten monat", "month", -1), ("diesen monat", "month", 0), ("nächsten monat", "month", 1),
            ("letztes jahr|im letzten jahr", "year", -1), ("dieses jahr", "year", 0), ("nächstes jahr", "year", 1),
            ("kürzlich|neulich", "recent", 0), ("demnächst", "soon", 0),
        ),
        ago=r"(?P<exact>heute |genau )?vor (?P<n>\w+) (?P<unit>tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)", ahead=r"(?:(?P<exact>heute in|genau in|in genau)|in) (?P<n>\w+) (?P<unit>tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)",
        units=(("tag", "day"), ("woche", "week"), ("monat", "month"), ("jahr", "year")),
        numbers=_numbers("ein/einem/einer/einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"),
        weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"),
        weekday_last=r"letzten (?P<day>{days})", weekday_next=r"nächsten (?P<day>{days})",
        forms={"day": "am {d}", "week": "in der Woche ab {d}", "weekend": "am Wochenende ab {d}", "month": "in {m}", "year": "{y}",
               "about": "um {d}", "recent": "kurz vor {d}", "soon": "nach {d}"},
    ),
    "es": Language(
        fixed=(
            ("anteayer|antes de ayer", "day", -2), ("pasado mañana", "day", 2), ("ayer|anoche", "day", -1), ("hoy|esta mañana|esta noche|esta tarde", "day", 0),
            ("(?<!la )(?<!esta )(?<!pasado )(?<!por la )mañana", "day", 1), ("la semana pasada", "week", -1), ("esta semana", "week", 0),
            ("la próxima semana|la semana que viene", "week", 1), ("el fin de semana pasado", "weekend", -1), ("este fin de semana", "weekend", 0),
            ("el próximo fin de semana", "weekend", 1), ("el mes pasado", "month", -1), ("este mes", "month", 0), ("el próximo mes|el mes que viene", "month", 1),
            ("el año pasado", "year", -1), ("este año", "year", 0), ("el próximo año|el año que viene", "year", 1), ("recientemente", "recent", 0), ("pronto", "soon", 0),
        ),
        ago=r"hace (?P<exact>exactamente |justo )?(?P<n>\w+) (?P<unit>días?|semanas?|mes(?:es)?|años?)", ahead=r"(?:(?P<exact>de hoy en|exactamente (?:dentro de|en))|dentro de|en) (?P<n>\w+) (?P<unit>días?|semanas?|mes(?:es)?|años?)",
        units=(("día", "day"), ("semana", "week"), ("mes", "month"), ("año", "year")),
        numbers=_numbers("un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"),
        weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        weekday_last=r"(?:el )?(?P<day>{days}) pasado", weekday_next=r"(?:el )?próximo (?P<day>{days})",
        forms={"day": "el {d}", "week": "la semana del {d}", "weekend": "el fin de semana del {d}", "month": "en {m}", "year": "en {y}",
               "about": "hacia el {d}", "recent": "poco antes de {d}", "soon": "después de {d}"},
    ),
    "uk": Language(
        fixed=(
            ("позавчора", "day", -2), ("післязавтра", "day", 2), ("учора|вчора", "day", -1), ("сьогодні", "day", 0), ("завтра", "day", 1),
            ("минулого тижня", "week", -1), ("цього тижня", "week", 0), ("наступного тижня", "week", 1),
            ("минулих вихідних|на минулих вихідних", "weekend", -1), ("цих вихідних|на цих вихідних", "weekend", 0), ("наступних вихідних", "weekend", 1),
            ("минулого місяця", "month", -1), ("цього місяця", "month", 0), ("наступного місяця", "month", 1),
            ("минулого року|торік", "year", -1), ("цього року", "year", 0), ("наступного року", "year", 1), ("нещодавно", "recent", 0), ("незабаром|скоро", "soon", 0),
        ),
        ago=r"(?P<exact>рівно )?(?P<n>[\w'’]+) (?P<unit>день|дні|днів|тиждень|тижні|тижнів|місяць|місяці|місяців|рік|роки|років) тому",
        ahead=r"(?P<exact>рівно )?(?:через|за) (?P<n>[\w'’]+) (?P<unit>день|дні|днів|тиждень|тижні|тижнів|місяць|місяці|місяців|рік|роки|років)",
        units=(("дн", "day"), ("день", "day"), ("тиж", "week"), ("міс", "month"), ("р", "year")),
        numbers=_numbers("один/одну два/дві три чотири п'ять/п’ять шість сім вісім дев'ять/дев’ять десять одинадцять дванадцять тринадцять чотирнадцять п'ятнадцять/п’ятнадцять"),
        weekdays=("понеділ", "вівтор", "серед", "четвер", "п['’]ятниц", "субот", "неділ"),
        weekday_last=r"минул\w+ (?P<day>{days})\w*", weekday_next=r"наступн\w+ (?P<day>{days})\w*",
        forms={"day": "{d}", "week": "у тиждень від {d}", "weekend": "у вихідні {d}", "month": "у {m}", "year": "у {y} році",
               "about": "близько {d}", "recent": "незадовго до {d}", "soon": "після {d}"},
    ),
    "ru": Language(
        fixed=(
            ("позавчера", "day", -2), ("послезавтра", "day", 2), ("вчера", "day", -1), ("сегодня", "day", 0), ("завтра", "day", 1),
            ("на прошлой неделе", "week", -1), ("на этой неделе", "week", 0), ("на следующей неделе", "week", 1),
            ("(?:на|в) прошлые выходные|на прошлых выходных", "weekend", -1), ("на этих выходных|в эти выходные", "weekend", 0),
            ("в прошлом месяце", "month", -1), ("в этом месяце", "month", 0), ("в следующем месяце", "month", 1),
            ("в прошлом году", "year", -1), ("в этом году", "year", 0), ("в следующем году", "year", 1), ("недавно", "recent", 0), ("скоро", "soon", 0),
        ),
        ago=r"(?P<exact>ровно )?(?P<n>\w+) (?P<unit>день|дня|дней|недел\w|недель|месяц\w*|год|года|лет) назад",
        ahead=r"(?P<exact>ровно )?через (?P<n>\w+) (?P<unit>день|дня|дней|недел\w|недель|месяц\w*|год|года|лет)",
        units=(("д", "day"), ("нед", "week"), ("мес", "month"), ("г", "year"), ("лет", "year")),
        numbers=_numbers("один/одну два/две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать"),
        weekdays=("понедельник", "вторник", "сред", "четверг", "пятниц", "суббот", "воскресень"),
        weekday_last=r"в прошл\w+ (?P<day>{days})\w*", weekday_next=r"в следующ\w+ (?P<day>{days})\w*",
        forms={"day": "{d}", "week": "на неделе с {d}", "weekend": "в выходные {d}", "month": "в {m}", "year": "в {y} году",
               "about": "около {d}", "recent": "незадолго до {d}", "soon": "после {d}"},
    ),
    "zh": Language(
        fixed=(
            ("前天", "day", -2), ("后天|後天", "day", 2), ("昨天|昨晚|昨日", "day", -1), ("今天|今晚|今早|今日", "day", 0), ("明天|明晚|明早|明日", "day", 1),
            ("上周末|上週末|上个周末", "weekend", -1), ("这周末|這週末|这个周末|本周末", "weekend", 0), ("下周末|下週末|下个周末", "weekend", 1),
            ("(?:上周|上週|上星期|上个星期)(?![一二三四五六日天])", "week", -1), ("(?:这周|這週|本周|这个星期)(?![一二三四五六日天])", "week", 0),
            ("(?:下周|下週|下星期|下个星期)(?![一二三四五六日天])", "week", 1),
            ("上个月|上個月|上月", "month", -1), ("这个月|這個月|本月", "month", 0), ("下个月|下個月|下月", "month", 1),
            ("去年", "year", -1), ("今年", "year", 0), ("明年", "year", 1), ("前年", "year", -2), ("最近", "recent", 0),
        ),
        ago=r"(?P<n>\d{1,3}|[一两兩二三四五六七八九十])(?P<unit>天|周|週|个星期|星期|个月|個月|年)(?:前|以前|之前)",
        ahead=r"(?P<exact>整整|正好|今天起)?(?P<n>\d{1,3}|[一两兩二三四五六七八九十])(?P<unit>天|周|週|个星期|星期|个月|個月|年)(?:后|後|以后|之后)",
        units=(("天", "day"), ("周", "week"), ("週", "week"), ("个星期", "week"), ("星期", "week"), ("个月", "month"), ("個月", "month"), ("年", "year")),
        numbers=_numbers("一 两/兩/二 三 四 五 六 七 八 九 十"),
        weekdays=("一", "二", "三", "四", "五", "六", "[日天]"),
        weekday_last=r"上(?:个|個)?(?:周|週|星期)(?P<day>{days})", weekday_next=r"下(?:个|個)?(?:周|週|星期)(?P<day>{days})",
        forms={"day": "{d}", "week": "{d}那一周", "weekend": "{d}那个周末", "month": "{Y}年{M}月", "year": "{y}年", "about": "{d}前后",
               "recent": "{d}之前不久", "soon": "{d}之后"},
        bounded=False,
    ),
    "ja": Language(
        fixed=(
            ("一昨日|おととい", "day", -2), ("明後日|あさって", "day", 2), ("昨日|昨夜|昨晩|きのう", "day", -1), ("今日|今朝|今夜|今晩|本日", "day", 0), ("明日|あした", "day", 1),
            ("先週末", "weekend", -1), ("今週末", "weekend", 0), ("来週末", "weekend", 1),
            ("先週(?!の?[月火水木金土日]曜)", "week", -1), ("今週(?!の?[月火水木金土日]曜)", "week", 0), ("来週(?!の?[月火水木金土日]曜)", "week", 1),
            ("先月", "month", -1), ("今月", "month", 0), ("来月", "month", 1), ("去年|昨年", "year", -1), ("今年", "year", 0), ("来年", "year", 1),
            ("最近(?=は)", "about", 0), ("最近", "recent", 0),
        ),
        ago=r"(?P<exact>ちょうど)?(?P<n>\d{1,3}|[一二三四五六七八九十])(?P<unit>日|週間|か月|ヶ月|カ月|年)前",
        ahead=r"(?P<exact>ちょうど|今日から)?(?P<n>\d{1,3}|[一二三四五六七八九十])(?P<unit>日|週間|か月|ヶ月|カ月|年)後",
        units=(("日", "day"), ("週", "week"), ("か月", "month"), ("ヶ月", "month"), ("カ月", "month"), ("年", "year")),
        numbers=_numbers("一 二 三 四 五 六 七 八 九 十"),
        weekdays=("月", "火", "水", "木", "金", "土", "日"),
        weekday_last=r"(?:先週の?|前の)(?P<day>{days})曜日?", weekday_next=r"来週の?(?P<day>{days})曜日?",
        forms={"day": "{d}", "week": "{d}の週", "weekend": "{d}の週末", "month": "{Y}年{M}月", "year": "{y}年", "about": "{d}頃",
               "recent": "{d}の少し前", "soon": "{d}以降"},
        bounded=False,
    ),
}  # fmt: skip

_CHEAP = {
    "it": r"\b(?:ieri|oggi|domani|l'altro ieri|\d+ (?:giorni|settimane|mesi|anni) fa)\b",
    "pt": r"\b(?:ontem|hoje|amanhã|anteontem|há \d+ (?:dias|semanas|meses|anos))\b",
    "nl": r"\b(?:gisteren|vandaag|morgen|eergisteren|\d+ (?:dagen|weken|maanden|jaar) geleden)\b",
    "pl": r"\b(?:wczoraj|dzisiaj|jutro|przedwczoraj|\d+ (?:dni|tygodni|miesięcy|lat) temu)\b",
    "ko": r"(?:어제|오늘|내일|\d+(?:일|주|개월|년) 전)",
    "tr": r"\b(?:dün|bugün|yarın)\b",
    "sv": r"\b(?:igår|idag|imorgon)\b",
}
"""Phrases handed to dateparser, for languages without a table."""


@lru_cache(maxsize=32)
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    table = LANGUAGES[language]
    edge = r"(?<!\w)(?:{})(?!\w)" if table.bounded else "(?:{})"
    days = "|".join(table.weekdays)
    sources = (
        "|".join(f"(?P<f{i}>{phrase})" for i, (phrase, _, _) in enumerate(table.fixed)),
        table.ago,
        table.ahead,
        table.weekday_last.format(days=days),
        table.weekday_next.format(days=days),
    )
    return tuple(re.compile(edge.format(source), re.IGNORECASE) for source in sources)


def spans(sentence: str, said: date | None, language: str) -> list[DateSpan]:
    """Relative phrases of `sentence` in `language`, in order, not overlapping."""
    if language not in LANGUAGES:
        return _by_dateparser(sentence, said, language)
    table = LANGUAGES[language]
    fixed, ago, ahead, last, following = _patterns(language)
    found: list[DateSpan] = []
    for m in last.finditer(sentence):
        _add(found, m, table, "day", weekday_before(said, _weekday(table, m["day"])) if said else None, language)
    for m in following.finditer(sentence):
        _add(found, m, table, "day", next_weekday(said, _weekday(table, m["day"])) if said else None, language)
    for pattern, sign in ((ago, -1), (ahead, 1)):
        for m in pattern.finditer(sentence):
            if n := _number(table, m["n"]):
                unit = next((u for prefix, u in table.units if m["unit"].lower().startswith(prefix)), "day")
                if unit == "week" and m.groupdict().get("exact"):
                    unit, n = "day", 7 * n
                _add_shift(found, m, table, unit, sign * n, said)
    for m in fixed.finditer(sentence):
        _, unit, offset = table.fixed[int((m.lastgroup or "f0")[1:])]
        _add(found, m, table, unit, _moved(unit, offset, said) if said else None, language)
    return sorted(found, key=lambda s: s.start)


def distance(phrase: str, language: str) -> tuple[str, int] | None:
    """Unit and signed number of a phrase such as "hace dos semanas"; None when it is none."""
    if language not in LANGUAGES:
        return None
    table = LANGUAGES[language]
    _, ago, ahead, _, _ = _patterns(language)
    for pattern, sign in ((ago, -1), (ahead, 1)):
        if (m := pattern.search(phrase)) and (n := _number(table, m["n"])):
            return next((u for prefix, u in table.units if m["unit"].lower().startswith(prefix)), "day"), sign * n
    return None


def _weekday(table: Language, text: str) -> int:
    return next((i for i, day in enumerate(table.weekdays) if re.match(day, text, re.IGNORECASE)), 0)


def _number(table: Language, word: str) -> int:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else table.numbers.get(word.lower(), 0)


def _moved(unit: str, offset: int, said: date) -> date:
    if unit == "week":
        return monday(add_days(said, 7 * offset))
    if unit == "weekend":
        return weekend(said, offset)
    if unit == "month":
        return add_months(said.replace(day=1), offset)
    if unit == "year":
        return said.replace(year=min(max(said.year + offset, 1), 9999), day=1)
    return add_days(said, offset) if unit == "day" else said


def _add_shift(found: list[DateSpan], m: re.Match[str], table: Language, unit: str, n: int, said: date | None) -> None:
    if said is None:
        day, form = None, "day"
    elif unit == "day":
        day, form = add_days(said, n), "day"
    elif unit == "week":
        day, form = (add_days(said, 7 * n), "about") if abs(n) == 1 else (monday(add_days(said, 7 * n)), "week")
    elif unit == "month":
        day, form = add_months(said.replace(day=1), n), "month"
    else:
        day, form = _moved("year", n, said), "year"
    _add(found, m, table, form, day, "")


def _add(found: list[DateSpan], m: re.Match[str], table: Language, unit: str, day: date | None, _language: str) -> None:
    if any(s.start < m.end() and m.start() < s.end for s in found):
        return
    if day is None:
        found.append(DateSpan(start=m.start(), end=m.end(), instead=None, bare=None))
        return
    text = table.forms[unit].format(d=day, m=f"{day:%Y-%m}", y=day.year, Y=day.year, M=day.month)
    bare = text.removeprefix("le ").removeprefix("la ").removeprefix("el ").removeprefix("am ").removeprefix("en ")
    instead = text[:1].upper() + text[1:] if m.start() == 0 else text
    found.append(DateSpan(start=m.start(), end=m.end(), instead=instead, bare=bare))


def _by_dateparser(sentence: str, said: date | None, language: str) -> list[DateSpan]:
    if language not in _CHEAP:
        return []
    found: list[DateSpan] = []
    for m in re.finditer(_CHEAP[language], sentence, re.IGNORECASE):
        day = _parsed(m[0], said, language) if said else None
        found.append(
            DateSpan(start=m.start(), end=m.end(), instead=str(day) if day else None, bare=str(day) if day else None)
        )
    return found


@lru_cache(maxsize=2048)
def _parsed(phrase: str, said: date, language: str) -> date | None:
    import dateparser

    base = datetime(said.year, said.month, said.day, 12)
    when = dateparser.parse(phrase, languages=[language], settings={"RELATIVE_BASE": base})
    return when.date() if when else None
