"""When a query asks about, and when a document speaks of: phrases about time as spans of days, in seven languages.

    >>> read("what did I buy last week", date(2026, 6, 10)).spans
    (Span(first=datetime.date(2026, 6, 1), last=datetime.date(2026, 6, 7)),)
    >>> read("who called before the Kyoto trip?", date(2026, 6, 10)).anchor
    Anchor(side='before', event='the Kyoto trip')

The words of each language are in `data/when.toml`. A month or season without a year is the latest one that has begun,
or the coming one too when that is near. This reads what is asked for; what a turn says is made absolute, word by word,
by `brain.distil.dates`, which stands above this room and needs more care.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from importlib import resources

from brain.corpus.search.needles import all_needles, lowered, may_hold
from brain.corpus.search.spans import Span as Span
from brain.corpus.search.spans import about, away, before, days

AHEAD = 183  # days: a coming month that is nearer than this may be what a bare month name means
MOST_WORDS = 8  # of an event that a time is counted from
LONGEST = 2_000  # characters of a document that are read for a time


@dataclass(frozen=True, slots=True)
class Anchor:
    """A time known by an event. `side` is `before` or `after`."""

    side: str
    event: str


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """What a query says of time: any of the spans, or one side of an event whose day the index has to find.

    `phrases` are the words it says it with where they say nothing else (`last week`), in the order of the query.
    """

    spans: tuple[Span, ...] = ()
    anchor: Anchor | None = None
    phrases: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spans or self.anchor)


NO_TIME = When()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A phrase in a text: its place, its days, and those it may stand for besides."""

    start: int
    end: int
    span: Span
    other: Span | None = None
    relative: bool = False


def read(text: str, now: date, languages: Iterable[str] | None = None) -> When:
    """The times a query speaks of, seen from the asker's day. `languages` None = all of its script."""
    spoken = languages or [name for name, letters in _LETTERS.items() if letters.search(text)]
    tongues = [_tongue(name) for name in spoken if name in _words()]
    found = _phrases(text, now, tongues)
    spans: list[Span] = []
    at = 0
    while at < len(found):
        said = found[at]
        after = found[at + 1] if at + 1 < len(found) else None
        if after and _RANGE.fullmatch(text[said.end : after.start]) and _FROM.search(text[: said.start]):
            spans.append(Span(said.span.first, after.span.last))
            at += 2
            continue
        directed = next((d for tongue in tongues if (d := tongue.directed(text, said))), None)
        spans += [directed] if directed else [said.span, *([said.other] if said.other else [])]
        at += 1
    anchor = None if spans else next((a for tongue in tongues if (a := tongue.anchor(text))), None)
    relative = tuple(text[said.start : said.end] for said in found if said.relative)
    return When(spans=tuple(dict.fromkeys(spans)), anchor=anchor, phrases=relative)


def said(text: str, day: date | None, language: str) -> Span | None:
    """The days that a document written on `day` speaks of: the shortest that it names, None when it names none.

    Without a day only what is absolute is read.
    """
    tongues = [_tongue(name) for name in dict.fromkeys((language.partition("-")[0], "en")) if name in _words()]
    found = _phrases(text[:LONGEST], day or date.min, tongues)
    closed = [s.span for s in found if s.span.first and s.span.last and (day or s.span.first.year > 1900)]
    return min(closed, key=_length, default=None)


def _length(span: Span) -> int:
    return (span.last - span.first).days if span.first and span.last else 10**6


_LATIN, _HAN = re.compile("[a-z]", re.IGNORECASE), re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_LETTERS = {
    "en": _LATIN, "fr": _LATIN, "de": _LATIN, "es": _LATIN, "uk": re.compile("[\u0400-\u04ff]"), "zh": _HAN, "ja": _HAN,
}  # fmt: skip
_RANGE = re.compile(
    r"\s*(?:to|and|until|till|through|-|–|bis|und|à|au|et|a|al|hasta|y|до|по|та|і|到|至|から|〜|～)\s*", re.I
)
_FROM = re.compile(
    r"(?:from|between|since|zwischen|von|ab|de|du|entre|depuis|desde|від|з|між|从|自|)\s*(?:the\s+)?$", re.IGNORECASE
)
_ASKS = re.compile(r"(?<=\S)\s+(?:what|who|whom|where|which|how|why|did|do|does|was|were|has|have)\b", re.IGNORECASE)
_ISO = re.compile(r"(?<![\d-])(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?![\d-])")
_YEAR = re.compile(r"(?<![\w.,:/#-])(?P<y>(?:19[5-9]|20)\d)\d(?:年|(?![\w:/%-]|[.,]\d))")


