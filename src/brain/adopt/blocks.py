"""The body of a foreign Markdown file as blocks: headings, paragraphs, items, quotes, code, each with its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from brain.html import html_text
from brain.tree import markdown

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CALLOUT = re.compile(r"\[!(\w[\w-]*)\][+-]?[ \t]*(.*)")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_QUERIES = frozenset({"dataview", "dataviewjs", "query", "tasks", "base", "mermaid", "button", "templater", "ad-query"})


class BlockKind(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    QUOTE = "quote"
    CODE = "code"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`text` is Markdown without the markers around it; `level` a heading's or item's; lines are those of the body."""

    kind: BlockKind
    text: str
    first: int
    last: int
    level: int = 0


def without_comments(body: str) -> tuple[str, int]:
    """The body with `%%comments%%` blanked, lines kept, and how many there were."""
    if "%%" not in body:
        return body, 0
    hidden = markdown.mask(body)
    out, at, count = [], 0, 0
    for match in _COMMENT.finditer(hidden):
        out += [body[at : match.start()], re.sub(r"[^\n]", "", match[0])]
        at, count = match.end(), count + 1
    return "".join([*out, body[at:]]), count


def blocks(body: str) -> Iterator[Block]:
    """The blocks of a body in their order. Never raises: what is no Markdown is a paragraph."""
    seen = _Seen()
    for token in _parser().parse(body):
        yield from seen.token(token)


@dataclass(slots=True)
class _Seen:
    """Where a walk over the tokens of a body is: in which list, quote, heading, table."""

    depth: int = 0
    quoted: int = 0
    heading: int = 0
    row_line: int = 0
    in_cell: bool = False
    names: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)

    def token(self, token: Token) -> Iterator[Block]:
        first, last = (token.map[0] + 1, token.map[1]) if token.map else (0, 0)
        step = {"open": 1, "close": -1}.get(token.type.rpartition("_")[2], 0)
        match token.type.rpartition("_")[0]:
            case "bullet_list" | "ordered_list":
                self.depth += step
            case "blockquote":
                self.quoted += step
            case "heading":
                self.heading = int(token.tag[1]) if step > 0 else 0
            case "table":
                self.names = []
            case "th" | "td":
                self.in_cell = step > 0
            case "tr" if step > 0:
                self.cells, self.row_line = [], first
            case "tr":
                yield from self._row()
        match token.type:
            case "fence" | "code_block":
                yield _code(token, first, last)
            case "html_block":
                yield from _html(token, first, last)
            case "inline" if self.in_cell:
                self.cells.append(token.content)
            case "inline":
                yield from _words(token, first, last, self.heading, self.depth, self.quoted)

    def _row(self) -> Iterator[Block]:
        """A row as an item: each cell with its column's name."""
        if not self.names:
            self.names = self.cells or [""]
            return
        pairs = zip(self.names, self.cells, strict=False)
        said = "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell.strip())
        if said:
            yield Block(kind=BlockKind.ITEM, text=said, first=self.row_line, last=self.row_line, level=1)


def _words(token: Token, first: int, last: int, heading: int, depth: int, quoted: int) -> Iterator[Block]:
    text = token.content.strip()
    if heading:
        yield Block(kind=BlockKind.HEADING, text=text, first=first, last=last, level=heading)
        return
    if quoted and (match := _CALLOUT.match(text)):
        rest = text[match.end() :].strip()
        title = match[2].strip() or match[1].capitalize()
        text = f"**{title}** — {rest}" if rest else f"**{title}**"
        kind = BlockKind.ITEM if rest else BlockKind.LOST
        yield Block(kind=kind, text=text if rest else "empty callouts", first=first, last=last, level=1)
        return
    kind = BlockKind.QUOTE if quoted else BlockKind.ITEM if depth else BlockKind.TEXT
    if text:
        yield Block(kind=kind, text=text, first=first, last=last, level=min(max(depth, 1), 2))


def _code(token: Token, first: int, last: int) -> Block:
    info = token.info.strip().split(" ")[0].lower()
    if info in _QUERIES:
        return Block(kind=BlockKind.LOST, text=f"{info} blocks", first=first, last=last)
    return Block(kind=BlockKind.CODE, text=token.content.rstrip("\n"), first=first, last=last)


def _html(token: Token, first: int, last: int) -> Iterator[Block]:
    yield Block(kind=BlockKind.LOST, text="HTML markup", first=first, last=last)
    for part in html_text(token.content).split("\n\n"):
        if part.strip():
            yield Block(kind=BlockKind.TEXT, text=markdown.escape(part), first=first, last=last)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("reference")
