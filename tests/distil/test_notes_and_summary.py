"""Notes are filed once, split when full, replaced by newer values; summaries keep to their limits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from brain.distil import DistilContext, ExtractiveDistiller, facts, merge_notes
from brain.distil.notes import MAX_SNIPPETS
from brain.tree import note as notes
from brain.tree import summary as summaries
from brain.tree.note import NoteFile

from .conftest import WEDNESDAY, Say

NOW = datetime(2026, 7, 1, tzinfo=UTC)
NOTHING: dict[str, NoteFile] = {}
NADIA = DistilContext(owners=("Nadia",))


def test_a_fact_is_one_line_with_its_source(say: Say) -> None:
    found = facts(say(("user", "I want figures delivered as PDF, not PNG.")), context=NADIA)
    files = merge_notes(found, NOTHING.get, NOW)
    assert list(files) == ["notes/preferences/nadia"]
    text = notes.render(files["notes/preferences/nadia"])
    assert notes.parse(text) == files["notes/preferences/nadia"]
    assert "- 2026-06-10 · Nadia wants figures delivered as PDF, not PNG. <session://" in text
    assert "#t1> ^n" in text


def test_filing_twice_changes_nothing(say: Say) -> None:
    found = facts(say(("user", "I live in Gent."), ("user", "My sister Emily lives in Denver.")), context=NADIA)
    files = merge_notes(found, NOTHING.get, NOW)
    assert merge_notes(found, files.get, NOW) == {}
    again = [replace(f, session="0c4ab8f2-0000-5000-8000-000000000001") for f in found]
    assert merge_notes(again, files.get, NOW) == {}


def test_a_newer_value_replaces_the_note_of_the_older(say: Say) -> None:
    files = merge_notes(facts(say(("user", "I live in Gent.")), context=NADIA), NOTHING.get, NOW)
    later = say(
        ("user", "I live in Lyon."), ("user", "My sister Emily lives in Oslo."), at=WEDNESDAY + timedelta(days=30)
    )
    changed = merge_notes(facts(later, context=NADIA), files.get, NOW)
    lines = [s.text for s in changed["notes/people/nadia"].snippets]
    assert "Nadia lives in Lyon." in lines
    assert "Nadia lives in Gent." not in lines


def test_a_full_file_goes_on_in_a_second(say: Say) -> None:
    lines = [("user", f"I bought {n} blue crates of pears in Town{n} in 20{n}.") for n in range(10, 90)]
    files: dict[str, NoteFile] = merge_notes(facts(say(*lines), context=NADIA), NOTHING.get, NOW)
    assert sorted(files) == ["notes/people/nadia", "notes/people/nadia-2"]
    assert len(files["notes/people/nadia"].snippets) == MAX_SNIPPETS
    assert all(len(notes.render(f).splitlines()) <= 80 for f in files.values())


def test_a_summary_tells_what_it_was_about_with_turns(say: Say) -> None:
    transcript = say(
        ("user", "Help me plan the October sprint in Kyoto."),
        ("assistant", "Sure. Who hosts it?"),
        ("user", "Sora City Lab hosts us in Kyoto. We decided to keep the plan on one page."),
        ("user", "The export failed with shift_jis, cp932 works."),
        ("user", "I still have to tell Mai about the dates."),
    )
    done = ExtractiveDistiller().distil(transcript, 1, NADIA)
    text = summaries.render(done.summary)
    assert summaries.parse(text) == done.summary
    assert len(done.summary.summary.split()) <= 90
    assert [(b.first, b.last) for b in done.summary.bullets["Decisions"]] == [(3, 3)]
    assert "Open threads" in done.summary.bullets
    assert done.summary.through_turn == 5
    assert len(text.split("---\n", 2)[2].split()) <= 350


def test_a_grown_session_keeps_what_its_summary_had(say: Say) -> None:
    lines = [("user", "We decided to keep the plan on one page."), ("assistant", "Noted.")]
    first = ExtractiveDistiller().distil(say(*lines), 1, NADIA).summary
    grown = say(*lines, ("user", "We decided to print it in Lyon on 12 July."))
    second = ExtractiveDistiller().distil(grown, 3, NADIA, first).summary
    assert [b.first for b in second.bullets["Decisions"]] == [1, 3]
    assert second.through_turn == 3


def test_a_session_with_nothing_to_keep_says_so(say: Say) -> None:
    done = ExtractiveDistiller().distil(say(("user", "Hi!"), ("assistant", "Hello!")), 1, NADIA)
    assert done.facts == ()
    assert done.summary.summary == "2 turns, nothing in them to remember."


def test_an_empty_session_has_a_summary_too(say: Say) -> None:
    done = ExtractiveDistiller().distil(say(), 1, NADIA)
    assert (done.facts, done.summary.turns) == ((), 0)
