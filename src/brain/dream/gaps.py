"""Which turns of a run's sessions nothing cites yet: places to look at again, and sessions nobody accounted for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from brain.dream.checked import Gap
from brain.errors import BrainError
from brain.rules.context import parse_uri
from brain.rules.evidence import Evidence
from brain.sync.manifest import SessionInput
from brain.text import count_words, one_line, words
from brain.tree import page, summary, uri
from brain.tree.files import Tree
from brain.types import Turn

FEW_WORDS = 4
"""A turn of fewer words ("Thanks!") is no gap."""

_NAME = re.compile(r"(?<=[a-zà-ÿ,;] )[A-ZÀ-Þ][\w’'-]+")
_SESSION = re.compile(r"session://(?:[0-9a-f-]{36})(?:#[t0-9,-]+)?")


def page_cites(tree: Tree) -> dict[str, set[int]]:
    """By session, the turns that claims of pages cite."""
    found: dict[str, set[int]] = defaultdict(set)
    for path in tree.paths("knowledge/"):
        try:
            text = tree.read(path)
            shown = page.parse(text, path) if "session://" in text else None
        except BrainError:
            continue
        used = shown.cites() if shown else set()
        _take(found, (d.uri for d in shown.definitions if d.number in used) if shown else ())
    return found


def cited(tree: Tree, sessions: Iterable[str]) -> dict[str, set[int]]:
    """By session, the turns that claims, notes or summaries cite."""
    found = page_cites(tree)
    for path in tree.paths("notes/"):
        try:
            _take(found, _SESSION.findall(tree.read(path)))
        except BrainError:
            continue
    wanted = {session[:8] for session in sessions}
    for path in tree.paths("sessions/summaries/"):
        if not any(path.endswith(f"-{start}.md") for start in wanted):
            continue
        try:
            made = summary.parse(tree.read(path), path)
        except BrainError:
            continue
        for bullet in (b for rows in made.bullets.values() for b in rows):
            found[made.id] |= set(range(bullet.first, bullet.last + 1))
    return found


def gaps(tree: Tree, evidence: Evidence, inputs: Sequence[SessionInput]) -> list[Gap]:
    """Runs of user turns in the input that nothing cites, in the order of the sessions."""
    known = cited(tree, (one.id for one in inputs))
    found: list[Gap] = []
    for one in inputs:
        if one.skipped is not None:
            continue
        open_: list[Turn] = []
        for turn in evidence.turns(one.id, one.from_turn, one.to_turn):
            if turn.role.value != "user":
                continue
            if turn.number in known.get(one.id, ()) or count_words(turn.text) < FEW_WORDS:
                _close(found, one.id, open_)
            else:
                open_.append(turn)
        _close(found, one.id, open_)
    return found


def unaccounted(tree: Tree, inputs: Sequence[SessionInput]) -> list[SessionInput]:
    """Sessions of the run that no page cites in their new turns and no reason was given for."""
    known = page_cites(tree)
    return [
        one
        for one in inputs
        if one.skipped is None and not any(one.from_turn <= n <= one.to_turn for n in known.get(one.id, ()))
    ]


def _close(found: list[Gap], session: str, open_: list[Turn]) -> None:
    if open_:
        best = max(open_, key=lambda turn: weight(turn.text))
        found.append(
            Gap(
                session=session,
                first=open_[0].number,
                last=open_[-1].number,
                text=one_line(best.text),
                weight=weight(best.text),
            )
        )
        open_.clear()


def weight(text: str) -> int:
    """How much a text may hold that lasts: numbers count most, then names inside sentences, then long words."""
    numbers, names = len(re.findall(r"\d+", text)), len(_NAME.findall(text))
    return 4 * numbers + 3 * names + len({word for word in words(text) if len(word) > 6})


def _take(found: dict[str, set[int]], uris: Iterable[str]) -> None:
    for raw in uris:
        source = parse_uri(raw)
        if isinstance(source, uri.SessionUri):
            found[source.session] |= set(source.turns())
