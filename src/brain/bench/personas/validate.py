"""Proof that each question can be answered from its evidence and from nothing else, by importing the sessions for real.

For each persona the production importer reads `sessions/` into a new brain. Then, of the turns as they are stored:
each bound turn exists and says what the ledger says it does; the answer follows from the bound turns by the step the
question names (it stands there, it is their sum, it is the day a phrase means …); and no other turn holds it beside
words of the question. Records are read through the production connectors.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from brain.bench.personas.choosing import given_away
from brain.bench.personas.generate import digest
from brain.bench.personas.leaks import holds, leaks, overlap, plain
from brain.bench.personas.questions import CATEGORIES
from brain.brain import Brain
from brain.config import FILE
from brain.errors import BrainError, FormatError, NotFound
from brain.ingest.store import Transcripts, read_rows
from brain.types import Turn

Progress = Callable[[int, int, str], None]
_NUMBER = re.compile(r"\d[\d\s\u00a0\u202f.,]*")


@dataclass(slots=True, kw_only=True)
class Validated:
    """What was looked at, and what does not hold (`problems`, one a line, each with its question)."""

    personas: int = 0
    questions: int = 0
    sessions: int = 0
    turns: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    overlaps: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def overlap(self) -> float:
        """The share of a question's words that its evidence has too, on the average."""
        return sum(self.overlaps) / len(self.overlaps) if self.overlaps else 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "personas": self.personas, "questions": self.questions, "sessions": self.sessions, "turns": self.turns,
            "categories": dict(self.categories), "overlap": round(self.overlap, 4), "problems": self.problems,
        }  # fmt: skip


def validate(folder: Path, *, progress: Progress | None = None) -> Validated:
    """Every persona of a folder. Raises NotFound when it is none."""
    index = folder / "personas.json"
    if not index.is_file():
        raise NotFound(f"no personas in {str(folder)!r}", hint="brain bench personas generate --seed 1 --out FOLDER")
    try:
        rows = json.loads(index.read_text("utf-8"))["personas"]
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{str(index)!r} does not read: {error}", hint="generate the personas again") from error
    found = Validated()
    for at, row in enumerate(rows):
        if progress:
            progress(at, len(rows), row["id"])
        found.personas += 1
        if digest(folder / row["id"]) != row["sha256"]:
            found.problems.append(f"{row['id']}: its files are not those that were generated")
        _persona(folder / row["id"], row, found)
    if progress:
        progress(len(rows), len(rows), "")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """What an import made of a persona's sessions, by their external ids; `texts` as they are compared."""

    turns: Mapping[str, tuple[Turn, ...]]
    texts: Mapping[str, list[str]]
    records: Mapping[tuple[str, str], str]
    zone: ZoneInfo


def _persona(folder: Path, row: Mapping[str, Any], found: Validated) -> None:
    ledger = json.loads((folder / "ledger.json").read_text("utf-8"))
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    with TemporaryDirectory(prefix="brain-personas-") as temporary:
        stored = _imported(folder, Path(temporary) / "brain", row, found)
    found.sessions += len(stored.turns)
    found.turns += sum(map(len, stored.turns.values()))
    found.problems += [f"{row['id']}: {problem}" for problem in _kept_whole(ledger, stored)]
    seen: set[str] = set()
    for question in questions:
        found.questions += 1
        found.categories[question["category"]] += 1
        found.problems += [f"{question['id']}: {problem}" for problem in _question(question, stored)]
        if question["text"] in seen:
            found.problems.append(f"{question['id']}: asked twice: {question['text']!r}")
        seen.add(question["text"])
        texts = [_source_text(source, stored) or "" for source in question["evidence"]]
        if texts:
            found.overlaps.append(overlap(question["text"], " ".join(texts)))


