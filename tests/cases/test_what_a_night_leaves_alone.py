"""Untouched lines, people's edits, failing sessions, and an index that is what the files are."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lived import Lived, sections_of, talk

Living = Callable[..., Lived]


def surveyed(live: Living) -> Lived:
    mara = live("Mara")
    cwd = "/home/u/harbour-survey"
    mara.claude(
        1,
        "This folder is for the Harbour depth survey. I'm a hydrographer at Nordkart and I live in Oslo.",
        ("assistant", "Good."),
        "Wei Zhang from infra runs the build farm for us. Wei Zhang joined Nordkart in 2021. "
        "I want all maps delivered as SVG, not PNG.",
        "We decided to use lidar for the Harbour depth survey because sonar fails in the shallow basin.",
        cwd=cwd,
    )
    mara.claude(
        2,
        "The deadline of the Harbour depth survey is 2026-06-30. The budget is 38,400 crowns.",
        ("assistant", "Noted."),
        "Wei Zhang lives in Drammen. Wei Zhang moved the build farm to Drammen on 2026-04-20.",
        cwd=cwd,
    )
    mara.night()
    return mara


def test_a_night_that_adds_to_a_page_leaves_its_other_sections_byte_for_byte(live: Living) -> None:
    """T21: a decision is added; every claim that was there stays, in its place, to the byte, and so do other pages."""
    mara = surveyed(live)
    page = next(page for page in mara.pages("projects/") if "lidar" in mara.page(page))
    before = {one: mara.page(one) for one in mara.pages()}
    mara.claude(
        3, "We decided to hire the survey boat Tern for the Harbour depth survey.", cwd="/home/u/harbour-survey"
    )

    mara.night()

    after = mara.page(page)
    assert "Tern" in after
    old, new = sections_of(before[page]), sections_of(after)
    assert set(old) <= set(new)
    touched = {name for name in old if old[name] != new[name]} - {"Changelog", "References", "See also"}
    assert all("Tern" in new[name] for name in touched)
    assert len(touched) <= 1
    claims = [
        line for line in before[page].splitlines() if line.startswith(("- ", "[cite:")) and " · " not in line[:30]
    ]
    assert [line for line in claims if line not in after.splitlines()] == []
    kept = [line for line in after.splitlines() if line in claims]
    assert kept == claims
    others = {one: text for one, text in before.items() if one != page and "Tern" not in mara.page(one)}
    assert others
    assert {one: mara.page(one) for one in others} == others
    diff = mara.git("show", "--numstat", "--format=", "main", "--", f"knowledge/{page}.md").split()
    assert int(diff[1]) <= 4  # lead, description, updated_at, next_cite


def test_a_persons_edits_survive_the_nights_after(live: Living) -> None:
    """T21: a lead, a claim, a section and a page of a person's own: committed as the person's, never written over."""
    mara = surveyed(live)
    page = next(page for page in mara.pages("projects/") if "lidar" in mara.page(page))
    path = mara.root / f"knowledge/{page}.md"
    text = path.read_text("utf-8")
    claim = next(line for line in mara.claims(page) if "lidar" in line and line.startswith("- "))
    mine = claim.replace("lidar", "green lidar")
    section = "## Notes of mine\n- The harbour master is kind to dogs. [cite:1]\n\n"
    text = text.replace(claim, mine)
    at = next(
        text.index(f"## {name}") for name in ("History", "See also", "Changelog", "References") if f"## {name}" in text
    )
    path.write_text(text[:at] + section + text[at:], "utf-8")
    note = next((mara.root / "notes").rglob("*.md"))
    lines = note.read_text("utf-8").splitlines(keepends=True)
    note.write_text("".join(lines[:-1]), "utf-8")
    mara.claude(
        3,
        "We decided to hire the survey boat Tern for the Harbour depth survey.",
        ("assistant", "Noted."),
        "The deadline of the Harbour depth survey is 2026-07-15.",
        cwd="/home/u/harbour-survey",
    )

    mara.night()

    after = mara.page(page)
    assert mine in after
    assert section.strip() in after
    assert "Tern" in after
    assert lines[-1] not in note.read_text("utf-8")
    subjects = mara.subjects()
    assert any(subject.startswith("human:") for subject in subjects)
    dream = next(at for at, subject in enumerate(subjects) if subject.startswith("dream:"))
    human = next(at for at, subject in enumerate(subjects) if subject.startswith("human:"))
    assert dream < human  # newest first: the person's edit is under the night
    authors = mara.git("log", "--format=%s|%an", "main").splitlines()
    assert not any(line.startswith("human:") and "Brain Dream" in line for line in authors)
    mara.claude(
        4, "We decided to rent sonar gear from Kystlab for the Harbour depth survey.", cwd="/home/u/harbour-survey"
    )
    mara.night()
    assert mine in mara.page(page)
    assert section.strip() in mara.page(page)


def test_a_session_that_fails_is_named_and_makes_the_run_fail(live: Living) -> None:
    """T19: one spoilt transcript of three: exit code 1, its id is said, the others are dreamed, it stays pending."""
    mara = live("Mara")
    mara.claude(1, "I live in Oslo and I want maps as SVG, not PNG.")
    mara.claude(2, "We decided to hire the boat Tern because the ferry is full.")
    mara.claude(3, "The deadline of the survey is 2026-06-30.")
    mara.take()
    spoilt = next(one for one in mara.transcripts() if "Tern" in one.turns[0].text)
    file = next(mara.root.rglob(f"*{spoilt.id[:8]}.md"))
    whole = file.read_bytes()
    file.write_text("## t1 · nobody\n", "utf-8")

    typed = mara.typed("dream")

    assert typed.returncode == 1
    assert spoilt.id[:8] in typed.stdout + typed.stderr
    assert any("SVG" in one.text for one in mara.snippets())
    assert any("2026-06-30" in one.text for one in mara.snippets())
    assert "Tern" not in mara.wiki()
    told = mara.typed("dream", "--json")
    assert told.returncode == 1
    assert list(json.loads(told.stdout)["failed"]) == [spoilt.id]
    file.write_bytes(whole)
    mara.now = datetime.now(UTC) + timedelta(days=1)  # the commands above went by the clock on the wall
    assert mara.dream().exit_code == 0
    assert any("Tern" in one.text for one in mara.snippets())
    assert mara.dream().noop
    assert mara.errors() == []


def test_an_import_of_which_a_part_fails_is_no_success(live: Living) -> None:
    """T19, same kind: broken lines and unknown files are counted with their place and give exit code 1."""
    mara = live("Mara")
    whole = mara.claude(1, "I live in Oslo and I want maps as SVG, not PNG.", ("assistant", "Noted."), "Thanks a lot.")
    lines = whole.read_text("utf-8").splitlines(keepends=True)
    whole.write_text(lines[0] + '{"type": "user", "mess\n' + "".join(lines[1:]), "utf-8")

    typed = mara.typed("import", "--json", str(mara.source))

    assert typed.returncode == 1
    report = json.loads(typed.stdout)
    assert (report["new"], sum(report["broken"].values())) == (1, 1)
    assert any(whole.name in problem and "2" in problem for problem in report["problems"])
    assert mara.typed("import", "from/not-there").returncode == 3
    stranger = mara.write("noise.bin", b"\x00\x01\x02" * 100)
    assert mara.typed("import", str(stranger)).returncode == 1
    assert mara.typed("dream").returncode == 0
    assert any("SVG" in one.text for one in mara.snippets())


QUERIES = ["lidar", "maps delivered", "build farm", "Oslo", "deadline", "Tern", "harbour", "what do we use for depth"]


def hits(mara: Lived) -> list[list[tuple[str, int, str, float]]]:
    found = [mara.brain.search(query, k=10) for query in QUERIES]
    return [[(hit.path, hit.line, hit.text, round(hit.score, 6)) for hit in each] for each in found]


@pytest.mark.parametrize("embedder", ["none", "minilm"])
def test_reindex_from_files_gives_the_same_results(
    live: Living, embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T28: after edits, deletions and a session that grew, the kept index and one built anew answer alike."""
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", embedder)
    mara = surveyed(live)
    mara.claude(3, "We decided to hire the survey boat Tern for the depth survey.", cwd="/home/u/harbour-survey")
    mara.take()
    mara.brain.search("lidar")
    mara.dream()
    gone = next(page for page in mara.pages("entities/") if "wei" in page)
    (mara.root / f"knowledge/{gone}.md").unlink()
    note = next(path for path in (mara.root / "notes").rglob("*.md") if "SVG" in path.read_text("utf-8"))
    note.write_text(note.read_text("utf-8").replace("SVG", "GeoPackage"), "utf-8")
    mara.now = datetime.now(UTC)  # what is recent counts a little more: both doors must ask on one day

    kept = hits(mara)
    mara.brain.reindex()
    anew = hits(mara)

    assert kept == anew
    paths = {path for each in anew for path, *_ in each}
    assert f"knowledge/{gone}.md" not in paths
    assert all((mara.root / path).is_file() for path in paths)
    assert any("GeoPackage" in hit.text for hit in mara.brain.search("maps delivered GeoPackage"))
    index = mara.root / ".brain/index"
    for path in sorted(index.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    assert hits(mara) == anew
    typed = mara.typed("search", "lidar", "--json")
    assert [hit["path"] for hit in json.loads(typed.stdout)] == [path for path, *_ in anew[0]]


def test_files_that_vanish_leave_no_ghosts_anywhere(live: Living) -> None:
    """T28: a page, a note file and a transcript deleted by hand: not in search, ask, index, titles or links."""
    mara = surveyed(live)
    assert mara.brain.ask("What do we use for the Harbour depth survey?").found
    for path in [*(mara.root / "knowledge/projects").glob("*.md"), *(mara.root / "notes").rglob("*.md")]:
        path.unlink()
    for path in [
        *(mara.root / "sessions/transcripts").rglob("*.md"),
        *(mara.root / "sessions/summaries").rglob("*.md"),
    ]:
        path.unlink()

    assert mara.brain.search("lidar") == [
        hit for hit in mara.brain.search("lidar") if Path(mara.root / hit.path).is_file()
    ]
    assert not any("lidar" in hit.text for hit in mara.brain.search("lidar") if not hit.path.startswith("knowledge/"))
    assert not any(page.startswith("projects/") for page, _ in mara.brain.titles())


def test_renamed_sessions_are_not_taken_twice(live: Living) -> None:
    """T04, T28: the same session from another folder, with another name or line ends, is the same session."""
    mara = live("Mara")
    first = mara.claude(1, "I live in Oslo and I want maps as SVG, not PNG.", ("assistant", "Noted."))
    mara.night()
    head, files = mara.head, mara.files()
    moved = mara.write("backup/2026/copy.jsonl", first.read_bytes().replace(b"\n", b"\r\n"))
    first.unlink()
    report = mara.take(moved)
    assert (report.new, report.turns, report.exit_code) == (0, 0, 0)
    assert mara.dream().noop
    assert (mara.head, mara.files()) == (head, files)


def test_commits_say_what_they_are(live: Living) -> None:
    """What main holds after two nights: each commit's kind, the trailers of a night, one commit a night."""
    mara = surveyed(live)
    mara.now += timedelta(days=1)
    mara.chatgpt(talk("Boat", 9, "We decided to hire the survey boat Tern for the Harbour depth survey."))
    mara.night()
    kinds = [subject.split(":")[0] for subject in mara.subjects()]
    assert kinds == ["dream", "ingest", "dream", "ingest", "migrate"]
    body = mara.git("log", "-1", "--format=%B", "main")
    for trailer in ("Dream-Run: ", "Sessions: ", "Checks: ", "Brain-Format: 1", "Base: ", "Pages: "):
        assert f"\n{trailer}" in body
    assert subprocess.run(["git", "fsck", "--strict"], cwd=mara.root, capture_output=True).returncode == 0
    assert mara.git("status", "--porcelain") == ""
