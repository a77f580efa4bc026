"""`brain export obsidian`: a vault whose links lead somewhere, whose pages are found by name, with a coloured graph."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from brain.export.exporting import export

LINK = re.compile(r"\[\[([^\]|#\n]+)(?:#([^\]|\n]+))?(?:\|[^\]\n]*)?\]\]")


@pytest.fixture(scope="module")
def vault(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("vault") / "vault"
    export(demo, "obsidian", to)
    return to


def test_every_link_leads_to_a_file_and_its_heading(vault: Path) -> None:
    """By path from the vault's root, as Obsidian resolves a path; headings as they are written."""
    seen = 0
    for place in vault.rglob("*.md"):
        text = re.sub(r"(?ms)^(`{3,})text$.*?^\1$", "", place.read_text())
        for target, heading in LINK.findall(text):
            file = vault / (target if Path(target).suffix else f"{target}.md")
            assert file.is_file(), f"{place.name}: {target}"
            if heading:
                assert re.search(rf"(?m)^#+ {re.escape(heading)}$", file.read_text()), (
                    f"{place.name}: {target}#{heading}"
                )
            seen += 1
    assert seen > 100


def test_pages_are_found_by_their_titles_and_have_properties_that_read(vault: Path) -> None:
    for place in vault.rglob("*.md"):
        if place.name == "Home.md":
            continue
        values = yaml.safe_load(place.read_text().split("---\n")[1])
        assert values["title"] in values["aliases"]
        assert all(isinstance(value, (str, int, list)) or hasattr(value, "year") for value in values.values())


def test_a_citation_is_a_footnote_that_opens_the_turn(vault: Path) -> None:
    text = (vault / "entities/sora-city-lab.md").read_text()
    (target, heading) = LINK.findall(text.partition("[^cite-1]: ")[2])[0]
    turn = (vault / f"{target}.md").read_text().partition(f"### {heading}\n")[2]
    assert "Sora City Lab hosts us in Kyoto" in turn.partition("### ")[0]


def test_the_graph_has_a_colour_for_each_kind_of_page(vault: Path) -> None:
    graph = json.loads((vault / ".obsidian/graph.json").read_text())
    queries = {group["query"] for group in graph["colorGroups"]}
    assert {f"path:{folder}/" for folder in ("projects", "entities", "concepts", "learnings", "notes")} <= queries
    assert all(0 <= group["color"]["rgb"] <= 0xFFFFFF and group["color"]["a"] == 1 for group in graph["colorGroups"])


def test_settings_that_somebody_changed_are_left_alone(demo: Path, tmp_path: Path) -> None:
    export(demo, "obsidian", tmp_path / "vault")
    (tmp_path / "vault/.obsidian/graph.json").write_text("{}")
    export(demo, "obsidian", tmp_path / "vault")
    assert (tmp_path / "vault/.obsidian/graph.json").read_text() == "{}"


def test_what_was_pasted_into_a_chat_is_not_live_in_the_vault(hostile: Path, tmp_path: Path) -> None:
    """Turns stand in fences, so that opening the vault fetches no picture and runs no query that a turn holds."""
    export(hostile, "obsidian", tmp_path / "vault", turns="all")
    (session,) = (tmp_path / "vault/references/sessions").glob("*.md")
    bare = re.sub(r"(?ms)^(`{3,})text$.*?^\1$", "", session.read_text())
    assert "collector.invalid" not in bare
    assert "collector.invalid" in session.read_text()
