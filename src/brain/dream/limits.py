"""How much a page may hold (format §4.8), and what a line must be worth to be one of the few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from brain.dream.draft import Line, body_claims
from brain.dream.likeness import content, overlap
from brain.dream.subjects import Head
from brain.text import count_words, est_tokens
from brain.tree import edit
from brain.tree.page import Page

CLAIMS = {"person": 40, "project": 36}
OTHER_CLAIMS, WORDS, TOKENS = 28, 1250, 2100
"""What a page may hold when claims are added: under the format's hard limits (60, 1,500, 2,500), since leads, History
and See also come on top, and near its soft one (25), since nobody reads on for ever."""

LEAST_WORTH = 0.4
REPEATS, ALIKE = 0.45, 0.4
"""What a statement loses of its worth when the page says the same already, in part or in whole."""

OPEN_QUESTIONS = 5
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


@dataclass(slots=True)
class Room:
    """What the wiki may still grow by in one run, in tokens; None = no limit. `dropped` counts lines by reason."""

    left: int | None
    dropped: Counter[str]

    def fitting(self, lines: Sequence[Line], head: Head) -> list[Line]:
        """As many lines as the limits allow, the weightiest first, given back in their own order."""
        most = CLAIMS.get(head.kind, OTHER_CLAIMS)
        names = frozenset(stem for name in head.names for stem in content(name)[0])
        left = sorted(range(len(lines)), key=lambda at: (-lines[at].weight, at))
        nearest = dict.fromkeys(left, 0.0)
        kept: list[int] = []
        claims = words = tokens = questions = 0
        while left:
            at = max(left, key=lambda at: (lines[at].weight - REPEATS * nearest[at], -at))
            left.remove(at)
            size, cost = count_words(lines[at].text), est_tokens(lines[at].render().partition(" [cite:")[0]) + 4
            question = lines[at].head == "Open questions"
            if question and questions >= OPEN_QUESTIONS:
                self.dropped["open questions enough"] += 1
            elif claims + 1 > most or words + size > WORDS or tokens + cost > TOKENS or not self.afford(cost):
                self.dropped["page full"] += 1
            elif lines[at].weight - REPEATS * nearest[at] < LEAST_WORTH:
                self.dropped["not worth a line"] += 1
            else:
                nearest.update({other: max(nearest[other], repeats(lines[at], lines[other], names)) for other in left})
                claims, words, tokens, questions = claims + 1, words + size, tokens + cost, questions + question
                kept.append(at)
        return [lines[at] for at in sorted(kept)]

    def afford(self, cost: int) -> bool:
        """Whether the wiki as a whole may still grow by this much in this run."""
        if self.left is None:
            return True
        if cost > self.left:
            return False
        self.left -= cost
        return True

    def fits(self, page: Page, line: Line, most: int) -> bool:
        claims = body_claims(page)
        references = page.section("References")
        body = "\n".join(page.lines[page.body_line - 1 : references.line - 1 if references else None])
        if line.head == "Open questions" and number_under(page, "Open questions") >= OPEN_QUESTIONS:
            return False
        spare = number_under(page, "Changelog") + min(number_under(page, "History"), HISTORY_GROWS)
        room = len(page.claims) + edit.CHANGELOG_LINES + HISTORY_GROWS - spare < EVERY_CLAIM
        fits = room and len(claims) < most and count_words(body) < WORDS + 100 and est_tokens(body) < TOKENS + 150
        return fits and self.afford(est_tokens(line.text) + 5)
