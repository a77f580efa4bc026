"""A block of foreign Markdown as one line of memory's: links that lead somewhere, words that stay words, nothing live.

Wikis write more than CommonMark: embeds, comments, highlights, block ids, footnotes, citations. What has a meaning in
memory is translated, the rest becomes words, and what is lost on the way is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from brain.distil.sentences import sentences
from brain.export.marks import marks
from brain.text import count_words, one_line
from brain.tree import markdown
from brain.types import Qualifier

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_OPEN, _CLOSE = "\ue000", "\ue001"
_HELD = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_HIGHLIGHT = re.compile(r"==(?=\S)(.+?)(?<=\S)==")
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]+$")
_TASK = re.compile(r"\[([ xX/-])\] +")
_NOTE = re.compile(r"\^\[([^\[\]\n]*)\]")
_WEB = ("http://", "https://", "mailto:", "obsidian://")


@dataclass(slots=True, kw_only=True)
class Wording:
    """Words of one file. `target` gives the page a link leads to; `cites` collects the numbers cited in a block."""

    target: Callable[[str], str | None]
    lost: Counter[str] = field(default_factory=Counter)
    cites: list[int] = field(default_factory=list)
    qualifiers: list[str] = field(default_factory=list)
    linked: bool = False
    _held: list[str] = field(default_factory=list)

    def line(self, source: str, *, most: int = 0) -> list[str]:
        """A block as lines: one, or with `most` as many as hold up to so many words each, cut between sentences.

        `cites`, `qualifiers` and `linked` then tell of this block.
        """
        self.cites, self.qualifiers, self.linked, self._held = [], [], False, []
        text = self._wiki(source.replace(_OPEN, "").replace(_CLOSE, ""))
        out = self._inline(_parser().parseInline(text)[0].children or [])
        words = re.sub(r"\s+([.,;:!?])", r"\1", one_line(out))
        parts = _grouped(words, most) if most and count_words(words) > most else [words]
        return [one_line(_HELD.sub(self._back, part)) for part in parts if part.strip()]

    def _hold(self, text: str) -> str:
        self._held.append(text)
        return f"{_OPEN}{len(self._held) - 1}{_CLOSE}"

    def _back(self, match: re.Match[str]) -> str:
        at = int(match[1])
        return self._held[at] if at < len(self._held) else ""

    # -- what CommonMark does not know

    def _wiki(self, text: str) -> str:
        found: list[tuple[int, int, str]] = []
        hidden = markdown.mask_inline(text)
        for match in markdown.unescaped(_LINK, hidden):
            label = text[match.start(3) : match.end(3)] if match[3] is not None else ""
            found.append((*match.span(), self._wikilink(match[2], label, embed=bool(match[1]))))
        for match in markdown.unescaped(markdown.CITE, hidden):
            if markdown.NUMBER.fullmatch(match[1]):
                self.cites.append(int(match[1]))
            found.append((*match.span(), ""))
        for match in marks(hidden):
            found.append((*match.span(), ""))
        for match in markdown.unescaped(_NOTE, hidden):
            if match[1] in set(Qualifier):
                self.qualifiers.append(match[1])
                found.append((*match.span(), ""))
            else:
                found.append((*match.span(), f" ({text[match.start(1) : match.end(1)]})"))
        out, at = [], 0
        for start, end, new in sorted(found):
            if start >= at:
                out += [text[at:start], new]
                at = end
        text = "".join([*out, text[at:]])
        hidden = markdown.mask_inline(text)
        if "%%" in hidden:
            self.lost["comments"] += len(_COMMENT.findall(hidden))
            text = _COMMENT.sub("", text)
        if "==" in text and "`" not in text:
            text = _HIGHLIGHT.sub(r"\1", text)
        return _TASK.sub(_task, _BLOCK_ID.sub("", text), count=1) if _TASK.match(text) else _BLOCK_ID.sub("", text)

    def _wikilink(self, target: str, label: str, *, embed: bool) -> str:
        id = self.target(target)
        name = target.partition("#")[0].rpartition("/")[2].strip() or target.strip("#^ ")
        if embed:
            self.lost["embeds"] += 1
        if id is None:
            if not embed:
                self.lost["links to pages that are not there"] += 1
            return self._hold(_escaped(label or name))
        self.linked = True
        words = label or ("" if target.strip() == id else name)
        return self._hold(markdown.wikilink(id, _escaped(words)))

    # -- what it does

    def _inline(self, tokens: list[Token]) -> str:
        out: list[str] = []
        links: list[tuple[int, str]] = []
        for token in tokens:
            match token.type:
                case "text" | "text_special":
                    out.append(_escaped(token.content))
                case "code_inline":
                    out.append(self._hold(_code(token.content)))
                case "strong_open" | "strong_close":
                    out.append("**")
                case "em_open" | "em_close":
                    out.append("*")
                case "softbreak" | "hardbreak":
                    out.append(" ")
                case "image":
                    self.lost["images"] += 1
                    out.append(_escaped(token.content))
                case "html_inline":
                    if not token.content.lower().startswith("<br"):
                        self.lost["HTML markup"] += 1
                    out.append(" " if token.content.lower().startswith("<br") else "")
                case "link_open":
                    links.append((len(out), str(token.attrGet("href") or "")))
                case "link_close":
                    at, to = links.pop()
                    out[at:] = [self._link("".join(out[at:]), to)]
                case _:
                    out.append(_escaped(token.content))
        return "".join(out)

    def _link(self, words: str, to: str) -> str:
        if to.lower().startswith(_WEB):
            shown = self._hold(markdown.escape(to))
            return (
                shown if one_line(_HELD.sub(self._back, words)).rstrip("/") == to.rstrip("/") else f"{words} ({shown})"
            )
        if id := self.target(to):
            self.linked = True
            return self._hold(markdown.wikilink(id, _HELD.sub(self._back, words)))
        self.lost["links to pages that are not there"] += 1
        return words


def _escaped(text: str) -> str:
    """Words that stay words, with the spaces around them."""
    held = _HELD.split(text)
    out = []
    for at, part in enumerate(held):
        if at % 2:
            out.append(f"{_OPEN}{part}{_CLOSE}")
        elif part.strip():
            lead, trail = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
            safe = markdown.escape(part).replace("](", "]\\(")
            out.append(f"{' ' if lead else ''}{safe}{' ' if trail else ''}")
        else:
            out.append(" " if part else "")
    return "".join(out)


def _code(text: str) -> str:
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in (text[:1], text[-1:]) or not text.strip() else ""
    return f"{fence}{pad}{one_line(text)}{pad}{fence}"


def _task(match: re.Match[str]) -> str:
    return {" ": "To do: ", "/": "Begun: ", "-": "Dropped: "}.get(match[1], "Done: ")


def _grouped(text: str, most: int) -> list[str]:
    """Sentences joined as long as they hold at most `most` words."""
    parts: list[str] = []
    for one in sentences(text):
        if parts and count_words(parts[-1]) + count_words(one) <= most:
            parts[-1] = f"{parts[-1]} {one}"
        else:
            parts.append(one)
    return parts


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")
