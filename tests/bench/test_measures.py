"""Measures of a run: each on a record made for it, where the right value is known by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from brain.bench.answered import Answered, Filled, Result, parse, render
from brain.bench.asked import Given, Judgement, Kind, Use
from brain.bench.measures import ALL, BY_NAME, compared, measured
from brain.bench.reporting import page, tables
from brain.bench.sources import share_held, share_right

A = "5c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f"
B = "6c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f"
RIGHT, WRONG = Judgement(correct=True, score=1.0, how="held"), Judgement(correct=False, score=0.0, how="not held")


def turn(number: int, session: str = A) -> str:
    return f"session://{session}#t{number}"


def result(question: str = "q1", arm: str = "wiki", *, right: bool | None = True, **more: Any) -> Result:
    given = {name: more.pop(name) for name in list(more) if name in Given.__dataclass_fields__}
    judgement = RIGHT if right else WRONG if right is False else Judgement(correct=None, score=None, how="no answer")
    fields = {"account": f"p{question[-1]}", "category": "fact", "kind": Kind.TEXT, "evidence": (turn(3),), **more}
    return Result(question=question, arm=arm, given=Given(**given), judgement=judgement, **fields)


def record(*results: Result) -> Answered:
    return Answered(
        brain="0", plan={"dataset": "personas", "reader": "extractive"}, arms={}, files={}, code={}, weights={},
        embedder="none", accounts=(Filled(account="p1", content=""),), results=results, seconds=3.0,
    )  # fmt: skip


def value(name: str, *results: Result, category: str = ALL) -> float:
    found = measured(record(*results))
    return next(one.estimate.mean for one in found if (one.measure, one.category) == (name, category))


def test_accuracy_counts_what_was_scored_and_unscored_what_was_not() -> None:
    some = (result("q1"), result("q2", right=False), result("q3", right=None, error="away"))
    assert value("accuracy", *some) == 0.5
    assert value("unscored", *some) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("cites", "opened", "recall", "reached"),
    [
        ((turn(3),), (), 0.5, 1.0),
        ((), (f"session://{A}",), 0.5, 1.0),
        ((f"session://{A}#t2-t4",), (turn(7, B),), 1.0, 1.0),
        ((turn(4),), ("knowledge/x.md",), 0.0, 0.0),
        ((), (), 0.0, 0.0),
    ],
)
def test_evidence_recall_and_reached(cites: Any, opened: Any, recall: float, reached: float) -> None:
    one = result(evidence=(turn(3), turn(7, B)), cites=cites, opened=opened)
    assert value("evidence recall", one) == recall
    assert value("reached", one) == reached


def test_citation_recall_and_precision_are_of_what_is_cited_alone() -> None:
    one = result(evidence=(turn(3), turn(5)), cites=(turn(3), turn(9)), opened=(turn(5),))
    assert value("citation recall", one) == 0.5
    assert value("citation precision", one) == 0.5


def test_records_of_connectors_are_gold_by_their_name() -> None:
    pinned = "connector://calendar?at=2026-08-06T07:40:11Z&id=a1&sha=0123456789abcdef"
    assert share_held(["connector://calendar/a1"], [pinned]) == 1.0
    assert share_held(["connector://calendar/a2"], [pinned]) == 0.0
    assert share_right([pinned, turn(1)], ["connector://calendar/a1"]) == 0.5
    assert share_held([], [pinned]) is None
    assert share_held([f"session://{A}"], [turn(2)]) == 1.0


def test_honesty() -> None:
    none = result("q1", kind=Kind.NONE, evidence=(), found=False)
    refused = result("q2", right=False, found=False)
    old = replace(result("q3", right=False, superseded=True, cites=(turn(3),)), judgement=replace(WRONG, stale=True))
    assert value("abstention", none, refused, old) == 1.0
    assert value("refused", none, refused, old) == 0.5
    assert value("currency", none, refused, old) == 0.0
    assert value("stale", none, refused, old) == pytest.approx(1 / 3)


def test_an_answer_is_unsupported_without_a_citation_or_with_one_that_leads_nowhere() -> None:
    bare, lost, good = (
        result("q1"),
        result("q2", cites=(turn(3),), unresolved=(turn(99),)),
        result("q3", cites=(turn(3),)),
    )
    assert value("unsupported", bare, lost, good) == pytest.approx(2 / 3)


def test_price_is_a_mean_over_questions() -> None:
    some = (result("q1", use=Use(read=100, seconds=1.0)), result("q2", use=Use(read=300, seconds=3.0)))
    assert value("read", *some) == 200
    assert value("seconds", *some) == 2.0
    assert not [one for one in measured(record(*some)) if one.measure == "cost"]


def test_arms_are_compared_on_the_same_questions() -> None:
    with_it = [result(f"q{n}", "wiki") for n in range(6)]
    without = [result(f"q{n}", "no-wiki", right=n < 2) for n in range(6)]
    found = compared(without, with_it, ("no-wiki", "wiki"))
    one = next(c for c in found if c.measure == "accuracy" and c.category == ALL)
    assert one.paired.difference.mean == pytest.approx(4 / 6)
    assert (one.paired.only_first, one.paired.only_second) == (0, 4)


def test_categories_apart_are_shown_and_not_counted_in_all() -> None:
    some = record(result("q1"), result("q2", right=False, category="odd"))
    found = {(m.measure, m.category): m.estimate.mean for m in measured(some, apart=("odd",))}
    assert found["accuracy", ALL] == 1.0
    assert found["accuracy", "odd"] == 0.0


def test_a_report_says_every_figure_and_a_hostile_answer_is_text() -> None:
    hostile = "<script>alert(1)</script>"
    some = [result(f"q{n}", "wiki", cites=(turn(3),)) for n in range(4)]
    some += [result(f"q{n}", "no-wiki", right=n % 2 == 0, text=hostile) for n in range(4)]
    some[0] = replace(some[0], judgement=WRONG, given=replace(some[0].given, text=hostile))
    whole = parse(render(record(*some)))
    text = tables.markdown(whole)
    assert "| accuracy | .750" in text
    assert "| accuracy | all | +.250" in text
    assert "4 questions" in text
    shown = page.html(whole)
    assert hostile not in shown
    assert "&lt;script&gt;" in shown
    assert "<svg" in shown
    assert "http" not in shown.replace("http-equiv", "")


def test_every_measure_says_what_it_is() -> None:
    assert all(one.says for one in BY_NAME.values())
    assert len(BY_NAME) == len(set(BY_NAME))


@pytest.mark.parametrize(
    ("value", "text"), [(0.6614, ".661"), (1.0, "1.000"), (0.0, ".000"), (-0.25, "−.250"), (0.25, "+.250")]
)
def test_shares_are_written_as_the_field_writes_them(value: float, text: str) -> None:
    assert tables.number("accuracy", value, plus=text[0] in "+") == text