def _imported(folder: Path, root: Path, row: Mapping[str, Any], found: Validated) -> _Stored:
    now = datetime.fromisoformat(row["asked_at"])
    Brain.init(root, owner=row["name"], tz=row["tz"], now=now)
    settings = root / FILE
    tables = [
        f"\n[connectors.{name}]\nkind = {json.dumps(name)}\npath = {json.dumps(str(folder / 'connectors' / file))}\n"
        for name, file in (("calendar", "calendar.ics"), ("mail", "mail.mbox"))
    ]
    settings.write_text(settings.read_text("utf-8") + "".join(tables), "utf-8")
    with Brain.open(root, clock=lambda: now, background="no") as brain:
        report = brain.import_([(folder / "sessions").resolve()])
        records = dict(_records(brain, row["id"], found))
    for file in report.files:
        if file.problem or file.skips.broken:
            broken = file.problem or dict(file.skips.broken)
            found.problems.append(f"{row['id']}: {file.path.name} does not import whole: {broken}")
    transcripts = Transcripts(root)
    turns: dict[str, tuple[Turn, ...]] = {}
    for session, kept in read_rows(root).items():
        turns[kept.external_id] = tuple(transcripts.turns(session))
    texts = {session: [plain(turn.text) for turn in kept] for session, kept in turns.items()}
    return _Stored(turns=turns, texts=texts, records=records, zone=ZoneInfo(row["tz"]))


def _records(brain: Brain, id: str, found: Validated) -> Iterator[tuple[tuple[str, str], str]]:
    """Every record of the connectors, as the production connectors read them."""
    with brain.connectors() as connectors:
        for name in connectors.names:
            try:
                for entry in connectors.list(name):
                    record = connectors.read(name, entry.id)
                    fields = " ".join(value for _, value in record.fields)
                    yield (name, entry.id), f"{record.title}\n{record.day}\n{record.text}\n{fields}"
            except BrainError as error:
                found.problems.append(f"{id}: connector {name}: {error}")
            for reason, count in connectors.skipped(name):
                found.problems.append(f"{id}: connector {name}: {count} {reason}")


def _kept_whole(ledger: Mapping[str, Any], stored: _Stored) -> Iterator[str]:
    """Sessions and turns as the ledger counts them, with the words it says they hold."""
    for session in ledger["sessions"]:
        count = len(stored.turns.get(session["id"], ()))
        if count != session["turns"]:
            yield f"session {session['id']} ({session['host']}) has {count} turns, not {session['turns']}"
    for fact in ledger["facts"]:
        for told in fact["told"]:
            where = told["where"]
            if where is None:
                continue
            text = _turn_text(where, stored)
            if text is None or plain(told["says"]) not in text:
                yield f"{fact['id']}: turn {where['turn']} of {where['session']} does not say {told['says'][:60]!r}"


def _turn_text(source: Mapping[str, Any], stored: _Stored) -> str | None:
    texts = stored.texts.get(source["session"], [])
    return texts[source["turn"] - 1] if 0 < source["turn"] <= len(texts) else None


def _source_text(source: Mapping[str, Any], stored: _Stored) -> str | None:
    if "connector" in source:
        record = stored.records.get((source["connector"], source["record"]))
        return plain(record) if record is not None else None
    return _turn_text(source, stored)


def _question(question: Mapping[str, Any], stored: _Stored) -> Iterator[str]:
    if question["category"] not in CATEGORIES:
        yield f"no category is called {question['category']!r}"
    texts = []
    for source in question["evidence"]:
        text = _source_text(source, stored)
        if text is None:
            yield f"its evidence {source} does not exist"
            return
        texts.append(text)
    yield from _absent(question, stored) if question["answer"] is None else _follows(question, texts, stored)
    yield from _only_there(question, stored)
    right = {plain(form) for form in (question["answer"], *question["accepts"]) if form}
    for form in (*question["stale"], *question["must_not"]):
        if plain(form) in right:
            yield f"{form!r} is right and wrong at once"


