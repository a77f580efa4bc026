# ruff: noqa: E501 — lists of words, one language a line
"""TXT: claims stay true when read later: absolute dates, and each said once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain.rules.context import Context
from brain.rules.rule import Found, graph_rule, page_rule, path_rule
from brain.rules.wording import plain, unquoted
from brain.text import jaccard, shingles
from brain.tree import markdown
from brain.tree.claims import Claim
from brain.tree.layout import FileClass, classify, page_path
from brain.tree.page import Page

_UNIT = r"(?:days?|weeks?|weekends?|months?|years?|hours?|minutes?|nights?|summers?|winters?)"
_PERIOD = r"(?:week|weekend|month|year|night|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|evening|morning|afternoon|quarter|semester|january|february|march|april|may|june|july|august|september|october|november|december)"
RELATIVE: dict[str, re.Pattern[str]] = {
    language: re.compile(pattern, re.IGNORECASE)
    for language, pattern in {
        "en": rf"\b(?:today|yesterday|tomorrow|tonight|(?:last|next|this|past|coming) {_PERIOD}(?! of\b)|the (?:other day|day (?:before|after) (?:yesterday|tomorrow))"
        rf"|(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|several|a couple of|many) {_UNIT} ago|in (?:\d+|an?|two|three|a few|a couple of) {_UNIT}(?: time)?(?= from now|[.,;]?$)"
        r"|recently|lately|(?<!as )soon(?! after)|nowadays|these days|right now|at the moment|currently|just now|earlier today|later today)\b",
        "fr": r"\b(?:aujourd['’]hui|hier|demain|avant-hier|après-demain|ce (?:soir|matin|week-end|mois(?:-ci)?)|cette (?:semaine|année|nuit)|cet (?:été|hiver|automne|après-midi)"
        r"|(?:la semaine|le mois|l['’]année|l['’]an|l['’]été|le week-end|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) (?:derni[eè]re?|prochaine?|passée?)|il y a (?:\d+|une?|deux|trois|quatre|quelques) (?:jours?|semaines?|mois|ans?)"
        r"|récemment|bientôt|dernièrement|ces jours-ci|en ce moment|actuellement|tout à l['’]heure|dans (?:\d+|une?|deux|trois|quelques) (?:jours?|semaines?|mois|ans?))\b",
        "de": r"\b(?:heute|gestern|vorgestern|übermorgen|(?<!am )(?<!jeden )morgen(?= (?:früh|abend|nachmittag)|[.,;]|$)|(?:letzte|nächste|diese|vorige|kommende)[nrsm]? (?:woche|monat|jahr|wochenende|nacht|sommer|winter|frühling|herbst|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
        r"|vor (?:\d+|einem|einer|zwei|drei|vier|einigen|ein paar) (?:tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)|neulich|kürzlich|bald|zurzeit|derzeit|momentan|gerade eben)\b",
        "es": r"\b(?:hoy|ayer|anteayer|pasado mañana|(?<!la )(?<!por la )mañana(?= por|[.,;]|$)|anoche|esta (?:semana|noche|mañana|tarde)|este (?:mes|año|verano|fin de semana)"
        r"|(?:la semana|el mes|el año|el verano|el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)) (?:pasad[oa]|que viene|próxim[oa])|(?:la próxima semana|el próximo (?:mes|año))|hace (?:\d+|un|una|dos|tres|unos|unas|pocos) (?:días?|semanas?|mes(?:es)?|años?)"
        r"|recientemente|últimamente|pronto|actualmente|ahora mismo)\b",
        "uk": r"(?<!\w)(?:сьогодні|вчора|завтра|позавчора|післязавтра|(?:минул|наступн|цьог|ц)\w{1,3} (?:тиж\w+|місяц\w+|ро(?:ку|ці|ків)|літ\w*|зим\w*|весн\w*|ос(?:ені|інь)|вихідн\w+|понеділ\w+|вівтор\w+|серед\w+|четвер\w*|п['’]ятниц\w+|субот\w+|неділ\w+)"
        r"|(?:\d+|два|дві|три|чотири|кілька|тиждень|місяць|рік) ?(?:дн\w+|тиж\w+|місяц\w+|рок\w+|років)? ?тому|торік|нещодавно|скоро|незабаром|зараз|наразі|цими днями)(?!\w)",
        "ru": r"(?<!\w)(?:сегодня|вчера|завтра|позавчера|послезавтра|(?:прошл|следующ|эт)\w{1,3} (?:недел\w+|месяц\w*|год\w*|лет\w*|зим\w*|весн\w*|осен\w*|выходн\w+|понедельник\w*|вторник\w*|сред\w+|четверг\w*|пятниц\w+|суббот\w+|воскресень\w+)"
        r"|(?:\d+|два|две|три|четыре|несколько|неделю|месяц|год) ?(?:дн\w+|недел\w+|месяц\w+|год\w*|лет)? ?назад|недавно|скоро|сейчас|на днях|в последнее время)(?!\w)",
        "zh": r"今天|昨天|明天|前天|后天|後天|今晚|昨晚|(?:上|下|这|這|本)(?:个|個)?(?:周|週|星期|礼拜|禮拜|月)(?!末尾)|去年|今年|明年|前年|最近|不久前|刚才|剛才|目前|现在|現在|[0-9一两二三四五六七八九十几]+(?:天|周|个星期|个月|年)(?:前|后)(?!的今天)",
        "ja": r"今日|昨日|明日|一昨日|おととい|明後日|あさって|今夜|昨夜|今朝|(?:先|来|今)(?:週|月)|去年|昨年|今年|来年|最近|この間|先日|もうすぐ|近いうち|さっき|現在|[0-9一二三四五六七八九十数]+(?:日|週間|か月|ヶ月|カ月|年)(?:前|後)(?!半)",
        "it": r"\b(?:oggi|ieri|domani|l['’]altro ieri|dopodomani|stasera|stamattina|questa settimana|questo mese|(?:la settimana|il mese|l['’]anno) (?:scors[oa]|prossim[oa])|(?:\d+|un|una|due|tre|pochi|qualche) (?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa|recentemente|presto|attualmente)\b",
        "pt": r"\b(?:hoje|ontem|amanhã|anteontem|depois de amanhã|esta (?:semana|noite)|este (?:mês|ano)|(?:a semana|o mês|o ano) (?:passad[oa]|que vem)|(?:semana|mês|ano) passad[oa]|há (?:\d+|um|uma|dois|duas|três|alguns|algumas) (?:dias?|semanas?|m[eê]s(?:es)?|anos?)|recentemente|em breve|atualmente)\b",
        "nl": r"\b(?:vandaag|gisteren|morgen(?=[.,;]|$)|eergisteren|overmorgen|vanavond|vanochtend|(?:vorige|volgende|deze|afgelopen) (?:week|maand|nacht|zomer|winter|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)|(?:vorig|volgend|dit) (?:jaar|weekend)|(?:\d+|een|twee|drie|paar) (?:dagen|dag|weken|week|maanden|maand|jaar) geleden|onlangs|binnenkort|momenteel)\b",
        "pl": r"(?<!\w)(?:dzisiaj|dziś|wczoraj|jutro|przedwczoraj|pojutrze|(?:zeszł|ostatni|przyszł|następn|t)\w{1,3} (?:tygodni\w*|tydzień|miesiąc\w*|rok\w*|lat\w*)|(?:\d+|dwa|trzy|kilka) (?:dni|tygodni\w*|miesi\w+|lat\w*) temu|niedawno|wkrótce|obecnie|ostatnio)(?!\w)",
    }.items()
}
"""Words whose meaning moves with the day they are read, by language; a page is tested in its own and in English."""

_ABSOLUTE = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_UNIT_SECTIONS = frozenset({"Status", "Timeline"})


def relative_words(text: str, language: str) -> list[str]:
    """Relative time words that a text says in its own voice; quoted speech and names like USA Today are exempt."""
    own = unquoted(plain(text))
    own = re.sub(r"`[^`]*`", " ", own)
    found = []
    for code in dict.fromkeys((language.partition("-")[0].lower(), "en")):
        pattern = RELATIVE.get(code)
        for match in pattern.finditer(own) if pattern else ():
            named = match[0][:1].isupper() and own[: match.start()].rstrip(" *:—-")[-1:] not in ("", ".", "!", "?", "…")
            if not named:
                found.append(match[0])
    return list(dict.fromkeys(found))


@path_rule("TXT001")
def absolute_dates(path: str, check: Context) -> Iterator[Found]:
    """No word whose meaning moves with the day it is read: yesterday, last week, recently…, in the page's language. Quotes may.

    Bad:
        ## Facts
        - The host wrote yesterday. [cite:1]
    Good:
        ## Facts
        - The host wrote on 2026-06-20: "I will call tomorrow". [cite:1]
    """
    fix = "write the date, 2026-06-20 or week of 2026-06-15; or put the words in quotes"
    kind = classify(path)
    if kind is FileClass.PAGE and (shown := check.page(path)):
        for claim in shown.claims:
            if claim.section not in ("Changelog", "See also"):
                for word in relative_words(claim.raw, shown.language):
                    yield Found(f"{word!r} moves with the day it is read", line=claim.line, fix=fix)
    elif kind is FileClass.NOTE and (notes := check.note(path)):
        for snippet in notes.snippets:
            for word in relative_words(snippet.text, check.config.language):
                yield Found(f"{word!r} moves with the day it is read", line=snippet.line, fix=fix)


@page_rule("TXT002", "W")
def dated_state(shown: Page, check: Context) -> Iterator[Found]:
    """A claim under Status or Timeline carries an absolute date.

    Bad:
        ## Timeline
        - The host confirmed the venue. [cite:1]
    Good:
        ## Timeline
        - The host confirmed the venue on 2026-06-21. [cite:1]
    """
    for claim in shown.claims:
        if claim.section in _UNIT_SECTIONS and not _ABSOLUTE.search(claim.words):
            yield Found(
                f"a claim under {claim.section} without a date",
                line=claim.line,
                fix="add the day, or (as of YYYY-MM-DD)",
            )


@graph_rule("TXT003", "W")
def said_once(check: Context) -> Iterator[Found]:
    """No claim repeats another of its page or of a linked page nearly word for word (†).

    Bad:
        ## Facts
        - The host of the Kyoto part is Sora City Lab, near the river. [cite:1]
        ## Goals
        - The host of the Kyoto part is Sora City Lab, near the river. [cite:1]
    Good:
        ## Facts
        - The host of the Kyoto part is Sora City Lab, near the river. [cite:1]
    """
    for path in check.of_class(FileClass.PAGE):
        shown = check.page(path)
        if shown is None:
            continue
        new = {id(c) for c in check.new_claims(shown)}
        known: list[tuple[str, Claim]] = [(path, c) for c in shown.claims if _counts(c)]
        for target in (
            sorted(
                {t for link in check.graph.pages[shown.id].links if (t := check.graph.resolve(link.target))}
                - {shown.id}
            )
            if shown.id in check.graph.pages
            else ()
        ):
            other = check.page(page_path(target))
            known += [(page_path(target), c) for c in other.claims if _counts(c)] if other else []
        sets = [shingles(markdown.plain(c.text), 3) for _, c in known]
        for at, (place, claim) in enumerate(known):
            if place != path or id(claim) not in new:
                continue
            for before, (where, twin) in enumerate(known):
                if (before < at if where == path else True) and before != at and jaccard(sets[at], sets[before]) >= 0.8:
                    yield Found(
                        f"the claim repeats {where}:{twin.line}",
                        path=path,
                        line=claim.line,
                        fix="keep one, and link to it",
                    )
                    break


def _counts(claim: Claim) -> bool:
    return claim.section not in ("See also", "Changelog", "References", "History") and len(claim.text) > 24
