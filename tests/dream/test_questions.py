"""What of a proposal is put to a verifier: only what code can neither pass nor fail."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from room import START, Room

from brain.dream.questions import ask
from brain.dream.verification import Asked, Asks, Question
from brain.rules import Context, TreeEvidence, claim_sha, fmt
from brain.sync.manifest import Op, Operation, RemovedClaim, SessionInput, Why
from brain.tree import deletions, page
from brain.tree.files import FolderTree, OverlayTree
from brain.tree.ids import session_id
from brain.types import Severity

NADIA = "knowledge/entities/nadia.md"
HARUKA = "knowledge/entities/haruka-nishida.md"


@dataclass
class Inputs:
    sessions: tuple[SessionInput, ...] = ()


@dataclass
class Manifest:
    """As much of a run's manifest as the questions need."""

    ops: tuple[Op, ...] = ()
    inputs: Inputs = field(default_factory=Inputs)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Two nights' wiki; a third session is there and not dreamed of yet."""
    made = Room(tmp_path_factory.mktemp("questions"), "Nadia")
    made.say(
        1,
        "I live in Lyon.",
        "I work at Sora City Lab with Haruka Nishida.",
        "Haruka Nishida leads the wayfinding audit in Kyoto.",
    )
    made.say(
        2,
        "Haruka Nishida prefers tea.",
        "Haruka Nishida confirmed the audit for October 12.",
        "I prefer figures as PDF.",
    )
    made.dream()
    made.say(
        3,
        "I moved to Sendai last week and plan a pilot with 12 maps.",
        ("assistant", "The maps could be printed on fabric."),
        ("web", "Fabric maps are used by many museums."),
    )
    return made


def cited(*turns: str, session: int = 3) -> str:
    return " ".join(f"[cite:session://{session_id('test', str(session))}#{turn}]" for turn in turns)


def asked(
    room: Room, path: str, *lines: str, drop: str = "", why: Why | None = None, head: dict[str, str] | None = None
) -> Asked:
    """The questions about a page with `lines` added, and the item that holds `drop` taken out."""
    base = room.git.tree(room.head)
    text = base.read(path)
    ops = []
    if drop:
        gone = next(claim for claim in page.parse(text, path).claims if drop in claim.raw and claim.section)
        text = text.replace(gone.raw + "\n", "")
        removed = (RemovedClaim(text_sha=claim_sha(gone), why=why),) if why else ()
        ops.append(Op(op=Operation.UPDATE, path=path, claims_removed=removed))
    for old, new in (head or {}).items():
        text = text.replace(old, new)
    items = "".join(f"- {line}\n" for line in lines)
    text = text.replace("## Changelog\n", f"## Timeline\n{items}\n## Changelog\n" if lines else "## Changelog\n", 1)
    evidence = TreeEvidence(FolderTree(room.root))
    proposed = {path: text}
    proposed |= fmt(OverlayTree(base, proposed), [path], evidence=evidence)
    inputs = Inputs((SessionInput(id=session_id("test", "3"), from_turn=1, to_turn=3),))
    check = Context(
        OverlayTree(base, proposed), base, config=room.config, evidence=evidence, deletions=deletions.parse(""),
        now=START, manifest=Manifest(tuple(ops), inputs), changed={path},
    )  # fmt: skip
    return ask(check, seed="one", drift=0)


def test_what_its_turns_say_word_for_word_is_not_asked(room: Room) -> None:
    found = asked(room, NADIA, f"Nadia plans a pilot with 12 maps. {cited('t1')}")
    assert (found.settled, found.questions, found.problems) == (1, (), ())


def test_a_paraphrase_is_asked_with_its_evidence_and_what_code_misses(room: Room) -> None:
    found = asked(room, NADIA, f"Nadia relocated to Sendai and prepares a small trial. {cited('t1')}")
    (one,) = found.questions
    assert (one.asks, one.subject, one.section) == (Asks.NEW, "Nadia", "Timeline")
    assert [cite.turn.number for cite in one.evidence] == [1]
    assert "12 maps" in one.evidence[0].turn.text
    assert one.doubt


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (f"The maps could be printed on fabric. {cited('t2')}", "SEM002"),
        (f"Fabric maps are used by many museums. {cited('t3')}", "SEM002"),
        (f"Nadia wrote to pilot@example.org. {cited('t1')}", "SEM001"),
        (f'Nadia said: "I never eat lunch." {cited("t1")}', "SEM001"),
        (f"Nadia plans a pilot. {cited('t9')}", "SEM001"),
    ],
)
def test_what_code_can_refuse_is_refused_without_asking(room: Room, line: str, rule: str) -> None:
    found = asked(room, NADIA, line)
    assert [(p.rule, p.severity) for p in found.problems] == [(rule, Severity.E)]
    assert page.parse(room.read(NADIA), NADIA).path == found.problems[0].path
    assert found.problems[0].line > 0
    assert not found.questions


