"""A model judges claims in a context of its own; what it does not judge does not pass."""

from __future__ import annotations

import pytest
from scripted import Reply, Said, Script, cut_off, verdict

from brain.agents.ledger import Ledger
from brain.agents.verifier import ModelVerifier
from brain.dream.verification import Asked, Asks, Cited, Examined, Near, Question, examine
from brain.types import Qualifier, Role, Severity, Turn

PAGE = "knowledge/entities/nadia.md"


def question(
    claim: str, said: str = "I moved to Lyon.", asks: Asks = Asks.NEW, line: int = 12, **more: object
) -> Question:
    turn = Turn(number=3, role=Role.USER, text=said)
    return Question(
        path=PAGE, claim=claim, asks=asks, line=line, subject="Nadia", section="Facts",
        evidence=(Cited(uri="session://x#t3", turn=turn),), **more,  # type: ignore[arg-type]
    )  # fmt: skip


TWO = (question("Nadia relocated to Lyon."), question("Nadia has three cats.", line=13))


def judged(*replies: Said, questions: tuple[Question, ...] = TWO) -> tuple[Examined, Script]:
    script = Script(*replies)
    verifier = ModelVerifier(Ledger(None, "r"), model=script.model)
    return examine(Asked(questions=questions, settled=1), verifier), script


def test_a_hallucinated_claim_is_a_problem_with_rule_place_and_way_out() -> None:
    found, script = judged({"verdicts": [verdict(1), verdict(2, "unsupported", "SEM001", why="t3 names no cats")]})
    (problem,) = found.problems
    assert (problem.rule, problem.severity, problem.path, problem.line) == ("SEM001", Severity.E, PAGE, 13)
    assert "t3 names no cats" in problem.message
    assert problem.fix
    assert (found.settled, found.passed, found.checked) == (1, 1, "2/3")
    assert len(script.asked) == 1


def test_the_verifier_sees_claim_evidence_and_neighbours_behind_bars_and_nothing_of_the_author() -> None:
    one = question(
        "Nadia lives in Lyon.",
        qualifier=Qualifier.ASSISTANT,
        was="Nadia lives in Kyoto.",
        near=(Near(where="entities/lyon", text="- Nadia left Lyon. [cite:1]"),),
        doubt="no 'live' there",
    )
    _, script = judged({"verdicts": [verdict(1)]}, questions=(one,))
    asked = script.asked[0]
    assert "| Nadia lives in Lyon. ^[assistant]" in asked
    assert "| I moved to Lyon." in asked
    assert "| Nadia lives in Kyoto." in asked
    assert "| - Nadia left Lyon. [cite:1]" in asked
    assert "no 'live' there" in asked
    assert "[t3] user (owner)" in asked


@pytest.mark.parametrize(
    ("reply", "requests"),
    [
        ({"verdicts": [verdict(1)]}, 3),  # one is missing
        ({"verdicts": [verdict(1), verdict(7)]}, 3),  # an unknown claim
        ({"verdicts": [verdict(1), verdict(2), verdict(2)]}, 3),  # two verdicts on one
    ],
)
def test_a_claim_without_a_clear_verdict_does_not_pass(reply: Said, requests: int) -> None:
    found, script = judged(reply)
    assert [p.line for p in found.problems] == [13]
    assert found.unexamined == 1
    assert len(script.asked) == requests
    assert "Return all verdicts again" in script.asked[1]


@pytest.mark.parametrize(
    "broken", ["They all look fine to me.", '{"verdicts": [{"claim": 1, "verdict": "ok"}]}', cut_off()]
)
def test_verdicts_that_do_not_read_pass_nothing(broken: Said) -> None:
    """T16, T18: in bounds, first for the batch and then claim by claim."""
    found, script = judged(broken)
    assert [p.line for p in found.problems] == [12, 13]
    assert found.unexamined == 2
    assert found.passed == 0
    assert len(script.asked) <= 9


def test_a_batch_that_could_not_be_read_is_judged_claim_by_claim() -> None:
    def reply(asked: str) -> Reply:
        if "## Claim 2" in asked:
            return cut_off()
        return {"verdicts": [verdict(1, "supported" if "relocated" in asked else "unsupported")]}

    found, _ = judged(reply)
    assert [p.line for p in found.problems] == [13]
    assert found.unexamined == 0


def test_supported_with_a_failed_question_does_not_pass() -> None:
    found, _ = judged({"verdicts": [verdict(1, "supported", "SEM003", "SEM004"), verdict(2)]})
    assert [p.rule for p in found.problems] == ["SEM003", "SEM004"]


def test_a_removal_is_a_loss_check_and_drift_only_reports() -> None:
    removed = question("Nadia prefers PDF.", asks=Asks.REMOVED, line=0, reason="superseded")
    old = question("Nadia plays chess.", asks=Asks.DRIFT)
    found, script = judged(
        {"verdicts": [verdict(1, "unsupported"), verdict(2, "unsupported", "SEM001")]}, questions=(removed, old)
    )
    assert [(p.rule, p.severity) for p in found.problems] == [("SEM006", Severity.E), ("SEM011", Severity.W)]
    assert found.drifted == 1
    assert "The reason given: superseded" in script.asked[0]


def test_many_claims_go_a_few_a_call_each_in_a_fresh_context() -> None:
    def reply(asked: str) -> Reply:
        return {"verdicts": [verdict(n) for n in range(1, asked.count("## Claim") + 1)]}

    many = tuple(question(f"Nadia saw stop {n}.", line=n) for n in range(1, 11))
    found, script = judged(reply, questions=many)
    assert not found.problems
    assert [asked.count("## Claim") for asked in script.asked] == [4, 4, 2]


def test_standing_instructions_are_shown() -> None:
    script = Script({"verdicts": [verdict(1)]})
    verifier = ModelVerifier(Ledger(None, "r"), model=script.model)
    examine(Asked(questions=TWO[:1], standing=("Never record: health",)), verifier)
    assert "- Never record: health" in script.asked[0]


def test_nothing_open_asks_nobody() -> None:
    found, script = judged(questions=())
    assert not script.asked
    assert found.checked == "1/1"
