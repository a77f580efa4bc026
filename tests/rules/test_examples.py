"""Every rule finds its bad example and nothing in its good one: the docstrings are the tests."""

from __future__ import annotations

import pytest
from rule_examples import Case, build

from brain.rules import RULES
from brain.types import Severity

ORDER = list(RULES)


def test_the_standard_brain_has_no_problem() -> None:
    assert Case().problems(changed=None) == []


@pytest.mark.parametrize("name", ORDER)
def test_the_bad_example_has_that_rules_problem(name: str) -> None:
    found = build(RULES[name].bad).problems()
    assert name in {p.rule for p in found}, found
    loud = {p.rule for p in found if p.severity is not Severity.W} - {name}
    assert loud == set(), [p for p in found if p.rule in loud]
    for problem in found:
        if problem.rule == name:
            assert problem.severity in RULES[name].severities
            assert problem.message


@pytest.mark.parametrize("name", ORDER)
def test_the_good_example_has_not(name: str) -> None:
    found = build(RULES[name].good).problems()
    assert [p for p in found if p.rule == name or p.severity is Severity.E] == []
