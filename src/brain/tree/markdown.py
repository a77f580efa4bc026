"""Inline Markdown of the tree: what is code, wikilinks, citation markers, and foreign words made harmless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from brain.text import one_line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

PAGE_ID = re.compile(r"[a-z0-9]+(?:[-/][a-z0-9]+)*")
LINK = re.compile(r"\[\[([^\[\]|#\n]*)(#[^\[\]|\n]*)?(\|[^\[\]\n]*)?\]\]")
CITE = re.compile(r"\[cite:([^\[\]\n]*)\]")
QUALIFIER = re.compile(r"\^\[([^\[\]\n]*)\]")
NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
HIDDEN = "\0"
"""What `mask` puts in place of each character of code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wikilink:
    """`[[target#heading|label]]`; `valid` = the target is written as a page id. Offsets are into the text searched."""

    target: str
    label: str | None = None
    heading: str | None = None
    line: int = 1
    start: int = 0
    end: int = 0

    @property
    def valid(self) -> bool:
        return PAGE_ID.fullmatch(self.target) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """`[cite:4]`, or in authoring form `[cite:session://…#t3; …]`. Neither number nor sources = malformed."""

    raw: str
    number: int | None = None
    sources: tuple[str, ...] = ()
    line: int = 1
    start: int = 0
    end: int = 0


def mask(text: str) -> str:
    """The text with each character of code (fenced, indented, inline) hidden; same length, same lines.

    Structure and edges are looked for in the masked text, so that `[[x]]` in code is never a link.
    """
    if "`" not in text and "~~~" not in text and "    " not in text and "\t" not in text:
        return text
    return _mask_lines(text) or mask_by_parser(text)


def links_in(text: str, masked: str | None = None) -> list[Wikilink]:
    """The wikilinks of a text, those in code left out, lines counted from 1."""
    hidden = mask(text) if masked is None else masked
    found = []
    for match in unescaped(LINK, hidden):
        a, b = match.span()
        # The words are taken from the text itself: a label may hold inline code.
        target, heading, label = (text[s:e] if s >= 0 else None for s, e in map(match.span, (1, 2, 3)))
        found.append(
            Wikilink(
                target=(target or "").strip(),
                heading=heading[1:].strip() if heading else None,
                label=label[1:].strip() if label else None,
                line=hidden.count("\n", 0, a) + 1,
                start=a,
                end=b,
            )
        )
    return found


def markers_in(text: str, masked: str | None = None) -> list[Marker]:
    """The citation markers of a text, those in code left out, lines counted from 1."""
    hidden = mask(text) if masked is None else masked
    return [marker(m, hidden.count("\n", 0, m.start()) + 1) for m in unescaped(CITE, hidden)]


def marker(match: re.Match[str], line: int = 1) -> Marker:
    """The marker that a match of CITE stands for."""
    inner = match.group(1)
    number = int(inner) if NUMBER.fullmatch(inner) else None
    sources = tuple(s.strip() for s in inner.split(";") if s.strip()) if "://" in inner else ()
    return Marker(raw=match.group(), number=number, sources=sources, line=line, start=match.start(), end=match.end())


def rewrite_links(text: str, change: Callable[[Wikilink], str | None]) -> str:
    """The text with each link replaced by what `change` gives, kept where it gives None."""
    out, at = [], 0
    for link in links_in(text):
        new = change(link)
        if new is not None:
            out += [text[at : link.start], new]
            at = link.end
    return "".join([*out, text[at:]])


def wikilink(target: str, label: str | None = None) -> str:
    """`[[target]]` or `[[target|label]]`; brackets and bars are taken out of the label."""
    words = re.sub(r"[\[\]|]", " ", label or "")
    words = one_line(words)
    return f"[[{target}|{words}]]" if words and words != target else f"[[{target}]]"


# --- foreign words -----------------------------------------------------------------------------------------------

_PUNCTUATION = r"!-/:-@\[-`{-~"
_RISKY = re.compile(rf"\\(?=[{_PUNCTUATION}]|$)|`|\[(?=\[|cite:)|(?<=\[)\[|\^(?=\[)|!(?=\[)|<(?=[A-Za-z/!?])")
_OPENS_BLOCK = re.compile(
    r"#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|([-_*])(?=\s*\1\s*\1)|\*(?=\*)|~(?=~~)|\||=+$"
    r"|\[(?=[^\]]*\]:)|\[(?=[ xX]\](?:\s|$))"
)
_ORDERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)", re.ASCII)
_ESCAPED = re.compile(rf"\\([{_PUNCTUATION}])")


def escape(words: str) -> str:
    """Words of a turn as one line of Markdown that reads the same and is nothing but words.

    Wikilinks, markers, qualifiers, HTML, images, lists and headings lose their meaning; whole code spans stay, stray
    backticks are escaped. `plain` is the way back.
    """
    text = one_line(words)
    if not text:
        return ""
    out, at = [], 0
    for start, end in [*_inline_code(text), (len(text), len(text))]:
        out += [_RISKY.sub(r"\\\g<0>", text[at:start]), text[start:end]]
        if start and text[start:end] and text[start - 1] == "\\":
            out[-2] = _double_last(out[-2])
        at = end
    safe = "".join(out)
    if _OPENS_BLOCK.match(safe):
        return "\\" + safe
    return _ORDERED.sub(r"\1\\\2", safe, count=1) if _ORDERED.match(safe) else safe


