"""Secrets behind a veil: written with escapes, entities or percent signs, with digits of other scripts, or cut by a line's end.

A text is looked at as it reads when the veil is taken off; what is found there is told as its place in the text given.
"""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from brain.secrets.reading import Reading
from brain.secrets.secret import Secret

Find = Callable[[str], Iterable[Secret]]

_ESCAPE = re.compile(
    r"\\+u00(?P<hex>[0-9a-fA-F]{2})|\\+x(?P<byte>[2-7][0-9a-fA-F])|\\+(?P<plain>/)|\\+(?P<blank>[nrt])(?![\\:])"
)
_PERCENT = re.compile(r"%(?P<hex>[2-7][0-9A-Fa-f])")
_ENTITY = re.compile(r"&(?:quot|apos|amp|lt|gt|#[0-9]{2,3}|#x[0-9a-fA-F]{2});")
_QUOTED_PRINTABLE = re.compile(r"=(?P<hex>[2-7][0-9A-F])|=\r?\n")
_CONTINUED = re.compile(r"\\\r?\n[ \t]*|[\"']\s*\+\s*\\?\r?\n?\s*[\"']")
_CUT = re.compile(
    r"(?<=[A-Za-z0-9_\-+/=.]{20})\r?\n[ \t>|]{0,8}(?=(?=[A-Za-z_\-]*[0-9])(?=[a-z0-9_\-]*[A-Z]|[a-f0-9]{8})[A-Za-z0-9_\-+/=.]{6,}(?:[\s\"'`]|$))"
)


@dataclass(frozen=True, slots=True)
class _View:
    """A text without its veil, and where each stretch of it stands in the text that was given."""

    text: str
    starts: list[int]
    places: list[int]

    def place(self, at: int) -> int:
        """Where in the given text the character `at` of the view begins."""
        known = bisect_right(self.starts, at) - 1
        return self.places[known] + at - self.starts[known]


def find_veiled(reading: Reading, plain: Find, tokens: Find, numbers: Find) -> Iterator[Secret]:
    """What `plain` finds once a veil is off. `tokens` finds what is known by its own shape: all that is looked for
    across the end of a line. `numbers` finds cards and accounts, looked for in the digits of other scripts."""
    text = reading.text
    for sign, pattern, character in (
        ("\\", _ESCAPE, _escaped), ("%", _PERCENT, _hexadecimal), ("&", _ENTITY, _entity), ("=", _QUOTED_PRINTABLE, _hexadecimal),
    ):  # fmt: skip
        if sign in text and pattern.search(text):
            yield from _behind(text, _unveiled(text, pattern, character), plain)
    if reading.longest >= 20 and "\n" in text and _CUT.search(text):
        yield from _behind(text, _unveiled(text, _CUT, _nothing), tokens)
    if ("+" in text or "\\\n" in text or "\\\r" in text) and reading.longest >= 10 and _CONTINUED.search(text):
        yield from _behind(text, _unveiled(text, _CONTINUED, _nothing), tokens)
    if any(letter.isdecimal() and letter > "9" for letter in reading.letters):
        latin = "".join(map(_digit, text))
        if latin != text:
            yield from numbers(latin)


def _behind(text: str, view: _View, find: Find) -> Iterator[Secret]:
    for secret in find(view.text):
        start, end = view.place(secret.start), view.place(secret.end - 1) + 1
        end = max(end, _next(view, secret.end, end))
        yield Secret(kind=secret.kind, start=start, end=end)


def _next(view: _View, at: int, end: int) -> int:
    """The end of a last character that is written as an escape: where the next one begins."""
    if at >= len(view.text):
        return view.places[-1] + len(view.text) - view.starts[-1]
    known = bisect_right(view.starts, at) - 1
    return view.places[known] if view.starts[known] == at and view.places[known] - end < 12 else end


def _unveiled(text: str, pattern: re.Pattern[str], character: Callable[[re.Match[str]], str]) -> _View:
    out: list[str] = []
    starts, places = [0], [0]
    length = at = 0
    for match in pattern.finditer(text):
        out.append(text[at : match.start()])
        length += match.start() - at
        sign = character(match)
        if sign:
            out.append(sign)
            starts.append(length)
            places.append(match.start())
            length += len(sign)
        at = match.end()
        starts.append(length)
        places.append(at)
    out.append(text[at:])
    return _View("".join(out), starts, places)


def _escaped(match: re.Match[str]) -> str:
    if match["blank"]:
        return "\t" if match["blank"] == "t" else "\n"
    return match["plain"] or chr(int(match["hex"] or match["byte"], 16))


def _hexadecimal(match: re.Match[str]) -> str:
    return chr(int(match["hex"], 16)) if match["hex"] else ""


def _entity(match: re.Match[str]) -> str:
    found = html.unescape(match[0])
    return found if len(found) == 1 else "?"


def _nothing(match: re.Match[str]) -> str:
    return ""


def _digit(letter: str) -> str:
    return str(unicodedata.digit(letter)) if ord(letter) > 127 and letter.isdecimal() else letter
