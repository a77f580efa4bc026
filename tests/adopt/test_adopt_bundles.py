"""Open Knowledge Format bundles and exported pages of the article's kind, and telling places of pages from sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harbour_vault import ARTICLE, BUNDLE, VAULT, write

from brain import Brain
from brain.types import Severity


def text_of(brain: Brain, id: str) -> str:
    return (brain.root / f"knowledge/{id}.md").read_text()


def test_a_bundle_comes_in_with_its_provenance_trust_and_lifecycle(brain: Brain, tmp_path: Path) -> None:
    report = brain.adopt([write(tmp_path / "bundle", BUNDLE)])
    assert set(report.pages) == {"entities/tides", "entities/gauge"}
    tides = text_of(brain, "entities/tides").split("\n")
    for line in (
        "description: One row for each tide at the north mole.",
        "status: dormant",
        "updated_at: 2026-05-28T14:30:00Z",
        'verified: ["human:nadia 2026-06-25T09:00:00Z"]',
        "stale_after: 2026-12-31",
        "tags: [harbour]",
        "x-resource: https://example.org/tables/tides",
    ):
        assert line in tides
    joined = "\n".join(tides)
    assert "[[entities/gauge|the gauge]]" in joined
    assert "[[entities/gauge|gauges]]" in joined
    assert "## Sources named\n- Manual of the gauge" in joined
    assert [p for p in brain.check() if p.severity is Severity.E] == []


def test_reserved_files_of_a_bundle_are_no_pages(brain: Brain, tmp_path: Path) -> None:
    report = brain.adopt([write(tmp_path / "bundle", BUNDLE)])
    assert not any("index" in id or "log" in id for id in report.pages)


def test_exported_pages_cite_their_lines_where_their_sessions_are_not_here(brain: Brain, tmp_path: Path) -> None:
    folder = write(
        tmp_path / "brain",
        {"projects/tide-gauge.md": ARTICLE.replace("SESSION", "0" * 8 + "-0000-0000-0000-" + "0" * 12)},
    )
    report = brain.adopt([folder])
    assert report.pages == {"projects/tide-gauge": "new"}
    page = text_of(brain, "projects/tide-gauge")
    assert "reads the tide every minute. ^[external] [cite:1]" in page
    assert "- **Two sensors** — one floats, one listens. ^[external]" in page
    assert "created_at: 2026-06-17T00:00:00Z" in page
    assert "pplx://" not in page
    assert sum(loss.count for loss in report.losses if loss.what.startswith("citations of what memory")) == 4


def test_exported_pages_keep_citations_of_sessions_that_memory_has(brain: Brain, tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "The tide gauge reads the tide every minute."},
            {"role": "assistant", "content": "And it is blue."}]  # fmt: skip
    (tmp_path / "chat.json").write_text(json.dumps({"messages": chat}))
    brain.import_([tmp_path / "chat.json"])
    session = brain.sessions()[0].id
    folder = write(tmp_path / "brain", {"projects/tide-gauge.md": ARTICLE.replace("SESSION", session)})
    brain.adopt([folder])
    page = text_of(brain, "projects/tide-gauge")
    assert f"[cite:1]: session://{session}" in page
    assert "reads the tide every minute. [cite:1]" in page
    assert "- **Colour** — it is blue. ^[assistant] [cite:1]" in page


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        (VAULT, True),
        (BUNDLE, True),
        ({"projects/x.md": ARTICLE}, True),
        ({"a.md": "---\ntitle: A\n---\nWords.\n", "b.md": "See [[a]].\n"}, True),
        ({"a.md": "Only words.\n", "b.md": "More words.\n"}, False),
        ({"chat.jsonl": '{"role": "user", "content": "Hi"}\n'}, False),
        ({"chat.md": "**User:** Hi there\n\n**Assistant:** Hello\n\n**User:** Bye\n", "notes.txt": "x"}, False),
        ({}, False),
    ],
    ids=["vault", "bundle", "article", "linked", "words", "jsonl", "dialogue", "empty"],
)
def test_a_place_of_pages_is_told_from_one_of_sessions(files: dict[str, str], wanted: bool, tmp_path: Path) -> None:
    (tmp_path / "place").mkdir()
    assert Brain.holds_pages(write(tmp_path / "place", files)) is wanted


def test_a_single_page_is_told_from_a_single_transcript(tmp_path: Path) -> None:
    write(tmp_path, {"page.md": ARTICLE, "words.md": "Only words.\n"})
    assert Brain.holds_pages(tmp_path / "page.md")
    assert not Brain.holds_pages(tmp_path / "words.md")
