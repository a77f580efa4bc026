"""What a model noted, sifted by code before it is a fact: turns that exist, words that stand in them, dates, speaker.

The model proposes a sentence; who stands behind it, when it was and whether its numbers and names are in the evidence
is decided here. A fault says what is wrong and what would be right, because it goes back to the model word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from brain.agents.carried import Carried, Fault
from brain.agents.chunks import Chunk
from brain.agents.dating import dated, stands_in
from brain.agents.replies import Noted
from brain.agents.tongue import strange_answer, strange_line
from brain.agents.whom import OWNED, about, speaker_of
from brain.distil.attributes import attribute_of
from brain.distil.judge import directive, hostile
from brain.distil.meaning_en import tense
from brain.distil.person import is_first_person, third_person
from brain.distil.sentences import sentences, word_count
from brain.distil.session import Session
from brain.dream.neighbourhood import meaning
from brain.language import language_of
from brain.rules.verify import said_only_by
from brain.rules.wording import numbers, unquoted
from brain.text import one_line
from brain.tree.ids import turns_text
from brain.types import Fact, FactKind, Qualifier, Role, Trust, Turn

MOST_WORDS = 40
MOST_TURNS = 12
_WEIGHT = {
    FactKind.CORRECTION: 0.85, FactKind.DECISION: 0.8, FactKind.PREFERENCE: 0.8, FactKind.STATE: 0.75,
    FactKind.FAILED: 0.7, FactKind.RELATION: 0.7, FactKind.EVENT: 0.7, FactKind.PLAN: 0.65, FactKind.WORKED: 0.65,
    FactKind.WORKFLOW: 0.7, FactKind.ARTEFACT: 0.55, FactKind.QUESTION: 0.5, FactKind.FACT: 0.6,
}  # fmt: skip
_OTHERS = 0.15
"""What a fact weighs less that is not the owner's."""

_TELLS = 3
"""Words with meaning, and numbers, that a note of somebody else's words needs: "Good to know." has two."""

_AHEAD = {"plan": True, "event": False, "worked": False, "failed": False}
"""Kinds that tell whether words about time look ahead."""

_END = re.compile(r"[.!?…。！？][\"”»」)]*$")


