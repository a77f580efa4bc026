"""Claims that stood on an owner's page for want of a better one go to their subject's page once that is made."""

from __future__ import annotations

from brain.dream.handover import handed_over
from brain.tree.page import Page, parse

HEAD = """---
id: {id}
type: entity
title: {title}
description: {title} in a test of handing over
status: active
created_at: 2026-05-01T02:00:00Z
updated_at: 2026-05-01T02:00:00Z
updated_by: dream:test
next_cite: 9
language: en
entity_kind: person
---
"""
REFERENCES = """
## References
[cite:1]: session://5b0e6a52-7c1d-4f0a-9e55-3d1f0c7a1101#t1
[cite:2]: session://5b0e6a52-7c1d-4f0a-9e55-3d1f0c7a1101#t3
"""


def a_page(name: str, body: str) -> Page:
    id = f"entities/{name.lower()}"
    text = HEAD.format(id=id, title=name) + f"# {name}\n\n{name} is in it. [cite:1]\n\n## Facts\n{body}" + REFERENCES
    return parse(text, f"knowledge/{id}.md")


def words(page: Page, made: Page, human: frozenset[str] = frozenset()) -> list[str]:
    return [claim.text for claim in handed_over(page, made, human)]


MADE = a_page("Tove", "- Tove keeps [[entities/orla|Orla]]'s boat. [cite:1]\n- Tove sails on Sundays. [cite:2]\n")


def test_the_same_words_on_the_same_sources_go() -> None:
    owner = a_page("Orla", "- Tove keeps Orla's boat. [cite:1]\n- Orla paints. [cite:2]\n")
    assert words(owner, MADE) == ["Tove keeps Orla's boat."]


def test_other_sources_other_words_and_values_under_a_label_stay() -> None:
    owner = a_page(
        "Orla",
        "- Tove keeps Orla's boat. [cite:2]\n- Tove sails on Mondays. [cite:2]\n"
        "- **Tove: sails** — Tove sails on Sundays. [cite:2]\n- Orla paints. [cite:1]\n",
    )
    assert words(owner, MADE) == []


def test_what_a_person_wrote_stays() -> None:
    line = "- Tove keeps Orla's boat. [cite:1]"
    owner = a_page("Orla", f"{line}\n- Orla paints. [cite:2]\n")
    assert words(owner, MADE, frozenset({line})) == []


def test_a_page_is_not_left_with_nothing_of_its_own() -> None:
    owner = a_page(
        "Orla", "- Tove keeps Orla's boat. [cite:1]\n- **Tove: lives in** — Tove lives in Skagen. [cite:2]\n"
    )
    assert words(owner, MADE) == []
