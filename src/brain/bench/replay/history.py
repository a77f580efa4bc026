"""What was said, by session and in order of time, read once: where questions and answers are found.

It is read by itself and not searched: what is measured later must not have chosen its own evidence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from brain.errors import FormatError
from brain.explore.open_tree import OpenTree
from brain.rules.wording import STOP, content, stem
from brain.tree import markdown, transcript
from brain.tree.layout import SESSION_INDEX
from brain.tree.sessions import SessionRow, SessionState, parse_rows, sort_key
from brain.tree.uri import turns_uri
from brain.types import Role, Trust, Turn

_TOKEN = re.compile(r"[^\W_]+(?:(?:[-'’./:@_+#–]|(?<=\d),(?=\d))[^\W_]+)*")
_KEY = 6  # letters of a stem by which forms of a word meet in languages without a stemmer here
RARE = 4
SPOKEN = (Role.USER, Role.ASSISTANT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn of the user or the agent. `own` are the user's own words, `text` is plain."""

    session: str
    turn: int
    at: datetime
    own: bool
    text: str
    keys: frozenset[str]

    @property
    def uri(self) -> str:
        return str(turns_uri(self.session, self.turn))


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session with all its turns, those of tools too."""

    row: SessionRow
    turns: tuple[Turn, ...]
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Sessions in order; `left` counts those that cannot serve, by reason. `holding` are turns by word."""

    sessions: tuple[Session, ...]
    left: Counter[str]
    holding: dict[str, list[Said]] = field(repr=False)

    def is_rare(self, word: str) -> bool:
        """Whether few turns have a word: four, or one in fifty."""
        turns = sum(len(session.said) for session in self.sessions)
        return len(self.holding.get(key_of(word.casefold()), ())) <= max(RARE, turns // 50)

    def sharing(self, wanted: frozenset[str], at_least: int) -> Iterator[tuple[Said, int]]:
        """Turns that have so many of some words, with how many, in order of time."""
        counts = Counter(said.uri for key in sorted(wanted) for said in self.holding.get(key, ()))
        by = {said.uri: said for key in sorted(wanted) for said in self.holding.get(key, ())}
        found = [(by[uri], n) for uri, n in counts.items() if n >= at_least]
        yield from sorted(found, key=lambda one: (one[0].at, one[0].session, one[0].turn))


def history(root: Path) -> History:
    """Everything that was said in a brain, but for restricted, forgotten and undated sessions. Raises FormatError."""
    tree = OpenTree(root)
    index = root / SESSION_INDEX
    rows = parse_rows(index.read_text("utf-8")) if index.is_file() else []
    left: Counter[str] = Counter()
    read = (_turns(root, row, tree, left) for row in sorted(rows, key=sort_key))
    return gathered((one for one in read if one is not None), left)


def gathered(read: Iterable[tuple[SessionRow, tuple[Turn, ...]]], left: Counter[str]) -> History:
    """A history of sessions that were read, in the order they come in."""
    sessions, holding = [], defaultdict(list)
    for row, turns in read:
        said = tuple(_said(row.id, turns))
        if not said:
            left["without a time"] += 1
            continue
        sessions.append(Session(row=row, turns=turns, said=said))
        for one in said:
            for key in one.keys:
                holding[key].append(one)
    return History(sessions=tuple(sessions), left=left, holding=dict(holding))


def _turns(
    root: Path, row: SessionRow, tree: OpenTree, left: Counter[str]
) -> tuple[SessionRow, tuple[Turn, ...]] | None:
    if row.state is SessionState.DELETED:
        return None
    if row.sensitivity == "restricted" or tree.hides_session(row.id):
        left["restricted"] += 1
        return None
    try:
        return row, transcript.dated(transcript.iter_turns(root / row.transcript), row.started_at)
    except (FormatError, OSError):
        left["transcript does not read"] += 1
        return None


def _said(session: str, turns: tuple[Turn, ...]) -> Iterator[Said]:
    for turn in turns:
        if turn.role in SPOKEN and turn.time is not None and turn.redacted is None:
            text = markdown.plain(turn.text)
            own = turn.role is Role.USER and turn.trusted_as is Trust.OWNER
            yield Said(session=session, turn=turn.number, at=turn.time, own=own, text=text, keys=keys(text))


def keys(text: str) -> frozenset[str]:
    """The words that say something, in a form by which they are known again."""
    return frozenset(key_of(word) for word in content(text))


def key_of(word: str) -> str:
    return word if any(c.isdigit() for c in word) else stem(word)[:_KEY]


def tokens(text: str) -> list[str]:
    """The words of a text as they stand: numbers, times, versions and addresses whole."""
    return [_bare(match.group()) for match in _TOKEN.finditer(text)]


def _bare(token: str) -> str:
    return token.removesuffix("'s").removesuffix("’s")


def is_small(token: str) -> bool:
    """Whether a word carries no content: grammar, or a single letter."""
    return token.casefold() in STOP or (len(token) < 2 and not token.isdigit())
