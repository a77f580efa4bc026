"""What in a turn is its speaker's own prose: code, dumps, quoted pages, markup and machine blocks are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

MAX_CHARS = 24_000
"""A longer turn is a paste; its head and tail are read, the middle is not speech."""

_TAIL_CHARS = 4_000
_MAX_LINE = 4_000


class BlockKind(StrEnum):
    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    IMAGE = "image"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A run of prose: one paragraph or list item. `marker` is the list number ("2") or "" when there is none; `depth`
    is the item's indentation in characters."""

    kind: BlockKind
    text: str
    marker: str = ""
    depth: int = 0


_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_IMAGE = re.compile(
    r"^\s*(?:!\[(?P<alt>[^\]\n]{1,600})\]\([^)\n]{0,2000}\)"
    r"|[\[(]\s*(?:shares?|shared|sends?|sent|attached)?\s*(?:an?\s+)?(?:image|photo|picture|caption|img)[^:\]\n]{0,20}:?\s*"
    r"(?P<caption>[^\]\n]{1,600})[\])])\s*$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s{0,8}(?:[-*+•·–]|(?P<n>\d{1,3})[.)、．])\s+(?P<text>.*)$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(?P<text>.*?)\s*#*$|^\s*\*\*(?P<bold>[^*\n]{1,120})\*\*:?\s*$")
_MACHINE = re.compile(
    r"^\s*(?:>|\||<[/!?a-zA-Z]|\+\+\+|---|@@|\$\s|%\s|>>>|\.\.\.\s|[{}\[\]()];?,?\s*$|\"[^\"]{1,80}\"\s*:|#!"
    r"|Traceback|File \"|at [\w.$<>]+\(|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z]+:\s?root:"
    r"|(?:import|from|def|class|return|const|let|var|function|export|SELECT|INSERT|UPDATE|CREATE)\s.*[;{}()=:]\s*$"
    r"|(?:From|To|Subject|Date|Cc|Received|Content-Type|Message-ID):\s)",
)
_HIDDEN = re.compile(
    r"<(?P<tag>system-reminder|recalled[_-]memor(?:y|ies)|memor(?:y|ies)|brain-memory|context|environment_context|"
    r"instructions|command-[a-z]+|local-command-[a-z]+|persisted-output|document|documents|file|files|quote|webpage|"
    r"tool_result|function_results|user_info|attachment)(?:\s[^>]{0,300})?>"
)
_BRAIN_INDEX = re.compile(r"<!-- brain-index v1")
_MARKUP = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|~~|\[\^?\d{1,3}\]|\[cite:[^\]]{0,200}\]|【[^】]{0,40}†[^】]{0,40}】")
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\([^)\s]{1,2000}\)")
_WIKI = re.compile(r"\[\[([^\]|\n]{1,200})(?:\|([^\]\n]{1,200}))?\]\]")
_SPACE = re.compile(r"[ \t\u00a0\u3000]+")
_SINGLE_STAR = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]{1,200})(?<=\S)\*(?![\w*])")


def plain(text: str) -> str:
    """`text` without Markdown emphasis, links' addresses and citation marks, on one line."""
    if "[" in text or "【" in text:
        text = _WIKI.sub(lambda m: m[2] or m[1], text)
        text = _LINK.sub(r"\1", text)
    if "*" in text or "_" in text or "~" in text or "[" in text or "【" in text:
        text = _SINGLE_STAR.sub(r"\1", _MARKUP.sub("", text))
    if "&" in text:
        text = text.replace("&amp;", "&").replace("&quot;", '"').replace("&#39;", "'").replace("&nbsp;", " ")
    text = text.replace("[[", "[").replace("]]", "]").replace("^[", "[")
    return _SPACE.sub(" ", text.replace("\n", " ")).strip()


@lru_cache(maxsize=256)
def blocks(text: str) -> tuple[Block, ...]:
    """The prose of one turn, in order, in time linear in its length."""
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    text = _without_hidden(_bounded(text))
    paragraph: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            continue
        if mark:
            fence = mark[1]
            yield from _flush(paragraph)
            continue
        block = _line_block(line)
        if block is None:
            if paragraph and not _continues(paragraph[-1], line):
                yield from _flush(paragraph)
            paragraph.append(line.strip())
            continue
        yield from _flush(paragraph)
        if block.text:
            yield block
    yield from _flush(paragraph)


def _bounded(text: str) -> str:
    if len(text) <= MAX_CHARS:
        return text
    return text[: MAX_CHARS - _TAIL_CHARS] + "\n\n" + text[-_TAIL_CHARS:]


def _without_hidden(text: str) -> str:
    """Machine blocks (reminders, recalled memory, our index) are no speech; unclosed ones run to the end."""
    if "<" not in text:
        return text
    if found := _BRAIN_INDEX.search(text):
        text = text[: found.start()]
    kept: list[str] = []
    at = 0
    while found := _HIDDEN.search(text, at):
        kept.append(text[at : found.start()])
        close = f"</{found['tag']}>"
        end = text.find(close, found.end())
        at = len(text) if end < 0 else end + len(close)
    kept.append(text[at:])
    return "\n".join(kept)


def _line_block(line: str) -> Block | None:
    """The block a line makes by itself: an item, a heading, an image, an empty one to drop; None for running prose."""
    if not line or line.isspace() or len(line) > _MAX_LINE * 4:
        return Block(kind=BlockKind.PROSE, text="")
    if (line[0] in "![( \t") and (image := _IMAGE.match(line[:1400])):
        return Block(kind=BlockKind.IMAGE, text=plain(image["alt"] or image["caption"] or ""))
    if _MACHINE.match(line[:_MAX_LINE]) or _noisy(line):
        return Block(kind=BlockKind.PROSE, text="")
    if heading := _HEADING.match(line[:400]):
        return Block(kind=BlockKind.HEADING, text=plain(heading["text"] or heading["bold"] or ""))
    if item := _ITEM.match(line[:_MAX_LINE]):
        depth = len(line) - len(line.lstrip())
        return Block(kind=BlockKind.ITEM, text=plain(item["text"]), marker=item["n"] or "", depth=depth)
    return None


def _noisy(line: str) -> bool:
    """More symbols than letters: a table row, a progress bar, minified code, base64."""
    if line.startswith(("    ", "\t")) and any(c in line for c in "={}();<>"):
        return True
    if len(line) < 24:
        return False
    sample = line[:400]
    letters = sum(map(str.isalpha, sample))
    spaces = sample.count(" ")
    if letters < 0.5 * (len(sample) - spaces):
        return True
    return spaces == 0 and len(sample) > 80 and sample.isascii()


def _continues(before: str, line: str) -> bool:
    """A wrapped line of the same paragraph, as opposed to a new thought on a new line."""
    start = line.lstrip()[:1]
    return len(before) > 50 and before[-1:] not in ".!?。！？…:;" and start.islower()


def _flush(paragraph: list[str]) -> Iterator[Block]:
    if paragraph:
        text = plain(" ".join(paragraph))
        paragraph.clear()
        if text:
            yield Block(kind=BlockKind.PROSE, text=text[:_MAX_LINE])
