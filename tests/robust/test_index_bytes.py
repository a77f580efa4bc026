"""T40: the compact index goes into every first message, so it stays the same to the byte, and within its cap."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from brain import Brain
from brain.config import Config
from brain.demo.play import SESSIONS
from brain.text import est_tokens
from brain.tree import index, layout, page
from brain.tree.page import Page

NIGHT = datetime(2026, 7, 1, 2, tzinfo=UTC)


def made(name: str, *, day: int = 0, status: str = "active", about: str = "") -> Page:
    when = (NIGHT + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
    title = name.rpartition("/")[2].replace("-", " ").title()
    text = (
        f"---\nid: {name}\ntype: {layout.page_type(name)}\ntitle: {title}\n"
        f"description: {about or f'What is known about {title}, in a line of a usual length'}\nstatus: {status}\n"
        f"created_at: {when}\nupdated_at: {when}\nupdated_by: dream/0.1\nnext_cite: 1\n"
        f"language: en\n---\n# {title}\n\nSo.\n"
    )
    return page.parse(text, layout.page_path(name))


def many(count: int) -> list[Page]:
    folders = list(layout.DIR_TYPES)
    return [made(f"{folders[n % 4]}/thing-{n:04}", day=n % 90) for n in range(count)]


def listed(text: str) -> list[str]:
    return [line.partition(" — ")[0] for line in text.splitlines() if " — " in line and "/" in line.partition(" — ")[0]]


def test_a_night_without_news_leaves_the_index_as_it_was_to_the_byte(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    Brain.init(root, owner="Nadia", now=NIGHT)
    brain = Brain.open(root, clock=lambda: NIGHT)
    brain.import_([SESSIONS / "night-1"])
    brain.dream()
    before = (root / layout.KNOWLEDGE_INDEX).read_bytes()
    for days in (1, 30, 400):
        later = Brain.open(root, clock=lambda days=days: NIGHT + timedelta(days=days))  # type: ignore[misc]
        assert later.dream().noop
        later.import_([SESSIONS / "night-1"])
        assert (root / layout.KNOWLEDGE_INDEX).read_bytes() == before


@pytest.mark.parametrize("count", [0, 1, 40, 400, 3_000])
def test_the_index_keeps_within_its_cap_and_does_not_hang_on_the_order_of_files(count: int) -> None:
    config = Config()
    pages = many(count)
    text = index.compact_index(pages, config)
    assert est_tokens(text) <= config.index.max_tokens
    assert index.compact_index(list(reversed(pages)), config) == text
    assert len(listed(text)) == len(set(listed(text)))


def test_a_change_of_one_page_moves_no_other_line() -> None:
    pages = many(40)
    changed = [made("entities/thing-0004", day=4, about="Something else altogether is now known here, as of today")
               if one.id == "entities/thing-0004" else one for one in pages]  # fmt: skip
    assert any(one.id == "entities/thing-0004" for one in pages)
    before = index.compact_index(pages, Config()).splitlines()
    after = index.compact_index(changed, Config()).splitlines()
    assert len(before) == len(after)
    different = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert {a.partition(" — ")[0].partition(" tree=")[0] for a, _ in different} == {
        "<!-- brain-index v1", "entities/thing-0004",
    }  # fmt: skip


def test_a_page_that_was_touched_rises_and_the_others_keep_their_order() -> None:
    pages = many(40)
    touched = [made(one.id, day=89) if one.id == "entities/thing-0004" else one for one in pages]
    order = [one for one in listed(index.compact_index(pages, Config())) if one != "entities/thing-0004"]
    after = [one for one in listed(index.compact_index(touched, Config())) if one != "entities/thing-0004"]
    assert order == after
