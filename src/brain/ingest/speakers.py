"""Finding who speaks in a written-down conversation: marker lines, the labels on them, and the roles behind labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from brain.ingest.labels import is_name, role_of
from brain.text import normal_name
from brain.types import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A line that says who speaks next. `rest` is what stands after the label on the same line."""

    line: int
    shape: str
    label: str
    rest: str
    stamp: str = ""


_NAME = r"(?P<label>[^\W\d_][^\n:：*\[\]()<>|`\"=/\\{}]{0,48}?)"
_CALLER = r"(?P<label>(?:~\s?)?[^\W\d_][^\n:：*\[\]()<>|`\"=/\\{}]{0,48}?|\+\d[\d\s-]{5,20})"
_ROLE_LABEL = r"(?P<label>(?:[^\W\d_]|o\d)[^\n:：*\[\]()<>|`\"={}]{0,40}?)"
_STAMP = r"(?P<stamp>\d[^\]\n]{3,40}|[A-Z][a-z]{2,8} \d[^\]\n]{3,40})"
_ASIDE = r"(?:[(\[](?P<stamp>[^)\]\n]*)[)\]])?"
_LATER = r"(?:[(\[](?P<stamp2>[^)\]\n]*)[)\]])?"
_DATED = (
    r"(?P<stamp>\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[,T ]\s?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:[\s\u202f\u00a0]?[AaPp]\.?[Mm]\.?)?Z?)"
)
_REST = r"(?P<rest>.*)$"
_BOLD = r"(?:\*\*|__)"
_SHAPES = tuple(
    (shape, re.compile(pattern))
    for shape, pattern in (
        ("specstory", r"_\*\*(?P<label>User|Agent|Assistant)\b(?:\s*\((?P<stamp>[^)\n]*)\))?\*\*_(?P<rest>)\s*$"),
        ("stamped", rf"[\[(]{_STAMP}[\])]\s*[-–]?\s*(?:\*\*)?{_CALLER}(?:\*\*)?\s*[:：](?:\*\*)?\s?{_REST}"),
        ("stamped", rf"{_DATED}\s*[-–—|]?\s+{_CALLER}[:：]\s?{_REST}"),
        (
            "heading",
            rf"#{{1,6}}\s+(?:\*\*)?(?:\W{{1,3}}\s)?{_ROLE_LABEL}(?:\*\*)?(?:\s*{_ASIDE})\s*[:：]?(?:\*\*)?(?P<rest>)\s*$",
        ),
        ("bold", rf"(?:[-*]\s+)?{_BOLD}{_NAME}\s*{_ASIDE}\s*(?:[:：]\s*{_BOLD}|{_BOLD}\s*[:：])\s?{_REST}"),
        ("bold-line", rf"{_BOLD}{_NAME}\s*{_ASIDE}{_BOLD}\s*{_LATER}(?P<rest>)\s*$"),
        ("plain", rf"{_NAME}\s*{_ASIDE}\s*[:：](?:\s+(?P<rest>.*)|(?P<empty>))$"),
        ("plain", rf"(?P<label>[^\W\d_a-zA-Z]{{1,12}})[:：]{_REST}"),
    )
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def candidates(lines: Iterable[str]) -> Iterator[Marker]:
    """Every line outside of code that could be a marker, under the first shape that fits."""
    fence = ""
    for number, line in enumerate(lines):
        if match := _FENCE.match(line):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence) and not line.strip().strip("`~"):
                fence = ""
            continue
        if fence or not line.strip():
            continue
        for shape, pattern in _SHAPES:
            if found := pattern.match(line):
                label = found["label"].strip()
                stamp = found["stamp"] if "stamp" in pattern.groupindex else None
                stamp = stamp or (found["stamp2"] if "stamp2" in pattern.groupindex else None) or ""
                if shape == "heading" and role_of(label) is None and not label[:1].isupper():
                    continue
                yield Marker(line=number, shape=shape, label=label, rest=(found["rest"] or "").strip(), stamp=stamp)
                break


def markers(lines: list[str], participants: tuple[str, ...] = ()) -> list[Marker]:
    """The lines that do mark a speaker: by role words, by declared names, by time stamps, or since it reads like a chat

    (two or more names, each coming back or most lines beginning with one). One shape rules a file: a heading
    "## Response" inside a chat of "User:" lines is content.
    """
    found = list(candidates(lines))
    declared = {normal_name(name) for name in participants}
    filled = sum(1 for line in lines if line.strip()) or 1
    best: list[Marker] = []
    best_score = 0.0
    for shape in dict.fromkeys(marker.shape for marker in found):
        mine = [marker for marker in found if marker.shape == shape]
        sure = [
            m for m in mine if role_of(m.label) is not None or normal_name(m.label) in declared or shape == "specstory"
        ]
        if shape == "stamped" and any(is_name(m.label) or m in sure for m in mine):
            sure = [m for m in mine if m in sure or _may_be_called(m.label)]
        named = sure if len(sure) == len(mine) else _with_names(mine, sure, filled)
        roles = {role_of(m.label) for m in sure}
        if (
            len({normal_name(m.label) for m in named}) < 2
            and not (roles & {Role.USER, Role.ASSISTANT})
            and shape != "stamped"
        ):
            continue
        score = len(named) + 2 * len(sure) + 3 * (len(roles & {Role.USER, Role.ASSISTANT}) == 2)
        if named and score > best_score:
            best, best_score = named, score
    return best


def _with_names(mine: list[Marker], sure: list[Marker], filled: int) -> list[Marker]:
    """The sure markers and, where they behave like speakers, those with names."""
    counts = Counter(marker.label for marker in mine)
    names = [m for m in mine if m not in sure and is_name(m.label)]
    distinct = {m.label for m in names}
    if sure:
        roles = {role_of(m.label) for m in sure} & {Role.USER, Role.ASSISTANT}
        coming = [m for m in names if counts[m.label] >= 2] if len(roles) < 2 or len(sure) < len(names) else []
        if len(roles) == 1 and ((len(distinct) == 1 and not coming) or (len(names) + len(sure)) * 10 >= filled * 6):
            coming = names
        return sorted([*sure, *coming], key=lambda m: m.line)
    again = [m for m in names if counts[m.label] >= 2]
    talking = sum(len(m.rest.split()) >= 3 or not m.rest.isascii() for m in names) * 2 >= len(names)
    turns = sum(a.label != b.label for a, b in pairwise(names))
    if len(distinct) < 2 or not talking or turns * 5 < (len(names) - 1) * 2:
        return []
    if len({m.label for m in again}) * 2 < len(distinct):
        return []
    if len({m.label for m in again}) >= 2 and len(again) * 4 >= filled:
        return names if len(names) * 2 >= filled else again
    return names if len(names) * 10 >= filled * 6 else []


def _may_be_called(label: str) -> bool:
    """With a time before it nearly any label is somebody; not the levels and module names of program logs."""
    return not re.search(r"[./\\]\w|^\d", label) and (is_name(label) or label.islower() or label[:1] in "~+")
