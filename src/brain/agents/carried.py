"""Do the cited turns carry what a note says: its numbers, dates, names and words, and no order of outside content?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from brain.agents.chunks import Chunk
from brain.agents.dating import flat
from brain.distil.judge import directive
from brain.distil.sentences import sentences
from brain.distil.session import Session
from brain.dream.neighbourhood import meaning, share
from brain.rules.missing import Missing, missing
from brain.rules.verify import ENOUGH, SURE, Support, said_only_by, verify
from brain.tree.ids import turns_text
from brain.types import Qualifier, Trust, Turn

_REPEATS = 0.5
"""Share of a sentence's words that makes it the order that outside content gives."""

_POINTS = re.compile(
    r"\b(?:he|she|it|they|him|her|his|hers|its|them|their|there|here|this|that|these|those|one|ones)\b", re.IGNORECASE
)
"""Words that stand for something named before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with one part of a reply. `form`: the reply cannot be used; else only this part of it cannot.

    `misplaced`: it may be the turns it cites that are wrong.
    """

    what: str
    reason: str
    form: bool = False
    misplaced: bool = False


@dataclass(slots=True, kw_only=True)
class Carried:
    """The evidence of one chunk. `given` are names that stand for the speakers of turns that do not say them."""

    session: Session
    chunk: Chunk
    language: str
    so_far: str
    given: tuple[str, ...]
    turns: Mapping[int, Turn]

    def evidence(self, text: str, turns: Sequence[Turn]) -> Fault | None:
        """Numbers, dates, codes and quotes that the cited turns do not hold; names that nothing shown holds."""
        lacking = missing(text, turns, owners=self.given)
        hard = next((one for one in lacking if one.kind != "name"), None) or self._unknown_name(lacking, turns)
        if hard is None:
            return None
        where = turns_text(turns[0].number, max(turn.number for turn in turns))
        reason = f"the {hard.kind} {hard.text!r} does not stand in {where}: write only what these turns say"
        return Fault(what=f"a {hard.kind} its turns do not hold", reason=reason, misplaced=True)

    def support(self, text: str, turns: Sequence[Turn], qualifier: Qualifier | None) -> Fault | None:
        """Words that the cited turns hardly hold, or deny: a paraphrase passes, an invention does not."""
        given = tuple(one.text for one in missing(text, turns, owners=self.given) if one.kind == "name")
        verdict = verify(text, turns, qualifier=qualifier, owners=self.given, subjects=given)
        if verdict.support not in (Support.UNSUPPORTED, Support.CONTRADICTED) and (
            not given or verdict.coverage >= ENOUGH  # a name from another turn needs the rest to be said in this one
        ):
            return None
        where = turns_text(turns[0].number, turns[-1].number)
        reason = f"{where} does not carry it, {verdict.why}: stay with its words, or leave it out"
        return Fault(what="words its turns do not carry", reason=reason, misplaced=True)

    def order(self, text: str, turns: Sequence[Turn]) -> Fault | None:
        """What repeats an order of outside content that the owner never gave, in whatever form it is put."""
        outside = [turn for turn in turns if turn.trusted_as is Trust.EXTERNAL]
        if not outside or said_only_by(text, turns, owners=self.given) is None:
            return None
        words = meaning(text, self.given)
        orders = (s for turn in outside for s in sentences(" ".join(turn.text.split())) if directive(s))
        if not any(share(words, meaning(order)) >= _REPEATS for order in orders):
            return None
        return Fault(what="an order from outside", reason="it repeats an order of outside content: leave it out")

    def place_of(self, sentence: str) -> int | None:
        """The one new turn that holds nearly all words of a sentence; an owner's before another's."""
        sure: list[Turn] = []
        for turn in (self.turns[number] for number in dict.fromkeys(turn.number for turn in self.chunk.turns)):
            held = verify(sentence, [turn], qualifier=Qualifier.INFERRED, owners=self.given)
            if not held.missing and held.coverage >= SURE:
                sure.append(turn)
        owned = [turn for turn in sure if turn.trusted_as is Trust.OWNER]
        found = owned or sure
        return found[0].number if len(found) == 1 else None

    def _unknown_name(self, lacking: Iterable[Missing], turns: Sequence[Turn]) -> Missing | None:
        """A name that nothing shown holds, or that the cited turns do not point to: no pronoun, no part of it."""
        names = [one for one in lacking if one.kind == "name"]
        if not names:
            return None
        everything = flat(" ".join([*(turn.text for turn in self.chunk.shown), self.so_far]))
        said = " ".join(turn.text for turn in turns)
        pointing = self.language != "en" or _POINTS.search(said) is not None
        known = {part for name in self.session.context.known for part in flat(name).split()}
        for one in names:
            parts = flat(one.text).split()
            shown = flat(one.text) in everything or set(parts) <= known
            if not shown or not (pointing or any(part in flat(said) for part in parts)):
                return one
        return None
