"""`brain export okf`: a bundle that validates, says what it rests on, and holds nothing that is not for everybody."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from okf_validator import parts, problems

from brain import Brain
from brain.errors import UsageError
from brain.export.exporting import MARKER, export


def exported(root: Path, to: Path, form: str = "okf", **options: str) -> dict[str, bytes]:
    export(root, form, to, **options)  # type: ignore[arg-type]
    return {path.relative_to(to).as_posix(): path.read_bytes() for path in sorted(to.rglob("*")) if path.is_file()}


def test_the_bundle_of_a_brain_validates(demo: Path, tmp_path: Path) -> None:
    files = exported(demo, tmp_path / "bundle")
    assert problems(tmp_path / "bundle") == []
    assert len([name for name in files if name.endswith(".md")]) > 40


def test_the_bundle_of_hostile_pages_validates(hostile: Path, tmp_path: Path) -> None:
    exported(hostile, tmp_path / "bundle")
    assert problems(tmp_path / "bundle") == []


def test_the_validator_sees_what_is_wrong(demo: Path, tmp_path: Path) -> None:
    exported(demo, tmp_path / "bundle")
    place = tmp_path / "bundle/entities/nadia.md"
    place.write_text(place.read_text().replace("type: Entity\n", "").replace("](/entities/", "](/elsewhere/"))
    (tmp_path / "bundle/entities/index.md").write_text("---\na: b\n---\nwords\n")
    assert len(problems(tmp_path / "bundle")) >= 3


def test_a_page_says_who_wrote_it_and_on_what_it_rests(demo: Path, tmp_path: Path) -> None:
    exported(demo, tmp_path / "bundle")
    values, body = parts((tmp_path / "bundle/projects/japan-universal-design-sprint.md").read_text())
    assert values is not None
    assert values["generated"]["by"] == "dream/0.1"
    first = values["sources"][0]
    assert first["uri"].startswith("session://")
    assert first["resource"].startswith("/references/sessions/")
    assert f"[^{first['id']}]" in body
    assert "[cite:" not in body
    assert "[[" not in body
    assert values["brain"]["status"] == "active"
    assert values["status"] == "stable"


def test_what_is_private_stays_here_with_links_to_it_as_words(hostile: Path, tmp_path: Path) -> None:
    files = exported(hostile, tmp_path / "bundle")
    assert not any(b"alarm code" in data or b"secret-reef" in data for data in files.values())
    assert b"Part of secret reef." in files["projects/mole.md"]
    report = export(hostile, "okf", tmp_path / "again", dry_run=True)
    assert report.left_out == {"private pages": ("projects/secret-reef",)}
    assert b"alarm code" in exported(hostile, tmp_path / "all", include="private")["projects/secret-reef.md"]


def test_only_cited_turns_go_along_unless_asked(hostile: Path, tmp_path: Path) -> None:
    for which, wanted in (("cited", False), ("all", True), ("none", False)):
        files = exported(hostile, tmp_path / which, turns=which)
        assert any(b"kelp" in data for data in files.values()) is wanted
        assert any(name.startswith("references/") for name in files) is (which != "none")
        assert problems(tmp_path / which) == []


def test_a_page_named_like_a_file_the_format_keeps_gets_another_name(hostile: Path, tmp_path: Path) -> None:
    files = exported(hostile, tmp_path / "bundle")
    values = yaml.safe_load(files["concepts/log-page.md"].decode().split("---\n")[1])
    assert values["brain"]["id"] == "concepts/log"


@pytest.mark.parametrize("form", ["okf", "obsidian", "html", "jsonl"])
def test_the_same_memory_gives_the_same_bytes(form: str, demo: Path, tmp_path: Path) -> None:
    def bytes_of(to: Path) -> list[bytes]:
        export(demo, form, to)
        return [p.read_bytes() for p in sorted(to.rglob("*")) if p.is_file()] if to.is_dir() else [to.read_bytes()]

    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


def test_an_export_never_goes_into_memory_or_over_other_files(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.md").write_text("years of work")
    (tmp_path / "page.html").write_text("<p>mine")
    places = [("okf", demo / "out"), ("okf", tmp_path / "mine"), ("html", tmp_path / "page.html"), ("html", tmp_path)]
    for form, place in [*places, ("jsonl", tmp_path / "page.html"), ("okf", tmp_path / "page.html")]:
        with pytest.raises(UsageError):
            export(demo, form, place)
    assert (tmp_path / "mine/thesis.md").read_text() == "years of work"
    assert (tmp_path / "page.html").read_text() == "<p>mine"


def test_a_second_export_takes_away_what_is_no_more_and_leaves_what_others_added(hostile: Path, tmp_path: Path) -> None:
    place = tmp_path / "bundle"
    exported(hostile, place, include="private")
    (place / "projects/mine.md").write_text("mine")
    report = export(hostile, "okf", place)
    assert report.removed == 1
    assert not (place / "projects/secret-reef.md").exists()
    assert (place / "projects/mine.md").exists()
    assert b"secret-reef" not in (place / MARKER).read_bytes()


def test_a_dry_run_writes_nothing(demo: Path, tmp_path: Path) -> None:
    for form in ("okf", "obsidian", "html", "jsonl"):
        report = export(demo, form, tmp_path / "new", dry_run=True)
        assert report.pages
        assert report.turns
        assert report.exit_code == 0
    assert not (tmp_path / "new").exists()


def test_a_page_that_does_not_read_is_named_and_the_rest_goes_out(tmp_path: Path) -> None:
    Brain.init(tmp_path / "memory")
    (tmp_path / "memory/knowledge/concepts/odd.md").parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "memory/knowledge/concepts/odd.md").write_text("no frontmatter")
    (tmp_path / "memory/knowledge/concepts/bytes.md").write_bytes(b"\xff\xfe")
    report = Brain.open(tmp_path / "memory", background="no").export("okf", tmp_path / "bundle")
    assert report.exit_code == 1
    assert report.broken == ("knowledge/concepts/bytes.md", "knowledge/concepts/odd.md")
    assert problems(tmp_path / "bundle") == []
