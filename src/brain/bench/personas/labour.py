"""A session with tools written out: files read, commands run, edits, pages fetched, and little talk between."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from itertools import groupby

from brain.bench.personas.banks import Bank, fill, language, works
from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Mention, Persona, Session, Turn
from brain.bench.personas.talk import Writer

_TALKED = ("user", "rival", "assistant")
_LONG = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2,}|[^\W\d_]{5,}")
_AMOUNT = re.compile(r"(?<![\w:/.#-])(?<!\A)\d{1,3}(?![\w:/.])")


class Labour:
    """Writes the long sessions: a goal, then rounds of tool calls over files that stay from one to the next."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.chance, self.persona = writer.chance, writer.persona
        self.fresh = Fresh(writer.persona, writer.chance)
        self.files = {file: self._filled(file) for file in self.persona.work.listed("files")}

    def write(self, session: Session) -> None:
        writer, chance = self.writer, self.chance
        slots, work = writer.slots(session), self.persona.work
        jobs = work.of("job")
        goal = writer.deck.draw("job", jobs)
        session.title = fill(goal.columns[0], slots)
        asked = fill(chance.pick(goal.wordings(1)), slots)
        if slots["u"] not in asked:
            asked = f"{fill(writer.draw(session.tongue, 'context'), slots)} {asked}"
        writer.add(session, "user", asked)
        told = [mention for mention in session.mentions if mention.by in _TALKED]
        printed = [mention for mention in session.mentions if mention.by == "tool"]
        pages = [mention for mention in session.mentions if mention.by == "outside"]
        rounds = chance.number(3, 9) + len(told) + len(printed) + len(pages)
        plan: list[Mention | None] = [*[None] * max(0, rounds - len(session.mentions)), *told, *printed, *pages]
        mixed = chance.shuffled(plan)
        for mention in sorted(mixed, key=lambda one: one is not None and one.by == "assistant"):
            if mention is not None and mention.by in _TALKED:
                writer.mention(session, mention)
            else:
                self._round(session, mention)
        done = fill(writer.draw(session.tongue, "done"), slots)
        writer.add(session, "assistant", done)
        if chance.happens(0.4):
            row = writer.deck.draw((session.tongue, "close"), language(session.tongue).of("close"))
            writer.exchange(session, fill(row.columns[0], slots), fill(row.columns[1], slots))

    def _round(self, session: Session, mention: Mention | None) -> None:
        """Some calls in a row, most behind a line of the assistant's, now and then steered by the user."""
        writer, chance = self.writer, self.chance
        if session.turns[-1].role != "user" and chance.happens(0.3):
            writer.add(session, "user", fill(writer.draw(session.tongue, "steer"), writer.slots(session)))
        if mention is not None:
            self._step(session, "fetch" if mention.by == "outside" else "run", mention)
        for _ in range(chance.number(1, 5)):
            begun = sum(turn.role == "call" for turn in session.turns) > 2
            self._step(session, chance.pick(("read", "read", "run", "run", "grep", "edit" if begun else "read")))
        if chance.happens(0.08):
            self._step(session, "fetch")

    def _step(self, session: Session, tool: str, mention: Mention | None = None) -> None:
        """One call, with a word about it where one is due."""
        file = self._file()
        if session.turns[-1].role == "user" or self.chance.happens(0.3):
            said = self.writer.deck.draw((session.tongue, tool), _narrations(session.tongue, tool))
            self.writer.add(session, "assistant", fill(said, {**self.writer.slots(session), "f": file}))
        if tool == "read":
            self._read(session, file)
        elif tool == "edit":
            self._edit(session, file)
        elif tool == "grep":
            self._look(session, file)
        elif tool == "fetch":
            self._fetch(session, mention)
        else:
            self._run(session, file, mention)

    def _call(
        self, session: Session, tool: str, arguments: dict[str, str], output: str, mention: Mention | None = None
    ) -> None:
        at = session.turns[-1].at + timedelta(seconds=self.chance.number(2, 14))
        session.turns.append(Turn(role="call", text="", at=at, tool=tool, arguments=arguments))
        at += timedelta(seconds=self.chance.number(1, 9))
        session.turns.append(Turn(role="result", text=output, at=at, tool=tool, mention=mention.id if mention else ""))

    def _file(self) -> str:
        return self.chance.pick(self.persona.work.listed("files"))

    def _read(self, session: Session, file: str) -> None:
        start = self.chance.number(0, max(0, len(self.files[file]) - 12))
        shown = self.files[file][start : start + self.chance.number(5, 22)]
        text = "\n".join(f"{number:>5}\t{line}" for number, line in enumerate(shown, start=start + 1))
        self._call(session, "read", {"file": file}, text)

    def _run(self, session: Session, file: str, mention: Mention | None = None) -> None:
        row = self.writer.deck.draw("run", self.persona.work.of("run"))
        command = fill(row.columns[0], {**self.writer.slots(session), "f": file})
        printed = [fill(text, {**self.writer.slots(session), "f": file}) for text in row.wordings(1)]
        if mention is not None:
            command = fill(mention.command, {"f": file}) if mention.command else command
            printed = [] if mention.command else printed[:1]
            printed.insert(self.chance.number(0, len(printed)), mention.text)
        self._call(session, "run", {"command": command}, "\n".join(printed), mention)

    def _edit(self, session: Session, file: str) -> None:
        """One line becomes another of its kind, in the file for good; where none can, the file is read."""
        lines = self.files[file]
        for at in self.chance.some(range(len(lines)), 12):
            new = self._varied(lines[at])
            if new != lines[at]:
                old, lines[at] = lines[at], new
                arguments = {"file": file, "old": old, "new": new}
                self._call(session, "edit", arguments, f"The file {file} has been updated.")
                return
        self._read(session, file)

    def _varied(self, line: str) -> str:
        """The line with another number in one place: no time, no date, no number of a list."""
        found = list(_AMOUNT.finditer(line))
        if not found:
            return line
        one = self.chance.pick(found)
        low = 10 ** (len(one[0]) - 1)
        return f"{line[: one.start()]}{self.chance.number(low, 10 * low - 1)}{line[one.end() :]}"

    def _look(self, session: Session, file: str) -> None:
        words = [word for line in self.files[file] for word in _LONG.findall(line)]
        word = self.chance.pick(words or [line.strip() for line in self.files[file] if line.strip()])
        found = [
            f"{name}:{number}:{line}"
            for name, lines in self.files.items()
            for number, line in enumerate(lines, start=1)
            if word in line
        ]
        self._call(session, "grep", {"pattern": word}, "\n".join(found[: self.chance.number(3, 9)]))

    def _fetch(self, session: Session, mention: Mention | None = None) -> None:
        bank, chance = language(session.tongue), self.chance
        body = [self.writer.draw(session.tongue, "page") for _ in range(chance.number(3, 6))]
        if mention is not None:
            body.insert(chance.number(1, len(body)), mention.text)
        url = f"https://{chance.pick(bank.listed('sites'))}/{chance.hex(6)}"
        self._call(session, "fetch", {"url": url}, "\n\n".join(body), mention)

    def _filled(self, file: str) -> list[str]:
        """A file of this work: tables with one head and many rows, notes that go on, code in some order."""
        lines = list(_lines(self.persona.work, file))
        chance = self.chance
        if file.endswith(".csv"):
            head, *rows = lines
            return [self._line(head), *(self._line(rows[at % len(rows)]) for at in range(chance.number(24, 140)))]
        if file.endswith(".md"):
            status = language(self.persona.tongue).said("status")
            found = [self._line(line) for _ in range(chance.number(2, 5)) for line in lines]
            for _ in range(len(found) // 4):
                found.insert(chance.number(1, len(found)), f"- {self._line(chance.pick(status))}")
            return found
        blocks = [list(group) for blank, group in groupby(lines, key=lambda line: not line.strip()) if not blank]
        return [self._line(line) for block in chance.shuffled(blocks) for line in (*block, "")][:-1]

    def _line(self, line: str) -> str:
        """A line of a table, with numbers and names of its own in each place."""
        return fill(line, self.fresh)


class Fresh(Mapping[str, str]):
    """Slots that give something else each time they are asked."""

    def __init__(self, persona: Persona, chance: Chance) -> None:
        self._draws: dict[str, Callable[[], str]] = {
            "n": lambda: str(chance.number(2, 48)),
            "m": lambda: str(chance.number(11, 99) * 10),
            "h": lambda: str(chance.number(2, 9)),
            "x": lambda: f"{chance.number(2, 19)}.{chance.number(1, 9)}",
            "y": lambda: str(chance.number(10, 24)),
            "t": lambda: f"{chance.number(1, 28):02d}/{chance.number(1, 12):02d}",
            "p": lambda: chance.pick(persona.people),
            "o": lambda: chance.pick(persona.work.listed("objects")),
            "u": lambda: chance.pick(persona.undertakings).alias,
            "c": lambda: persona.city,
        }

    def __getitem__(self, slot: str) -> str:
        return self._draws[slot]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._draws)

    def __len__(self) -> int:
        return len(self._draws)

    def __contains__(self, slot: object) -> bool:
        return slot in self._draws


@cache
def _narrations(tongue: str, tool: str) -> tuple[str, ...]:
    return tuple(text for row in language(tongue).of("narrate") if row.columns[0] == tool for text in row.wordings(1))


@cache
def _of_kinds(name: str) -> Mapping[str, tuple[str, ...]]:
    """The lines of a work's files by name or by ending; `*` are those of any other file."""
    work = next(work for work in works() if work.name == name)
    return {
        ending.strip(): tuple(row.columns[1].split(" / "))
        for row in work.of("line")
        for ending in row.columns[0].split(",")
    }


def _lines(work: Bank, file: str) -> tuple[str, ...]:
    kinds = _of_kinds(work.name)
    return kinds.get(file) or kinds.get(file.rpartition(".")[2]) or kinds["*"]