def plain(text: str, titles: Mapping[str, str] | None = None) -> str:
    """The words of a claim or note: links by their label (or title, or last part of the id), no markers, no escapes."""
    hidden = mask_inline(text)
    out, at = [], 0
    for start, end, words in sorted(_dropped(text, hidden, titles or {})):
        out += [_unescape(text[at:start], hidden[at:start]), words]
        at = end
    return one_line("".join([*out, _unescape(text[at:], hidden[at:])]))


def _dropped(text: str, hidden: str, titles: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    for link in links_in(text, hidden):
        name = titles.get(link.target) or link.target.rpartition("/")[2].replace("-", " ")
        yield link.start, link.end, plain(link.label) if link.label else name
    for pattern in (CITE, QUALIFIER):
        for match in unescaped(pattern, hidden):
            yield match.start(), match.end(), ""


def _unescape(text: str, hidden: str) -> str:
    out, at = [], 0
    for match in _ESCAPED.finditer(hidden):
        out += [text[at : match.start()], match.group(1)]
        at = match.end()
    return "".join([*out, text[at:]])


def _double_last(s: str) -> str:
    """A backslash before a code span: escaped itself, so that it does not escape the span's backtick."""
    return s if (len(s) - len(s.rstrip("\\"))) % 2 == 0 else s + "\\"


def unescaped(pattern: re.Pattern[str], hidden: str) -> Iterator[re.Match[str]]:
    """Matches that no backslash takes the meaning from."""
    for match in pattern.finditer(hidden):
        before = match.start()
        while before and hidden[before - 1] == "\\":
            before -= 1
        if (match.start() - before) % 2 == 0:
            yield match


# --- code --------------------------------------------------------------------------------------------------------

_RUN = re.compile("`+")
_NOT_BY_LINE = re.compile(r"```|~~~|    |\t|\r|<|!\[|\\`|^[ |:]*-[-|: ]*\|[-|: ]*$|^[ |:]*\|[ |:]*-", re.MULTILINE)


def _mask_lines(text: str) -> str | None:
    """The mask where every code span opens and closes on its own line and nothing else is code; else None."""
    if _NOT_BY_LINE.search(text):
        return None
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if "`" not in line:
            continue
        if line.lstrip(" >-+*0123456789.)").startswith("["):
            return None  # may be a link definition, which holds no code
        runs = [m.span() for m in _RUN.finditer(line)]
        if len(runs) % 2:
            return None
        for (a, b), (c, d) in zip(runs[::2], runs[1::2], strict=True):
            if b - a != d - c:
                return None
            line = line[:a] + HIDDEN * (d - a) + line[d:]
        lines[number] = line
    return "\n".join(lines)


def mask_by_parser(text: str) -> str:
    """The mask as the CommonMark parser sees it; the reference for every shorter way."""
    parser = _parser()
    lines = text.split("\n")
    masked = list(lines)
    for token in parser.parse(text.replace("\r", "\ufffd"), {}):
        if token.map is None:
            continue
        first, last = token.map
        if token.type in {"fence", "code_block"}:
            for number in range(first, min(last, len(lines))):
                masked[number] = HIDDEN * len(lines[number])
        elif token.type == "inline" and "`" in token.content:
            spans = _inline_code(token.content)
            if spans:
                _hide(lines, masked, token.content, first, spans)
    return "\n".join(masked)


def mask_inline(text: str) -> str:
    """The mask of a text that is one inline run (a claim, a cell), whatever block it would look like alone."""
    hidden = text
    for start, end in _inline_code(text):
        hidden = hidden[:start] + HIDDEN * (end - start) + hidden[end:]
    return hidden


def _hide(lines: list[str], masked: list[str], content: str, first: int, spans: list[tuple[int, int]]) -> None:
    """Hide spans given as offsets in an inline token's content, whose lines are parts of the source lines."""
    at = 0
    for number, part in enumerate(content.split("\n"), start=first):
        begin, at = at, at + len(part) + 1
        here = [(max(a, begin) - begin, min(b, begin + len(part)) - begin) for a, b in spans]
        here = [(a, b) for a, b in here if a < b]
        if not here or number >= len(lines):
            continue
        line = lines[number]
        words = part.strip()
        column = line.rfind(words)
        while column > 0 and HIDDEN in masked[number][column : column + len(words)]:
            column = line.rfind(words, 0, column + len(words) - 1)  # the same cell twice in a table row
        if column < 0:  # a table cell with an escaped bar: hide from its first to its last backtick
            here, column = [(line.index("`"), line.rindex("`") + 1)], 0
        else:
            column -= len(part) - len(part.lstrip())
        for a, b in here:
            a, b = max(column + a, 0), column + b
            masked[number] = masked[number][:a] + HIDDEN * (b - a) + masked[number][b:]


def _inline_code(content: str) -> list[tuple[int, int]]:
    """Code spans of an inline text as offsets, backticks included."""
    if "`" not in content:
        return []
    parser = _parser()
    env = _Spans(content)
    parser.inline.parse(content, parser, env, [])
    return sorted(set(env.spans))


class _Spans(dict[str, object]):
    """The parser's environment for one inline text; collects its code spans."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.content = content
        self.spans: list[tuple[int, int]] = []


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import backtick

    def backticks(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        done = backtick(state, silent)
        env = state.env
        made = done and not silent and len(state.tokens) > before and state.tokens[-1].type == "code_inline"
        if made and isinstance(env, _Spans) and state.src == env.content:  # an image's alt text is another source
            env.spans.append((start, state.pos))
        return done

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    parser.inline.ruler.at("backticks", backticks)
    return parser
