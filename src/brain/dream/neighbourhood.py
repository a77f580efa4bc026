"""What a verifier sees around a claim: claims of pages one link away or of the same name, and later turns about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property

from brain.dream.verification import Near
from brain.rules.context import Context
from brain.rules.later import attributes, overrides
from brain.rules.wording import DATE, content, stem
from brain.text import clip, jaccard, normal_name
from brain.text import words as split
from brain.tree.claims import Claim
from brain.tree.layout import page_path
from brain.tree.page import Page, link_targets
from brain.tree.uri import SessionUri
from brain.types import Trust, Turn

CLOSE = 0.5
"""Share of a claim's words that makes another claim or turn one that could contradict or repeat it."""

REPEATS = 0.8
"""Likeness from which two claims say the same: the lead repeats the body, and rules look for doubles."""

_PAGES, _CLAIMS, _OWN, _TURNS = 12, 4, 2, 3
"""At most: pages looked at, claims shown of them, claims shown of the same page, later turns shown."""

_SHOWN = 240
_MOST_TURNS = 20_000
_COMMON = 400
"""A word that more turns hold says nothing about which of them speaks of a claim."""

_LATE = 80
_READ = 4_000
"""Later turns tested against one claim, the newest, and characters of a turn in which its matters are looked for."""

_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_SILENT = frozenset({"Changelog", "See also"})
Key = tuple[str, int]


def meaning(text: str, ignore: Iterable[str] = ()) -> frozenset[str]:
    """The stems of the words that say something, dates aside; `ignore` are names that every claim around says."""
    return frozenset(
        stem(word) for word in content(DATE.sub(" ", text), {part for name in ignore for part in split(name)})
    )


def share(words: frozenset[str], other: frozenset[str]) -> float:
    return len(words & other) / len(words) if words else 0.0


class Neighbourhood:
    """Of one check's staged tree. `ranges` are the run's input turns by session, where later turns are looked for."""

    def __init__(self, check: Context, ranges: Mapping[str, tuple[int, int]]) -> None:
        self.check = check
        self.ranges = ranges

    def claims(self, shown: Page, claim: Claim) -> list[tuple[float, Near]]:
        """Claims near this one with the share of its words they hold, the closest first."""
        ignore = self.check.names(shown)
        words = meaning(claim.words, ignore)

        def close(page: Page, other: Claim) -> Iterator[tuple[float, Page, Claim]]:
            held = meaning(other.words, ignore)
            if other.section not in _SILENT and jaccard(words, held) < REPEATS:
                yield share(words, held), page, other

        own = [one for other in shown.claims if other.line != claim.line for one in close(shown, other)]
        near = [one for page in self._pages_near(shown) for other in page.claims for one in close(page, other)]
        least = 2 / max(2, len(words))
        chosen = [*_best(own, _OWN, 0.4), *_best(near, _CLAIMS, least)]
        return [(part, Near(where=page.id, text=clip(other.raw.strip(), _SHOWN))) for part, page, other in chosen]

    def later(self, shown: Page, claim: Claim, sources: Iterable[object]) -> list[Turn]:
        """Turns of owners and tools after everything the claim cites that speak of what it says, the closest first."""
        cited = {(s.session, n) for s in sources if isinstance(s, SessionUri) for n in s.turns()}
        if not cited:
            return []
        words = meaning(claim.words)
        named = [normal_name(name) for name in self.check.names(shown) if shown.id not in self.check.config.owners]
        last = max((self._time(key) for key in cited), default=_EARLIEST)
        scores: dict[Key, float] = defaultdict(float)
        for word in words:
            found = self._index.get(word, ())
            for key in found if len(found) <= _COMMON else ():
                scores[key] += 1 / len(words)
        after = []
        for key, score in scores.items():
            if key in cited or not self._is_after(key, cited, last):
                continue
            said = normal_name(self._turns[key].text)
            named_here = any(name and name in said for name in named)
            if score * len(words) >= (1 if named_here else 2):
                after.append((score + 0.2 * named_here, key))
        after.sort(key=lambda pair: (-pair[0], pair[1]))
        near = [*self._against(shown, claim, cited, last), *(self._turns[key] for _, key in after)]
        return list({id(turn): turn for turn in near}.values())[:_TURNS]

    def _against(self, shown: Page, claim: Claim, cited: set[Key], last: datetime) -> list[Turn]:
        """Later turns that give what the claim is about another value, in other words: "lives in" and "moved to"."""
        keys = sorted({key for name in attributes(claim.words) for key in self._changes.get(name, ())})
        late = [self._turns[key] for key in keys if key not in cited and self._is_after(key, cited, last)]
        found = overrides(claim.raw, late[-_LATE:], subjects=self.check.names(shown), owners=self.check.owners)
        return [one.turn for one in found]

    def where(self, turn: Turn) -> str:
        """How a later turn is named to the verifier."""
        key = self._key_of.get(id(turn))
        day = f", {turn.time.date().isoformat()}" if turn.time else ""
        return f"session {key[0][:8]} t{turn.number}{day}" if key else f"t{turn.number}{day}"

    def _pages_near(self, shown: Page) -> Iterator[Page]:
        graph = self.check.graph
        ids = [resolved for target in sorted(link_targets(shown)) if (resolved := graph.resolve(target))]
        ids += [source for source, _ in graph.inbound.get(shown.id, ())]
        for name in self.check.names(shown):
            ids += graph.by_name.get(normal_name(name), ())
        for id in [id for id in dict.fromkeys(ids) if id != shown.id][:_PAGES]:
            if page := self.check.page(page_path(id)):
                yield page

    def _is_after(self, key: Key, cited: set[Key], last: datetime) -> bool:
        of_session = [number for session, number in cited if session == key[0]]
        if of_session:
            return key[1] > max(of_session)
        return self._time(key) > last

    def _time(self, key: Key) -> datetime:
        turn = self._turns.get(key) or next(iter(self.check.evidence.turns(key[0], key[1], key[1])), None)
        return turn.time if turn and turn.time else _EARLIEST

    @cached_property
    def _turns(self) -> dict[Key, Turn]:
        found: dict[Key, Turn] = {}
        for session, (first, last) in sorted(self.ranges.items()):
            for turn in self.check.evidence.turns(session, first, last):
                if turn.trusted_as in (Trust.OWNER, Trust.TOOL) and len(found) < _MOST_TURNS:
                    found[session, turn.number] = turn
        return found

    @cached_property
    def _changes(self) -> dict[str, list[Key]]:
        """Turns by the things that may change they speak of."""
        found: dict[str, list[Key]] = defaultdict(list)
        for key, turn in self._turns.items():
            for name in attributes(turn.text[:_READ]):
                found[name].append(key)
        return found

    @cached_property
    def _key_of(self) -> dict[int, Key]:
        return {id(turn): key for key, turn in self._turns.items()}

    @cached_property
    def _index(self) -> dict[str, list[Key]]:
        found: dict[str, list[Key]] = defaultdict(list)
        for key, turn in self._turns.items():
            for word in meaning(turn.text):
                found[word].append(key)
        return found


def _best(found: Sequence[tuple[float, Page, Claim]], most: int, least: float) -> list[tuple[float, Page, Claim]]:
    close = [one for one in found if one[0] >= least]
    return sorted(close, key=lambda one: (-one[0], one[1].id, one[2].line))[:most]
