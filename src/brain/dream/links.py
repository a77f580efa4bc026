"""Where a claim names another page, the name becomes a wikilink: the first time on a page, never inside a link."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain.dream.subjects import Head
from brain.text import normal_name

MAX_WORDS = 6
_WORD = re.compile(r"[^\W_]+(?:['’.&+-][^\W_]+)*[+#]*")
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿]{2,}")
_CLOSED = re.compile(r"\[\[[^\]]*\]\]|`[^`]*`")
_SHORT = 3


class Linker:
    """The names of subjects, as they are met in running text. Looking one up costs nothing per page."""

    def __init__(self, heads: Iterable[Head]) -> None:
        self._exact: dict[str, str | None] = {}
        self._folded: dict[str, str | None] = {}
        self._longest = 2
        self._ids: set[str] = set()
        for head in heads:
            self._ids.add(head.id)
            if head.kind == "learning":
                continue
            for name in head.names:
                table, key = (self._folded, normal_name(name)) if head.kind == "concept" else (self._exact, name)
                if len(name) < _SHORT and name.isascii():
                    continue
                table[key] = head.id if table.get(key, head.id) == head.id else None
                self._longest = max(self._longest, len(name) if _UNSPACED.fullmatch(name) else 2)

    def __contains__(self, page: object) -> bool:
        return page in self._ids

    def link(self, text: str, page: str, done: set[str]) -> str:
        """Link the first mention of every page that is neither `page` nor in `done`, and add those to `done`."""
        spans: list[tuple[int, int, str]] = []
        closed = [match.span() for match in _CLOSED.finditer(text)]
        for start, end, id in self.mentions(text):
            if id == page or id in done or any(a < end and start < b for a, b in closed):
                continue
            done.add(id)
            spans.append((start, end, id))
        for start, end, id in reversed(spans):
            text = f"{text[:start]}[[{id}|{text[start:end]}]]{text[end:]}"
        return text

    def mentions(self, text: str) -> list[tuple[int, int, str]]:
        """Spans of the text that name a page, longest names first, none overlapping, in order."""
        words = [match.span() for match in _WORD.finditer(text)]
        found: list[tuple[int, int, str]] = []
        at = 0
        while at < len(words):
            for size in range(min(MAX_WORDS, len(words) - at), 0, -1):
                start, end = words[at][0], words[at + size - 1][1]
                id = self._known(text[start:end])
                if id is None and size == 1 and text[start:end].endswith(("'s", "’s")):
                    end -= 2
                    id = self._known(text[start:end])
                if id is not None:
                    found.append((start, end, id))
                    at += size - 1
                    break
            at += 1
        return sorted(found + self._in_unspaced(text, found))

    def _known(self, surface: str) -> str | None:
        return self._exact.get(surface) or self._folded.get(normal_name(surface))

    def _in_unspaced(self, text: str, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        out: list[tuple[int, int, str]] = []
        for run in _UNSPACED.finditer(text):
            start = run.start()
            while start < run.end():
                for end in range(min(run.end(), start + self._longest), start + 1, -1):
                    id = self._known(text[start:end])
                    if id and not any(a < end and start < b for a, b, _ in found):
                        out.append((start, end, id))
                        start = end - 1
                        break
                start += 1
        return out