@dataclass(slots=True, kw_only=True)
class Sieve:
    """The checks of one chunk of a session. `so_far` is the summary that the model was shown."""

    session: Session
    chunk: Chunk
    language: str
    so_far: str = ""
    _turns: dict[int, Turn] = field(init=False)
    _days: dict[int, date | None] = field(init=False)
    _speakers: tuple[str, ...] = field(init=False)
    carried: Carried = field(init=False)

    def __post_init__(self) -> None:
        read = self.session.transcript.turns
        self._turns = {turn.number: turn for turn in read}
        self._days = {turn.number: day for turn, day in zip(read, self.session.days, strict=True)}
        said = (self.session.cast.speaker(turn) for turn in self.chunk.shown if turn.role is Role.USER)
        self._speakers = tuple(dict.fromkeys((*self.session.context.owners, *said)))
        self.carried = Carried(
            session=self.session,
            chunk=self.chunk,
            language=self.language,
            so_far=self.so_far,
            given=(*self._speakers, *self.session.names.people.values(), "The user", "The assistant"),
            turns=self._turns,
        )

    # -- a note

    def fact(self, note: Noted) -> Fact | Fault:
        """The note as a fact, its dates absolute; or the first thing that is wrong with it.

        A note that only cites the wrong turn is given the turn that says it, where one does nearly word for word.
        """
        found = self._fact(note)
        if isinstance(found, Fault) and found.misplaced and (turn := self.carried.place_of(note.sentence)):
            again = self._fact(note.model_copy(update={"first_turn": turn, "last_turn": turn}))
            return again if isinstance(again, Fact) else found
        return found

    def _fact(self, note: Noted) -> Fact | Fault:
        if fault := self.range_fault(note.first_turn, note.last_turn):
            return fault
        turns = self._cited(note.first_turn, note.last_turn)
        sentence = self._in_third_person(one_line(note.sentence), turns)
        if isinstance(sentence, Fault):
            return sentence
        if fault := self._words_fault(sentence, turns, MOST_WORDS):
            return fault
        if len(sentences(sentence)) > 1:
            return Fault(what="two sentences in one note", reason="it is more than one sentence: one fact a note")
        text = self._dated(sentence, one_line(note.date_phrase), turns, _AHEAD.get(note.kind))
        if isinstance(text, Fault):
            return text
        if fault := self.carried.evidence(text, turns):
            return fault
        qualifier = self._qualifier(note, text, turns)
        if fault := self.carried.support(text, turns, qualifier):
            return fault
        others = qualifier in (Qualifier.ASSISTANT, Qualifier.EXTERNAL)
        if others and len(meaning(text, self.carried.given)) + len(numbers(text)) < _TELLS:
            return Fault(what="nothing that stands alone", reason="it says nothing that will matter later: drop it")
        if others and directive(text):
            return Fault(what="an order from outside", reason="it is an order, and not the owner's: leave it out")
        if fault := self.carried.order(text, turns):
            return fault
        if qualifier is Qualifier.EXTERNAL and FactKind(note.kind) in OWNED:
            reason = (
                f"only outside content says this: it is no {note.kind} of the owner; call it a fact, or leave it out"
            )
            return Fault(what="outside content as the owner's", reason=reason)
        return self._made(note, text, turns, qualifier)

    def _made(self, note: Noted, text: str, turns: Sequence[Turn], qualifier: Qualifier | None) -> Fact:
        kind = FactKind(note.kind)
        owned = qualifier in (None, Qualifier.IMAGE) and any(t.trusted_as is Trust.OWNER for t in turns)
        if kind in OWNED and not owned:
            kind = FactKind.FACT
        said = attribute_of(text) if qualifier is None else None
        attribute, value = (said.name, said.value) if said else (one_line(note.attribute).lower(), one_line(note.value))
        holds = bool(attribute) and bool(value) and value.casefold() in text.casefold() and word_count(attribute) <= 4
        return Fact(
            session=self.session.transcript.id,
            first_turn=note.first_turn,
            last_turn=note.last_turn,
            text=text if _END.search(text) else f"{text}{'。' if self.language in ('zh', 'ja') else '.'}",
            kind=kind,
            day=self._days.get(turns[-1].number),
            qualifier=qualifier,
            speaker=speaker_of(turns, self.session),
            about=about(note, text, turns, self.chunk.shown, self.session, self._speakers),
            attribute=attribute if holds and qualifier is None else None,
            value=value if holds and qualifier is None else None,
            language=language_of(text, self.language),
            weight=round(_WEIGHT[kind] - (0.0 if owned else _OTHERS), 3),
            topic=note.topic,
        )

    def _in_third_person(self, sentence: str, turns: Sequence[Turn]) -> str | Fault:
        """A note is read without its turn: "I" becomes the speaker's name, where that is safe."""
        if language_of(sentence, self.language) != "en" or not is_first_person(unquoted(sentence)):
            return sentence
        name = speaker_of(turns, self.session)
        told = third_person(sentence, name, past=tense(sentence) == "past") if name else None
        if told is None:
            return Fault(what="first person", reason=f"it says I or we: say who, {name or 'by name'}")
        return told

    # -- words of a summary

    def said(self, text: str, first: int, last: int, most: int) -> str | Fault:
        """A bullet, or a sentence of the paragraph, with absolute dates; or what is wrong with it."""
        if fault := self.range_fault(first, last, most=None):
            return fault
        turns = self._cited(first, last)
        sentence = one_line(text)
        if fault := self._words_fault(sentence, turns, most):
            return fault
        words = self._dated(sentence, "", turns)
        if isinstance(words, Fault):
            return words
        earlier = (Turn(number=0, role=Role.USER, text=self.so_far),) if self.so_far else ()
        return self.carried.evidence(words, (*turns, *earlier)) or self.carried.order(words, turns) or words

    # -- one check each

    def range_fault(self, first: int, last: int, most: int | None = MOST_TURNS) -> Fault | None:
        """Turns that were not shown, or that are not new."""
        numbers = {turn.number for turn in self.chunk.shown}
        for number in (first, last):
            if number not in numbers:
                known = f"the turns shown are {', '.join(_ranges(sorted(numbers)))}"
                reason = f"there is no turn t{number}: {known}"
                return Fault(what="an unknown turn", reason=reason, form=True, misplaced=True)
        if last < first:
            reason = f"t{first}-t{last} runs backwards"
            return Fault(what="an unknown turn", reason=reason, form=True, misplaced=True)
        if last < self.chunk.first:
            reason = f"t{last} is from before; cite turns of {self.chunk.range}, or leave it out"
            return Fault(what="a turn from before", reason=reason)
        if most and last - first >= most:
            reason = f"{turns_text(first, last)} is more than {most} turns; cite the few that hold the sentence"
            return Fault(what="too many turns", reason=reason, misplaced=True)
        return None

    def _words_fault(self, sentence: str, turns: Sequence[Turn], most: int) -> Fault | None:
        count = word_count(sentence)
        if not count:
            return Fault(what="an empty sentence", reason="it says nothing", form=True)
        if count > most:
            return Fault(what="too long", reason=f"it has {count} words, at most {most} are allowed")
        if hostile(sentence) or "‹redacted:" in sentence:
            return Fault(what="an order from outside", reason="it repeats an order to a model or a removed secret")
        wanted = {self.language, *(language_of(turn.text, self.language) for turn in turns)}
        why = strange_line(sentence, wanted, self.language)
        return Fault(what="another language", reason=why) if why else None

    def reply_fault(self, words: Sequence[str]) -> Fault | None:
        """A whole reply in a language that nobody speaks in the chunk: it is of no use."""
        people = [turn for turn in self.chunk.turns if turn.trusted_as is Trust.OWNER] or list(self.chunk.turns)
        wanted = {self.language, *(language_of(turn.text, self.language) for turn in people)}
        heard = " ".join(turn.text for turn in people)
        why = strange_answer(" ".join(words), heard, wanted, self.language, self.session.context.language)
        return Fault(what="another language", reason=f"the answer: {why}", form=True) if why else None

    def _dated(self, sentence: str, phrase: str, turns: Sequence[Turn], planned: bool | None = None) -> str | Fault:
        """The sentence with what moves with the day of reading made absolute, or quoted where nobody knows the day."""
        if phrase and not stands_in(phrase, turns):
            where = turns_text(turns[0].number, turns[-1].number)
            reason = f"date_phrase {phrase!r} does not stand in {where}: copy it letter by letter or leave it empty"
            return Fault(what="a date phrase that nobody said", reason=reason)
        return dated(sentence, phrase, turns, self._days, language_of(sentence, self.language), planned=planned)

    def _qualifier(self, note: Noted, text: str, turns: Sequence[Turn]) -> Qualifier | None:
        """Who stands behind it, by whose turns they are; the model may only say that it is less than the owner's."""
        trusts = {turn.trusted_as for turn in turns}
        proposed = None if note.qualifier == "none" else Qualifier(note.qualifier)
        if not trusts & {Trust.OWNER, Trust.TOOL}:
            return Qualifier.EXTERNAL if Trust.EXTERNAL in trusts else Qualifier.ASSISTANT
        if proposed in (Qualifier.INFERRED, Qualifier.IMAGE) or (proposed and trusts - {Trust.OWNER, Trust.TOOL}):
            return proposed
        if len(trusts) > 1 and (other := said_only_by(text, turns, owners=self._speakers)):
            return Qualifier.ASSISTANT if other is Trust.AGENT else Qualifier.EXTERNAL
        return None

    def _cited(self, first: int, last: int) -> tuple[Turn, ...]:
        return tuple(turn for number, turn in self._turns.items() if first <= number <= last)


def _ranges(numbers: Sequence[int]) -> list[str]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return [turns_text(a, b) for a, b in found]
