"""Text out of HTML: the words as a person sees them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser

_BLOCKS = frozenset(
    {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "blockquote"}
)
_UNSEEN = frozenset({"script", "style", "head", "template", "noscript", "title"})
_BLANKS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")


def html_text(html: str) -> str:
    """The words of a web page or mail as a person sees them: no scripts, no styles, blocks on lines of their own.

    >>> html_text("<p>Mast: <b>14&nbsp;m</b></p><pre><code>reef()</code></pre>")
    'Mast: 14 m\\n\\n```\\nreef()\\n```'
    """
    reader = _Words()
    try:
        reader.feed(html)
        reader.close()
    except (AssertionError, ValueError):  # what was read so far is what there is
        pass
    parts = "".join(reader.out).split("\0")
    for at in range(0, len(parts), 2):  # between the marks stands code, whose spaces count
        lines = (re.sub(r"[ \t\r\f\v\xa0]+", " ", line).strip() for line in parts[at].split("\n"))
        parts[at] = "\n".join(lines)
    return _BLANKS.sub("\n\n", "".join(parts)).strip()


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.unseen = 0
        self.code = False

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        if tag == "body":
            self.unseen = 0
        elif tag in _UNSEEN:
            self.unseen += 1
        elif tag == "pre" and not self.code and not self.unseen:
            self.code = True
            self.out.append("\n\n```\n\0")
        elif tag in _BLOCKS:
            self.out.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self.unseen = max(0, self.unseen - 1)
        elif tag == "pre" and self.code:
            self.code = False
            self.out.append("\0\n```\n")
        elif tag in _BLOCKS:
            self.out.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.out.append(data.replace("\0", ""))
