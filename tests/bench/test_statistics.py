"""Statistics against values worked out by hand and against scipy where it has the test."""

from __future__ import annotations

import random
from math import comb, sqrt
from statistics import NormalDist

import pytest
from scipy.stats import norm

from brain.bench.statistics import POWER_Z, agreement, mcnemar, mean, paired


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (5, 5), (10, 2), (3, 17), (40, 61)])
def test_mcnemar_is_the_binomial_sum(b: int, c: int) -> None:
    n, k = b + c, min(b, c)
    by_hand = min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n)
    assert mcnemar(b, c) == pytest.approx(by_hand if b != c else 1.0)
    assert mcnemar(b, c) == mcnemar(c, b)


def test_a_mean_weighs_questions_not_accounts() -> None:
    found = mean({"a": [1.0], "b": [0.0, 0.0, 0.0]})
    assert (found.mean, found.n, found.clusters) == (0.25, 4, 2)
    assert found.low is not None
    assert found.low <= 0.25 <= (found.high or 0)


def test_one_question_an_account_is_the_ordinary_bootstrap() -> None:
    draw = random.Random(7)
    values = [float(draw.random() < 0.3) for _ in range(400)]
    found = mean({n: [value] for n, value in enumerate(values)})
    share = sum(values) / 400
    error = sqrt(share * (1 - share) / 400)
    assert found.error == pytest.approx(error, rel=0.1)
    assert found.low == pytest.approx(share - norm.ppf(0.975) * error, abs=0.015)
    assert found.high == pytest.approx(share + norm.ppf(0.975) * error, abs=0.015)


def test_questions_that_go_together_widen_the_interval() -> None:
    apart = mean({n: [float(n % 2)] for n in range(200)})
    together = mean({n: [float(n % 2)] * 10 for n in range(20)})
    assert together.n == apart.n
    assert (together.error or 0) > 2.5 * (apart.error or 1)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    draw = random.Random(3)
    hits = 0
    for trial in range(200):
        groups = {}
        for account in range(30):
            rate = min(1.0, max(0.0, draw.gauss(0.5, 0.2)))
            groups[account] = [float(draw.random() < rate) for _ in range(12)]
        found = mean(groups, draws=400, seed=trial)
        hits += (found.low or 0) <= 0.5 <= (found.high or 0)
    assert 0.88 <= hits / 200 <= 0.99


def test_no_spread_and_no_accounts() -> None:
    flat = mean({"a": [1.0, 1.0], "b": [1.0]})
    assert (flat.low, flat.high, flat.error) == (1.0, 1.0, 0.0)
    alone = mean({"a": [1.0, 0.0]})
    assert (alone.low, alone.high, alone.detectable) == (None, None, None)
    with pytest.raises(ValueError, match="no question"):
        mean({})


def test_the_same_seed_gives_the_same_interval() -> None:
    groups = {n: [float(n % 3 == 0)] for n in range(40)}
    assert mean(groups) == mean(groups)


def test_paired_takes_what_both_have() -> None:
    first = {"q1": 1.0, "q2": 0.0, "q3": 1.0, "q4": 0.0, "only": 1.0}
    second = {"q1": 1.0, "q2": 1.0, "q3": 0.0, "q4": 1.0, "other": 0.0}
    found = paired(first, second, {f"q{n}": f"a{n % 2}" for n in range(1, 5)})
    assert found.difference.n == 4
    assert found.difference.mean == pytest.approx(0.25)
    assert (found.only_first, found.only_second) == (1, 2)
    assert found.p == mcnemar(1, 2)


def test_an_arm_against_itself_differs_by_nothing() -> None:
    scores = {f"q{n}": float(n % 2) for n in range(50)}
    found = paired(scores, scores, {f"q{n}": f"a{n % 5}" for n in range(50)})
    assert (found.difference.mean, found.difference.error, found.p) == (0.0, 0.0, 1.0)


def test_the_difference_it_could_show_is_found_eight_times_of_ten() -> None:
    assert NormalDist().cdf(POWER_Z - 1.959964) == pytest.approx(0.8, abs=1e-4)


def test_agreement_and_kappa() -> None:
    first = [True] * 20 + [False] * 15 + [True] * 5 + [False] * 10
    second = [True] * 20 + [False] * 15 + [False] * 5 + [True] * 10
    share, kappa = agreement(first, second)
    assert share == pytest.approx(0.7)
    assert kappa == pytest.approx((0.7 - (25 * 30 + 25 * 20) / 2500) / (1 - (25 * 30 + 25 * 20) / 2500))
    assert agreement([True, True], [True, True]) == (1.0, 1.0)
    with pytest.raises(ValueError, match="against"):
        agreement([True], [])
