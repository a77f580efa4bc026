"""Text as every room sees it: cleaning, slugs, words, sizes and likeness. Pure, deterministic, any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from hashlib import sha256

_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_FORBIDDEN = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # C0 except tab and newline, DEL, C1 (line breaks became newlines before)
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidi controls
    "\u00ad\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"  # soft hyphen, zero-width, invisible operators, BOM
    "\ufdd0-\ufdef\ufff9-\ufffb"  # noncharacters, interlinear annotation
    + "".join(f"{chr(plane | 0xFFFE)}{chr(plane | 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "\U000e0000-\U000e007f"  # tag characters: invisible text that only a model reads
    "]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_ASCII = re.compile(r"[\t\n\x20-\x7e]*")
_SPACES = re.compile(r"\s+")


def clean(s: str) -> str:
    """The text as it may stand in a file of the tree (format §2): NFC, LF, no control, bidi or zero-width characters.

    Every kind of line break becomes LF, a surrogate pair becomes its character, a lone surrogate U+FFFD; the rest of
    what is forbidden is dropped. Zero-width joiners are dropped too: the format forbids them, although ZWJ shapes
    some emoji and ZWNJ some Persian and Indic words; those stay readable. Idempotent.
    """
    if _PLAIN_ASCII.fullmatch(s):
        return s
    if _SURROGATE.search(s):
        s = s.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return unicodedata.normalize("NFC", _FORBIDDEN.sub("", _BREAKS.sub("\n", s)))


def is_clean(s: str) -> bool:
    """Whether `clean` would leave the text as it is."""
    return clean(s) == s


def forbidden(s: str) -> list[tuple[int, str]]:
    """Code points of `s` that the format forbids, as (offset, `U+XXXX`); normal form is not looked at."""
    found = [m for pattern in (_BREAKS, _FORBIDDEN, _SURROGATE) for m in pattern.finditer(s)]
    return [(m.start(), f"U+{ord(m.group()[0]):04X}") for m in sorted(found, key=lambda m: m.start())]


def one_line(s: str) -> str:
    """Cleaned, with every run of white space one space and none at the ends."""
    return _SPACES.sub(" ", clean(s)).strip()


def clip(s: str, limit: int) -> str:
    """At most `limit` characters of `s`, cut between words where there are any, with `…` when something was cut.

    >>> clip("Two-city accessibility sprint", 12)
    'Two-city…'
    """
    if len(s) <= limit:
        return s
    cut = s[: max(limit - 1, 0)]
    at = cut.rfind(" ")
    if at > limit // 2:
        cut = cut[:at]
    while cut and (unicodedata.combining(s[len(cut)]) or s[len(cut)] in "\ufe0e\ufe0f"):
        cut = cut[:-1]  # never between a letter and its mark
    return (cut.rstrip(" ,;:.–—-") + "…")[:limit]


SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_SYMBOLS = ((re.compile(r"(?<=[A-Za-z])#"), " sharp "), (re.compile(r"\+"), " plus "), (re.compile(r"&"), " and "))
_APOSTROPHES = re.compile(r"(?<=\w)['`](?=\w)")
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d")  # device names on Windows


def slugify(title: str, max: int = 64) -> str:
    """A file name for a title: lower-case ASCII words joined by hyphens, at most `max` characters.

    A title whose name in ASCII may not be its own (letters of another script, nothing left, cut for length, reserved
    on Windows) gets six hex digits of its hash, so that two such titles never meet in one slug.

    >>> slugify("Japan universal design sprint")
    'japan-universal-design-sprint'
    """
    whole = ascii_slug(title, len(title) * 24 + 1)
    latin = all(not ch.isalpha() or _is_latin(ch) for ch in title)
    if whole and latin and len(whole) <= max and not _RESERVED.fullmatch(whole):
        return whole
    mark = sha256(normal_name(title).encode("utf-8", "replace")).hexdigest()[:6]
    stem = _cut(whole, max - 7)
    return f"{stem}-{mark}" if stem else mark


def ascii_slug(title: str, max: int = 64) -> str:
    """The words of a title in ASCII, cut between words, with nothing that tells alike titles apart; may be empty."""
    from anyascii import anyascii  # loads its tables on first use

    s = clean(title)
    for pattern, word in _SYMBOLS:
        s = pattern.sub(word, s)
    return _cut(_NOT_SLUG.sub("-", _APOSTROPHES.sub("", anyascii(s)).lower()).strip("-"), max)


def is_slug(s: str, max: int = 64) -> bool:
    return len(s) <= max and SLUG.fullmatch(s) is not None


def _cut(slug: str, limit: int) -> str:
    if len(slug) <= limit:
        return slug
    at = slug.rfind("-", 0, limit + 1)
    return slug[:at] if at > limit // 2 else slug[:limit].strip("-")


def _is_latin(ch: str) -> bool:
    return ch.isascii() or unicodedata.name(ch, "").startswith(("LATIN", "FULLWIDTH LATIN", "FEMININE", "MASCULINE"))


def normal_name(s: str) -> str:
    """The form in which titles, names and aliases are compared: NFKC, case-folded, runs of spaces one, hyphens kept."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(s)).casefold())
    return _SPACES.sub(" ", folded).strip()


def est_tokens(s: str) -> int:
    """Tokens a model would count, estimated as ceil(UTF-8 bytes / 3.5) (format §2)."""
    return -(-len(s.encode("utf-8", "surrogatepass")) * 2 // 7)


# Scripts that do not put spaces between words: Thai, Lao, Myanmar, Khmer, Han, kana, Bopomofo.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3041-\u3096\u309d-\u30ff\u3105-\u312f"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
# Marks that belong to the letter before them, which \w leaves out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0971-\u0dff\u0f18-\u0fbc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ua8e0-\ua8f1"
)
_LETTER = rf"(?:(?![{_UNSPACED}])[\w{_MARKS}])"
_WORD = re.compile(rf"[{_UNSPACED}]+|{_LETTER}+(?:['’]{_LETTER}+)*")
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")


def words(s: str) -> list[str]:
    """Words for comparing texts: NFKC, case-folded, punctuation gone, in order.

    A run in a script without spaces (Han, kana, Thai, Khmer, …) becomes its overlapping pairs of characters, a single
    character itself.

    >>> words("Sora City Lab, in 京都市")
    ['sora', 'city', 'lab', 'in', '京都', '都市']
    """
    found: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", s).casefold()):
        word = match.group()
        if _UNSPACED_RUN.match(word) and len(word) > 1:
            found.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            found.append(word.replace("’", "'"))
    return found


def count_words(s: str) -> int:
    """Words as a reader counts them; in scripts without spaces two characters are one word."""
    return sum((len(m.group()) + 1) // 2 if _UNSPACED_RUN.match(m.group()) else 1 for m in _WORD.finditer(s))


def shingles(s: str, n: int = 8) -> frozenset[tuple[str, ...]]:
    """Runs of `n` words; a text of fewer words is one shingle, one of none has none."""
    w = words(s)
    if not w:
        return frozenset()
    return frozenset(tuple(w[i : i + n]) for i in range(max(len(w) - n, 0) + 1))


def jaccard(a: AbstractSet[object], b: AbstractSet[object]) -> float:
    """|a ∩ b| / |a ∪ b|; 0 when both are empty."""
    either = len(a | b)
    return len(a & b) / either if either else 0.0


def strings_in(value: object) -> Iterator[str]:
    """Every string of a JSON value, keys too, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)


def counted(number: int, noun: str) -> str:
    """`1 entity`, `3 entities`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"
