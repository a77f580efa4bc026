"""The evidence of one claim as sentences, each with the words of the claim that it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from brain.rules import voice
from brain.rules.missing import ENUMERATION, FRAME, YEAR
from brain.rules.wording import DATE, Words, content, number_of, spoken_numbers
from brain.text import words
from brain.types import Trust, Turn

LIST = re.compile(r";\s|:\s")
"""Where the parts of a list claim are cut."""


class Scene:
    """The evidence as sentences with the claim words of each; a stretch of four counts, more for a long claim."""

    def __init__(self, prose: str, label: str, turns: Sequence[Turn], given: Iterable[str]) -> None:
        ignore = (
            {w for name in (*given, *(t.name or "" for t in turns)) for w in words(name)} | FRAME | set(words(label))
        )
        undated = ENUMERATION.sub(" ", YEAR.sub(" ", DATE.sub(" ", prose)))
        self.window = 4 + 2 * (len(voice.sentences(prose)) - 1)
        self.wanted = tuple(dict.fromkeys(content(undated, ignore))) or tuple(dict.fromkeys(content(undated)))
        self._parts = [frozenset(content(part)) & frozenset(self.wanted) for part in LIST.split(undated)]
        self.sentences = [(s, turn) for turn in turns for s in voice.sentences(turn.text)]
        amounts = {w: n for w in self.wanted if (n := number_of(w)) is not None}
        self.hits: list[frozenset[str]] = []
        for sentence, _ in self.sentences:
            held = Words(sentence)
            spoken = spoken_numbers(sentence) if amounts else frozenset()
            self.hits.append(frozenset(w for w in self.wanted if w in held or amounts.get(w) in spoken))

    def coverage(self, trust: frozenset[Trust] | None = None) -> float:
        if not self.wanted:
            return 1.0
        best = 0
        for start in range(len(self.hits)):
            window: set[str] = set()
            for at in range(start, min(start + self.window, len(self.hits))):
                if trust is None or self.sentences[at][1].trusted_as in trust:
                    window |= self.hits[at]
            best = max(best, len(window))
        return best / len(self.wanted)

    def part_coverage(self) -> float:
        """The share of words found when the parts of a list ("A; B; C") are looked for one by one; 0 for no list."""
        if len(self._parts) < 3 or not self.wanted:
            return 0.0
        found: set[str] = set()
        for part in self._parts:
            best: frozenset[str] = frozenset()
            for at in range(len(self.hits)):
                near = (self.hits[at] | self.hits[at + 1] if at + 1 < len(self.hits) else self.hits[at]) & part
                best = near if len(near) > len(best) else best
            found |= best
        return len(found) / len(self.wanted)

    def ranked(self) -> list[int]:
        """Sentences by how much of the claim they hold, the most first; a tie goes to the earlier."""
        return sorted((i for i, hit in enumerate(self.hits) if hit), key=lambda i: (-len(self.hits[i]), i))
