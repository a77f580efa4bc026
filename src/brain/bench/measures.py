"""Measures over a run of answered questions: right, with its evidence, current, honest, and at what price.

Each is a value for a question, or None where it says nothing of it; means are over the questions it speaks of, with
intervals by drawing accounts (`statistics`). Accuracy counts only what was scored, and `unscored` how much was not.
"""

# ruff: noqa: E501 — a measure a line
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from brain.bench.answered import Answered, Result
from brain.bench.asked import Kind
from brain.bench.sources import share_held, share_right
from brain.bench.statistics import Estimate, Paired, mean, paired

ALL = "all"
Value = Callable[[Result], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure by name. `better` is 1 where more is better, -1 where less is, 0 where it only tells.

    `share` measures are 0..1 and printed as such.
    """

    name: str
    says: str
    value: Value
    better: int = 1
    share: bool = True


def _answers(one: Result) -> bool:
    """Whether memory holds an answer to the question."""
    return one.kind is not Kind.NONE


def _seen(one: Result) -> tuple[str, ...]:
    return (*one.given.cites, *one.given.opened)


def _accuracy(one: Result) -> float | None:
    return None if one.judgement.correct is None else float(one.judgement.correct)


def _recall(one: Result) -> float | None:
    return share_held(one.evidence, _seen(one)) if _answers(one) else None


def _reached(one: Result) -> float | None:
    found = _recall(one)
    return None if found is None else float(found > 0)


def _currency(one: Result) -> float | None:
    return _accuracy(one) if one.superseded else None


def _abstention(one: Result) -> float | None:
    return None if _answers(one) else _accuracy(one)


def _refused(one: Result) -> float | None:
    return float(not one.given.found) if _answers(one) and one.given.error is None else None


def _unsupported(one: Result) -> float | None:
    if one.given.error is not None or not one.given.found:
        return None
    return float(not one.given.cites or bool(one.given.unresolved))


MEASURES = (
    Measure(name="accuracy", says="the answer is right", value=_accuracy),
    Measure(name="f1", says="token F1 against the nearest right form", value=lambda one: one.judgement.f1),
    Measure(name="evidence recall", says="gold sources that the answer cites or its trace opened", value=_recall),
    Measure(name="reached", says="questions with at least one of them", value=_reached),
    Measure(
        name="citation recall",
        says="gold sources that the answer cites",
        value=lambda one: share_held(one.evidence, one.given.cites) if _answers(one) else None,
    ),
    Measure(
        name="citation precision",
        says="cited sources that hold a gold one",
        value=lambda one: share_right(one.given.cites, one.evidence) if _answers(one) else None,
    ),
    Measure(name="currency", says="of what changed, the newest value is given", value=_currency),
    Measure(name="abstention", says="of what memory does not hold, it is said so", value=_abstention),
    Measure(name="refused", says="of what memory holds, nothing is said to be known", value=_refused, better=-1),
    Measure(name="unsupported", says="answers without a citation, or with one that leads nowhere", value=_unsupported, better=-1),
    Measure(name="stale", says="answers with an outdated value", value=lambda one: float(one.judgement.stale), better=-1),
    Measure(name="unscored", says="answers that could not be judged", value=lambda one: float(one.judgement.correct is None), better=-1),
    Measure(name="read", says="tokens of memory put before the reader", value=lambda one: one.given.use.read, better=-1, share=False),
    Measure(name="tokens in", says="a model's, a question", value=lambda one: one.given.use.tokens_in, better=-1, share=False),
    Measure(name="tokens out", says="a model's, a question", value=lambda one: one.given.use.tokens_out, better=-1, share=False),
    Measure(name="calls", says="requests to a model, a question", value=lambda one: one.given.use.calls, better=-1, share=False),
    Measure(name="cost", says="US dollars a question", value=lambda one: one.given.use.cost, better=-1, share=False),
    Measure(name="seconds", says="a question", value=lambda one: one.given.use.seconds, better=-1, share=False),
)  # fmt: skip
BY_NAME = {one.name: one for one in MEASURES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One measure of one arm over the questions of a category, or of all."""

    arm: str
    category: str
    measure: str
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """`second` minus `first` on the same questions."""

    first: str
    second: str
    category: str
    measure: str
    paired: Paired


def categories(results: Iterable[Result]) -> tuple[str, ...]:
    return (ALL, *sorted({one.category for one in results}))


def measured(record: Answered, *, apart: Sequence[str] = ()) -> list[Measured]:
    """Every measure of every arm by category, where it speaks of any question. Categories `apart` are not in `all`."""
    found = []
    for arm in dict.fromkeys(one.arm for one in record.results):
        results = record.of(arm)
        for category in categories(results):
            some = _of(results, category, apart)
            found += [
                Measured(arm=arm, category=category, measure=one.name, estimate=mean(values))
                for one in MEASURES
                if (values := _by_account(some, one.value))
            ]
    return found


def compared(
    first: Sequence[Result], second: Sequence[Result], names: tuple[str, str], *, apart: Sequence[str] = ()
) -> list[Compared]:
    """Paired differences of two arms, of one record or of two, where both answered the same question."""
    found = []
    for category in categories(first):
        for one in MEASURES:
            a, b = (_values(_of(results, category, apart), one.value) for results in (first, second))
            account = {result.question: result.account for result in first}
            if a.keys() & b.keys():
                both = paired(a, b, account)
                found.append(
                    Compared(first=names[0], second=names[1], category=category, measure=one.name, paired=both)
                )
    return found


def _of(results: Iterable[Result], category: str, apart: Sequence[str]) -> list[Result]:
    if category == ALL:
        return [one for one in results if one.category not in apart]
    return [one for one in results if one.category == category]


def _values(results: Iterable[Result], value: Value) -> dict[str, float]:
    return {one.question: found for one in results if (found := value(one)) is not None}


def _by_account(results: Iterable[Result], value: Value) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = {}
    for one in results:
        if (this := value(one)) is not None:
            found.setdefault(one.account, []).append(this)
    return found
