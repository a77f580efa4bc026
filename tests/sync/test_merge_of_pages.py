"""A page changed on main and by a run: sources keep their meaning, claims are kept, main's line wins."""

from __future__ import annotations

from small_brain import A, B, page, uri

from brain.sync.merge import merge
from brain.tree.page import parse

PATH = "knowledge/projects/harbour-map.md"
BASE = page(
    body="## Status\n- **Host** — the library. [cite:1]\n- **Audit** — open. [cite:2]\n", sources=[uri(A), uri(A, "t5")]
)


def sourced(text: str) -> dict[str, set[str]]:
    """Each claim's words and the sources it cites."""
    read = parse(text, PATH)
    return {claim.words: set(read.uris(claim)) for claim in read.claims}


def test_one_number_taken_by_both_sides_becomes_two_and_each_claim_keeps_its_source() -> None:
    more = [uri(A), uri(A, "t5")]
    main = page(body=_status("- From main. [cite:3]\n"), sources=[*more, uri(B, "t1")])
    incoming = page(body=_status("- From the run. [cite:3]\n"), sources=[*more, uri(B, "t9")])
    merged = merge(PATH, BASE, main, incoming)
    assert not merged.conflicts
    assert merged.text is not None
    found = sourced(merged.text)
    assert found["From main."] == {uri(B, "t1")}
    assert found["From the run."] == {uri(B, "t9")}
    assert parse(merged.text).get("next_cite") == "5"


def test_a_source_both_sides_found_keeps_mains_number_and_is_defined_once() -> None:
    more = [uri(A), uri(A, "t5")]
    main = page(body=_status("- One. [cite:3] [cite:4]\n"), sources=[*more, uri(B, "t1"), uri(B, "t2")])
    incoming = page(body=_status("- Two. [cite:3]\n"), sources=[*more, uri(B, "t2")])
    merged = merge(PATH, BASE, main, incoming).text
    assert merged is not None
    assert sourced(merged)["Two."] == {uri(B, "t2")}
    assert merged.count(uri(B, "t2")) == 1
    assert [d.number for d in parse(merged).definitions] == [1, 2, 3, 4]


def test_numbers_inside_code_are_left_alone() -> None:
    more = [uri(A), uri(A, "t5")]
    main = page(body=_status("- One. [cite:3]\n"), sources=[*more, uri(B, "t1")])
    incoming = page(body=_status("- Write `[cite:3]` so. [cite:3]\n"), sources=[*more, uri(B, "t2")])
    merged = merge(PATH, BASE, main, incoming).text
    assert merged is not None
    assert "- Write `[cite:3]` so. [cite:4]" in merged


def test_what_neither_side_touched_stays_byte_for_byte() -> None:
    odd = BASE.replace("- **Audit**", "-   **Audit**").replace("## Status\n", "## Status\n\n")
    main = odd.replace("the library", "the town library")
    incoming = odd.replace("## References", "## Goals\n- Be of use. [cite:2]\n\n## References")
    merged = merge(PATH, odd, main, incoming).text
    assert merged == incoming.replace("the library", "the town library")


def test_of_two_values_for_one_claim_mains_stays_and_the_lost_one_names_its_sessions() -> None:
    main = BASE.replace("the library. [cite:1]", "the library, floor 2. [cite:1]")
    incoming = page(
        body="## Status\n- **Host** — the museum. [cite:3]\n- **Audit** — open. [cite:2]\n\n"
        "## History\n- Host was the library until 2026-08-01. [cite:1] [cite:3]\n",
        sources=[uri(A), uri(A, "t5"), uri(B, "t2")],
    )
    merged = merge(PATH, BASE, main, incoming)
    assert merged.text is not None
    assert "the library, floor 2." in merged.text
    assert "museum" not in merged.text
    assert "until 2026-08-01" not in merged.text, "a History line of a change that lost would contradict the claim"
    assert B in {session for conflict in merged.conflicts for session in conflict.sessions}
    assert set(parse(merged.text).references) == {1, 2}


