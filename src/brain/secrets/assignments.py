"""Secrets that are known by the word before them: passwords, keys and tokens in assignments, headers and plain speech."""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from collections.abc import Iterator

from brain.secrets.labels import CODES, KIND_OF, PHRASE, PIN
from brain.secrets.likely import odd, plausible, random_enough
from brain.secrets.reading import Anchors, Reading
from brain.secrets.secret import Secret, occurrences

_PASS = re.compile(r"pass(?:w(?:or)?d|wort|word|code|phrase|ord\b|e\b|(?=\s*[=:]))|(?<=_)pass")

_TAIL = r"(?P<tail>[A-Za-z0-9_.\-\u00c0-\u04ff\u0590-\u06ff]{0,40})(?:\\*[\"'`*_\])]){0,4}"
_FOR = r"(?P<for>\s+(?:for|to|of|on|in|at|de|du|da|do|del|pour|für|fürs|від|до|для|от|к|на|w|do)\s[^\n:=\"'`]{1,50}?)?"
_GLUE = (
    r"\s*(?P<sep>:=|=>|==?|:|：|＝|→|->|>|\||,(?=\s*[\"'])|\bwas\b|\bis\b|\best\b|\bist\b|\bes\b|\bé\b|\bè\b|\bis:|\bto\b|\bshould be\b|\blautet\b|\bwill be\b|\bvalue=|—|–|-(?=\s)"
    r"|это|є|은|는|は|是|为|為|का|है)\s*"
)
_VALUE = (
    r"(?:\\*(?P<quote>[\"'`«“「『])(?P<quoted>(?:[^\"'`»”」』\\\n]|\\(?![\"'`n])){1,200})"
    r"|(?P<bare>[!#-&(-+\--:=?-Z^_a-z~]{4,200}|[^\W\da-zA-Z_][^\s\"'`,;<>(){}\[\]|&。、，；]{3,80}))"
)
_ASSIGNED = re.compile(_TAIL + _FOR + _GLUE + _VALUE)
_SPACED = re.compile(_TAIL + r"(?P<for>)(?P<sep>)\s+" + _VALUE)
_COLOUR = re.compile(r"\[[0-9;]{0,8}m")
_NEXT_PARAMETER = re.compile(r"&[\w.\-]+=")
_PINNED = re.compile(
    r"(?:[ -]?(?:code|number|код|コード))?(?:\s+(?:for|от|для|de)\s[^\n.:=]{1,40}?)?\s*(?:is|est|ist|:|=|：|是|は|-|—)\s*(?P<v>[0-9]{4,8})(?![0-9A-Za-z]|[.:][0-9])"
)
_WORDS = re.compile(r"[\s\w\"':=-]{0,12}?[\s:=\"'](?P<v>[^\W\d]{3,12}(?:[ ,]+[^\W\d]{3,12}){11,23})")
_CODES = re.compile(
    r"[^\n]{0,40}?[\s:=]+(?P<v>[A-Za-z0-9]{4,6}[- ]?[A-Za-z0-9]{4,6}(?:(?:[,;]?\s+|\\n)[A-Za-z0-9]{4,6}-?[A-Za-z0-9]{4,6}){1,19})(?![A-Za-z0-9-])"
)

_NOT_A_KEY = re.compile(
    r"(?i)(?:^|[_.\-])(?:name|names|ids?|file|files|path|dir|url|uri|type|types|kind|length|len|count|counts|size|policy|field|label"
    r"|hint|env|min|max|ttl|expir\w*|limits?|usage|budget|rotation|reset|manager|management|store|strategy|provider|version|format"
    r"|status|error|input|class|regex|pattern|prompt|required|strength|valid\w*|index|at|date|time|endpoint|list|rate|price|per|left)s?$"
)
_CONTINUES = re.compile(r"[a-zа-яіїє]")
_INFLECTED = re.compile(
    r"(?:ord|d|ort|wd|phrase|words|orte?s?|s|h|а|у|ем|ом|ь|ю|я|и|і|ами|ів|о|en|er|ς|ός|ה|ת)?(?![a-zа-яіїє])"
)


