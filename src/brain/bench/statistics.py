"""What figures of a run can bear: intervals, paired differences, an exact test, and the difference that it could show.

Questions of one account are not independent: they share a history. So accounts are drawn, not questions (the cluster
bootstrap, Cameron, Gelbach and Miller 2008). Resampling and the binomial test are scipy's.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

DRAWS = 5_000
CONFIDENCE = 0.95
SEED = 20_260_101
K = TypeVar("K", bound=Hashable)
POWER_Z = 1.959964 + 0.841621
"""Standard errors between no difference and one that is found 8 times of 10 at the 5 % level, two-sided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over `n` questions of `clusters` accounts with its interval; `error` is the standard error.

    With fewer than two accounts there is no interval: `low`, `high` and `error` are None.
    """

    mean: float
    n: int
    clusters: int
    low: float | None = None
    high: float | None = None
    error: float | None = None

    @property
    def detectable(self) -> float | None:
        """The true value, apart from 0, that a run of this size finds significant 8 times of 10."""
        return None if self.error is None else POWER_Z * self.error


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two arms on the same questions: how many only one of them got right, and the exact McNemar test of that.

    `p` is the chance, if both arms were equally good, of so uneven a split. It takes questions as independent; the
    interval of `difference` does not.
    """

    difference: Estimate
    only_first: int
    only_second: int
    p: float


def mean(values: Mapping[K, Sequence[float]], *, draws: int = DRAWS, seed: int = SEED) -> Estimate:
    """Mean over all questions, given by account, with a percentile interval by drawing whole accounts.

    Raises ValueError when there is no question at all.
    """
    groups = [tuple(one) for one in values.values() if one]
    n = sum(map(len, groups))
    if not n:
        raise ValueError("no question to take a mean of")
    found = sum(map(sum, groups)) / n
    if len(groups) < 2:
        return Estimate(mean=found, n=n, clusters=len(groups))
    low, high, error = _interval([sum(one) for one in groups], [len(one) for one in groups], draws, seed)
    return Estimate(mean=found, n=n, clusters=len(groups), low=low, high=high, error=error)


def _interval(sums: Sequence[float], counts: Sequence[int], draws: int, seed: int) -> tuple[float, float, float]:
    import numpy as np
    from scipy.stats import bootstrap

    if len({total / count for total, count in zip(sums, counts, strict=True)}) == 1:  # every draw is the same
        return sums[0] / counts[0], sums[0] / counts[0], 0.0

    def ratio(totals, sizes, axis=-1):  # type: ignore[no-untyped-def]
        return totals.sum(axis=axis) / sizes.sum(axis=axis)

    found = bootstrap(
        (np.asarray(sums, dtype=float), np.asarray(counts, dtype=float)),
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=draws,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    interval = found.confidence_interval
    return float(interval.low), float(interval.high), float(found.standard_error)


def paired(
    first: Mapping[str, float], second: Mapping[str, float], account: Mapping[str, str], *, seed: int = SEED
) -> Paired:
    """Second minus first over the questions that both have a score for; `account` names each question's account.

    A question counts as right at a score of 1. Raises ValueError when they share no question.
    """
    both = [question for question in first if question in second]
    differences: dict[str, list[float]] = {}
    for question in both:
        differences.setdefault(account[question], []).append(second[question] - first[question])
    only_first = sum(first[q] >= 1 > second[q] for q in both)
    only_second = sum(second[q] >= 1 > first[q] for q in both)
    return Paired(
        difference=mean(differences, seed=seed),
        only_first=only_first,
        only_second=only_second,
        p=mcnemar(only_first, only_second),
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p of McNemar's test: of the questions only one arm got right, half fall to each by chance."""
    from scipy.stats import binomtest

    split = only_first + only_second
    return float(binomtest(only_first, split, 0.5).pvalue) if split else 1.0


def agreement(first: Sequence[bool], second: Sequence[bool]) -> tuple[float, float]:
    """The share of equal verdicts, and Cohen's kappa, which takes off what chance would give.

    Kappa is 1 where both say the same of everything. Raises ValueError for sequences of different or no length.
    """
    if not first or len(first) != len(second):
        raise ValueError(f"{len(first)} verdicts against {len(second)}")
    n = len(first)
    share = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = (sum(first) * sum(second) + (n - sum(first)) * (n - sum(second))) / n**2
    return share, 1.0 if chance == 1 else (share - chance) / (1 - chance)
