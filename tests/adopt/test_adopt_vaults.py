"""An Obsidian vault, or any folder of Markdown, comes in as pages: linked, cited, marked, and what is lost named."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from harbour_vault import VAULT, write

from brain import Brain
from brain.adopt.report import AdoptReport
from brain.errors import NotFound
from brain.types import Severity


def lost(report: AdoptReport) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in report.losses:
        found[one.what.partition(" (")[0]] = found.get(one.what.partition(" (")[0], 0) + one.count
    return found


def knowledge(brain: Brain) -> dict[str, str]:
    root = brain.root / "knowledge"
    return {p.relative_to(root).as_posix(): p.read_text() for p in sorted(root.glob("*/*.md"))}


def broken(brain: Brain) -> list[str]:
    return [f"{p.path}:{p.line} {p.rule} {p.message}" for p in brain.check() if p.severity is Severity.E]


KENJI = """---
id: entities/kenji-aoyama
type: entity
title: Kenji Aoyama
description: Kenji Aoyama keeps the tide gauge at the harbour
status: active
created_at: 2026-08-07T02:00:00Z
updated_at: 2026-08-07T02:00:00Z
updated_by: human:nadia
next_cite: 3
language: en
entity_kind: person
---
# Kenji Aoyama

Kenji Aoyama keeps the tide gauge. [cite:1]

## Facts
- Kenji Aoyama keeps the tide gauge at work. [cite:1]

## Timeline
- The harbour opens at noon. ^[external] [cite:2]

## References
[cite:1]: TOLD
[cite:2]: OUTSIDE
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", VAULT)


def test_pages_come_in_with_their_kind_names_and_links(brain: Brain, vault: Path) -> None:
    report = brain.adopt([vault])
    assert set(report.pages) == {"entities/ines-moreau", "projects/harbour-map"}
    ines = knowledge(brain)["entities/ines-moreau.md"]
    for line in (
        "entity_kind: person",
        "aliases: [I. Moreau, Inès]",
        "tags: [design, person]",
        "x-role: designer",
        "created_at: 2026-03-01T00:00:00Z",
        "- Mornings ^[external] [cite:3]",
        "- Mail goes to her page (https://example.org/ines?x=1). See photo.png and somebody else. ^[external] [cite:4]",
    ):
        assert line in ines.split("\n")
    assert (
        "leads the **design side** of [[projects/harbour-map|Harbour Map]]. She prefers mornings. ^[external]" in ines
    )
    harbour = knowledge(brain)["projects/harbour-map.md"]
    assert "[[entities/ines-moreau|Inès]]" in harbour
    assert "Draw the stairs in [[entities/ines-moreau|their folder]]" in harbour
    assert broken(brain) == []


def test_every_statement_opens_the_lines_it_stands_in(brain: Brain, vault: Path) -> None:
    brain.adopt([vault])
    harbour = knowledge(brain)["projects/harbour-map.md"]
    (definition,) = [line for line in harbour.split("\n") if "#L14-L15" in line]
    uri = definition.split()[1]
    assert "The lower stairs are under water twice a day." in brain.show(uri)
    assert '"Projects/Harbour Map.md · L14-L15"' in definition


def test_what_cannot_be_kept_is_listed_and_the_exit_code_says_so(brain: Brain, vault: Path) -> None:
    report = brain.adopt([vault])
    assert report.exit_code == 1
    assert lost(report) == {
        ".png files": 1, "empty files": 1, "files of instructions for agents": 1, "comments": 1, "embeds": 1,
        "HTML markup": 1, "dataview blocks": 1, "links to pages that are not there": 1,
        "properties that are nested or long": 1, "lines that rule SEC002 refuses": 1,
    }  # fmt: skip
    assert "private remark" not in "".join(knowledge(brain).values())
    assert "Always send" not in "".join(knowledge(brain).values())


def test_words_that_move_with_the_day_stand_in_quotes(brain: Brain, vault: Path) -> None:
    brain.adopt([vault])
    assert (
        '[[entities/ines-moreau|Inès]]. "Currently in print." ^[external]'
        in knowledge(brain)["projects/harbour-map.md"]
    )


def test_tables_tasks_callouts_and_code_keep_what_they_say(brain: Brain, vault: Path) -> None:
    brain.adopt([vault])
    lines = knowledge(brain)["projects/harbour-map.md"].split("\n")
    for start in ("- Part: Stairs; State: done ", "- To do: Ask the printer ", "  - about paper ", "- Done: Draw the ",
                  "- **Tides** — The lower stairs", 'print("[[not a link]]")', "- Some html "):  # fmt: skip
        assert any(line.startswith(start) for line in lines), start


def test_the_commit_is_a_persons_and_says_what_came_from_where(brain: Brain, vault: Path) -> None:
    report = brain.adopt([vault])
    commit = brain.log()[0]
    assert report.commit
    assert commit.id.startswith(report.commit[:7])
    told = subprocess.run(["git", "log", "-1", "--format=%an%n%B"], cwd=brain.root, capture_output=True, text=True)
    assert told.stdout.startswith("human\nimport: adopt 2 pages\n")
    assert "adopted from People/Ines Moreau.md" in told.stdout


