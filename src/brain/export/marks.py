"""Links and citations of a page in the dress of another format, line by line, and back: code is never touched.

A source becomes a footnote, `[cite:4]` ↔ `[^cite-4]`, which Obsidian, GitHub and the Open Knowledge Format all read.
Words that look like a footnote already get a backslash, so that nothing becomes one by accident.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from brain.text import one_line
from brain.tree import markdown, page
from brain.tree.markdown import Wikilink
from brain.tree.page import Page, Reference

LABEL = "cite-"
_FOOTNOTE_LIKE = re.compile(r"\[\^|(?<=\])\(")
"""What would be a footnote, or a Markdown link: pages of memory have neither."""

_MARK = re.compile(r"\[\^([A-Za-z0-9][\w-]*)\](?!:)", re.ASCII)
_DEFINITION = re.compile(r" {0,3}\[\^([A-Za-z0-9][\w-]*)\]:[ \t]?(.*)", re.ASCII)
_SPECIAL = re.compile(r"([\\\[\]`*_<>|])")

Edit = tuple[int, int, str]
"""Start, end and what stands there instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnote:
    """A definition as written: `[^label]: words`, and its line in the text, from 1."""

    label: str
    words: str
    line: int


def dressed(
    shown: Page,
    link: Callable[[Wikilink], str],
    definition: Callable[[Reference], str],
    mark: Callable[[int], str] = lambda number: f"[^{LABEL}{number}]",
) -> str:
    """The body of a page with its links, citation marks and definitions as these write them."""
    known = shown.references
    lines = list(shown.lines)
    written = {ref.line: ref for ref in known.values()}
    links: dict[int, list[Wikilink]] = {}
    for found in page.links(shown):
        links.setdefault(found.line, []).append(found)
    edits: dict[int, list[Edit]] = {}
    for one in shown.markers():
        if one.number is not None and one.number in known:
            edits.setdefault(one.line, []).append((one.start, one.end, mark(one.number)))
    for number, hidden in enumerate(shown.masked, start=shown.body_line):
        if number in written:
            lines[number - 1] = definition(written[number])
            continue
        if hidden.startswith("# "):
            continue  # a title is a name, and holds no edges
        here = edits.get(number, [])
        here += [(w.start, w.end, link(w)) for w in links.get(number, [])]
        here += [(m.start(), m.start(), "\\") for m in markdown.unescaped(_FOOTNOTE_LIKE, hidden)]
        lines[number - 1] = edited(lines[number - 1], here)
    return "\n".join(lines[shown.body_line - 1 :])


def dressed_line(text: str, link: Callable[[Wikilink], str]) -> str:
    """One line of Markdown, such as a snippet, the same way."""
    hidden = markdown.mask_inline(text)
    found: list[Edit] = [(one.start, one.end, link(one)) for one in markdown.links_in(text, hidden)]
    found += [(m.start(), m.start(), "\\") for m in markdown.unescaped(_FOOTNOTE_LIKE, hidden)]
    return edited(text, found)


def edited(line: str, edits: Iterable[Edit]) -> str:
    """The line with every edit made; of two that overlap the first counts."""
    out, at = [], 0
    for start, end, new in sorted(edits):
        if start >= at:
            out += [line[at:start], new]
            at = end
    return "".join([*out, line[at:]])


def footnotes(lines: list[str], masked: list[str]) -> list[Footnote]:
    """The definitions of footnotes in a body, code left out."""
    return [
        Footnote(label=match[1], words=lines[at][match.start(2) :], line=at + 1)
        for at, hidden in enumerate(masked)
        if (match := _DEFINITION.match(hidden))
    ]


def marks(hidden: str) -> Iterator[re.Match[str]]:
    """The markers of footnotes in a line whose code is hidden; group 1 is the label."""
    return markdown.unescaped(_MARK, hidden)


def number_of(label: str) -> int | None:
    """`cite-4` → 4; None for a footnote that is none of ours."""
    rest = label.removeprefix(LABEL)
    return int(rest) if rest != label and markdown.NUMBER.fullmatch(rest) else None


def link_text(words: str) -> str:
    """Words as the text of a Markdown link: nothing in them ends the link or starts another."""
    return _SPECIAL.sub(r"\\\1", one_line(words))


def plain_link_text(text: str) -> str:
    """The way back from `link_text`."""
    return re.sub(r"\\([\\\[\]`*_<>|])", r"\1", text)


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading: lower case, no punctuation, hyphens for spaces."""
    kept = re.sub(r"[^\w\s-]", "", heading.strip().lower())
    return re.sub(r"\s", "-", kept)
