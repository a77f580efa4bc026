"""Citations that a model writes, followed to what they name: turns, a page's numbered source, a file of memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from brain.config import Config
from brain.errors import BrainError
from brain.explore.answer import Citation
from brain.explore.show import find_file
from brain.explore.sources import Sources
from brain.text import clip, one_line
from brain.tree import page
from brain.tree.files import FolderTree
from brain.tree.uri import SessionUri
from brain.types import Role, Turn

PAGE_CITE = re.compile(r"(?P<page>[^\s#\[\]]+)[\s#]*\[?cite:(?P<number>\d+)\]?")
URI = re.compile(r"(?:session|connector|file)://[^\s<>\"'`\])}]+")
LONGEST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What a citation leads to, and the file of memory it stands in or names."""

    citation: Citation
    path: str


class Citing:
    """Follows citations in the memory at `root`."""

    def __init__(self, root: Path, config: Config) -> None:
        self.root = root
        self.sources = Sources(root, config)
        self.tree = FolderTree(root)

    def follow(self, cited: str) -> list[Followed]:
        """What a citation as written leads to; empty when it leads nowhere."""
        cited = cited.strip().strip("<>`[]().,;")
        try:
            return list(self._follow(cited))
        except (BrainError, OSError, ValueError):
            return []

    def _follow(self, cited: str) -> Iterator[Followed]:
        if "://" in cited:
            yield self._uri(cited, "")
        elif match := PAGE_CITE.fullmatch(cited):
            path = find_file(self.tree, match["page"])
            reference = page.parse(self.tree.read(path), path).references.get(int(match["number"])) if path else None
            if path and reference:
                yield self._uri(reference.uri, path)
        elif path := find_file(self.tree, re.sub(r":\d+$", "", cited)):
            text = one_line(_head(self.tree.read(path)))
            yield Followed(citation=Citation(uri=path, day=None, speaker="", text=clip(text, LONGEST)), path=path)

    def _uri(self, uri: str, path: str) -> Followed:
        source = self.sources.parse(uri)
        if not isinstance(source, SessionUri):
            text = self.sources.text(source)
            return Followed(
                citation=Citation(uri=str(source), day=None, speaker="", text=clip(text, LONGEST)), path=path or uri
            )
        turns = self.sources.turns(source)
        if source.ranges and max(source.turns()) > max(turn.number for turn in turns):
            raise ValueError(f"{uri} names turns that are not there")
        place = self.sources.transcript(source.session).relative_to(self.root).as_posix()
        shown = turns if source.ranges else turns[:1]
        text = clip("\n".join(turn.text for turn in shown), LONGEST)
        citation = Citation(uri=str(source), day=_day(shown), speaker=_speaker(shown), text=text)
        return Followed(citation=citation, path=path or place)


def _head(text: str) -> str:
    """The start of a file's body."""
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)[:400]


def _day(turns: list[Turn]) -> date | None:
    return max((turn.time.date() for turn in turns if turn.time), default=None)


def _speaker(turns: list[Turn]) -> str:
    if not turns:
        return ""
    return turns[0].name or ("" if turns[0].role is Role.USER else turns[0].role.value)
