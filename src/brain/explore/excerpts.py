"""What a recall found beyond the files it brings: single turns, word for word, gathered in one file.

A list may be told over more sessions than there is room for, and a transcript may be too large to bring. Their turns
that matter still come, under `recalled/` of a working set, each with its URI.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from brain.text import clip, one_line, slugify
from brain.types import Hit, Surface

FOLDER = "recalled"
MOST = 40  # turns
LONGEST = 1_500  # characters of one turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """One turn, its text cut at LONGEST characters. `path` is its transcript."""

    uri: str
    path: str
    turn: int
    text: str
    day: date | None = None
    speaker: str | None = None


def choose(ranked: Iterable[Hit], brought: Collection[str], most: int = MOST) -> tuple[Excerpt, ...]:
    """The best turns of transcripts that are not brought: by session, the session with the best turn first."""
    sessions: dict[str, dict[int, Excerpt]] = {}
    for hit in ranked:
        if hit.surface is not Surface.TURN or hit.path in brought or hit.first_turn is None:
            continue
        if most <= 0:
            break
        most -= hit.first_turn not in sessions.setdefault(hit.path, {})
        text = hit.text if len(hit.text) <= LONGEST else f"{hit.text[:LONGEST]} […]"
        sessions[hit.path][hit.first_turn] = Excerpt(
            uri=hit.uri, path=hit.path, turn=hit.first_turn, text=text, day=hit.day, speaker=hit.speaker
        )
    return tuple(turns[number] for turns in sessions.values() for number in sorted(turns))


def place(need: str) -> str:
    """Where the file lies in a working set; the same need, the same place."""
    return f"{FOLDER}/{slugify(one_line(need), 48)}-{sha256(need.encode()).hexdigest()[:8]}.md"


def render(need: str, excerpts: Sequence[Excerpt]) -> str:
    """The file: every line of a turn is quoted, so that nothing somebody said can pass for a heading or an order."""
    return "\n".join(_lines(need, excerpts)) + "\n"


def _lines(need: str, excerpts: Sequence[Excerpt]) -> Iterator[str]:
    yield f"# Further turns on: {clip(one_line(need), 200)}"
    yield ""
    yield "Word for word, from sessions that were not brought whole. `brain show URI` prints what stands around a turn."
    path = ""
    for one in excerpts:
        if one.path != path:
            path = one.path
            yield f"\n## {f'{one.day} · ' if one.day else ''}{path}"
        yield f"\n{f'{one.speaker} · ' if one.speaker else ''}<{one.uri}>"
        yield from (f"> {line}".rstrip() for line in re.split(r"\r\n|\r|\n", one.text))
