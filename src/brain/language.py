"""Which language a text is in, from its script and its smallest words; enough to choose a cue or stemming table."""

# ruff: noqa: E501 — word lists, one language a line
from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_UKRAINIAN = re.compile(r"[іїєґІЇЄҐ]")
_RUSSIAN = re.compile(r"[ыэъёЫЭЪЁ]")
_UK_WORDS = re.compile(r"\b(?:та|що|це|він|вона|але|дуже|тому|буде|на|до|від)\b", re.IGNORECASE)
_RU_WORDS = re.compile(r"\b(?:что|это|как|если|очень|потому|будет|или|он|она|но)\b", re.IGNORECASE)
_OTHER_SCRIPTS = (
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
)
_SMALL_WORDS = {
    "en": "the and is are was were to of in it i you my that for have with on this we be but so not do at just they",
    "fr": "le la les des du et est je nous vous pas que qui une un dans pour avec sur mon ma mes ce cette on il elle au j",
    "de": "der die das und ist ich nicht ein eine mit für auf wir den dem zu von es auch sie haben hat war im bei",
    "es": "el los las de y es yo que en un una con por para mi me no se lo su está del al pero más",
    "it": "il gli di e è io che un una con per mi non si lo sono nel della ho ma anche più",
    "pt": "o os as de e é eu que em um uma com por para meu minha não se do da mas mais você",
    "nl": "de het een en is ik niet van op met voor wij zijn dat die te ook maar mijn",
    "id": "yang dan di ini itu saya aku tidak untuk dengan ada jadi sudah banget juga dari kita bisa mau akan lebih iya",
    "sv": "och att det som är jag inte på för med en ett men har av om vi till",
    "tr": "ve bir bu için çok da de ben değil ama var ne gibi daha",
    "ro": "și în la cu nu pe este sunt că de mai am dar pentru",
    "cs": "a se v na je to že jsem ale není pro s jako",
    "pl": "i w na nie się z do jest to że jak ale mam mój o po dla",
}
_VOTES: dict[str, tuple[str, ...]] = {}
for _language, _words in _SMALL_WORDS.items():
    for _word in (w for w in _words.split() if len(w) > 1 or _language in ("en", "fr", "es")):
        _VOTES[_word] = (*_VOTES.get(_word, ()), _language)
_LATIN_WORD = re.compile(r"[a-zà-öø-ÿœłżćńśźę]+")


@lru_cache(maxsize=4096)
def language_of(text: str, default: str = "en") -> str:
    """BCP-47 code of the main language of `text` (its first 1,000 characters); `default` when nothing tells."""
    sample = text[:1000]
    if sample.isascii() and len(sample) < 4:
        return default
    if not sample.isascii():
        letters = sum(c.isalpha() for c in sample) or 1
        if len(_KANA.findall(sample)) > 0.08 * letters:
            return "ja"
        if len(_HAN.findall(sample)) > 0.15 * letters:
            return "ja" if default == "ja" and letters < 20 else "zh"
        if len(_HANGUL.findall(sample)) > 0.2 * letters:
            return "ko"
        if len(_CYRILLIC.findall(sample)) > 0.3 * letters:
            return _cyrillic(sample, default)
        for code, script in _OTHER_SCRIPTS:
            if len(script.findall(sample)) > 0.3 * letters:
                return code
    return _latin(sample, default)


def _cyrillic(sample: str, default: str) -> str:
    uk = 2 * len(_UKRAINIAN.findall(sample)) + len(_UK_WORDS.findall(sample))
    ru = 2 * len(_RUSSIAN.findall(sample)) + len(_RU_WORDS.findall(sample))
    if uk == ru:
        return default if default in ("uk", "ru") else "uk"
    return "uk" if uk > ru else "ru"


def _latin(sample: str, default: str) -> str:
    votes: dict[str, float] = {}
    for word, count in Counter(filter(_VOTES.__contains__, _LATIN_WORD.findall(sample.lower()))).items():
        languages = _VOTES[word]
        share = count / len(languages)
        for language in languages:
            votes[language] = votes.get(language, 0) + share
    if not votes:
        return default
    best = max(votes, key=lambda language: (votes[language], language == default, language))
    enough = 1.5 if len(sample) > 25 else 1.0
    return best if votes[best] > votes.get(default, 0) and votes[best] >= enough else default