_LABELS, _PHRASES, _PINS, _LISTS = Anchors(KIND_OF), Anchors(PHRASE), Anchors(PIN), Anchors(CODES)


def find_assigned(reading: Reading) -> Iterator[Secret]:
    """Values behind the words for password, key, token, PIN, seed phrase and recovery codes."""
    text, lower = reading.text, reading.lower
    for word in _LABELS.within(reading):
        for at in occurrences(lower, word):
            if secret := _assigned(text, lower, KIND_OF[word], word, at):
                yield secret
    for word in _PHRASES.within(reading):
        for at in occurrences(lower, word):
            if match := _WORDS.match(text, at + len(word)):
                yield Secret(kind="passphrase", start=match.start("v"), end=match.end("v"))
    for word in _LISTS.within(reading):
        for at in occurrences(lower, word):
            if (match := _CODES.match(text, at + len(word))) and sum(map(str.isdigit, match["v"])) >= 4:
                yield Secret(kind="recovery-codes", start=match.start("v"), end=match.end("v"))
    for word in _PINS.within(reading):
        for at in occurrences(lower, word):
            if (not at or not lower[at - 1].isalnum()) and (match := _PINNED.match(lower, at + len(word))):
                yield Secret(kind="pin", start=match.start("v"), end=match.end("v"))


def _assigned(text: str, lower: str, kind: str, word: str, at: int) -> Secret | None:
    stop = at + len(word)
    if word == "pass":
        stem = _PASS.match(lower, at)
        if stem is None or (stem[0] == "passe" and not lower.endswith("mot de ", 0, at)):
            return None
        stop = stem.end()
    if (
        at
        and word[0].isalpha()
        and word.isascii()
        and lower[at - 1].isalpha()
        and not text[at].isupper()
        and len(word) < 6
    ):
        return None
    if "redacted:" in text[max(0, at - 24) : at]:
        return None
    flag = text[max(0, at - 20) : at].rpartition(" ")[2].startswith("--") or word == "identified by"
    match = _ASSIGNED.match(text, stop - word.endswith("=")) or _SPACED.match(text, stop)
    if match is None or _is_other_word(text, kind, word, stop, match["tail"]):
        return None
    sep, group = match["sep"], "quoted" if match["quoted"] is not None else "bare"
    value = match[group]
    prose = (sep.isalpha() and sep.isascii()) or sep in ("→", ">", "|", "-", "—", "–", ",")
    if sep == "" and not flag and not (group == "quoted" and kind == "password"):
        return None
    if sep == "to" and kind != "password":
        return None
    loud = sep in ("=", ":") and text[at:stop].isupper()
    if group == "bare":
        value = _NEXT_PARAMETER.split(value)[0].rstrip(".,;:?)…")
        follow = text[match.start(group) + len(value) : match.start(group) + len(value) + 1]
        if (
            (follow in ("(", "[", "{") and not _COLOUR.match(text, match.start(group) + len(value)))
            or (prose and not odd(value))
            or (match["for"] and not odd(value))
        ):
            return None
    if sep == "," and sum(map(str.isdigit, value)) < (1 if kind == "password" else 2):
        return None
    good = plausible(value, quoted=group == "quoted", loud=loud) if kind == "password" else random_enough(value)
    if not good:
        return None
    return Secret(kind=_kind(kind, lower[at:stop]), start=match.start(group), end=match.start(group) + len(value))


def _is_other_word(text: str, kind: str, word: str, stop: int, tail: str) -> bool:
    """`tokenizer`, `secretary`, `password_file`, `token_count`: the word goes on into something that is not a secret."""
    if _NOT_A_KEY.search(tail):
        return True
    if not tail or not _CONTINUES.match(tail):
        return False
    return _INFLECTED.match(tail) is None


def _kind(kind: str, word: str) -> str:
    return "secret" if word in ("secret", "секрет", "シークレット") else "passphrase" if word == "passphrase" else kind
