"""The compact index keeps its budget and its bytes; the log grows at its head and rotates by year."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hostile_text import hostile, times
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.config import Config, IndexConfig
from brain.errors import FormatError
from brain.text import est_tokens, one_line
from brain.tree import edit, log
from brain.tree.index import compact_index, inbound_links, score
from brain.tree.log import LogEntry, PageChange
from brain.tree.page import Page

NOW = datetime(2026, 8, 6, 7, 51, tzinfo=UTC)


def made(id: str, description: str = "What it is and how it stands", age: int = 0, **more: str) -> Page:
    p = edit.new_page(id=id, title=id, description=description, language="en", now=NOW - timedelta(days=age))
    for key, value in more.items():
        p = edit.set_meta(p, key, value)
    return p


def linked(p: Page, *targets: str) -> Page:
    for target in targets:
        p = edit.add_see_also(p, target)
    return p


def test_an_index_stands_as_the_format_says() -> None:
    pages = [
        made("projects/japan", "Two-city sprint, Kyoto and Sendai"),
        made("projects/old", status="done", age=300),
        linked(made("entities/nadia", "Researcher, Lyon"), "projects/japan"),
        made("entities/gone", status="superseded"),
        made("concepts/secret", sensitivity="restricted"),
        made("concepts/audit", age=3),
    ]
    text = compact_index(pages, Config(owners=("entities/nadia",)))
    head, rest = text.split("\n", 1)
    assert re.fullmatch(r"<!-- brain-index v1 tree=[0-9a-f]{7} pages=6 shown=4 budget=2500 est=\d+ -->", head)
    assert rest.split("\n")[2:] == [
        "",
        "## Profile",
        "entities/nadia — Researcher, Lyon · 2026-08-06",
        "",
        "## Projects",
        "projects/japan — Two-city sprint, Kyoto and Sendai · 2026-08-06",
        "projects/old — What it is and how it stands · 2025-10-10",
        "",
        "## Concepts",
        "concepts/audit — What it is and how it stands · 2026-08-03",
        "",
    ]
    assert compact_index(reversed(pages), Config(owners=("entities/nadia",))) == text
    assert "[[" not in text


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["projects", "entities", "concepts", "learnings"]),
            st.integers(0, 999),
            hostile.map(one_line),
            st.integers(0, 900),
            st.sampled_from(["active", "dormant", "done", "superseded"]),
            st.booleans(),
        ),
        max_size=60,
        unique_by=lambda r: r[:2],
    ),
    st.sampled_from([600, 700, 2500, 4000]),
)
def test_an_index_keeps_its_budget_and_says_its_size(
    rows: list[tuple[str, int, str, int, str, bool]], budget: int
) -> None:
    pages = [
        made(f"{kind}/p{n}", words, age, status=status, **({"pinned": "true"} if pinned else {}))
        for kind, n, words, age, status, pinned in rows
    ]
    text = compact_index(pages, Config(index=IndexConfig(max_tokens=budget)))
    said = re.search(r"pages=(\d+) shown=(\d+) budget=(\d+) est=(\d+)", text)
    assert said is not None
    assert [int(n) for n in said.groups()[::2]] == [len(pages), budget]
    assert int(said.group(4)) == est_tokens(text) <= budget
    assert text.count("\n") <= 200
    shown = re.findall(r"^((?:projects|entities|concepts|learnings)/p\d+) — ", text, re.MULTILINE)
    assert len(shown) == len(set(shown)) == int(said.group(2))
    left = sum(int(n) for n in re.findall(r"^\(\+(\d+) ", text, re.MULTILINE))
    assert left + len(shown) == sum(p.status != "superseded" for p in pages)


def test_the_budget_goes_to_what_is_active_fresh_and_linked() -> None:
    busy = [made(f"projects/p{n}", "x" * 100, age=n) for n in range(100)]
    hub = made("concepts/hub", age=500, status="dormant")
    pages = [*[linked(p, "concepts/hub") for p in busy], hub]
    text = compact_index(pages, Config(index=IndexConfig(max_tokens=1500)))
    assert inbound_links(pages)["concepts/hub"] == 100
    assert "concepts/hub —" in text
    assert "projects/p0 —" in text
    assert "projects/p99 —" not in text
    assert re.search(r"^\(\+\d+ more: ls memory/knowledge/projects\)$", text, re.MULTILINE)
    assert score(hub, 100, NOW) > score(busy[99], 0, NOW)


def test_a_topic_has_the_whole_budget() -> None:
    pages = [made("projects/a"), made("concepts/b"), edit.set_meta(made("concepts/c"), "tags", ["travel"])]
    assert "projects/a" not in compact_index(pages, Config(), topic="concepts")
    assert [
        w for w in ("projects/a", "concepts/b", "concepts/c") if w in compact_index(pages, Config(), topic="travel")
    ] == ["concepts/c"]


def test_the_owner_is_in_the_profile_however_long_the_line() -> None:
    text = compact_index([made("entities/nadia", "京" * 900)], Config(owners=("entities/nadia",)))
    profile = text.split("## Profile\n")[1]
    assert profile.startswith("entities/nadia — 京")
    assert est_tokens(profile) <= 300


changes = st.builds(
    PageChange,
    sign=st.sampled_from("+~−"),
    page=st.sampled_from(["projects/a", "entities/b"]),
    note=hostile.map(one_line),
)
entries = st.builds(
    lambda at, kind, pages: LogEntry(at=at.replace(second=0), kind=kind, run="01K2A9QX", pages=tuple(pages)),
    times,
    st.sampled_from(["dream", "human", "forget"]),
    st.lists(changes, min_size=1, max_size=3),
)


@given(st.lists(entries, max_size=6).map(lambda found: sorted(found, key=lambda e: e.at)))
def test_the_log_reads_back_newest_first(made_entries: list[LogEntry]) -> None:
    text = log.EMPTY
    for entry in made_entries:
        longer = log.append(text, entry)
        assert all(line in longer for line in text.split("\n"))
        text = longer
    assert log.parse(text) == made_entries[::-1]
    assert log.render(log.parse(text)) == text


def test_a_log_entry_stands_as_the_format_says() -> None:
    entry = LogEntry(
        at=NOW,
        kind="dream",
        run="01K2A9QXZZZZ",
        pages=(
            PageChange(sign="+", page="entities/sora", note="first seen"),
            PageChange(sign="~", page="projects/japan", note="added host\nmeeting dates"),
        ),
    )
    assert log.append("", entry) == (
        "# Log\n\n## 2026-08-06\n- 07:51 · dream · 01K2A9QX · +1 ~1 −0\n"
        "  - + entities/sora — first seen\n  - ~ projects/japan — added host meeting dates\n"
    )
    assert log.append("x", LogEntry(at=NOW, kind="dream", run="x")) == "x"
    with pytest.raises(FormatError):
        log.parse("# Log\n\nstray\n")


def test_old_entries_move_to_the_files_of_their_years() -> None:
    text = log.EMPTY
    for n in range(8):
        at = datetime(2024 + n // 3, 1, 1 + n, tzinfo=UTC)
        text = log.append(
            text, LogEntry(at=at, kind="dream", run=f"RUN{n}", pages=(PageChange(sign="+", page="projects/a"),))
        )
    assert log.rotate(text, {}, limit=8) == {}
    moved = log.rotate(text, {}, limit=3)
    assert sorted(moved) == ["knowledge/log-2024.md", "knowledge/log-2025.md", "knowledge/log.md"]
    runs = {path: [e.run for e in log.parse(t)] for path, t in moved.items()}
    assert runs == {
        "knowledge/log.md": ["RUN7", "RUN6", "RUN5"],
        "knowledge/log-2025.md": ["RUN4", "RUN3"],
        "knowledge/log-2024.md": ["RUN2", "RUN1", "RUN0"],
    }
    again = log.rotate(moved["knowledge/log.md"], moved, limit=2)
    assert [e.run for e in log.parse(again["knowledge/log-2025.md"])] == ["RUN5", "RUN4", "RUN3"]
