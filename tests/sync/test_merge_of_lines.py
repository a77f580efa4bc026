"""Two sides change a list of claims: nothing is lost but what both changed, and that is handed back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brain.sync.lines import merge_lines

LINES = st.lists(
    st.sampled_from(["- a b c", "- a b d", "- x", "- y z", "", "- q r s t", "- q r s u", "### g"]), max_size=9
)


@given(LINES, LINES)
def test_a_side_that_changed_nothing_takes_the_other(base: list[str], side: list[str]) -> None:
    assert merge_lines(base, base, side) == (side, [])
    assert merge_lines(base, side, base) == (side, [])


@given(LINES, LINES)
def test_the_same_change_on_both_sides_is_made_once(base: list[str], side: list[str]) -> None:
    assert merge_lines(base, side, side) == (side, [])


@given(LINES, LINES, LINES)
def test_every_line_of_main_stays_unless_the_other_side_alone_took_it_out(
    base: list[str], main: list[str], incoming: list[str]
) -> None:
    merged, _ = merge_lines(base, main, incoming)
    for line in set(main) - set(base):
        assert merged.count(line) >= main.count(line)


@given(LINES, LINES, LINES)
def test_a_line_that_came_in_is_kept_or_handed_back(base: list[str], main: list[str], incoming: list[str]) -> None:
    merged, clashes = merge_lines(base, main, incoming)
    handed_back = [line for clash in clashes for line in clash.incoming]
    assert set(incoming) - set(base) <= set(merged) | set(handed_back)


def test_neighbouring_lines_do_not_clash() -> None:
    base = ["- The host is A.", "- The audit is open.", "- Figures are PDF."]
    main = ["- The host is A, second floor.", "- The audit is open.", "- Figures are PDF."]
    incoming = ["- The host is A.", "- The audit is done.", "- Figures are PDF.", "- A new one."]
    assert merge_lines(base, main, incoming) == (
        ["- The host is A, second floor.", "- The audit is done.", "- Figures are PDF.", "- A new one."],
        [],
    )


def test_lines_added_at_one_place_are_both_kept_with_mains_first() -> None:
    assert merge_lines(["- a"], ["- a", "- ours"], ["- a", "- theirs"]) == (["- a", "- ours", "- theirs"], [])


def test_of_two_changes_of_one_line_mains_stays_and_the_other_is_handed_back() -> None:
    merged, clashes = merge_lines(["- host is A"], ["- host is A and B"], ["- host is C"])
    assert merged == ["- host is A and B"]
    assert [clash.incoming for clash in clashes] == [("- host is C",)]
