"""How much a page may hold (format §4.8), and what a line must be worth to be one of the few."""

from __future__ import annotations

from brain.dream.draft import Line
from brain.dream.likeness import overlap
from brain.tree import edit
from brain.tree.page import Page

CLAIMS = {"person": 40, "project": 36}
OTHER_CLAIMS, WORDS, TOKENS = 28, 1250, 2100
"""What a page may hold when claims are added: under the format's hard limits (60, 1,500, 2,500), since leads, History
and See also come on top, and near its soft one (25), since nobody reads on for ever."""

LEAST_WORTH = 0.4
REPEATS, ALIKE = 0.45, 0.4
"""What a statement loses of its worth when the page says the same already, in part or in whole."""

EVERY_CLAIM, HISTORY_GROWS = 59, 4
"""Claims of every kind on a page, Changelog, History and See also with them: the format's limit is 60."""


def trimmed(page: Page) -> Page:
    """The page with as much History as the limit on claims leaves room for; the oldest lines go, git keeps them."""
    while len(page.claims) >= EVERY_CLAIM and (section := page.section("History")) and section.claims:
        page = edit.remove_claim(page, section.claims[-1])
    return page


def least_worth(full: float) -> float:
    """What a new line must be worth on a page that is filled to this share: the last places are for what matters."""
    return LEAST_WORTH + 0.3 * max(0.0, full - 0.4)


def number_under(page: Page, head: str) -> int:
    section = page.section(head)
    return len(section.claims) if section else 0


def repeats(one: Line, other: Line, names: frozenset[str]) -> float:
    """How far two lines say the same, 0 to 1; to share a few words is no repetition."""
    return max(0.0, overlap(one.text, other.text, names) - ALIKE) / (1 - ALIKE)
