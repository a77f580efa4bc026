"""One reply of a model to one piece of a session, sifted: what of it holds, and what is to be sent back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from brain.agents.carried import Fault
from brain.agents.replies import Distillate, Noted, Point, Told
from brain.agents.sift import Sieve
from brain.distil.facts import facts as selected
from brain.distil.judge import is_question
from brain.distil.sentences import sentences
from brain.dream.neighbourhood import meaning
from brain.text import clip, one_line
from brain.tree import markdown
from brain.tree.summary import SECTIONS, Bullet
from brain.types import Fact, FactKind

_BULLET = 30
_PARAGRAPH = 60
_TELLS = 3
_TELLING = frozenset({FactKind.PREFERENCE, FactKind.CORRECTION, FactKind.DECISION})


@dataclass(slots=True)
class Reading:
    """What the model's latest reply to one chunk holds after sifting."""

    sieve: Sieve
    facts: list[Fact] = field(default_factory=list)
    bullets: dict[str, list[Bullet]] = field(default_factory=dict)
    told: Told | None = None
    paragraph: str = ""
    dropped: Counter[str] = field(default_factory=Counter)

    def read(self, reply: Distillate) -> list[Fault]:
        """Take a reply in place of the one before; returns all that is wrong with it."""
        self.facts, self.bullets, self.told, self.dropped = [], {}, reply.summary, Counter()
        faults: list[Fault] = []
        parts = [(n, part) for n, one in enumerate(reply.notes, start=1) for part in _sentences(one)]
        if said_nothing := len(reply.notes) - len({number for number, _ in parts}):
            self.dropped["nothing that stands alone"] = said_nothing
        for number, note in parts:
            found = self.sieve.fact(note)
            if isinstance(found, Fact):
                if all(found.text != fact.text for fact in self.facts):
                    self.facts.append(found)
                continue
            self.dropped[found.what] += 1
            faults.append(replace(found, reason=f"note {number} ({clip(note.sentence, 60)!r}): {found.reason}"))
        faults += self._points(reply.summary)
        faults += self._paragraph(reply.summary.paragraph)
        foreign = self.sieve.reply_fault([*(note.sentence for note in reply.notes), reply.summary.paragraph])
        return [foreign] if foreign else [*faults, *self._nothing(reply)]

    def _points(self, told: Told) -> list[Fault]:
        faults = []
        for section in SECTIONS:
            points: list[Point] = getattr(told, section.lower().replace(" ", "_"))
            for point in points:
                text = self.sieve.said(point.text, point.first_turn, point.last_turn, _BULLET + 10)
                if isinstance(text, Fault):
                    said = f"{section} ({clip(point.text, 60)!r}): {text.reason}"
                    faults.append(replace(text, reason=said, form=False))
                else:
                    bullet = Bullet(text=markdown.escape(text), first=point.first_turn, last=point.last_turn)
                    self.bullets.setdefault(section, []).append(bullet)
        return faults

    def _paragraph(self, paragraph: str) -> list[Fault]:
        """The sentences of the paragraph that hold; an empty one is a fault of form."""
        kept, faults = [], []
        chunk = self.sieve.chunk
        for sentence in sentences(one_line(paragraph)):
            text = self.sieve.said(sentence, chunk.first, chunk.last, _PARAGRAPH)
            if isinstance(text, Fault):
                faults.append(replace(text, reason=f"paragraph ({clip(sentence, 60)!r}): {text.reason}", form=False))
            else:
                kept.append(text if text[-1:] in '.!?。！？"”)' else f"{text}.")
        self.paragraph = markdown.escape(" ".join(kept))
        if not paragraph.strip():
            faults.append(
                Fault(what="no summary", reason="paragraph is empty: say what the turns are about", form=True)
            )
        return faults

    def _nothing(self, reply: Distillate) -> list[Fault]:
        """No note at all, where the owner states something that plain selection finds.

        A preference, a decision, a correction or what something is now cannot be nothing; of other statements the
        model's second word counts.
        """
        if reply.notes:
            return []
        chunk, session = self.sieve.chunk, self.sieve.session
        found = selected(session.transcript, chunk.first, chunk.last, session.context)
        owned = [fact for fact in found if fact.qualifier is None and fact.kind is not FactKind.QUESTION]
        if not owned:
            return []
        telling = [fact for fact in owned if fact.kind in _TELLING or fact.attribute]
        fact = max(telling or owned, key=lambda one: one.weight)
        said = f"t{fact.last_turn} says {clip(fact.text, 120)!r}"
        reason = f"there are no notes, but {said}: note it and what else will matter later"
        return [Fault(what="nothing noted", reason=reason, form=bool(telling))]


def _sentences(note: Noted) -> list[Noted]:
    """A note of several sentences as one each, without those that say nothing alone ("Noted.", "Shall I?")."""
    parts = sentences(one_line(note.sentence))
    if len(parts) < 2:
        return [note]
    kept = [
        part for part in parts if len(meaning(part)) >= _TELLS and (note.kind == "question" or not is_question(part))
    ]
    return [note.model_copy(update={"sentence": part}) for part in kept]