def _phrases(text: str, now: date, tongues: Sequence[_Tongue]) -> list[_Said]:
    years = "19" in text or "20" in text
    iso = _ISO.finditer(text) if years else ()
    found = [_Said(start=m.start(), end=m.end(), span=span) for m in iso if (span := _absolute(m))]
    seen = lowered(text)
    for tongue in tongues:
        found += tongue.phrases(text, now, seen)
    found.sort(key=lambda s: (s.start, -s.end))
    kept: list[_Said] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    for match in _YEAR.finditer(text) if years else ():
        if all(match.end() <= one.start or match.start() >= one.end for one in kept):
            year = int(match[0][:4])
            span = Span(date(year, 1, 1), date(year, 12, 31))
            kept.append(_Said(start=match.start(), end=match.end(), span=span))
    return sorted(kept, key=lambda s: s.start)


def _absolute(match: re.Match[str]) -> Span | None:
    return days(int(match["y"]), int(match["m"]), int(match["d"]) if match["d"] else None)


_Groups = dict[str, str | None]
_Of = Callable[[int], Span | None]
_Reader = Callable[[_Groups, date], tuple[Span, Span | None] | None]


@lru_cache(maxsize=1)
def _words() -> dict[str, dict[str, object]]:
    text = resources.files("brain.corpus.search").joinpath("data").joinpath("when.toml").read_text("utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=16)
def _tongue(name: str) -> _Tongue:
    return _Tongue(_words()[name])


class _Tongue:
    """One language's words as patterns."""

    def __init__(self, words: dict[str, object]) -> None:
        self.spaced = words.get("spaced", True) is True
        texts = {key: value for key, value in words.items() if isinstance(value, str)}
        lists = {key: [str(v) for v in value] for key, value in words.items() if isinstance(value, list)}
        self.months, self.seasons, self.days = lists["months"], lists["seasons"], lists["weekdays"]
        units = words["units"]
        self.units = {str(k): str(v) for k, v in units.items()} if isinstance(units, dict) else {}
        self.numbers = texts["numbers"].split()
        self.fixed = [(key, *_offset(key)) for key in texts if key[-2:-1] in "+-"]
        self._fixed = self._pattern("|".join(f"(?P<f{at}>{texts[key]})" for at, (key, _, _) in enumerate(self.fixed)))
        number = rf"(?P<n>\d{{1,3}}|{'|'.join(self.numbers)})"
        unit = "|".join(f"(?P<{name}>{form})" for name, form in self.units.items())
        self._counted = [
            (kind, self._pattern(form.replace("N", number, 1).replace("U", f"(?:{unit})", 1)))
            for kind in ("ago", "past")
            for form in lists[kind]
        ]
        beside = "|".join(f"(?P<{name}>{texts[name]})" for name in ("last", "this", "next"))
        behind = beside.replace("(?P<last>", "(?P<last2>").replace("(?P<this>", "(?P<this2>")
        behind = behind.replace("(?P<next>", "(?P<next2>")
        season = "|".join(f"(?P<s{at}>{form})" for at, form in enumerate(self.seasons))
        weekday = "|".join(f"(?P<w{at}>{form})" for at, form in enumerate(self.days))
        month = "|".join(f"(?P<m{at + 1}>{self.months[at]})" for at in sorted(range(12), key=lambda a: -a))
        if self.spaced:
            front, back = f"(?:(?:{beside}) )?", f"(?: (?:{behind})(?!\\w))?"
            year = r"(?:,? (?:of |de |del |року )?(?P<y>(?:19|20)\d\d))?"
            day = r"(?:(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.)? (?:of |de )?)?"
            day_after = r"(?: (?P<d2>\d{1,2})(?:st|nd|rd|th)?(?![\d:]))?"
            self._month = self._pattern(f"{front}{day}(?:{month})\\.?{day_after}{back}{year}")
        else:
            years = "|".join(f"(?P<{name}>{texts[name]})" for name in ("last_year", "this_year", "next_year"))
            front, back = f"(?:(?P<y>(?:19|20)\\d\\d)年の?|{years})?(?:{beside})?", ""
            self._month = self._pattern(
                rf"{front}(?:(?P<m>\d{{1,2}})月(?![間间])|{month})(?:(?P<d>\d{{1,2}})[日号號])?"
            )
            year = ""
        self._season = self._pattern(f"{front}(?:{season}){back}{year}")
        self._weekday = self._pattern(f"{front}(?:{weekday}){back}")
        self._unsure = re.compile(texts.get("unsure", r"(?!)"), re.IGNORECASE)
        context = "|".join(texts[k] for k in ("in", "since", "before", "until", "after") if k in texts)
        self._context = re.compile(rf"(?:^|[^\w])(?:{context})\s*$", re.IGNORECASE)
        article = r"\s*(?:the |l['’]|le |la |el |de[mnr] |dem )?$"
        self._front = {
            kind: re.compile(rf"(?:^|(?<=\W))(?:{texts[kind]}){article if self.spaced else '$'}", re.IGNORECASE)
            for kind in ("since", "before", "until", "after")
            if kind in texts
        }
        self._back = {
            kind: re.compile(texts[f"{kind}_after"])
            for kind in ("since", "before", "until", "after")
            if f"{kind}_after" in texts
        }
        event = r"(?P<x>[^,;.?!\n]{2,100})" if self.spaced else r"(?P<x>[^，,。；？！?!\n、]{2,30}?)"
        self._needles = {
            "fixed": all_needles(texts[key] for key, _, _ in self.fixed),
            "counted": all_needles(self.units.values()),
            "month": all_needles([*self.months, *([] if self.spaced else ["月"])]),
            "season": all_needles(self.seasons),
            "weekday": all_needles(self.days),
        }
        self._anchors = [self._pattern(form.replace("X", event)) for form in lists["anchor"]]

    def _pattern(self, pattern: str) -> re.Pattern[str]:
        if self.spaced:
            pattern = rf"(?<!\w)(?:{pattern})(?!\w)".replace(" ", r"\s+")
        return re.compile(pattern, re.IGNORECASE)

    def phrases(self, text: str, now: date, seen: str) -> Iterator[_Said]:
        """Every phrase about time, overlapping ones too. `seen` is the text as `lowered` makes it."""
        may = {kind: may_hold(seen, wanted) for kind, wanted in self._needles.items()}
        for match in self._fixed.finditer(text) if may["fixed"] else ():
            _, unit, offset = self.fixed[int((match.lastgroup or "f0")[1:])]
            yield _Said(start=match.start(), end=match.end(), span=away(now, unit, offset), relative=True)
        for kind, pattern in self._counted if may["counted"] else ():
            for match in pattern.finditer(text):
                unit = next(name for name in self.units if match[name])
                count = self._number(match["n"])
                span = away(now, unit, -count) if kind == "ago" else Span(away(now, unit, -count).first, now)
                if kind == "ago":
                    span = about(now, unit, count)
                yield _Said(start=match.start(), end=match.end(), span=span, relative=True)
        if may["month"]:
            yield from self._named(self._month, text, now, _month_of)
        if may["season"]:
            yield from self._named(self._season, text, now, _season_of)
        for match in self._weekday.finditer(text) if may["weekday"] else ():
            index = next(at for at in range(7) if match[f"w{at}"])
            ahead = _says(match, "next")
            day = now + timedelta(days=(index - now.weekday() - 1) % 7 + 1) if ahead else None
            if day is None:
                day = before(now, (now.weekday() - index - 1) % 7 + 1)
            yield _Said(start=match.start(), end=match.end(), span=Span(day, day))

    def _named(self, pattern: re.Pattern[str], text: str, now: date, of: _Reader) -> Iterator[_Said]:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            firm = any(value for name, value in groups.items() if name[0] in "dyltn" and name != "m")
            if (
                not firm
                and self._unsure.fullmatch(match[0].rstrip("."))
                and not self._context.search(text[: match.start()])
            ):
                continue
            found = of(groups, now)
            if found:
                span, other = found
                yield _Said(start=match.start(), end=match.end(), span=span, other=other)

    def _number(self, text: str) -> int:
        if text.isdecimal():
            return int(text)
        at = (at for at, forms in enumerate(self.numbers, 1) if re.fullmatch(forms, text, re.IGNORECASE))
        return next(at, 1)

    def directed(self, text: str, said: _Said) -> Span | None:
        """The span that `since`, `before`, `until` or `after` makes of a phrase, None when there is no such word."""
        before, after = text[: said.start], text[said.end :]
        for kind in ("since", "until", "before", "after"):
            front, back = self._front.get(kind), self._back.get(kind)
            if (front and front.search(before)) or (back and back.match(after)):
                return _side(kind, said.span)
        return None

    def anchor(self, text: str) -> Anchor | None:
        for pattern in self._anchors:
            match = pattern.search(text)
            if match and (event := match["x"].strip()):
                event = " ".join(_ASKS.split(event)[0].split()[:MOST_WORDS])
                side = "before" if match.groupdict().get("before") else "after"
                return Anchor(side=side, event=event)
        return None


def _offset(key: str) -> tuple[str, int]:
    return key[:-2], int(key[-2:])


def _side(kind: str, span: Span) -> Span | None:
    if kind == "since":
        return Span(span.first, None)
    if kind == "until":
        return Span(None, span.last)
    if kind == "before":
        return Span(None, before(span.first, 1)) if span.first else None
    return Span(span.last + timedelta(days=1), None) if span.last else None


def _says(match: re.Match[str] | _Groups, name: str) -> bool:
    groups = match if isinstance(match, dict) else match.groupdict()
    return bool(groups.get(name) or groups.get(f"{name}2"))


def _year_of(groups: _Groups, now: date) -> int | None:
    """The year that stands beside a month or season, in digits or as in 去年."""
    beside = {"last_year": -1, "this_year": 0, "next_year": 1}
    said = next((now.year + by for name, by in beside.items() if groups.get(name)), None)
    return int(groups["y"] or 0) if groups.get("y") else said


def _month_of(groups: _Groups, now: date) -> tuple[Span, Span | None] | None:
    written = groups.get("m")
    month = int(written) if written else next((at for at in range(1, 13) if groups.get(f"m{at}")), 0)
    number = groups.get("d") or groups.get("d2")
    day = int(number) if number else None
    if year := _year_of(groups, now):
        span = days(year, month, day)
        return (span, None) if span else None
    return _latest(groups, now, lambda year: days(year, month, day))


def _season_of(groups: _Groups, now: date) -> tuple[Span, Span | None] | None:
    season = next(at for at in range(4) if groups.get(f"s{at}"))

    def of(year: int) -> Span | None:
        """Winter is named by the year it begins in."""
        first, last = days(year, 3 * season + 3), days(year + (season == 3), (3 * season + 4) % 12 + 1)
        return Span(first.first, last.last) if first and last else None

    if year := _year_of(groups, now):
        span = of(year)
        return (span, None) if span else None
    return _latest(groups, now, of)


def _latest(groups: _Groups, now: date, of: _Of) -> tuple[Span, Span | None] | None:
    """The latest that has begun; with `last` the latest that is over; with `next` the coming one."""
    spans = [span for year in range(now.year - 9, now.year + 9) if 1 <= year < 9998 and (span := of(year))]
    begun = [span for span in spans if span.first and span.first <= now]
    coming = next((span for span in spans if span.first and span.first > now), None)
    if _says(groups, "next"):
        return (coming, None) if coming else None
    if _says(groups, "last"):
        begun = [span for span in begun if span.last and span.last < now]
    if not begun:
        return None
    firm = _says(groups, "last") or _says(groups, "this")
    near = coming and coming.first and (coming.first - now).days <= AHEAD
    return begun[-1], coming if near and not firm else None
