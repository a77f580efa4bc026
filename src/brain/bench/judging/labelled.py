"""Sixty answers labelled by hand, right or wrong: how far a judge agrees with a person.

A line of `labelled.jsonl`: {"question": …, "kind": "text", "answer": …, "given": …, "right": true}, and where it has
them "accepts", "stale", "must_not", "found".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files

from brain.bench.asked import Asked, Given, Judgement, Kind
from brain.bench.judging.kept import Judge
from brain.bench.statistics import agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    asked: Asked
    given: Given
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """`share` and Cohen's `kappa` over the answers that were scored; `apart` is where judge and person differ,
    `left` what was not scored."""

    scored: int
    share: float
    kappa: float
    apart: tuple[tuple[Labelled, Judgement], ...]
    left: tuple[tuple[Labelled, Judgement], ...] = ()

    @property
    def unscored(self) -> int:
        return len(self.left)

    @property
    def too_strict(self) -> int:
        """Answers that a person calls right and the judge does not."""
        return sum(one.right for one, _ in self.apart)

    @property
    def too_kind(self) -> int:
        return len(self.apart) - self.too_strict


def labelled() -> Iterator[Labelled]:
    text = (files("brain") / "bench" / "judging" / "labelled.jsonl").read_text("utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        one = json.loads(line)
        asked = Asked(
            id=f"labelled-{number:02d}",
            account="labelled",
            text=one["question"],
            category=one["kind"],
            kind=Kind(one["kind"]),
            answer=one["answer"],
            accepts=tuple(one.get("accepts", ())),
            stale=tuple(one.get("stale", ())),
            must_not=tuple(one.get("must_not", ())),
        )
        yield Labelled(asked=asked, given=Given(text=one["given"], found=one.get("found", True)), right=one["right"])


def check(judge: Judge, *, progress: Callable[[int, int, str], None] | None = None) -> Agreement:
    """A judge against the labels. Raises ValueError when it scored none."""
    verdicts = []
    whole = list(labelled())
    for number, one in enumerate(whole, start=1):
        verdicts.append((one, judge(one.asked, one.given)))
        if progress:
            progress(number, len(whole), "")
    scored = [(one, found) for one, found in verdicts if found.correct is not None]
    share, kappa = agreement([one.right for one, _ in scored], [bool(found.correct) for _, found in scored])
    return Agreement(
        scored=len(scored),
        share=share,
        kappa=kappa,
        apart=tuple((one, found) for one, found in scored if one.right != found.correct),
        left=tuple((one, found) for one, found in verdicts if found.correct is None),
    )
