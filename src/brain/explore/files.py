"""Which files a recall brings: each is worth what was found in it, what cites it, and what links to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from brain.explore.evidence import RESTRICTED, Reader, Source, ranges_uri
from brain.explore.plan import Shape
from brain.text import clip
from brain.tree.layout import page_id
from brain.tree.sessions import SessionRow
from brain.types import Hit, Surface

LINKED = 0.35  # what a page inherits from one that links to it
CITED = 0.9  # what a transcript inherits from a statement that cites it
MORE = 0.02  # what each further hit in one file adds to its best
LINES: Mapping[Shape, float] = {Shape.ONE: 0.15, Shape.SEVERAL: 0.05, Shape.TASK: 0.05}
"""A file worth less than this share of the best is not brought."""
SHARES: Mapping[Shape, Mapping[Surface, float]] = {
    Shape.ONE: {Surface.PAGE: 0.15, Surface.NOTE: 0.05, Surface.SUMMARY: 0.0},
    Shape.SEVERAL: {Surface.PAGE: 0.05, Surface.NOTE: 0.0, Surface.SUMMARY: 0.0},
    Shape.TASK: {Surface.PAGE: 0.15, Surface.NOTE: 0.05, Surface.SUMMARY: 0.0},
}
"""Of the files of a recall, how many of each kind at most; transcripts, where evidence is, take the rest, and summaries
come with the first map of a working set. Each thing of a list may lie in a session of its own."""

_INCIDENTAL = {"size", "time", "speaker"}  # parts of a score that say nothing of what a text is about
PLACES = 6  # places of a large transcript that are named
AROUND = 2  # turns before and after a hit that are named with it


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    path: str
    why: str
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Large:
    """A transcript that is too large to bring, with the turns in it that matter."""

    path: str
    uri: str
    size: int


class Files:
    """Keeps count of every file met."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._values: dict[str, float] = {}
        self._whys: dict[str, str] = {}
        self._turns: dict[str, list[tuple[float, Source]]] = {}
        self._rows: dict[str, SessionRow] = {}

    @staticmethod
    def shares(hits: Sequence[Hit]) -> Iterator[tuple[float, Hit]]:
        """Hits with what they are worth in their search: 1 for the best, 0 for the last one looked at.

        Those that nothing but their length or a date brought up are left out.
        """
        if hits:
            best, last = hits[0].score, hits[-1].score if len(hits) > 1 else 0.0
            for hit in hits:
                if hit.parts.keys() - _INCIDENTAL:
                    yield (hit.score - last) / (best - last) if best > last else 1.0, hit

    def found(self, query: str, weight: float, hits: Sequence[Hit]) -> int:
        """Count the hits of a search; how many files it met for the first time."""
        before = len(self._values)
        of_one: dict[str, list[float]] = {}
        whys: dict[str, str] = {}
        for share, hit in self.shares(hits):
            of_one.setdefault(hit.path, []).append(share)
            whys.setdefault(hit.path, f"{hit.surface.value} found by {clip(query, 60)!r}")
            for row in self._behind(hit, weight * share):
                if hit.surface is not Surface.TURN:
                    of_one.setdefault(row.transcript, []).append(CITED * share)
                    whys.setdefault(row.transcript, f"cited by {hit.path}:{hit.line}")
        for path, values in of_one.items():
            self._count(path, weight * _with_more(values), whys[path])
        return len(self._values) - before

    def linked(self, path: str, by: str) -> None:
        """Count a page that a page links to."""
        self._count(path, LINKED * self._values.get(by, 0.0), f"linked from {page_id(by)}")

    def _count(self, path: str, value: float, why: str) -> None:
        if value > self._values.get(path, -1.0):
            self._values[path], self._whys[path] = value, why

    def _behind(self, hit: Hit, value: float) -> Iterator[SessionRow]:
        """The sessions that a hit rests on; the turns are remembered."""
        for source in self.reader.sources(hit):
            row = self.reader.row(source.session)
            if row and row.transcript and row.sensitivity != RESTRICTED:
                self._rows[row.transcript] = row
                turns = self._turns.setdefault(row.transcript, [])
                if not _is_whole(hit):
                    turns.append((value, source))
                yield row

    def choose(self, most: int, largest: int, shape: Shape) -> tuple[list[Chosen], list[Large]]:
        """The best files, at most so many and so many of each kind; transcripts over `largest` bytes by their turns."""
        worth = self._values
        ranked = sorted(worth, key=lambda path: (-worth[path], path))
        line = LINES[shape] * worth[ranked[0]] if ranked else 0.0
        ranked = [path for path in ranked if worth[path] >= line]
        chosen = list(_within(ranked, most, SHARES[shape]))
        sizes = self.reader.sizes(path for path in chosen if _kind(path) is Surface.TURN)
        large = [path for path in chosen if sizes.get(path, 0) > largest]
        return (
            [Chosen(path=path, why=self._whys[path], worth=worth[path]) for path in chosen if path not in large],
            [Large(path=path, uri=self._uri(path), size=sizes[path]) for path in large],
        )

    def _uri(self, path: str) -> str:
        row = self._rows[path]
        best = sorted(self._turns[path], key=lambda item: (-item[0], item[1].first))[:PLACES]
        return ranges_uri(row.id, [source for _, source in best], around=AROUND, end=row.turns)


def _is_whole(hit: Hit) -> bool:
    """Whether a hit is a whole session in brief."""
    return hit.surface is Surface.SUMMARY and "#" not in hit.uri


def _with_more(values: Sequence[float]) -> float:
    best = max(values)
    return best + MORE * (sum(values) - best)


def _within(ranked: Iterable[str], most: int, shares: Mapping[Surface, float]) -> Iterator[str]:
    left = {kind: round(share * most) for kind, share in shares.items()}
    left[Surface.PAGE] = max(1, left[Surface.PAGE])
    left[Surface.TURN] = most
    files = 0
    for path in ranked:
        kind = _kind(path)
        if files < most and left[kind] > 0:
            left[kind] -= 1
            files += 1
            yield path


def _kind(path: str) -> Surface:
    if path.startswith("knowledge/"):
        return Surface.PAGE
    if path.startswith("notes/"):
        return Surface.NOTE
    return Surface.SUMMARY if path.startswith("sessions/summaries/") else Surface.TURN
