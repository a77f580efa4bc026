"""A session with tools written out: files read, commands run, edits, pages fetched, and little talk between."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from brain.bench.personas.banks import fill, language
from brain.bench.personas.ledger import Mention, Session, Turn
from brain.bench.personas.talk import Writer


class Labour:
    """Writes the long sessions: a goal, then rounds of tool calls whose outputs are the work's own lines."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.chance, self.persona = writer.chance, writer.persona

    def write(self, session: Session) -> None:
        writer, chance = self.writer, self.chance
        slots, work = writer.slots(session), self.persona.work
        jobs = work.of("job")
        goal = writer.deck.draw("job", jobs)
        session.title = fill(goal.columns[0], slots)
        writer.add(session, "user", fill(chance.pick(goal.wordings(1)), slots))
        told = [mention for mention in session.mentions if mention.by in ("user", "rival")]
        printed = [mention for mention in session.mentions if mention.by == "tool"]
        pages = [mention for mention in session.mentions if mention.by == "outside"]
        rounds = chance.number(3, 9) + len(told) + len(printed) + len(pages)
        plan: list[Mention | None] = [*[None] * max(0, rounds - len(session.mentions)), *told, *printed, *pages]
        for mention in chance.shuffled(plan):
            if mention is not None and mention.by in ("user", "rival"):
                writer.mention(session, mention)
            else:
                self._round(session, mention)
        done = fill(writer.draw(session.tongue, "done"), slots)
        writer.add(session, "assistant", done)
        if chance.happens(0.4):
            row = writer.deck.draw((session.tongue, "close"), language(session.tongue).of("close"))
            writer.exchange(session, fill(row.columns[0], slots), fill(row.columns[1], slots))

    def _round(self, session: Session, mention: Mention | None) -> None:
        """Some calls in a row behind one line of the assistant's, now and then steered by the user."""
        writer, chance = self.writer, self.chance
        slots = writer.slots(session)
        if session.turns[-1].role != "user" and chance.happens(0.3):
            writer.add(session, "user", fill(writer.draw(session.tongue, "steer"), slots))
        if chance.happens(0.75) or session.turns[-1].role == "user":
            writer.add(session, "assistant", fill(writer.draw(session.tongue, "narrate"), slots))
        if mention is not None and mention.by == "outside":
            self._fetch(session, slots, mention)
            return
        if mention is not None:
            self._run(session, slots, mention)
        for _ in range(chance.number(1, 5)):
            chance.pick((self._read, self._run, self._run, self._edit, self._look))(session, slots)
        if chance.happens(0.08):
            self._fetch(session, slots)

    def _call(
        self, session: Session, tool: str, arguments: dict[str, str], output: str, mention: Mention | None = None
    ) -> None:
        at = session.turns[-1].at + timedelta(seconds=self.chance.number(2, 14))
        session.turns.append(Turn(role="call", text="", at=at, tool=tool, arguments=arguments))
        at += timedelta(seconds=self.chance.number(1, 9))
        session.turns.append(Turn(role="result", text=output, at=at, tool=tool, mention=mention.id if mention else ""))

    def _lines(self, session: Session, count: int) -> Iterator[str]:
        """Lines of this work's files, with fresh numbers in each."""
        lines = self.persona.work.said("line")
        for _ in range(count):
            yield fill(self.writer.deck.draw("line", lines), self.writer.slots(session))

    def _file(self) -> str:
        return self.chance.pick(self.persona.work.listed("files"))

    def _read(self, session: Session, slots: dict[str, str]) -> None:
        lines = self._lines(session, self.chance.number(4, 18))
        text = "\n".join(f"{number:>5}\t{line}" for number, line in enumerate(lines, start=self.chance.number(1, 140)))
        self._call(session, "read", {"file": self._file()}, text)

    def _run(self, session: Session, slots: dict[str, str], mention: Mention | None = None) -> None:
        row = self.writer.deck.draw("run", self.persona.work.of("run"))
        command = fill(row.columns[0], {**self.writer.slots(session), "f": self._file()})
        printed = [fill(text, self.writer.slots(session)) for text in row.wordings(1)]
        if mention is not None:
            command = mention.command or command
            printed = [] if mention.command else printed[:1]
            printed.insert(self.chance.number(0, len(printed)), mention.text)
        self._call(session, "run", {"command": command}, "\n".join(printed), mention)

    def _edit(self, session: Session, slots: dict[str, str]) -> None:
        old, new = self._lines(session, 2)
        file = self._file()
        self._call(session, "edit", {"file": file, "old": old, "new": new}, f"The file {file} has been updated.")

    def _look(self, session: Session, slots: dict[str, str]) -> None:
        lines = list(self._lines(session, self.chance.number(1, 5)))
        word = next((part for part in lines[0].split() if len(part) > 4 and part.isalpha()), "TODO")
        found = [f"{self._file()}:{self.chance.number(3, 400)}:{line}" for line in lines]
        self._call(session, "grep", {"pattern": word}, "\n".join(found))

    def _fetch(self, session: Session, slots: dict[str, str], mention: Mention | None = None) -> None:
        bank, chance = language(session.tongue), self.chance
        site = chance.pick(bank.listed("sites"))
        body = [fill(self.writer.draw(session.tongue, "page"), slots) for _ in range(chance.number(3, 6))]
        if mention is not None:
            body.insert(chance.number(1, len(body)), mention.text)
        url = f"https://{site}/{chance.hex(6)}"
        self._call(session, "fetch", {"url": url}, "\n\n".join(body), mention)