def test_lists_are_joined_and_a_description_changed_on_both_sides_stays_mains() -> None:
    base = page(body=_status(), sources=[uri(A), uri(A, "t5")], extra={"aliases": "[Map, Old map]"})
    main = base.replace("[Map, Old map]", "[Map, Old map, Chart]").replace(
        "walk slowly\nstatus", "take their time\nstatus"
    )
    incoming = base.replace("[Map, Old map]", "[Map, Plan]").replace("walk slowly\nstatus", "walk with care\nstatus")
    merged = merge(PATH, base, main, incoming)
    assert merged.text is not None
    assert parse(merged.text).aliases == ("Map", "Chart", "Plan")
    assert parse(merged.text).description.endswith("take their time")
    assert [conflict.what for conflict in merged.conflicts] == ["frontmatter description"]


def test_superseded_wins() -> None:
    main = BASE.replace("status: active", "status: done")
    incoming = BASE.replace("status: active", "status: superseded\nsuperseded_by: projects/town-map")
    merged = merge(PATH, BASE, main, incoming).text
    assert merged is not None
    assert (parse(merged).status, parse(merged).superseded_by) == ("superseded", "projects/town-map")


def test_new_sections_of_both_sides_stand_before_the_tail() -> None:
    more = [uri(A), uri(A, "t5")]
    main = page(
        body=_status() + "\n## Open questions\n- Which? [cite:1]\n\n## See also\n- [[concepts/maps]]\n", sources=more
    )
    incoming = page(
        body=_status() + "\n## Goals\n- Be of use. [cite:2]\n\n## Changelog\n- 2026-08-06 · x · y\n", sources=more
    )
    merged = merge(PATH, BASE, main, incoming).text
    assert merged is not None
    headings = [section.heading for section in parse(merged).sections]
    assert headings == ["Status", "Goals", "Open questions", "See also", "Changelog", "References"]


def test_groups_of_one_section_are_merged_apart() -> None:
    more = [uri(A), uri(A, "t5")]
    base = page(body="## Facts\n\n### North\n- n one [cite:1]\n\n### South\n- s one [cite:2]\n", sources=more)
    main = base.replace("- s one [cite:2]\n", "- s one [cite:2]\n- s two [cite:2]\n\n### West\n- w [cite:1]\n")
    incoming = base.replace("- n one [cite:1]\n", "- n one [cite:1]\n- n two [cite:1]\n").replace(
        "- s one [cite:2]\n", "- s one [cite:2]\n- s three [cite:1]\n\n### West\n- w too [cite:2]\n"
    )
    merged = merge(PATH, base, main, incoming)
    assert merged.text is not None
    assert not merged.conflicts
    assert (
        "### North\n- n one [cite:1]\n- n two [cite:1]\n\n### South\n- s one [cite:2]\n- s two [cite:2]\n"
        "- s three [cite:1]\n\n### West\n- w [cite:1]\n- w too [cite:2]\n" in merged.text
    )


def test_edit_beats_deletion_on_either_side_and_a_tombstone_beats_both() -> None:
    edited = BASE.replace("open", "done")
    assert merge(PATH, BASE, edited, None).text == edited
    assert merge(PATH, BASE, None, edited).text == edited
    assert merge(PATH, BASE, None, edited, barred=True).text is None
    assert merge(PATH, None, None, edited, barred=True).text is None


def test_a_page_made_on_both_sides_stays_mains() -> None:
    merged = merge(PATH, None, BASE, BASE.replace("open", "done"))
    assert merged.text == BASE
    assert merged.conflicts[0].sessions == (A,)


def test_a_page_that_does_not_read_is_not_merged_into() -> None:
    merged = merge(PATH, BASE, "no frontmatter any more\n", BASE.replace("open", "done"))
    assert merged.text == "no frontmatter any more\n"
    assert merged.conflicts


def test_in_the_folder_a_persons_line_wins() -> None:
    main = BASE.replace("the library", "the museum")
    person = BASE.replace("the library", "the swimming pool").replace("open", "nearly done")
    merged = merge(PATH, BASE, main, person, person=True)
    assert merged.text is not None
    assert "the swimming pool" in merged.text
    assert "nearly done" in merged.text


def _status(more: str = "") -> str:
    return "## Status\n- **Host** — the library. [cite:1]\n- **Audit** — open. [cite:2]\n" + more
