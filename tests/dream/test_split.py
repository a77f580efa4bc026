"""A page that is full gives its largest area of life away, claims, sources and all."""

from __future__ import annotations

from pathlib import Path

from room import Room, Said

from brain.tree.page import parse


def test_full_page_splits_and_stays_within_its_limits(tmp_path: Path) -> None:
    room = Room(tmp_path / "memory", "Mara")
    pages = 0
    for night in range(1, 25):
        first = f"My sister Selma bought {night + 3} goats on 2026-04-{night:02}."
        second = f"I visited the {night}th lighthouse with uncle Bo{night}."
        third = f"My son Per{night} started school number {night} in Town{night} in 2025."
        fourth = f"I painted fence number {night + 30} red."
        talk: list[Said] = [f"{first} {second}", ("assistant", "Nice."), f"{third} {fourth}"]
        room.say(night, *talk)
        if night % 4 == 0:
            result = room.dream(28 + night)
            assert result.exit_code == 0
            assert all("STR004" not in problem.rule or problem.severity == "W" for problem in result.problems)
            pages = len(room.pages())
    page = parse(room.page("entities/mara"))
    assert len(page.claims) <= 60
    assert pages >= 2
