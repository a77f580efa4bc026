"""A conversation written out: a task, what follows from it, and, between, what the ledger wants said."""

from __future__ import annotations

import re
from datetime import timedelta

from brain.bench.personas.banks import Bank, Task, contracted, fill, language, slots_in
from brain.bench.personas.chance import Chance, Deck
from brain.bench.personas.ledger import Mention, Persona, Session, Turn

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=。)\s*")


class Writer:
    """Writes the sessions of one persona. What was used lately is not used again soon."""

    def __init__(self, persona: Persona, chance: Chance) -> None:
        self.persona, self.chance = persona, chance
        self.deck = Deck(chance)
        self._last_reply = ""

    # What any session is made of

    def slots(self, session: Session) -> dict[str, str]:
        work, chance = self.persona.work, self.chance
        first, second = chance.some(self.persona.people, 2)
        undertaking = self.persona.undertakings[session.topic]
        return {
            "o": self.deck.draw("object", work.listed("objects")),
            "f": chance.pick(work.listed("files")),
            "u": undertaking.alias,
            "name": undertaking.name,
            "p": first.split()[0] if chance.happens(0.5) and session.tongue not in ("ja", "uk") else first,
            "q": second,
            "c": self.persona.city,
            "n": str(chance.number(2, 48)),
            "m": str(chance.number(11, 99) * 10),
            "x": f"{chance.number(2, 19)}.{chance.number(1, 9)}",
            "h": str(chance.number(2, 9)),
            "t": f"{chance.number(1, 28):02d}/{chance.number(1, 12):02d}",
            "y": str(chance.number(10, 24)),
        }

    def draw(self, tongue: str, kind: str) -> str:
        return self.deck.draw((tongue, kind), language(tongue).said(kind))

    def add(self, session: Session, role: str, text: str, *, mention: str = "") -> None:
        last = session.turns[-1].at if session.turns else session.start
        pause = {"user": self.chance.number(25, 260), "assistant": self.chance.number(6, 45)}.get(role, 4)
        at = last + timedelta(seconds=pause if session.turns else 0)
        text = text if mention else contracted(text, session.tongue)
        session.turns.append(Turn(role=role, text=text, at=at, mention=mention))

    def exchange(self, session: Session, user: str, assistant: str, *, mention: str = "") -> None:
        self.add(session, "user", user, mention=mention)
        self.add(session, "assistant", assistant)

    # The kinds of sessions

    def one(self, session: Session) -> None:
        """One line, one answer."""
        slots, bank = self.slots(session), language(session.tongue)
        rows = bank.of("quick") + (self.persona.work.of("quick") if session.tongue == self.persona.tongue else ())
        row = self.deck.draw((session.tongue, "quick"), rows)
        self.exchange(session, fill(row.columns[0], slots), fill(row.columns[1], slots))

    def private(self, session: Session) -> None:
        """A short session that holds one thing, told in confidence."""
        self._last_reply = ""
        for mention in session.mentions:
            self.mention(session, mention)
        self._beat(session, self.slots(session))

    def talk(self, session: Session) -> None:
        mentions = list(session.mentions)
        later = [mentions.pop() for mention in session.mentions[1:] if self.chance.happens(0.5)]
        session.title = self._about(session, mentions)
        if later or self.chance.happens(0.2):
            self._about(session, later)
        if self.chance.happens(0.45):
            slots = self.slots(session)
            row = self.deck.draw((session.tongue, "close"), language(session.tongue).of("close"))
            self.exchange(session, fill(row.columns[0], slots), fill(row.columns[1], slots))

    def _about(self, session: Session, mentions: list[Mention]) -> str:
        """A task and what follows from it, with what is to be mentioned on the way; its title."""
        slots = self.slots(session)
        task = self._task(session)
        self.add(session, "user", self._opening(session, task, slots))
        self._last_reply = self._reply(task.replies, slots)
        self.add(session, "assistant", self._last_reply)
        follow = [(fill(ask, slots), fill(answer, slots)) for ask, answer in self.chance.shuffled(task.more)]
        beats: list[tuple[str, str] | Mention] = [*follow[: self.chance.number(1, max(1, len(follow)))]]
        for mention in mentions:
            beats.insert(self.chance.number(0, len(beats)), mention)
        for beat in beats:
            if isinstance(beat, Mention):
                self.mention(session, beat)
                continue
            self.exchange(session, *beat)
            if self.chance.happens(0.22):
                self._beat(session, slots)
        return contracted(fill(task.title, slots), session.tongue)

    def mention(self, session: Session, mention: Mention) -> None:
        """What the ledger wants said, amid other words; the assistant answers without saying it again."""
        tongue, text = mention.tongue, mention.text
        if mention.by == "assistant":
            self.add(session, "user", self.draw(tongue, "askback"))
            self.add(session, "assistant", text, mention=mention.id)
            return
        if not mention.private and self.chance.happens(0.55):
            text = f"{self.draw(tongue, 'lead')} {text}" if tongue != "ja" else f"{self.draw(tongue, 'lead')}{text}"
        if not mention.private and self.chance.happens(0.3):
            text = f"{text} {self.draw(tongue, 'trail')}"
        self.add(session, "user", text, mention=mention.id)
        if not mention.against:
            self.add(session, "assistant", self.draw(tongue, "ack"))
            return
        self.add(session, "assistant", mention.against)
        self.exchange(session, self.draw(tongue, "stay"), self.draw(tongue, "fine"))

    def _task(self, session: Session) -> Task:
        """Of the work, or of what else fills a life."""
        work, life = self.persona.work, language(session.tongue)
        mine = session.tongue == self.persona.tongue and self.chance.happens(0.6)
        bank: Bank = work if mine else life
        task = self.deck.draw((bank.name, "task"), bank.tasks)
        assert isinstance(task, Task)
        return task

    def _opening(self, session: Session, task: Task, slots: dict[str, str]) -> str:
        ask = fill(self.chance.pick(task.asks), slots)
        if task in self.persona.work.tasks and self.chance.happens(0.7):
            about = fill(self.draw(session.tongue, "context"), slots)
            ask = f"{about} {ask}" if session.tongue != "ja" else f"{about}{ask}"
        if self.chance.happens(0.3):
            greet = self.draw(session.tongue, "greet")
            return f"{greet} {ask}" if session.tongue != "ja" else f"{greet}{ask}"
        return ask

    def _reply(self, replies: tuple[str, ...], slots: dict[str, str]) -> str:
        count = min(len(replies), self.chance.number(2, 4))
        kept = sorted(self.chance.some(range(len(replies)), count))
        join = "\n\n" if self.chance.happens(0.25) else " "
        return join.join(fill(replies[at], slots) for at in kept)

    def _beat(self, session: Session, slots: dict[str, str]) -> None:
        """A remark that fits behind any answer, with what follows from it."""
        first = self._last_reply or next(turn.text for turn in session.turns if turn.role == "assistant")
        said = [part.strip() for part in _SENTENCE.split(first) if part.strip()]
        slots = {**slots, "last": said[0], "list": "\n".join(f"- {part}" for part in said)}
        rows = language(session.tongue).of("beat")
        row = self.deck.draw((session.tongue, "beat"), rows)
        while len(said) < 2 and {"last", "list"} & slots_in(row.columns[1]):
            row = self.deck.draw((session.tongue, "beat"), rows)
        for at in range(0, len(row.columns) - 1, 2):
            self.exchange(session, fill(row.columns[at], slots), fill(row.columns[at + 1], slots))
