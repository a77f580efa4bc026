"""News of what a page says take that claim's place, over nights and within one, wherever the claim stands."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from room import Room

from brain.rules import check
from brain.rules.evidence import TreeEvidence
from brain.tree.deletions import Deletions
from brain.tree.files import FolderTree, write_atomic
from brain.tree.page import Page, parse
from brain.types import Severity

LATER = datetime(2027, 1, 1, tzinfo=UTC)
KEY = "The spare key is with Ottilie Brandt, downstairs"
NEW_KEY = "The spare key went from Ottilie Brandt to Joost Pell, who is at home more"
REPORT = "Report of the Harbour depth survey: 12 September 2026"
NEW_REPORT = "The report of the Harbour depth survey moved from 12 September 2026 to 3 October 2026"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path / "memory", "Mara")


def survey(room: Room) -> None:
    room.say(
        1,
        "I'm a hydrographer at Nordkart and I live in Oslo. We start the Harbour depth survey this month.",
        ("assistant", "Good."),
        "Report of the Harbour depth survey: 12 September. Wei Zhang from infra runs the build farm for us.",
        ("assistant", "Noted."),
        "The spare key is with Ottilie Brandt, downstairs. I want all maps delivered as SVG, not PNG.",
        cwd="/home/mara/harbour-survey",
    )
    room.say(
        2,
        "We decided to use lidar for the Harbour depth survey because sonar fails in the shallow basin.",
        ("assistant", "Noted."),
        "The boat of the Harbour depth survey costs 900 € a day.",
        cwd="/home/mara/harbour-survey",
    )


def news(room: Room) -> None:
    room.say(
        9,
        "The report of the Harbour depth survey moved from 12 September to 3 October.",
        ("assistant", "Noted."),
        "By the way, the spare key went from Ottilie Brandt to Joost Pell, who is at home more.",
    )


def pages(room: Room) -> list[Page]:
    return [parse(room.page(id), f"knowledge/{id}.md") for id in room.pages()]


def stated(room: Room, words: str) -> list[str]:
    """Sections in which a claim begins so; "" is a lead."""
    return [claim.section for page in pages(room) for claim in page.claims if claim.words.startswith(words)]


def history(room: Room) -> list[tuple[str, int]]:
    """What History lines say, with how many sources each."""
    return [
        (claim.words, len(claim.cites)) for page in pages(room) for claim in page.claims if claim.section == "History"
    ]


def errors(room: Room) -> list[str]:
    tree = FolderTree(room.root)
    found = check(
        tree, tree, config=room.config, evidence=TreeEvidence(tree), deletions=Deletions(), now=LATER, changed=None
    )
    return [f"{one.rule} {one.path}:{one.line} {one.message}" for one in found if one.severity is Severity.E]


@pytest.mark.parametrize("nights", [1, 2])
def test_a_value_is_told_at_its_newest_alone(room: Room, nights: int) -> None:
    survey(room)
    if nights == 2:
        room.dream()
    news(room)
    room.dream(29)
    for old, new in ((KEY, NEW_KEY), (REPORT, NEW_REPORT)):
        assert set(stated(room, old)) <= {"History"}
        assert {"Facts"} <= set(stated(room, new))
    assert errors(room) == []


def test_what_a_page_said_is_closed_with_the_day_and_both_sources(room: Room) -> None:
    survey(room)
    room.dream()
    assert "Facts" in stated(room, KEY)
    assert "Facts" in stated(room, REPORT)
    news(room)
    room.dream(29)
    for old, new in ((KEY, NEW_KEY), (REPORT, NEW_REPORT)):
        (line,) = [one for one in history(room) if one[0].startswith(old)]
        assert "; replaced on 2026-05-09: " in line[0]
        assert new in line[0]
        assert line[1] == 2


def test_what_else_the_pages_say_stays(room: Room) -> None:
    survey(room)
    room.dream()
    before = {
        claim.raw for page in pages(room) for claim in page.claims if claim.section in ("Decisions", "Preferences")
    }
    news(room)
    room.dream(29)
    after = {claim.raw for page in pages(room) for claim in page.claims}
    assert before
    assert before <= after
    assert len(history(room)) == 2


def test_what_a_person_wrote_stays_and_the_news_stand_beside_it(room: Room) -> None:
    survey(room)
    room.dream()
    (path,) = [page.path for page in pages(room) if KEY in page.text]
    own = room.read(path).replace(KEY, "The spare key is with Ottilie Brandt, in the blue house")
    write_atomic(room.root / path, own)
    news(room)
    room.dream(29)
    assert "Facts" in stated(room, "The spare key is with Ottilie Brandt, in the blue house")
    assert not [line for line, _ in history(room) if "spare key" in line]


def test_two_that_only_look_alike_both_stand(room: Room) -> None:
    survey(room)
    room.say(5, "The crane of the Harbour depth survey costs 300 € a day.", ("assistant", "Noted."), "Ok.")
    room.dream()
    room.say(9, "The divers of the Harbour depth survey now cost 700 € a day.")
    room.dream(29)
    assert history(room) == []
    assert "Facts" in stated(room, "The boat of the Harbour depth survey costs 900 €")
    assert "Facts" in stated(room, "The crane of the Harbour depth survey costs 300 €")


def test_the_same_night_again_changes_nothing(room: Room) -> None:
    survey(room)
    news(room)
    room.dream()
    before = room.head
    assert room.dream(30).noop
    assert room.head == before