def test_a_dry_run_says_the_same_and_writes_nothing(brain: Brain, vault: Path) -> None:
    before = {p: p.read_bytes() for p in sorted(brain.root.rglob("*")) if p.is_file()}
    foreseen = brain.adopt([vault], dry_run=True)
    assert {p: p.read_bytes() for p in sorted(brain.root.rglob("*")) if p.is_file()} == before
    done = brain.adopt([vault])
    assert foreseen.pages == done.pages
    assert lost(foreseen) == lost(done)


def test_the_same_vault_again_changes_nothing(brain: Brain, vault: Path) -> None:
    first = brain.adopt([vault])
    again = brain.adopt([vault])
    assert again.commit is None
    assert set(again.pages.values()) == {"unchanged"}
    assert first.commit is not None


def test_a_file_that_grew_adds_its_new_lines_and_takes_none_away(brain: Brain, vault: Path) -> None:
    brain.adopt([vault])
    place = vault / "People/Ines Moreau.md"
    place.write_text(place.read_text().replace("- Workshops of at most eight people", "- Rooms with a window"))
    report = brain.adopt([vault])
    assert report.pages["entities/ines-moreau"] == "grown"
    lines = knowledge(brain)["entities/ines-moreau.md"]
    assert "- Rooms with a window ^[external]" in lines
    assert "- Workshops of at most eight people ^[external]" in lines
    assert broken(brain) == []


def test_a_page_that_memory_has_already_stays_as_it_is(brain: Brain, vault: Path, tmp_path: Path) -> None:
    brain.adopt([vault])
    mine = brain.root / "knowledge/projects/harbour-map.md"
    before = mine.read_text().replace("file://artifacts/adopted", "session://1bec6938-25f6-509d-9bbd-e8a81d5efe99#t1 ")
    mine.write_text(before)
    other = write(
        tmp_path / "other", {"Projects/Harbour Map.md": "---\ntype: project\n---\n# Harbour Map\n\nIt is red.\n"}
    )
    report = brain.adopt([other])
    assert report.pages == {"projects/harbour-map": "kept"}
    assert report.exit_code == 1
    assert mine.read_text() == before


def test_two_files_of_one_name_become_two_pages(brain: Brain, tmp_path: Path) -> None:
    files = {
        f"{folder}/Plan.md": f"---\ntitle: Plan\n---\nThe plan of the {folder} harbour.\n"
        for folder in ("north", "south")
    }
    report = brain.adopt([write(tmp_path / "wiki", files)])
    assert set(report.pages) == {"concepts/plan", "concepts/plan-south"}


def test_an_llm_wiki_brings_its_pages_and_not_what_they_were_written_from(brain: Brain, tmp_path: Path) -> None:
    files = {
        "index.md": "# Index\n\n- [[mole]] the mole\n",
        "log.md": "## [2026-04-02] ingest | Article\n",
        "wiki/entities/mole.md": "# Mole\n\nThe mole protects the harbour; see [[tide-gauge]].\n",
        "wiki/concepts/tide-gauge.md": "# Tide gauge\n\nA gauge on the [[Mole]].\n",
        "raw/article.md": "# Article\n\nLong words.\n",
    }
    report = brain.adopt([write(tmp_path / "wiki", files)])
    assert set(report.pages) == {"entities/mole", "concepts/tide-gauge"}
    assert lost(report) == {"raw documents of a wiki, which are no pages": 1}
    assert "[[entities/mole|Mole]]" in knowledge(brain)["concepts/tide-gauge.md"]


def test_names_of_other_scripts_and_odd_files_come_in(brain: Brain, tmp_path: Path) -> None:
    folder = write(tmp_path / "wiki", {
        "港.md": "---\ntitle: 港湾計画\n---\n港は北にある。潮は一日に二回満ちる。\n",
        "Порт.md": "---\ntitle: Порт\n---\nПорт находится на севере.\n",
        "a".ljust(120, "b") + ".md": "---\ntags: x\n---\nA long name.\n",
    })  # fmt: skip
    (folder / "bom.md").write_bytes("\ufeff---\r\ntitle: Mole\r\n---\r\nThe mole is old.\r\n".encode())
    (folder / "bytes.md").write_bytes(b"---\ntitle: Bytes\n---\n\xff\xfe broken \x00 bytes\n")
    (folder / "yaml.md").write_text("---\ntitle: [unclosed\n---\nThe words are kept.\n")
    (folder / "link").symlink_to("/etc")
    report = brain.adopt([folder])
    assert len(report.pages) == 6
    assert lost(report)["frontmatter that does not read"] == 1
    assert broken(brain) == []


