"""A run's work in parts that a model's context can hold: by session in order of time, the facts of each by subject."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from brain.config import Config
from brain.dream.briefing import facts_by_subject
from brain.dream.engine import Desk
from brain.dream.orient import Work
from brain.errors import FormatError
from brain.text import est_tokens, one_line
from brain.tree import page
from brain.tree.files import FolderTree
from brain.tree.ids import turns_text
from brain.tree.index import compact_index
from brain.tree.layout import page_id
from brain.types import Fact

ALWAYS = 9_000
"""Tokens that every context begins with: the skill, the tools, orientation and the index."""

SHARE = 0.4
"""Of the rest of a context, what the turns of one part may take; pages, answers of tools and thought need theirs."""

LEAST = 1_000
_HEAD = re.compile(r"^(?=## \d\. )", re.MULTILINE)
_HEADS = re.compile(r"^(?=## )", re.MULTILINE)
_SESSION = re.compile(r"^(?=### )", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """Turns `first` to `last` of a session; `ends`: they are its last, so that it is taken in after them."""

    work: Work
    first: int
    last: int
    tokens: int

    @property
    def ends(self) -> bool:
        return self.last == self.work.row.turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one context takes in. `number` counts from 1."""

    number: int
    total: int
    slices: tuple[Slice, ...]
    facts: tuple[Fact, ...]

    @property
    def sessions(self) -> tuple[str, ...]:
        return tuple(one.work.row.id for one in self.slices)


def room(context: int) -> int:
    """Tokens of turns for one part, from the tokens of a model's context."""
    return max(LEAST, int((context - ALWAYS) * SHARE))


def parts(desk: Desk, tokens: int) -> list[Part]:
    """The run's sessions in order, as many to a part as fit; one that is larger is cut between turns."""
    groups: list[list[Slice]] = []
    free = 0
    for piece in _slices(desk, tokens):
        if not groups or piece.tokens > free:
            groups.append([])
            free = tokens
        groups[-1].append(piece)
        free -= piece.tokens
    return [
        Part(number=number, total=len(groups), slices=tuple(group), facts=_facts(desk.facts, group))
        for number, group in enumerate(groups, start=1)
    ]


def briefing_of(desk: Desk, part: Part) -> dict[str, str]:
    """The parts of a prompt: the orientation in its order, the sessions of this part, its facts by subject."""
    text = (desk.folder / "BRIEFING.md").read_text("utf-8") if desk.folder else ""
    sections = {section[3:4]: section for section in _HEAD.split(text)[1:]}
    oriented = [sections[number] for number in "1234" if number in sections]
    if desk.folder:
        oriented.append(f"## The wiki now\n\n{_index(desk.folder / 'tree', desk.config)}")
    told = {block[4:12]: block for block in _SESSION.split(sections.get("5", ""))[1:]}
    return {
        "briefing": "\n".join(oriented),
        "sessions": "\n".join(_told(one, told) for one in part.slices),
        "facts": _HEADS.split(facts_by_subject(part.facts, desk.directory), 1)[-1] if part.facts else "none\n",
    }


def _slices(desk: Desk, tokens: int) -> Iterator[Slice]:
    for work in desk.orientation.work:
        first, size = work.attach_from, 0
        for turn in desk.evidence.turns(work.row.id, work.attach_from, work.row.turns):
            need = est_tokens(turn.text)
            if size and size + need > tokens:
                yield Slice(work=work, first=first, last=turn.number - 1, tokens=size)
                first, size = turn.number, 0
            size += need
        yield Slice(work=work, first=first, last=work.row.turns, tokens=size)


def _facts(facts: Sequence[Fact], group: Sequence[Slice]) -> tuple[Fact, ...]:
    ranges: dict[str, list[Slice]] = {}
    for one in group:
        ranges.setdefault(one.work.row.id, []).append(one)
    return tuple(
        fact for fact in facts if any(one.first <= fact.first_turn <= one.last for one in ranges.get(fact.session, ()))
    )


def _told(one: Slice, told: dict[str, str]) -> str:
    row = one.work.row
    block = told.get(row.id[:8]) or f"### {row.id[:8]} · {one_line(row.title)}\n\n- transcript: {row.transcript}\n"
    whole = one.first == one.work.attach_from and one.ends
    return (
        block if whole else f"{block.rstrip()}\n- of this session only {turns_text(one.first, one.last)} in this part\n"
    )


def _index(tree: Path, config: Config) -> str:
    """The compact index of the tree as it is now, with the pages of earlier parts."""
    folder = FolderTree(tree)
    pages = []
    for path in folder.paths("knowledge/"):
        if page_id(path):
            try:
                pages.append(page.parse(folder.read(path), path))
            except FormatError:
                continue
    return compact_index(pages, config) if pages else "empty: there is no page yet.\n"
