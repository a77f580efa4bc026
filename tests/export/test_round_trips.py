"""Out and in again: what an export holds comes into an empty brain as it was, and goes out again the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from harbour_export import page

from brain import Brain
from brain.export.exporting import MARKER, export
from brain.tree.edit import Statement
from brain.tree.files import write_atomic

HISTORY = {"log.md", MARKER}
"""What belongs to a brain's own history: when its pages came in."""


def files(root: Path, form: str, to: Path, **options: str) -> dict[str, bytes]:
    export(root, form, to, **options)  # type: ignore[arg-type]
    if to.is_file():
        return {str(n): line for n, line in enumerate(to.read_bytes().splitlines())}
    found = {p.relative_to(to).as_posix(): p.read_bytes() for p in sorted(to.rglob("*")) if p.is_file()}
    return {name: data for name, data in found.items() if name not in HISTORY}


def come_back(source: Path, empty: Brain, form: str, tmp_path: Path, **options: str) -> None:
    """Export, adopt, export: the same files."""
    name = "memory.jsonl" if form == "jsonl" else form
    first = files(source, form, tmp_path / name, **options)
    report = empty.adopt([tmp_path / name])
    assert [(loss.what, loss.place) for loss in report.losses] == []
    assert report.exit_code == 0
    (tmp_path / "second").mkdir()
    second = files(empty.root, form, tmp_path / "second" / name, **options)
    assert sorted(second) == sorted(first)
    for path, data in first.items():
        assert second[path].decode() == data.decode(), path


@pytest.mark.parametrize(("form", "turns"), [("okf", "cited"), ("okf", "all"), ("obsidian", "cited"), ("jsonl", "all")])
def test_a_memory_comes_back_as_it_went_out(form: str, turns: str, demo: Path, empty: Brain, tmp_path: Path) -> None:
    come_back(demo, empty, form, tmp_path, turns=turns)


def test_adopting_twice_adds_nothing(demo: Path, empty: Brain, tmp_path: Path) -> None:
    export(demo, "okf", tmp_path / "okf")
    assert empty.adopt([tmp_path / "okf"]).commit
    again = empty.adopt([tmp_path / "okf"])
    assert again.commit is None
    assert set(again.pages.values()) == {"unchanged"}
    assert again.notes == again.sessions == again.files == 0
    assert again.exit_code == 0


@pytest.mark.parametrize("form", ["okf", "obsidian", "jsonl"])
def test_cited_files_come_back_with_their_bytes(form: str, empty: Brain, tmp_path: Path) -> None:
    """A picture, and a Markdown file that is evidence, not a page."""
    root = tmp_path / "source"
    Brain.init(root)
    files = {"a/plan.png": b"\x89PNG\xff\x00", "a/notes.md": b"# Not a page\n\nThe mole is old.\n"}
    for name, data in files.items():
        write_atomic(root / "sessions/artifacts" / name, data)
    uris = [f"file://artifacts/{name}" for name in files]
    claims = [Statement(text="The mole is old.", qualifier="external", uris=[uri]) for uri in uris]
    shown = page("concepts/mole", "Mole", claims)
    write_atomic(root / shown.path, shown.text)
    export(root, form, tmp_path / f"out.{form}")
    report = empty.adopt([tmp_path / f"out.{form}"])
    assert report.pages == {"concepts/mole": "new"}
    assert {name: (empty.root / "sessions/artifacts" / name).read_bytes() for name in files} == files
