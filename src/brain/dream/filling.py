"""Frontmatter that an author need not write: what the path says, what sync owns, what the page had before."""

from __future__ import annotations

from brain.errors import FormatError
from brain.tree import frontmatter, page
from brain.tree.layout import page_id, page_type
from brain.tree.page import ORDER, Page

KEPT = ("next_cite", "pinned", "status", "language", "entity_kind")
"""Keys that a page keeps from before when its author leaves them out."""

OWNED = ("created_at", "updated_at", "updated_by")
"""Keys that only sync sets: whatever an author writes there, they stay as they were."""


def filled(text: str, path: str, before: Page | None, language: str) -> str:
    """The page with missing keys that follow from elsewhere; as it is when its frontmatter does not read."""
    try:
        shown = page.parse(text, path)
    except FormatError:
        return text
    id = page_id(path) or ""
    values = dict(shown.meta)
    wanted: frontmatter.Map = {"id": id, "type": page_type(id) or "", "title": shown.h1 or ""}
    wanted |= {key: before.meta[key] for key in KEPT if before and key in before.meta}
    wanted |= {"status": wanted.get("status", "active"), "language": wanted.get("language", language)}
    values |= {key: before.meta[key] for key in OWNED if before and key in before.meta}
    values = {key: value for key, value in values.items() if key not in OWNED or (before and key in before.meta)}
    missing: frontmatter.Map = {key: value for key, value in wanted.items() if value and not values.get(key)}
    if not missing and values == dict(shown.meta):
        return text
    return frontmatter.render({**values, **missing}, ORDER) + "\n".join(shown.lines[shown.body_line - 1 :])