def test_a_long_file_becomes_several_linked_pages_within_the_limits(brain: Brain, tmp_path: Path) -> None:
    text = "# Tides\n\nAll tides of a year at the north mole.\n"
    for month in range(1, 9):
        text += f"\n## Month {month}\n" + "".join(
            f"- On day {day} of month {month} it turned {day} times.\n" for day in range(1, 22)
        )
    report = brain.adopt([write(tmp_path / "wiki", {"Tides.md": f"---\ntype: concept\n---\n{text}"})])
    assert len(report.pages) > 2
    assert report.losses == []
    pages = knowledge(brain)
    assert "[[concepts/tides|Tides]]" in pages["concepts/tides-month-3.md"] or len(pages) > 2
    assert sum(page.count("it turned") for page in pages.values()) >= 8 * 21
    assert broken(brain) == []


def test_secrets_are_written_nowhere(brain: Brain, tmp_path: Path) -> None:
    secret = "ghp_" + "x7Kq2mPz9RtVw4Yb" * 2 + "aB3d"
    files = {
        f"{secret}.md": f"---\ntitle: Key {secret}\ntoken: {secret}\n---\nThe key is {secret}.\n",
        "other.md": f"---\ntitle: Other\n---\n```text\nexport TOKEN={secret}\n```\n\nSee [[{secret}]] and it.\n",
    }
    brain.adopt([write(tmp_path / "wiki", files)])
    assert len(knowledge(brain)) == 2
    for place in brain.root.rglob("*"):
        assert secret not in place.name
        if place.is_file() and ".git" not in place.parts:
            assert secret.encode() not in place.read_bytes(), place
    packed = subprocess.run(["git", "log", "-p", "--all"], cwd=brain.root, capture_output=True)
    assert secret.encode() not in packed.stdout


def test_a_zipped_vault_is_adopted_and_names_that_lead_out_are_refused(
    brain: Brain, vault: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "vault.zip", "w") as archive:
        for name, text in VAULT.items():
            archive.writestr(f"vault/{name}", text)
        archive.writestr("../../evil.md", "---\ntitle: Evil\n---\nOut.\n")
    report = brain.adopt([tmp_path / "vault.zip"])
    assert "projects/harbour-map" in report.pages
    assert any("leads out of the archive" in loss.what for loss in report.losses)
    assert not list(tmp_path.parent.rglob("evil.md"))


def test_another_brain_is_adopted_whole(brain: Brain, vault: Path, tmp_path: Path) -> None:
    brain.adopt([vault])
    brain.note("Figures go out as PDF.", topic="preferences/figures")
    Brain.init(tmp_path / "second/memory")
    second = Brain.open(tmp_path / "second/memory", background="no")
    report = second.adopt([brain.root])
    assert report.exit_code == 0
    assert report.sessions == report.notes == 1
    assert knowledge(second) == knowledge(brain)
    assert broken(second) == []


def test_a_source_that_is_not_allowed_here_costs_its_own_lines_and_not_the_page(brain: Brain, tmp_path: Path) -> None:
    brain.note("Kenji Aoyama keeps the tide gauge.", topic="people/kenji")
    told = f"session://{brain.sessions()[0].id}#t1"
    outside = "connector://calendar?at=2026-08-07T02:00:00Z&id=tide&sha=ff65a1e8e513eefd"
    page = KENJI.replace("TOLD", told).replace("OUTSIDE", outside)
    write(brain.root, {"knowledge/entities/kenji-aoyama.md": page})
    Brain.init(tmp_path / "second/memory")
    second = Brain.open(tmp_path / "second/memory", background="no")
    report = second.adopt([brain.root])
    assert report.pages == {"entities/kenji-aoyama": "new"}
    assert report.exit_code == 1
    assert [loss for loss in report.losses if "connector 'calendar'" in loss.what]
    kept = (second.root / "knowledge/entities/kenji-aoyama.md").read_text()
    assert "keeps the tide gauge at work. [cite:1]" in kept
    assert "opens at noon" not in kept
    assert "connector://" not in kept
    assert broken(second) == []


def test_what_is_no_place_is_an_error_and_an_empty_folder_is_no_success(brain: Brain, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        brain.adopt([tmp_path / "nowhere"])
    (tmp_path / "bare/.obsidian").mkdir(parents=True)
    assert brain.adopt([tmp_path / "bare"]).exit_code == 1


def test_the_command_tells_pages_from_sessions(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "chats").mkdir()
    chat = [{"role": "user", "content": "The mole is old."}, {"role": "assistant", "content": "Yes, from 1890."}]
    (tmp_path / "chats/one.json").write_text(json.dumps({"messages": chat}))
    command = [
        sys.executable,
        "-m",
        "brain",
        "import",
        str(vault),
        str(tmp_path / "chats"),
        "--memory",
        "memory",
        "--json",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    said = json.loads(done.stdout)
    assert said["adopted"]["pages"] == {"entities/ines-moreau": "new", "projects/harbour-map": "new"}
    assert len(list((tmp_path / "memory/sessions/transcripts").rglob("*.md"))) == 1
