"""A page that a person broke stops nothing: the rest of the night goes on, the page is named and stays as it is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from brain import Brain

DIALOGUE = """---
title: {title}
date: {day}
participants: [Nadia]
---
**User:** {said}

**Assistant:** Noted.
"""


def night(root: Path, folder: Path, day: str, said: str) -> Brain:
    (folder / f"{day}.md").write_text(DIALOGUE.format(title=f"Talk of {day}", day=day, said=said), encoding="utf-8")
    brain = Brain.open(root, clock=lambda: datetime.fromisoformat(f"{day}T23:00:00+00:00"))
    brain.import_([folder / f"{day}.md"])
    return brain


def test_the_night_goes_on_around_a_page_that_cannot_be_read(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    Brain.init(root, owner="Nadia", now=datetime(2026, 5, 1, tzinfo=UTC))
    night(root, tmp_path, "2026-05-04", "I live in Lyon. I prefer figures as PDF, never as PNG.").dream()
    page = root / "knowledge" / "entities" / "nadia.md"
    assert page.exists()
    broken = "I threw the frontmatter away by accident.\n" + page.read_text(encoding="utf-8").split("---\n", 2)[2]
    page.write_text(broken, encoding="utf-8")

    result = night(root, tmp_path, "2026-05-11", "I moved to Grenoble. I prefer short answers.").dream()

    assert result.exit_code == 1
    assert list(result.failed) == ["knowledge/entities/nadia.md"]
    assert "frontmatter" in result.failed["knowledge/entities/nadia.md"]
    assert page.read_text(encoding="utf-8") == broken, "what a person typed is never written over"
    notes = "".join(path.read_text(encoding="utf-8") for path in (root / "notes").rglob("*.md"))
    assert "Grenoble" in notes, "the rest of the night went on"
    assert not list((root / "knowledge" / "entities").glob("nadia-*.md")), "and no second page of hers was made"
