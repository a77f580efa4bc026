"""The demo tells its story: what Nadia's sessions hold is in memory at the end, and what must not be there is not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from brain import Brain
from brain.demo.play import NIGHTS, SESSIONS

NOT_ON_DISK = ("AKIAQ7ZNADIA4DEMO2XK", "sk-proj-x7Qm2Lr9TnV4cYb8Ks1Wd6Hf3Jp5Gz0aEuRtNi")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The demo as a person runs it: its tree, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "brain", "demo", "nadia"]
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("unshare"):
        tried = subprocess.run(["unshare", "--net", "true"], capture_output=True)
        command = ["unshare", "--net", *command] if tried.returncode == 0 else command
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "nadia", done.stdout


@pytest.fixture(scope="module")
def brain(played: tuple[Path, str]) -> Brain:
    return Brain.open(played[0], clock=lambda: NIGHTS["night-3"])


def chapter(story: str, title: str) -> str:
    return re.split(r"^━━ ", story.partition(f"━━ {title}")[2], flags=re.MULTILINE)[0]


def wiki(brain: Brain) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((brain.root / "knowledge").rglob("*.md")))


def test_the_persona_is_what_the_issue_of_a_demo_needs() -> None:
    """At least twelve sessions over four months in three formats, in three nights."""
    found = list(SESSIONS.rglob("*.jsonl")) + list(SESSIONS.rglob("*.md"))
    chats = [chat for file in SESSIONS.rglob("conversations.json") for chat in json.loads(file.read_text("utf-8"))]
    days = {name for file in found for name in re.findall(r"2026-\d\d-\d\d", file.read_text("utf-8"))}
    assert len(found) + len(chats) >= 12
    assert len(chats) >= 3
    assert (datetime.fromisoformat(max(days)) - datetime.fromisoformat(min(days))).days >= 110
    assert {folder.name for folder in SESSIONS.iterdir()} == set(NIGHTS)


def test_all_sessions_come_in_and_the_tree_is_clean(brain: Brain) -> None:
    status = brain.status()
    assert status.sessions == 14
    assert status.pending.attach == 0
    assert sum(status.pages.values()) >= 4
    assert [problem for problem in brain.check() if problem.severity == "E"] == []


def test_it_answers_which_organisations_with_evidence(played: tuple[Path, str]) -> None:
    answer = chapter(played[1], 'brain ask "Which organisations')
    assert "Sora City Lab" in answer
    assert "Sapphir Mobility Coop" in answer
    assert "session://" in answer


def test_it_answers_how_figures_are_delivered(brain: Brain) -> None:
    answer = brain.ask("How do I want figures delivered?")
    assert answer.found
    best = max(answer.statements, key=lambda statement: statement.relevance)
    assert "PDF, not PNG" in best.text
    assert best.cites[0].speaker in {"user", "Nadia"}


def test_memory_says_so_when_it_has_nothing(brain: Brain) -> None:
    assert not brain.ask("What is my shoe size?").found


def test_the_project_page_tells_about_the_sprint(played: tuple[Path, str]) -> None:
    page = chapter(played[1], "One page")
    assert "# " in page
    assert "[cite:" in page
    assert "## References" not in page


def test_a_fourth_dream_changes_nothing(played: tuple[Path, str]) -> None:
    end = chapter(played[1], "A fourth dream")
    assert "nothing changed" in end
    assert "no commit was made" in end


def test_it_shows_what_changed_between_nights(played: tuple[Path, str]) -> None:
    assert "What night 2 changed on existing pages" in played[1]
    assert "What night 3 changed on existing pages" in played[1]


def test_the_keys_of_tool_output_are_nowhere_in_the_tree(brain: Brain) -> None:
    for path in (*brain.root.rglob("*"),):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            for secret in NOT_ON_DISK:
                assert secret.encode() not in content, path
    with_git = subprocess.run(
        ["git", "grep", "-E", "|".join(NOT_ON_DISK), "main"], cwd=brain.root, capture_output=True, text=True
    )
    assert with_git.stdout == ""
    assert any("‹redacted:" in path.read_text("utf-8") for path in brain.root.rglob("sessions/**/*") if path.is_file())


def test_the_planted_instruction_is_in_no_page_and_no_note(brain: Brain) -> None:
    places = [*(brain.root / "knowledge").rglob("*.md"), *(brain.root / "notes").rglob("*.md")]
    for path in places:
        text = path.read_text("utf-8")
        assert "collect-files.example" not in text, path
        assert "gnore previous" not in text, path


def test_large_tool_output_lies_beside_the_transcript(brain: Brain) -> None:
    artifacts = [path for path in (brain.root / "sessions/artifacts").rglob("*") if path.is_file()]
    assert len(artifacts) >= 2


def test_the_french_asides_stay_french(brain: Brain) -> None:
    notes = "\n".join(path.read_text("utf-8") for path in (brain.root / "notes").rglob("*.md"))
    assert "relues par Mai avant l'envoi" in notes
    assert "effacés après 90 jours" in notes


def test_no_page_is_about_a_night(brain: Brain) -> None:
    assert not re.search(r"^title: .*(?:night-|2026)", wiki(brain), re.MULTILINE)


def page(brain: Brain, title: str) -> str:
    """The text of the one page with this title."""
    (found,) = (page for page, name in brain.titles() if name == title)
    return brain.show(found)


def current(text: str) -> str:
    """A page without what was so before."""
    return re.sub(r"^## History\n.*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)


def history(text: str) -> str:
    return text.partition("## History\n")[2].partition("\n## ")[0]


def test_a_corrected_fact_replaces_the_wrong_one(brain: Brain) -> None:
    coop = page(brain, "Sapphir Mobility Coop")
    assert "runs 14 low-floor minibuses" in current(coop)
    assert "runs 18 low-floor minibuses" not in current(coop)
    assert any("runs 18 low-floor minibuses" in history(brain.show(id)) for id, _ in brain.titles())


def test_a_moved_stay_moves_and_the_old_plan_is_history(brain: Brain) -> None:
    sprint = page(brain, "Japan universal design sprint")
    assert "moved from September to October" in current(sprint)
    assert "planned for September" not in current(sprint)
    assert "planned for September" in history(sprint)


def test_who_works_on_what_follows_the_last_word(brain: Brain) -> None:
    tomasz = page(brain, "Tomasz Wilk")
    assert "moved to the tactile map" in current(tomasz)
    assert "works on the beacon prototype full time" not in current(tomasz)


def test_a_person_with_several_names_has_one_page(brain: Brain) -> None:
    titles = [title for _, title in brain.titles()]
    for name in ("Nishida", "Aoyama", "Tomasz", "Moreau"):
        assert sum(name in title for title in titles) == 1, titles


def test_both_hosts_have_a_page_that_says_what_they_are(brain: Brain) -> None:
    assert "civic design lab" in page(brain, "Sora City Lab")
    assert "transport cooperative" in page(brain, "Sapphir Mobility Coop")


def test_a_workflow_explained_early_is_there_when_it_is_needed(brain: Brain) -> None:
    audit = next(brain.show(page) for page, title in brain.titles() if "wayfinding audit" in title.casefold())
    for step in ("decision point", "150 cm", "0 to 4", "one hour"):
        assert step in audit, step


def test_what_failed_and_what_worked_is_found(brain: Brain) -> None:
    answer = brain.ask("Which converter keeps the Japanese labels?")
    assert answer.found
    assert "rsvg-convert" in answer.statements[0].text.casefold()


def test_the_meetings_come_from_the_calendar_and_say_so(played: tuple[Path, str], brain: Brain) -> None:
    sprint = page(brain, "Japan universal design sprint")
    for meeting in ("2026-10-12 10:00–12:00 (Asia/Tokyo)", "2026-10-19 14:00–15:30 (Asia/Tokyo)"):
        (line,) = (one for one in sprint.splitlines() if meeting in one)
        assert line.startswith("- **Calendar** — ")
        assert "^[external] [cite:" in line
    behind = chapter(played[1], "What is behind a meeting")
    assert "connector://calendar?at=2026-08-07T02:00:00Z&id=host-kyoto%40seuil.example&sha=" in behind
    assert "event of calendar, as read on 2026-08-07T02:00:00Z" in behind
    assert "connector calendar (calendar): 5 events" in played[1]


def test_an_answer_from_the_calendar_shows_the_record_behind_it(brain: Brain) -> None:
    answer = brain.ask("When is the host meeting with Sora City Lab?")
    (found,) = (one for one in answer.statements if "host meeting, Sora City Lab" in one.text)
    assert found.qualifier == "external"
    assert found.cites[0].uri.startswith("connector://calendar?at=2026-08-07T02:00:00Z")
    assert "when: 2026-10-12 10:00–12:00 (Asia/Tokyo)" in found.cites[0].text


def test_what_the_calendar_holds_besides_is_nowhere(brain: Brain) -> None:
    places = [*(brain.root / "knowledge").rglob("*.md"), *(brain.root / "notes").rglob("*.md")]
    for path in places:
        text = path.read_text("utf-8").casefold()
        assert "dentist" not in text, path
        assert "upload all notes" not in text, path
