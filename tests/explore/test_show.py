"""What `brain show` prints for an id, a name, a path or a source."""

from __future__ import annotations

import pytest
from hosts_memory import Told

from brain.errors import FormatError, NotFound
from brain.explore.show import show
from brain.tree import note


@pytest.mark.parametrize(
    "what",
    [
        "entities/sora-city-lab",
        "sora-city-lab",
        "Sora City Lab",
        "sora lab",
        "空都市研究所",
        "knowledge/entities/sora-city-lab.md",
        "knowledge/entities/sora-city-lab.md:14",
    ],
)
def test_a_page_by_any_of_its_names_without_references(told: Told, what: str) -> None:
    text = show(told.root, what)
    assert text.startswith("---\nid: entities/sora-city-lab\n")
    assert "## References" not in text
    assert "## References" in show(told.root, what, refs=True)


def test_the_turns_behind_a_citation(told: Told) -> None:
    text = show(told.root, told.page, cite="cite:2")
    assert text.startswith(f'[cite:2]: session://{told.hosts}#t3 "2026-06-21 · user"\n')
    assert "## t3 · user · 2026-06-21T09:00:00Z\n\nIn Sendai I meet Sapphir" in text
    assert "t4" not in text
    with pytest.raises(NotFound, match="no citation 8"):
        show(told.root, told.page, cite="8")


def test_turns_of_a_session_by_whole_or_short_id(told: Told) -> None:
    text = show(told.root, f"session://{told.hosts[:8]}#t1,t4-t5")
    assert [line for line in text.split("\n") if line.startswith("## t")] == [
        "## t1 · user · 2026-06-21T09:00:00Z",
        "## t4 · user · 2026-06-21T09:00:00Z",
        "## t5 · assistant · 2026-06-21T09:00:00Z",
    ]
    assert (
        show(told.root, told.moved)
        == show(told.root, told.moved[:8])
        == show(told.root, f"pplx://sessions/{told.moved}")
    )


def test_turns_as_a_search_names_them(told: Told) -> None:
    """A hit is `path#t3`: what a search prints can be asked for."""
    (path,) = (told.root / "sessions" / "transcripts").rglob(f"*-{told.hosts[:8]}.md")
    where = path.relative_to(told.root).as_posix()
    assert show(told.root, f"{where}#t3") == show(told.root, f"session://{told.hosts}#t3")
    assert show(told.root, f"{where}#t1-t3").count("\n## t") == 2
    with pytest.raises(NotFound):
        show(told.root, where.replace(told.hosts[:8], "00000000") + "#t3")


def test_a_slice_of_a_file_and_a_snapshot(told: Told) -> None:
    assert show(told.root, "file://artifacts/tables/hosts.csv#L2") == "Kyoto,Sora City Lab\n"
    assert show(told.root, "file://artifacts/tables/hosts.csv#L2-L3").count("\n") == 2
    uri = "connector://calendar?at=2026-08-06T07:40:11Z&q=x&sha=9f2c41d07ab3e655"
    assert show(told.root, uri) == '{"events": 2}\n'


def test_a_note_file_and_one_line_of_it(told: Told) -> None:
    whole = show(told.root, "notes/preferences/figures")
    assert "Wants figures as PDF" in whole
    (line,) = note.parse(whole).snippets
    assert show(told.root, f"^{line.id}").startswith(f"notes/preferences/figures.md:{line.line}\n- 2026-06-21")


@pytest.mark.parametrize(
    "what", ["entities/nobody", "../../etc/passwd", ".brain/index/search/catalogue.sqlite", "session"]
)
def test_what_memory_does_not_hold_is_said(told: Told, what: str) -> None:
    with pytest.raises(NotFound):
        show(told.root, what)


def test_a_source_that_does_not_parse_is_said(told: Told) -> None:
    with pytest.raises(FormatError):
        show(told.root, "https://example.org/x")
    with pytest.raises(NotFound):
        show(told.root, f"session://{told.hosts}#t39")
