"""What the opening of a page is made of: sentences with their sources, and the description the index shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from brain.dream.days import STAMP
from brain.text import clip

DESCRIPTION = (20, 160)
_CODE = re.compile(r"[a-z]\w*[-_.\d]\w")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_LINK = re.compile(r"\[\[[^\]|]+\|([^\]]+)\]\]|\[\[([^\]]+)\]\]")
_IS_A = re.compile(r"^(?:is|was) (?:an? |the )?(?!\w+['’]s? )")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One claim of a page as the lead sees it. `uris` are its sources."""

    head: str
    text: str
    label: str | None = None
    when: str = ""
    uris: tuple[str, ...] = ()
    qualified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a lead and the sources it rests on. `inferred`: the Dream's own conclusion from them."""

    text: str
    uris: tuple[str, ...]
    inferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The sentences of a lead, and the description."""

    sentences: tuple[Sentence, ...]
    description: str

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A topic an owner talks of: the title of its page, and a source in which they do."""

    title: str
    uri: str


def last_day(text: str) -> str:
    """The last day a text names, "" when it names none; days compare as text."""
    return max(_DATE.findall(text), default="")


def plain(text: str) -> str:
    """Text without links: their labels, or the last part of their ids."""
    return _LINK.sub(lambda m: m[1] or m[2].rpartition("/")[2].replace("-", " "), text)


def verbatim(claim: Said) -> Sentence:
    return Sentence(text=end(plain(claim.text)), uris=claim.uris)


def made(title: str, kind: str, sentences: Sequence[Sentence], told: Sequence[str]) -> Lead:
    return Lead(sentences=tuple(sentences), description=describe(told, title, kind))


def describe(parts: Sequence[str], title: str, kind: str) -> str:
    """Parts that fit, in whole pieces where they do."""
    least, most = DESCRIPTION
    clean = [bare(STAMP.sub("", part)) for part in parts if part]
    if not clean:
        clean = [title]
    first = _IS_A.sub("", clean[0])
    first = re.sub(r"^(?:is|was) (?=\w+['’]s? )", "", first)
    text = first if _CODE.match(first) else first[:1].upper() + first[1:]
    for mark in ("; ", " - ", ": "):
        if len(text) > most and mark in text[:most]:
            text = text.partition(mark)[0]
    for part in clean[1:]:
        short = part if len(text) + 2 + len(part) <= most else part.partition(": ")[0].partition("; ")[0]
        if len(text) + 2 + len(short) <= most:
            text = f"{text}; {short}"
    text = clip(text, most)
    if len(text) < least:
        text = f"{kind.capitalize()} {title}: {text}"
    return clip(text, most) if len(text) >= least else f"{text}, known from one statement"


def bare(text: str) -> str:
    return text.rstrip(" .!;,")


def end(text: str) -> str:
    return text if text.rstrip("\"”»」'’)").endswith((".", "!", "?", "。", "！", "？")) else text + "."
