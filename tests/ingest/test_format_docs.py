"""docs/formats.md names every format there is; each says what it keeps and why it drops what, and has fixtures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conformance import Case, cases, come_of

from brain.ingest.formats import Format, formats

PAGE = Path(__file__).parent.parent.parent / "docs" / "formats.md"
REFUSED = "gemini-takeout/page-in-another-language"


def test_every_format_has_its_row_and_every_row_its_format() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]

    assert [row.split("`")[1] for row in rows] == [one.name for one in formats()]


@pytest.mark.parametrize("one", formats(), ids=lambda one: one.name)
def test_a_format_says_what_it_is_and_why_it_drops_what(one: Format) -> None:
    assert one.name == one.name.lower().replace(" ", "-")
    assert all([one.title, one.where, one.known_by, one.times, one.kept])
    for part in one.dropped.split("; "):
        assert re.search(r"\(.+\)", part), f"{part!r} has no reason"


def test_every_format_has_fixtures() -> None:
    assert {case.format for case in cases()} == {one.name for one in formats()}


@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_fixture_is_read_by_its_format_alone_and_without_damage(case: Case) -> None:
    come = come_of(case)

    assert come.sources == {case.format}
    if str(case) == REFUSED:
        assert "in English" in "".join(come.skips.broken)
        assert come.sessions == 0
    else:
        assert not come.skips.broken, come.skips.examples
        assert come.sessions
        assert come.turns["user"] + come.turns["assistant"] >= 2
