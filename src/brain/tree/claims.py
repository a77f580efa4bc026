"""Claim units (format §4.4–4.5): what one list item, table row or sentence of the lead says, and on what sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from brain.tree import markdown
from brain.tree.markdown import Marker


class ClaimKind(StrEnum):
    LEAD = "lead"  # prose before the first section
    ITEM = "item"
    ROW = "row"
    PROSE = "prose"  # a paragraph in a section: not suggested, but its cites are owed all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One unit. `text` is its Markdown without bullet, label, qualifiers and cites at its end.

    `line` and `end` are file lines, both included; `raw` the words of the file there, lines kept. `sources` are URIs
    still in authoring form. `depth` is 1 or more for items, 0 for the rest. `group` is the H3 head it stands under.
    """

    text: str
    label: str | None = None
    qualifiers: tuple[str, ...] = ()
    cites: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    section: str = ""
    group: str | None = None
    kind: ClaimKind = ClaimKind.ITEM
    line: int = 0
    end: int = 0
    depth: int = 0
    raw: str = ""

    @property
    def words(self) -> str:
        """What the claim says as plain words, its label first."""
        said = markdown.plain(self.text)
        return f"{markdown.plain(self.label)}: {said}" if self.label else said

    @property
    def is_cited(self) -> bool:
        return bool(self.cites or self.sources)


_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)", re.ASCII)
_LABEL = re.compile(r"\*\*(?=\S)([^*\n]*[^*\s])\*\*(?:[ \t]+[—–-][ \t]+|:?[ \t]+|:?$)")
_END_OF_SENTENCE = re.compile(r"[.!?…。！？]+[)\]\"'»”’]*")


def read_block(
    kind: ClaimKind,
    raw: Sequence[str],
    hidden: Sequence[str],
    *,
    line: int,
    depth: int,
    section: str,
    group: str | None = None,
) -> list[Claim]:
    """The units of one block: one for an item or a row; for prose one up to the end of each run of cites."""
    bullet = _BULLET.match(hidden[0]) if kind is ClaimKind.ITEM else None
    text, masked, starts = _joined(raw, hidden, bullet.end() if bullet else 0, row=kind is ClaimKind.ROW)
    whole = "\n".join(raw)
    last = line + len(raw) - 1
    place = _Place(kind=kind, depth=depth, section=section, group=group)
    if kind in {ClaimKind.ITEM, ClaimKind.ROW}:
        return [_unit(text, masked, place, line=line, end=last, raw=whole)]
    found = []
    for a, b in _runs(masked):
        here = [line + i for i, start in enumerate(starts) if start < b]
        first = max((n for n, start in zip(here, starts, strict=False) if start <= a), default=line)
        found.append(_unit(text[a:b], masked[a:b], place, line=first, end=here[-1], raw=text[a:b]))
    return found


def _joined(raw: Sequence[str], hidden: Sequence[str], skip: int, *, row: bool) -> tuple[str, str, list[int]]:
    """Lines joined by spaces, text and mask alike, and where each line starts in the result."""
    texts, masks, starts, at = [], [], [], 0
    for number, (line, cover) in enumerate(zip(raw, hidden, strict=True)):
        begin = skip if number == 0 else 0
        end = len(line.rstrip())
        if row:
            begin, end = (begin + m.end() if (m := re.match(r"[ \t]*\|?", line)) else begin), len(line.rstrip(" \t|"))
        begin = max(begin, len(line) - len(line.lstrip()))
        starts.append(at)
        texts.append(line[begin:end])
        masks.append(cover[begin:end])
        at += len(texts[-1]) + 1
    return " ".join(texts), " ".join(masks), starts


def _runs(masked: str) -> list[tuple[int, int]]:
    """Prose cut after each run of cites (and a full stop set behind it); the rest is a unit without cite."""
    cites = [m.span() for m in markdown.unescaped(markdown.CITE, masked)]
    cuts: list[int] = []
    for number, (_, end) in enumerate(cites):
        upcoming = cites[number + 1][0] if number + 1 < len(cites) else None
        if upcoming is not None and not masked[end:upcoming].strip():
            continue
        stop = _END_OF_SENTENCE.match(masked, end)
        cuts.append(stop.end() if stop else end)
    spans, at = [], 0
    for cut in [*cuts, len(masked)]:
        begin = at + len(masked[at:cut]) - len(masked[at:cut].lstrip())
        if begin < cut:
            spans.append((begin, cut))
        at = cut
    return spans


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    kind: ClaimKind
    depth: int
    section: str
    group: str | None


def _unit(text: str, masked: str, place: _Place, *, line: int, end: int, raw: str) -> Claim:
    label = _LABEL.match(masked)
    body = label.end() if label else 0
    markers = markdown.markers_in(text, masked)
    qualifiers = list(markdown.unescaped(markdown.QUALIFIER, masked))
    tail = _tail(masked, body, markers, qualifiers)
    return Claim(
        text=text[body:tail].strip(),
        label=text[label.start(1) : label.end(1)].rstrip(":") if label else None,
        qualifiers=tuple(text[q.start(1) : q.end(1)].strip() for q in qualifiers),
        cites=tuple(dict.fromkeys(m.number for m in markers if m.number is not None)),
        sources=tuple(dict.fromkeys(s for m in markers for s in m.sources)),
        malformed=tuple(m.raw for m in markers if m.number is None and not m.sources),
        section=place.section,
        group=place.group,
        kind=place.kind,
        line=line,
        end=end,
        depth=place.depth,
        raw=raw,
    )


def _tail(masked: str, body: int, markers: Sequence[Marker], qualifiers: Sequence[re.Match[str]]) -> int:
    """Where the qualifiers and cites at the end begin; a full stop behind them belongs to them."""
    spans = sorted([(m.start, m.end) for m in markers] + [m.span() for m in qualifiers], reverse=True)
    at = len(masked)
    for start, end in spans:
        between = masked[end:at].strip()
        if start < body or (between and not (at == len(masked) and _END_OF_SENTENCE.fullmatch(between))):
            break
        at = start
    return at
