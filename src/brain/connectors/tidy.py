"""Text from outside, made fit to be kept: decoded, without control characters, no longer than agreed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser

from brain.text import clean, one_line
from brain.tree.snapshot import Fields

CUT = "\n[cut here: the rest was not kept]"
_BLOCKS = frozenset(
    {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "blockquote"}
)
_UNSEEN = frozenset({"script", "style", "head", "template", "noscript", "title"})
_BLANKS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")
_VALUE = 1_000


def tidy(text: str, most: int) -> str:
    """Clean text of at most about `most` characters; what was cut off is said."""
    short = text[: most + 1] if len(text) > most else text
    cleaned = _BLANKS.sub("\n\n", clean(short)).strip()
    return cleaned[:most].rstrip() + CUT if len(text) > most else cleaned


def fields(*pairs: tuple[str, str]) -> Fields:
    """Named values as one clean line each; empty ones are left out."""
    lines = ((name, one_line(value[: 4 * _VALUE])[:_VALUE]) for name, value in pairs)
    return tuple((name, value) for name, value in lines if value)


def decoded(data: bytes, charset: str | None = None) -> str:
    """Bytes as text: the charset given, else by its mark, else UTF-8, else Latin-1. Never fails."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    for name in (charset, "utf-8-sig"):
        if name:
            try:
                return data.decode(name)
            except (LookupError, UnicodeDecodeError, ValueError):
                continue
    return data.decode("cp1252", "replace")


def html_text(html: str) -> str:
    """The words of a web page or mail as a person sees them: no scripts, no styles, blocks on lines of their own."""
    reader = _Words()
    try:
        reader.feed(html)
        reader.close()
    except (AssertionError, ValueError):  # what was read so far is what there is
        pass
    lines = (re.sub(r"[ \t\r\f\v\xa0]+", " ", line).strip() for line in "".join(reader.out).split("\n"))
    return _BLANKS.sub("\n\n", "\n".join(lines)).strip()


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        if tag == "body":
            self.unseen = 0
        elif tag in _UNSEEN:
            self.unseen += 1
        elif tag in _BLOCKS:
            self.out.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self.unseen = max(0, self.unseen - 1)
        elif tag in _BLOCKS:
            self.out.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.out.append(data)
