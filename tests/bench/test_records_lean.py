"""Records of answers: written lean, read without loss, and those of the format before are read as well."""

from __future__ import annotations

import json
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.bench.answered import Answered, Result, parse, render
from brain.bench.asked import Given, Judgement, Kind, Use
from brain.errors import FormatError

SESSION = "session://00000000-0000-0000-0000-000000000007"
URIS = st.lists(
    st.one_of(
        st.builds(lambda n, t: f"session://{UUID(int=n)}#t{t}", st.integers(1, 4), st.integers(1, 9)),
        st.sampled_from(["connector://mail/a@b.example", "knowledge/x.md", f"see {SESSION}#t3"]),
    ),
    max_size=3,
).map(tuple)
TEXTS = st.sampled_from(["", "In Oslo.", f"It says {SESSION}#t2.", "~0#t1\u2028 session://~0"])
GIVEN = st.builds(
    Given,
    text=TEXTS,
    found=st.booleans(),
    cites=URIS,
    opened=URIS,
    unresolved=URIS,
    error=st.sampled_from([None, "away"]),
    use=st.builds(
        Use, read=st.integers(0, 2), seconds=st.sampled_from([0.0, 0.25]), cost=st.sampled_from([None, 0.0, 0.5])
    ),
)
JUDGEMENT = st.one_of(
    st.builds(Judgement, correct=st.booleans(), score=st.sampled_from([0.0, 0.5, 1.0]), how=TEXTS, stale=st.booleans()),
    st.builds(Judgement, correct=st.none(), score=st.none(), how=TEXTS),
    st.builds(Judgement, correct=st.just(True), score=st.just(1.0), how=TEXTS, f1=st.sampled_from([None, 0.0, 0.25])),
)
RESULTS = st.lists(
    st.builds(
        Result,
        question=st.sampled_from(["q1", "q2"]),
        account=st.sampled_from(["a", "b"]),
        arm=st.sampled_from(["wiki", "no-wiki", "again"]),
        category=st.just("single-fact"),
        kind=st.sampled_from([Kind.TEXT, Kind.DATE]),
        given=GIVEN,
        judgement=JUDGEMENT,
        evidence=URIS,
        superseded=st.booleans(),
        forgotten=st.booleans(),
    ),
    max_size=8,
    unique_by=lambda one: (one.question, one.arm),
).map(tuple)


def record(*results: Result) -> Answered:
    return Answered(
        brain="0.1.0", plan={}, arms={}, files={}, code={}, weights={}, embedder="none", accounts=(), results=results
    )


def answer(arm: str, *, text: str = "In Oslo, by the water.", seconds: float = 0.25) -> Result:
    return Result(
        question="q1",
        account="a",
        arm=arm,
        category="single-fact",
        kind=Kind.TEXT,
        evidence=(f"{SESSION}#t1",),
        given=Given(text=text, cites=(f"{SESSION}#t1",), opened=(f"{SESSION}#t1",), use=Use(read=9, seconds=seconds)),
        judgement=Judgement(correct=True, score=1.0, how="holds the answer", f1=0.5),
    )


@settings(max_examples=200, deadline=None)
@given(RESULTS)
def test_a_record_is_read_as_it_was_written(results: tuple[Result, ...]) -> None:
    one = record(*results)
    assert parse(render(one)) == one


def test_what_two_arms_gave_alike_is_written_once() -> None:
    text = render(record(answer("wiki"), answer("again", seconds=0.5), answer("no-wiki", text="In Bergen.")))
    assert text.count("In Oslo, by the water.") == 1
    assert text.count(SESSION.removeprefix("session://")) == 1
    held = json.loads(text)
    assert held["results"][1] == {"question": "q1", "arm": "again", "as": "wiki", "seconds": 0.5}
    assert list(held["questions"]) == ["q1"]


def test_a_record_of_the_format_before_is_read() -> None:
    before = json.loads(render(record()))
    del before["questions"]
    row = {
        "question": "q1", "account": "a", "arm": "wiki", "category": "single-fact", "kind": "text",
        "evidence": ["session://~0#t1"],
        "given": {"found": True, "text": "In Oslo, by the water.", "cites": ["session://~0#t1"],
                  "opened": ["session://~0#t1"], "use": {"read": 9, "seconds": 0.25}},
        "judgement": {"correct": True, "score": 1.0, "how": "holds the answer", "f1": 0.5},
    }  # fmt: skip
    sessions = [SESSION.removeprefix("session://")]
    old = parse(json.dumps(before | {"answered_format": 1, "sessions": sessions, "results": [row]}))
    assert old == record(answer("wiki"))
    unopened = row | {"given": {"found": True, "cites": ["session://~0#t1"]}}
    old = parse(json.dumps(before | {"answered_format": 1, "sessions": sessions, "results": [unopened]}))
    assert old.results[0].given.opened == ()


@pytest.mark.parametrize(
    "broken",
    [
        {"answered_format": 3},
        {"results": [{"question": "q9", "arm": "wiki", "judgement": {}}]},
        {"results": [{"question": "q1", "arm": "again", "as": "wiki"}]},
        {"sessions": []},
    ],
)
def test_a_record_that_does_not_hold_together_is_refused(broken: dict[str, object]) -> None:
    whole = json.loads(render(record(answer("wiki"))))
    with pytest.raises(FormatError):
        parse(json.dumps(whole | broken))
