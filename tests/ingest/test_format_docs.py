"""docs/formats.md names every format there is."""

from __future__ import annotations

from pathlib import Path

from brain.ingest.formats import formats

PAGE = Path(__file__).parent.parent.parent / "docs" / "formats.md"


def test_every_format_has_its_row_and_every_row_its_format() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]

    assert [row.split("`")[1] for row in rows] == [one.name for one in formats()]


def test_formats_have_names_fit_for_a_transcript() -> None:
    for one in formats():
        assert one.name == one.name.lower().replace(" ", "-")
        assert one.title
