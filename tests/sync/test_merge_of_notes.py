"""Notes, summaries, session rows and the deletion log when two sides changed them."""

from __future__ import annotations

from small_brain import A, B, note, uri

from brain.sync.merge import attached_through, hold_back, merge
from brain.tree.layout import DELETIONS, SESSION_INDEX
from brain.tree.sessions import SessionRow, parse_rows, render_rows

NOTE = "notes/facts/harbour.md"
ONE = f"- 2026-08-02 · The harbour has steps. <{uri(A)}> ^n00000001\n"
TWO = f"- 2026-08-03 · The lift is broken. <{uri(A, 't4')}> ^n00000002\n"
OURS = f"- 2026-08-04 · The café is step-free. <{uri(B)}> ^n00000003\n"
THEIRS = f"- 2026-08-05 · The pier is closed. <{uri(B, 't9')}> ^n00000004\n"
SUMMARY = "sessions/summaries/2026/2026-08-02-harbour-1eaf53d4.md"


def test_snippets_are_joined_by_id() -> None:
    merged = merge(NOTE, note(ONE + TWO), note(ONE + TWO + OURS), note(ONE + TWO + THEIRS))
    assert merged.text == note(ONE + TWO + THEIRS + OURS)
    assert not merged.conflicts


def test_a_snippet_taken_out_by_one_side_goes_and_an_edited_one_stays() -> None:
    edited = TWO.replace("broken", "repaired")
    assert merge(NOTE, note(ONE + TWO), note(ONE + TWO + OURS), note(ONE)).text == note(ONE + OURS)
    assert merge(NOTE, note(ONE + TWO), note(ONE + edited), note(ONE)).text == note(ONE + edited)
    assert merge(NOTE, note(ONE + TWO), note(ONE), note(ONE + edited)).text == note(ONE + edited)


def test_two_edits_of_one_snippet_keep_mains_and_hand_the_other_back() -> None:
    ours, theirs = TWO.replace("broken", "repaired"), TWO.replace("broken", "gone")
    merged = merge(NOTE, note(ONE + TWO), note(ONE + ours), note(ONE + theirs))
    assert merged.text == note(ONE + ours)
    assert merged.conflicts[0].sessions == (A,)
    assert merge(NOTE, note(ONE + TWO), note(ONE + ours), note(ONE + theirs), person=True).text == note(ONE + theirs)


def test_a_note_made_on_both_sides_holds_the_snippets_of_both() -> None:
    assert merge(NOTE, None, note(ONE), note(TWO)).text == note(ONE + TWO)


def summary(through: int, attached: int, words: str = "They spoke of steps.") -> str:
    marks = f"through_turn: {through}\nattached_through: {attached}\n"
    return f"---\nid: {A}\ntype: session_summary\n{marks}---\n## Summary\n{words}\n"


def test_the_summary_of_more_turns_wins_and_the_lower_mark_counts() -> None:
    merged = merge(SUMMARY, summary(10, 0), summary(20, 10, "main"), summary(15, 15, "run")).text
    assert merged == summary(20, 10, "main")


def test_a_mark_only_one_side_moved_is_taken() -> None:
    assert merge(SUMMARY, summary(10, 0), summary(20, 0, "main"), summary(10, 10)).text == summary(20, 10, "main")


def test_a_summary_a_person_reworded_stays_and_its_session_counts_as_attached() -> None:
    assert merge(SUMMARY, summary(10, 0), summary(10, 0, "mine"), summary(10, 10)).text == summary(10, 10, "mine")


def test_a_session_behind_a_conflict_can_be_held_back() -> None:
    assert hold_back(summary(20, 20), 5) == summary(20, 5)
    assert hold_back(summary(20, 3), 5) == summary(20, 3)
    assert attached_through(summary(20, 7)) == 7
    assert attached_through(None) == 0


def test_session_rows_are_joined_and_the_longer_session_wins() -> None:
    def row(session: str, turns: int) -> SessionRow:
        return SessionRow(id=session, source="codex", external_id=session, title="t", turns=turns)

    base = render_rows([row(A, 2)])
    merged = merge(SESSION_INDEX, base, render_rows([row(A, 5)]), render_rows([row(A, 4), row(B, 1)])).text
    assert merged is not None
    assert {r.id: r.turns for r in parse_rows(merged)} == {A: 5, B: 1}


def test_the_deletion_log_only_grows() -> None:
    assert merge(DELETIONS, "1\n", "1\n2\n", "1\n3\n").text == "1\n2\n3\n"
