"""`brain connector …` and `brain fetch` as people type them: on real sources, with exit codes and JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from outside import calendar, event, mail

from brain import Brain

CONFIG = """
[connectors.calendar]
kind = "calendar"
path = "../work.ics"

[connectors.post]
kind = "mail"
path = "../post.eml"

[connectors.agenda]
kind = "mcp"
command = ["no-such-program"]

[connectors.gone]
kind = "folder"
path = "../nowhere"
"""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    Brain.init(root, owner="Nadia", tz="Europe/Paris")
    config = root / ".brain/config.toml"
    config.write_text(config.read_text("utf-8") + CONFIG, "utf-8")
    weekly = event("weekly", ";TZID=Asia/Tokyo:20261005T140000", "RRULE:FREQ=WEEKLY", summary="Sync")
    host = event(
        "host@lab", ";TZID=Asia/Tokyo:20261012T140000", "LOCATION:Kyoto", summary="Host meeting, Sora City Lab"
    )
    (tmp_path / "work.ics").write_text(calendar(weekly, host), "utf-8")
    (tmp_path / "post.eml").write_bytes(mail("Slots", "Sora City Lab has two slots."))
    return root


def brain(memory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brain", *words, "--memory", str(memory)]
    return subprocess.run(command, capture_output=True, text=True)


def test_list_says_what_there_is_and_what_is_wrong(memory: Path) -> None:
    done = brain(memory, "connector", "list")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "connector calendar (calendar): 2 events" in lines
    assert "connector post (mail): 1 mail" in lines
    assert any(line.startswith("connector agenda (mcp) is not available: ") for line in lines)
    assert "brain connector allow agenda" in done.stderr
    checked = brain(memory, "connector", "check", "--json")
    assert checked.returncode == 1
    assert {one["name"]: one["ok"] for one in json.loads(checked.stdout)} == {
        "agenda": False, "calendar": True, "gone": False, "post": True,
    }  # fmt: skip
    assert brain(memory, "connector", "check", "calendar").returncode == 0


def test_records_are_listed_and_repetitions_of_a_month_one_by_one(memory: Path) -> None:
    done = brain(memory, "connector", "list", "calendar")
    assert [line.split("  ")[2] for line in done.stdout.splitlines()] == ["host@lab", "weekly"]
    month = brain(memory, "connector", "list", "calendar", "--since", "2026-10-01", "--until", "2026-10-31", "--json")
    assert [one["day"] for one in json.loads(month.stdout)] == [
        "2026-10-26", "2026-10-19", "2026-10-12", "2026-10-12", "2026-10-05",
    ]  # fmt: skip
    wrong = brain(memory, "connector", "list", "calendar", "--since", "soon")
    assert wrong.returncode == 2
    assert "2026-10-12" in wrong.stderr


def test_search_goes_on_where_one_source_is_away(memory: Path) -> None:
    done = brain(memory, "connector", "search", "Sora City Lab")
    assert done.returncode == 1
    assert "calendar  2026-10-12  event  host@lab  Host meeting, Sora City Lab" in done.stdout
    assert "post  2026-08-03  mail  m1@sora-lab.example  Slots" in done.stdout
    assert "connector 'gone'" in done.stderr
    one = brain(memory, "connector", "search", "Sora City Lab", "--in", "calendar", "--json")
    assert one.returncode == 0
    assert [entry["id"] for entry in json.loads(one.stdout)["calendar"]] == ["host@lab"]


def test_fetch_pins_a_fresh_read_and_show_resolves_it(memory: Path) -> None:
    dry = brain(memory, "connector", "fetch", "calendar", "host@lab", "--dry-run")
    assert "Host meeting, Sora City Lab" in dry.stdout
    assert not (memory / "sessions/artifacts").exists()
    done = brain(memory, "connector", "fetch", "calendar", "host@lab")
    uri, _, text = done.stdout.partition("\n\n")
    assert uri.startswith("connector://calendar?at=")
    assert text == "Host meeting, Sora City Lab\nwhen: 2026-10-12 14:00 (Asia/Tokyo)\nwhere: Kyoto\n"
    assert "when: 2026-10-12 14:00 (Asia/Tokyo)" in brain(memory, "show", uri).stdout
    assert "when: 2026-10-12 14:00 (Asia/Tokyo)" in brain(memory, "connector", "fetch", uri).stdout
    again = brain(memory, "fetch", uri, "--json")
    assert json.loads(again.stdout)["new"] is False
    assert json.loads(again.stdout)["uri"] == uri
    calendar_file = memory.parent / "work.ics"
    calendar_file.write_text(calendar_file.read_text("utf-8").replace("Kyoto", "Sendai"), "utf-8")
    moved = brain(memory, "fetch", "connector://calendar?id=host%40lab")
    assert "where: Sendai" in moved.stdout
    assert moved.stdout.partition("\n\n")[0] != uri
    assert "where: Kyoto" in brain(memory, "connector", "fetch", uri).stdout
    assert "where: Sendai" in brain(memory, "connector", "fetch", uri, "--fresh").stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["connector", "fetch", "calendar", "nothing"], 3, "has no event"),
        (["connector", "fetch", "nobody", "x"], 3, "no connector 'nobody'"),
        (["connector", "fetch", "gone", "x"], 5, "correct path"),
        (["fetch", "calendar"], 2, "names no record"),
        (["fetch", "connector://agenda?id=tool:x"], 5, "brain connector allow agenda"),
        (["connector", "allow", "nobody"], 3, "configured: agenda, calendar"),
    ],
)
def test_what_is_not_there_is_said_with_the_way_out(memory: Path, words: list[str], code: int, said: str) -> None:
    done = brain(memory, *words)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stdout == ""


def test_allow_is_asked_for_once_and_can_be_taken_back(memory: Path) -> None:
    assert (
        brain(memory, "connector", "allow", "agenda", "--dry-run").stdout
        == "would be allowed: agenda: no-such-program\n"
    )
    assert "was not approved" in brain(memory, "connector", "list").stdout
    assert brain(memory, "connector", "allow", "agenda").stdout == "allowed: agenda: no-such-program\n"
    assert "does not start" in brain(memory, "connector", "list").stdout
    assert "needs no approval" in brain(memory, "connector", "allow", "calendar").stderr
    brain(memory, "connector", "allow", "agenda", "--revoke")
    assert "was not approved" in brain(memory, "connector", "list").stdout


def test_the_kinds_are_told(memory: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "brain", "connector", "kinds", "--json"], capture_output=True, text=True
    )
    assert [one["kind"] for one in json.loads(done.stdout)] == ["calendar", "folder", "git", "mail", "mcp"]
