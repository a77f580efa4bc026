"""Sentences of any script, bounded in length, and the counting of words that the 40-word limit uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

MAX_WORDS = 40
"""A fact's length limit (format §8)."""

_MAX_CHARS = 700
_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？｡]+[」』”’）)]*|[।॥؟۔።։]+(?=\s|$)|[!?]+(?=[\u3040-\u30ff\u3400-\u9fff])|\n+"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?i:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|approx|nr|fig|vol|ca|cf|inc|ltd|co|dept|est|mt|ft|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|a\.m|p\.m|bzw|z\.b|d\.h|m|mme|mlle|ул|г|д|т\.д|т\.п|р)"
    r"|(?:^|[\s.])[A-ZА-ЯІЇЄҐ])$",
)
_ORDINAL = re.compile(r"(?<![\w.,:])[0-3]?\d$")
_DATED = re.compile(
    r"\s(?:Jan|Feb|Mär|Apr|Mai\b|Juni?\b|Juli?\b|Aug|Sep|Okt|Nov|Dez|led|únor|břez|dub|květ|stycz|lut|mar|kwie|maj|janua|febr|mars\b|april|juni|juli|okto)",
    re.IGNORECASE,
)
"""A day as an ordinal before its month: "am 19. März", "3. maja"."""

_CLAUSE = re.compile(
    r";\s+|\s[–—-]{1,2}\s|,\s+(?:and|but|so|because|which|while|although|though|plus|then|et|mais|donc|car|"
    r"але|а|тому|бо|но|y|pero|und|aber)\s+|[，；]|\.\.\.+\s*"
)
_WORD = re.compile(r"[^\W_]+(?:['’\-./][^\W_]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@lru_cache(maxsize=1024)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of one paragraph, stripped, none longer than about 700 characters."""
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        if end[0][0] == "." and not _is_full_stop(text, start, end):
            continue
        yield from _pieces(text[start : end.end()].strip())
        start = end.end()
    yield from _pieces(text[start:].strip())


def _is_full_stop(text: str, start: int, end: re.Match[str]) -> bool:
    if len(end[0]) > 1:
        return True
    before = text[max(start, end.start() - 12) : end.start()]
    if before[-1:].isdigit() and _ORDINAL.search(before) and _DATED.match(text, end.end()):
        return False
    after = text[end.end() : end.end() + 2].strip()
    if not _ABBREVIATION.search(before):
        return True
    if before[-4:].lower() in ("a.m", "p.m", ".a.m", ".p.m", " a.m", " p.m", "etc", " etc"):
        return not after or after[:1].isupper()
    return not after


def _pieces(sentence: str) -> Iterator[str]:
    if not sentence:
        return
    while len(sentence) > _MAX_CHARS:
        cut = sentence.rfind(" ", 0, _MAX_CHARS)
        cut = cut if cut > _MAX_CHARS // 2 else _MAX_CHARS
        yield sentence[:cut].strip()
        sentence = sentence[cut:].strip()
    if sentence:
        yield sentence


def word_count(text: str) -> int:
    """Words; two CJK characters count as one word."""
    cjk = len(_CJK.findall(text)) if not text.isascii() else 0
    if not cjk:
        return len(_WORD.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + (cjk + 1) // 2


def clauses(sentence: str, limit: int = MAX_WORDS - 3) -> list[str]:
    """A long sentence as clauses of at most `limit` words, each cut where a clause begins; what cannot be cut is cut
    at a word with an ellipsis."""
    if word_count(sentence) <= limit:
        return [sentence]
    parts: list[str] = []
    start = 0
    for mark in _CLAUSE.finditer(sentence):
        at = mark.start()
        if at > start:
            parts.append(sentence[start:at].strip(" ,;–—-"))
        start = at
    parts.append(sentence[start:])
    joined: list[str] = []
    for part in parts:
        if joined and word_count(joined[-1]) + word_count(part) <= limit:
            joined[-1] = joined[-1] + part if part[:1] in ",;，； " else f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return [clip(p.strip(" ,;–—-，；"), limit) for p in joined if word_count(p) >= 3]


def clip(text: str, limit: int = MAX_WORDS) -> str:
    """`text` cut after `limit` words, with an ellipsis when something was cut."""
    if word_count(text) <= limit:
        return text
    out = text[: limit * 12]
    while word_count(out) > limit - 1:
        cut = out.rfind(" ")
        out = out[:cut] if cut > 0 else out[: max(1, len(out) - max(1, len(out) // 10))]
    return out.rstrip(" ,;:") + "…"
