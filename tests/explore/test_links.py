"""Edges of a page: context out, backlinks, evidence."""

from __future__ import annotations

import pytest
from hosts_memory import Told

from brain.errors import NotFound
from brain.explore.links import links


def test_edges_in_all_three_directions(told: Told) -> None:
    found = links(told.root, "two-city-sprint")
    assert [edge.page for edge in found.out] == ["entities/sora-city-lab", "entities/sapphir-mobility-coop"]
    assert [(edge.page, edge.said) for edge in found.back] == [("entities/sora-city-lab", "Hosts the two city sprint.")]
    assert [(e.number, e.used, e.exists) for e in found.evidence] == [
        (1, 2, True),
        (2, 2, True),
        (3, 1, True),
        (4, 2, True),
    ]


def test_edges_that_lead_nowhere_are_marked(told: Told) -> None:
    page = told.root / "knowledge/projects/two-city-sprint.md"
    text = page.read_text().replace("entities/sapphir-mobility-coop]]", "entities/gone]]").replace("#t5", "#t39")
    page.write_text(text + "\n```\n[[entities/in-code]]\n```\n")
    found = links(told.root, told.page)
    assert [(edge.page, edge.exists) for edge in found.out] == [
        ("entities/sora-city-lab", True),
        ("entities/gone", False),
    ]
    assert [e.number for e in found.evidence if not e.exists] == [3]
    assert any(line.endswith("(missing)") for line in found.lines())


def test_no_such_page(told: Told) -> None:
    with pytest.raises(NotFound):
        links(told.root, "entities/nobody")
