"""Text to search terms: folded and stemmed by language, scripts without spaces as single letters and pairs.

    >>> terms("Running the Cafés", "en")
    ['run', 'the', 'cafe']
    >>> terms("東京 出張", "ja")
    ['東', '京', '東京', '出', '張', '出張']

Documents and queries go through the same function, so what is written in one way is found in another: `naïve` by
`naive`, `deploys` by `deploy`, `brainIndex` by `index`. A query is read in each language of the brain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import resources

STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "nb": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip

_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"  # noqa: E501
_RUN = re.compile(f"[{_SPACELESS}]+")
_HUMP = re.compile(r"[A-Z](?=[a-z])(?<=[a-z].)")  # the capital first: the scan skips all other letters
_CYRILLIC = re.compile(r"[\u0400-\u04ff]{4,}")
_ENDING = re.compile(  # of Ukrainian and its neighbours, which have no stemmer here: case and number, longest first
    r"(?<=..)(?:(?<=.)(?:ами|ями|ові|еві|ого|ому|ими|іми|ої|ах|ях|ів|їв|ою|ею|єю|ам|ям|ом|ем|єм|им|ій|их|і[йм]"
    r"|ися|ась|ось|ти|ла|ли|ло)|[аяиіїуюеєойь])$"
)


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """Words a question is made of: they say what is asked, not what it is about. Stemmed and unstemmed forms."""
    text = resources.files("brain.corpus.search").joinpath("data").joinpath("stopwords.txt").read_text("utf-8")
    return frozenset(text.split())


@lru_cache(maxsize=64)
def _analyzer(language: str) -> Callable[[str], list[str]]:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase()).filter(Filter.ascii_fold())
    stemmer = STEMMERS.get(language)
    if stemmer:
        builder = builder.filter(Filter.stemmer(stemmer))
    return builder.filter(Filter.remove_long(64)).build().analyze


def terms(text: str, language: str) -> list[str]:
    """The terms of a text in a language (BCP-47; only its first part counts), in reading order, repeats kept."""
    language = language.partition("-")[0].lower()
    if text.isascii():
        return _analyzer(language)(_HUMP.sub(r" \g<0>", text))
    text = unicodedata.normalize("NFKC", text)
    grams = [gram for run in _RUN.findall(text) for gram in _grams(run)]
    found = _analyzer(language)(_HUMP.sub(r" \g<0>", _RUN.sub(" ", text)))
    if language not in STEMMERS or language == "en":
        found = [_ENDING.sub("", word) if _CYRILLIC.fullmatch(word) else word for word in found]
    return found + grams


def _grams(run: str) -> Iterable[str]:
    for at, letter in enumerate(run):
        yield letter
        if at + 1 < len(run):
            yield run[at : at + 2]


def query_terms(text: str, languages: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of terms to look for; the terms of one group are one word of the query as each language stems it.

    Stop words are left out unless nothing else is left. Single letters of a spaceless script only count when the
    query has no pair.
    """
    words = re.findall(r"\w+(?:[’']\w+)?", unicodedata.normalize("NFKC", text))
    groups: dict[tuple[str, ...], None] = {}
    kept: dict[tuple[str, ...], None] = {}
    stop = stop_words()
    spoken = tuple(dict.fromkeys(languages)) or ("en",)
    for word in words:
        by_language = [terms(word, language) for language in spoken]
        for place in range(max(map(len, by_language), default=0)):
            group = tuple(dict.fromkeys(found[place] for found in by_language if place < len(found)))
            lone = len(group[0]) == 1 and _RUN.fullmatch(group[0]) and len(_RUN.findall(word)[0]) > 1
            if not lone:
                groups[group] = None
                if not any(term in stop for term in group) and word.casefold() not in stop:
                    kept[group] = None
    return tuple(kept or groups)