def test_a_marked_claim_of_the_assistant_passes(room: Room) -> None:
    found = asked(room, NADIA, f"Maps could be printed on fabric. ^[assistant] {cited('t2')}")
    assert not found.problems


def test_a_later_turn_that_overrides_is_shown(room: Room) -> None:
    found = asked(room, NADIA, f"Nadia lives in Lyon near the river Rhone. {cited('t1', session=1)}")
    (one,) = found.questions
    assert any("Sendai" in near.text and near.where.startswith("said later") for near in one.near)


def test_a_claim_of_a_linked_page_that_is_close_is_shown(room: Room) -> None:
    line = f"Haruka Nishida leads the wayfinding audit in Sendai. {cited('t3', session=1)}"
    found = asked(room, NADIA, line)
    near = [one.where for question in found.questions for one in question.near]
    assert "entities/haruka-nishida" in near


def test_a_claim_that_is_gone_without_a_reason_is_a_loss(room: Room) -> None:
    found = asked(room, HARUKA, drop="confirmed the audit")
    assert [(p.rule, p.line) for p in found.problems] == [("SEM006", 0)]
    assert "without a reason" in found.problems[0].message


def test_a_removal_with_a_reason_is_asked_with_its_evidence(room: Room) -> None:
    found = asked(room, HARUKA, drop="confirmed the audit", why=Why.STALE)
    (one,) = found.questions
    assert (one.asks, one.reason, one.line) == (Asks.REMOVED, "stale", 0)
    assert "confirmed the audit" in one.claim
    assert "October 12" in one.evidence[0].turn.text


def test_a_claim_that_moved_on_the_page_is_no_loss(room: Room) -> None:
    line = f"Haruka Nishida confirmed the audit for October 12 by mail. {cited('t2', session=2)}"
    found = asked(room, HARUKA, line, drop="confirmed the audit", why=Why.MOVED)
    assert not [one for one in found.questions if one.asks is Asks.REMOVED]
    assert not found.problems


def test_a_changed_claim_is_asked_with_what_it_was(room: Room) -> None:
    line = f"Haruka Nishida confirmed the audit for October 13. {cited('t2', session=2)}"
    found = asked(room, HARUKA, line, drop="confirmed the audit", why=Why.SUPERSEDED)
    asks = [(one.asks, one.was) for one in found.questions]
    assert (Asks.CHANGED, "Haruka Nishida confirmed the audit for October 12 (as of 2026-05-02).") in asks


def test_a_new_description_is_asked_against_the_body(room: Room) -> None:
    found = asked(room, NADIA, head={"description: Works at Sora City Lab": "description: Directs a circus in Porto"})
    (one,) = found.questions
    assert one.asks is Asks.PAGE
    assert "circus" in one.claim
    assert any("Sora City Lab" in near.text for near in one.near)


def test_untouched_pages_raise_no_question(room: Room) -> None:
    assert asked(room, NADIA) == Asked()


def test_drift_takes_the_same_few_untouched_claims_for_the_same_run(room: Room) -> None:
    def drift(seed: str) -> tuple[Question, ...]:
        base = room.git.tree(room.head)
        bare = base.read(HARUKA).replace("prefers tea", "prefers coffee from Peru")
        old = OverlayTree(base, {HARUKA: bare})
        check = Context(
            old, old, config=room.config, evidence=TreeEvidence(FolderTree(room.root)),
            deletions=deletions.parse(""), now=START, manifest=Manifest(), changed=set(),
        )  # fmt: skip
        return ask(check, seed=seed).questions

    found = drift("a")
    assert found == drift("a")
    assert all(one.asks is Asks.DRIFT for one in found)
    assert any("Peru" in one.claim for one in found)
