"""Secrets that people tell: a word that only a password or key looks like, near the word for it, in any language.

No grammar is known here. "Mi contraseña nueva es …", "salasana on …", "I changed it to … (the password)": between label
and secret stand at most a few words, and the secret is unlike all of them.
"""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from collections.abc import Iterator

from brain.secrets.labels import KEY, PASSWORD, TOKEN
from brain.secrets.likely import strong
from brain.secrets.reading import Anchors, Reading
from brain.secrets.secret import Secret, occurrences

_AFTER, _BEFORE = 64, 48
_WORD = re.compile(r"[!#-&(-\[\]-_a-~]{8,80}")
_LONG = re.compile(
    r"(?<![A-Za-z0-9/_.\-])(?=[A-Za-z0-9_\-]*[0-9][A-Za-z0-9_\-]*[0-9])(?=[0-9_\-]*[A-Za-z])[A-Za-z0-9_\-]{20,80}(?![A-Za-z0-9/_])"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_AROUND = ".,;:?()[]{}<>\"'`*_|"
_STEM = re.compile(r"pass(?:w(?:or)?d|wort|word|code|phrase|ord|e)?(?:s|'s|en|et)?(?![a-z])")
_OWN = frozenset(PASSWORD) - {"pass", "identified by", "pw"}
_THAT_IS = re.compile(
    r"[\s,.;:()\-–—=>]*(?:(?:is|was|as|that'?s|that\s+is|for)\s+)?(?:(?:the|my|your|our|its|a|new|old)\s+){0,2}"
)
_BESIDE = re.compile(r"[^\W\d_]{0,5}[\s:=\"'*`]{0,6}(?:(?P<word>[^\W\d_]{1,10})[\s:=\"'*`]{1,4})?")
_LEADS_ELSEWHERE = frozenset({
    "for", "to", "of", "in", "on", "at", "from", "with", "by", "as", "or", "and", "reset", "policy", "hash", "hashes", "file", "files",
    "field", "fields", "length", "min", "max", "must", "via", "using", "user", "id",
})  # fmt: skip
_PASSWORDS = Anchors(word for word in PASSWORD if word not in ("identified by", "pw"))
_KEYS = Anchors(word for word in KEY if word not in ("_key", "-key", "sig=", "signature=", "secret", "секрет"))
_TOKENS = Anchors(TOKEN)


def find_spoken(reading: Reading) -> Iterator[Secret]:
    """Passwords and keys within a few words of their label."""
    text, lower = reading.text, reading.lower
    for word in _PASSWORDS.within(reading):
        for at in occurrences(lower, word):
            stem = _STEM.match(lower, at) if word == "pass" else None
            if (
                (word == "pass" and stem is None)
                or _told(text, at)
                or (at and word.isascii() and lower[at - 1].isalpha() and text[at].islower())
            ):
                continue
            yield from _near(text, at, stem.end() if stem else at + len(word), stem is None)
    for kind, words in (("api-key", _KEYS), ("token", _TOKENS)):
        for word in words.within(reading):
            for at in occurrences(lower, word):
                if _told(text, at):
                    continue
                yield from _key_near(text, kind, at + len(word))
                if word == "credential":
                    yield from _near(text, at, at + len(word))


def _told(text: str, at: int) -> bool:
    """Is the word the kind in a placeholder?"""
    return "redacted:" in text[max(0, at - 24) : at]


def _near(text: str, start: int, stop: int, foreign: bool = False) -> Iterator[Secret]:
    line = text.find("\n", stop, stop + _AFTER)
    end = line if line >= 0 else min(len(text), stop + _AFTER)
    for match in _WORD.finditer(text, stop, end + 64 if line < 0 else end):
        if match.start() >= end or text.count(" ", stop, match.start()) > 6:
            break
        beside = _BESIDE.fullmatch(text, stop, match.start())
        yield from _strong(
            match, beside is not None and (foreign or (beside["word"] or "").lower() not in _LEADS_ELSEWHERE)
        )
    line = text.rfind("\n", max(0, start - _BEFORE), start)
    begin = line + 1 if line >= 0 else max(0, start - _BEFORE)
    while begin and text[begin - 1] not in " \t\n":  # never from the middle of a word
        begin -= 1
        if start - begin > 2 * _BEFORE:
            break
    for match in _WORD.finditer(text, begin, start):
        if match.end() < start and text.count(" ", match.end(), start) <= 4:
            yield from _strong(match, _THAT_IS.fullmatch(text, match.end(), start) is not None)


def _strong(match: re.Match[str], beside: bool = False) -> Iterator[Secret]:
    """The word of a match, when only a password looks so; `beside` its label a little less will do."""
    word = match[0]
    left = len(word) - len(word.lstrip(_AROUND))
    word = word.strip(_AROUND)
    if "://" in word or "redacted:" in word:
        return
    tail = word.rpartition(":")[2] if 0 < word.find(":") < len(word) - 6 else word  # user:password
    left += len(word) - len(tail)
    if strong(tail, beside=beside):
        yield Secret(kind="password", start=match.start() + left, end=match.start() + left + len(tail))


def _key_near(text: str, kind: str, stop: int) -> Iterator[Secret]:
    """The first long word with digits, within a short clause of the label."""
    line = text.find("\n", stop, stop + 32)
    match = _LONG.search(text, stop, (line if line >= 0 else stop + 32) + 80)
    if match is None or match.start() > (line if line >= 0 else stop + 32):
        return
    between = text[stop : match.start()]
    if _UUID.fullmatch(match[0]) or re.search(r"[/.;(]|count|hash|commit|sha|\bid\b", between):
        return
    yield Secret(kind=kind, start=match.start(), end=match.end())
