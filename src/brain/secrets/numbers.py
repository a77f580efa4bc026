"""Payment cards (Luhn), bank accounts (IBAN, mod 97), passports and national identity numbers."""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from collections.abc import Iterator

from brain.secrets.reading import Anchors, Reading
from brain.secrets.secret import Secret, occurrences

_CARD = re.compile(
    r"[2-6](?:(?<![A-Za-z0-9_.+/-].)|(?<=\\[nrt].))[0-9]{2}(?:[0-9 ]|-(?=[0-9])){9,21}[0-9](?![A-Za-z0-9_=/-]|\.[0-9])"
)
_CARD_GROUPS = re.compile(
    r"[0-9]{12,19}|[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}|[0-9]{4}([ -])[0-9]{6}\2[0-9]{4,5}"
)
_CARD_LENGTHS = (
    (re.compile(r"3[47]"), {15}),
    (re.compile(r"3(?:0[0-5]|[68])"), {14}),
    (re.compile(r"35(?:2[89]|[3-8])"), {16}),
    (re.compile(r"4"), {16, 19}),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|220[0-4]"), {16}),
    (re.compile(r"6(?:011|4[4-9]|5)"), {16, 19}),
    (re.compile(r"62"), {16, 17, 18, 19}),
    (re.compile(r"50|5[6-8]|6"), {16, 18, 19}),
)

_IBAN_LENGTH = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30,
    "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31,
    "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29,
    "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
_IBAN = re.compile(r"[A-Za-z]{2}[0-9]{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}")
_MORE = re.compile(r"[A-Za-z0-9]")
_CHECK_DIGITS = re.compile(
    r"[0-9](?:(?<![A-Za-z0-9/_.-][A-Za-z]{2}.)|(?<=\\[nrt][A-Za-z]{2}.))(?<=[A-Za-z]{2}.)[0-9][ \u00a0-]?[A-Za-z0-9]{4}"
)

_DOCUMENTS = (
    ("passport", ("passport", "паспорт", "passeport", "reisepass", "pasaporte", "passaporto", "passaporte", "护照", "護照", "パスポート"),
     re.compile(r"\w{0,6}[^\n.;0-9A-Z]{0,24}?(?P<v>(?:[A-Z]{1,3}[ -]?|[А-ЯІЇЄ]{2} ?)?[0-9]{6,9}(?![0-9A-Za-z]))", re.U)),
    ("national-id", ("ssn", "social security", "nino", "national insurance", "insee", "nir", "身份证", "снилс", "рнокпп", "ипн", "іпн", "инн", "aadhaar", "dni"),
     re.compile(r"(?<![a-z].)[^\n.;0-9]{1,24}?(?P<v>[0-9]{3}-[0-9]{2}-[0-9]{4}|[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]|[0-9]{3}-[0-9]{3}-[0-9]{3} [0-9]{2}|[0-9]{17}[0-9Xx]|[0-9]{4} [0-9]{4} [0-9]{4}|[12] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{3} ?[0-9]{3}(?: ?[0-9]{2})?|[0-9]{8}[A-Z]|[0-9]{10,12})(?![0-9A-Za-z])")),
    ("card-code", ("cvv", "cvc", "cvv2"), re.compile(r"2?[^\n.;0-9A-Za-z]{1,6}(?:(?:code|is|est|ist)\s+)?(?P<v>[0-9]{3,4})(?![0-9A-Za-z])")),
)  # fmt: skip


def luhn(digits: str) -> bool:
    """The check digit of payment cards."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban_valid(text: str) -> bool:
    """Country, length and mod-97 check of an IBAN without separators."""
    text = text.upper()
    if _IBAN_LENGTH.get(text[:2]) != len(text):
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


_WORDS = tuple((kind, Anchors(words), pattern) for kind, words, pattern in _DOCUMENTS)


def find_numbers(reading: Reading) -> Iterator[Secret]:
    """Cards, IBANs, and document numbers that stand behind their name."""
    text, lower = reading.text, reading.lower
    yield from _cards(text)
    yield from _ibans(text)
    for kind, words, pattern in _WORDS:
        for word in words.within(reading):
            for at in occurrences(lower, word):
                if at and lower[at - 1].isalpha() and word.isascii():
                    continue
                match = pattern.match(text, at + len(word))
                if match is not None:
                    yield Secret(kind=kind, start=match.start("v"), end=match.end("v"))


def _cards(text: str) -> Iterator[Secret]:
    for match in _CARD.finditer(
        text
    ):  # the look-behind stands after the first digit, so that scanning is a fast set test
        for group in _CARD_GROUPS.finditer(match[0]):
            digits = re.sub(r"[ -]", "", group[0])
            known = next((lengths for prefix, lengths in _CARD_LENGTHS if prefix.match(digits)), None)
            if known and len(digits) in known and len(set(digits)) > 1 and luhn(digits):
                yield Secret(kind="card", start=match.start() + group.start(), end=match.start() + group.end())


def _ibans(text: str) -> Iterator[Secret]:
    for pair in _CHECK_DIGITS.finditer(text):
        start = pair.start() - 2
        match = _IBAN.match(text, start)
        length = _IBAN_LENGTH.get(text[start : start + 2].upper())
        if match is None or length is None:
            continue
        end, count = start, 0
        while end < match.end() and count < length:
            count += text[end].isalnum()
            end += 1
        if iban_valid("".join(c for c in text[start:end] if c.isalnum())) and not _MORE.match(text, end):
            yield Secret(kind="iban", start=start, end=end)