def _follows(question: Mapping[str, Any], texts: list[str], stored: _Stored) -> Iterator[str]:
    """Does the answer follow from the bound texts by the step that the question names?"""
    setting = question["setting"]
    if not texts:
        yield "has an answer and no evidence"
        return
    match setting["how"]:
        case "stated" | "join":
            forms = [question["answer"], *question["accepts"]]
            if not any(holds(text, form) for text in texts for form in forms):
                yield f"{question['answer']!r} does not stand in its evidence"
            if setting["how"] == "join" and not all(plain(setting["by"]) in text for text in texts):
                yield f"its turns are not joined by {setting['by']!r}"
        case "list":
            yield from (f"{part!r} stands in none of its turns" for part in setting["parts"]
                        if not any(holds(text, part) for text in texts))  # fmt: skip
            if set(question["answer"].split("; ")) != set(setting["parts"]):
                yield "its answer is not the list of its parts"
        case "sum":
            total = sum(_number(part) for part, text in zip(setting["parts"], texts, strict=True) if holds(text, part))
            if abs(total - _number(question["answer"])) > 0.005:
                yield f"its parts make {total:g}, not {question['answer']}"
        case "times":
            result = _number(setting["measure"]) * setting["times"] if holds(texts[0], setting["measure"]) else 0
            if abs(result - _number(question["answer"])) > 0.005 or str(setting["times"]) not in question["text"]:
                yield f"its rule makes {result:g}, not {question['answer']}"
        case "day":
            if _day(question["evidence"][0], setting["offset"], stored) != date.fromisoformat(question["answer"]):
                yield f"its turn does not mean {question['answer']}"
        case "between":
            first, second = (
                _day(source, offset, stored)
                for source, offset in zip(question["evidence"], setting["offsets"], strict=True)
            )
            if first is None or second is None or abs((first - second).days) != int(question["answer"]):
                yield f"between its days lie not {question['answer']}"
        case other:
            yield f"nothing is known of the step {other!r}"


def _number(text: str) -> float:
    """The number in a text as generated values write it: groups of three, a comma or a point before one or two."""
    match = _NUMBER.search(text)
    digits = re.sub(r"\s", "", match[0]).rstrip(".,") if match else "0"
    digits = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", digits)
    return float(digits.replace(",", "."))


def _day(source: Mapping[str, Any], offset: int, stored: _Stored) -> date | None:
    turns = stored.turns.get(source["session"], ())
    time = turns[source["turn"] - 1].time if source["turn"] <= len(turns) else None
    return (time or datetime.min.replace(tzinfo=UTC)).astimezone(stored.zone).date() + timedelta(days=offset)


def _absent(question: Mapping[str, Any], stored: _Stored) -> Iterator[str]:
    """What was never told stands nowhere beside its subject; what is forgotten stood where it is said to have stood."""
    setting = question["setting"]
    if question["evidence"]:
        yield "has evidence and no answer"
    if setting["how"] == "forgotten":
        for source in setting["forgotten"]:
            text = _turn_text(source, stored)
            if text is None or not any(holds(text, form) for form in question["must_not"]):
                yield f"what is forgotten does not stand in {source}"
            gone = question["forget"].get("sessions", [source["session"]])
            if source["session"] not in gone:
                yield "what is forgotten is not in the sessions that go"
    elif subject := setting.get("of"):
        for session, texts in stored.texts.items():
            for number, text in enumerate(texts, start=1):
                if plain(subject) in text and any(holds(text, form) for form in question["must_not"]):
                    yield f"turn {number} of {session} tells of {subject!r}"


def _only_there(question: Mapping[str, Any], stored: _Stored) -> Iterator[str]:
    sources = question["evidence"] or question["setting"].get("forgotten", ())
    bound = frozenset((source["session"], source["turn"]) for source in sources if "session" in source)
    if question["answer"] is None and not question["forget"]:
        return
    for session, number in leaks(question["text"], given_away(question), stored.texts, bound):
        yield f"turn {number} of {session} gives it away: {stored.texts[session][number - 1][:90]!r}"
