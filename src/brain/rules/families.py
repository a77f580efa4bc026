"""The modules that hold the rules, in the order of the format's table; importing this fills `RULES`."""

from __future__ import annotations

from brain.rules import (
    citations,
    deletions,
    frontmatter,
    git,
    index,
    links,
    notes,
    paths,
    qualifiers,
    security,
    sessions,
    sources,
    staging,
    structure,
    text,
)
from brain.rules.rule import RULES, Rule

FAMILIES = (
    paths, frontmatter, structure, links, citations, sources, qualifiers, text, security, deletions, index, sessions,
    notes, staging, git,
)  # fmt: skip


def ordered() -> list[Rule]:
    """Every rule, family by family."""
    place = {module.__name__: number for number, module in enumerate(FAMILIES)}
    return sorted(RULES.values(), key=lambda rule: (place[rule.run.__module__], rule.id))
