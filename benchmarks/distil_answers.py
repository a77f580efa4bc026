"""Do the notes of the extractive distiller say what questions ask, in full, and how large are they?

    brain bench personas generate --seed 3 --personas 10 --out FOLDER
    python benchmarks/distil_answers.py --data FOLDER [--lost]

Each persona's sessions are imported as in use and distilled. *Answer*: the notes that cite a question's evidence turns
hold what the answer is made of: the value, each part of a sum or list, the day a phrase means. *Cited*: each evidence
turn is cited by some note. *Told*: of the turns in which the ledger tells something, those that a note cites.
Questions whose evidence is a connector's record are left out. `--lost` prints what is not held.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from brain.bench.personas.leaks import holds, plain
from brain.brain import Brain
from brain.distil import DistilContext, facts
from brain.ingest.store import Transcripts, read_rows, survey
from brain.text import est_tokens
from brain.types import Fact, Transcript


@dataclass(slots=True)
class Persona:
    """A persona's sessions by the names their hosts give them, and the facts of each."""

    zone: ZoneInfo
    sessions: dict[str, Transcript]
    facts: dict[str, list[Fact]] = field(default_factory=dict)

    def notes(self, source: Mapping[str, Any]) -> list[str]:
        """The notes that cite a turn."""
        found = self.facts.get(source["session"], [])
        return [one.text for one in found if one.first_turn <= source["turn"] <= one.last_turn]

    def day(self, source: Mapping[str, Any], offset: int) -> str:
        time = self.sessions[source["session"]].turns[source["turn"] - 1].time
        return str(time.astimezone(self.zone).date() + timedelta(days=offset)) if time else "?"


def read(folder: Path, row: Mapping[str, Any], root: Path) -> Persona:
    """Import a persona's sessions into a new brain at `root` and distil them."""
    now = datetime.fromisoformat(row["asked_at"])
    Brain.init(root, owner=row["name"], tz=row["tz"], now=now)
    with Brain.open(root, clock=lambda: now, background="no") as brain:
        brain.import_([(folder / row["id"] / "sessions").resolve()])
    stored = Transcripts(root)
    sessions: dict[str, Transcript] = {}
    for session, kept in read_rows(root).items():
        if place := stored.find(session):
            sessions[kept.external_id] = replace(survey(root, place)[0], turns=tuple(stored.turns(session)))
    zone = ZoneInfo(row["tz"])
    context = DistilContext(owners=(row["name"],), language=row["language"], tz=zone)
    persona = Persona(zone, sessions)
    persona.facts = {name: facts(transcript, context=context) for name, transcript in sessions.items()}
    return persona


def wanted(question: Mapping[str, Any], persona: Persona) -> Iterator[tuple[list[str], list[int]]]:
    """What must stand in the notes: forms of which one is enough, and the places in the evidence that may say it."""
    sources, setting = question["evidence"], question["setting"]
    everywhere = list(range(len(sources)))
    match setting["how"]:
        case "sum":
            yield from (([part], [at]) for at, part in enumerate(setting["parts"]))
        case "list":
            yield from (([part], everywhere) for part in setting["parts"])
        case "times":
            yield [setting["measure"]], [0]
        case "day":
            yield [persona.day(sources[0], setting["offset"])], [0]
        case "between":
            yield from (([persona.day(sources[at], off)], [at]) for at, off in enumerate(setting["offsets"]))
        case _:
            yield [question["answer"], *question["accepts"]], everywhere
            if setting["how"] == "join":
                yield from (([setting["by"]], [at]) for at in everywhere)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder of generated personas")
    parser.add_argument("--lost", action="store_true", help="print the questions that notes do not answer in full")
    arguments = parser.parse_args()
    rows = json.loads((arguments.data / "personas.json").read_text("utf-8"))["personas"]
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    sessions = notes = tokens = told = told_cited = 0
    for row in rows:
        with TemporaryDirectory(prefix="brain-answers-") as temporary:
            persona = read(arguments.data, row, Path(temporary) / "brain")
        sessions += len(persona.sessions)
        for found in persona.facts.values():
            notes += len(found)
            tokens += sum(est_tokens(one.text) for one in found)
        ledger = json.loads((arguments.data / row["id"] / "ledger.json").read_text("utf-8"))
        places = [
            one["where"] for fact in ledger["facts"] for one in fact["told"] if one["by"] == "user" and one["where"]
        ]
        told += len(places)
        told_cited += sum(bool(persona.notes(place)) for place in places)
        for line in (arguments.data / row["id"] / "questions.jsonl").read_text("utf-8").splitlines():
            question = json.loads(line)
            if not question["evidence"] or any("session" not in one for one in question["evidence"]):
                continue
            texts = [plain(" ".join(persona.notes(one))) for one in question["evidence"]]
            right = all(
                any(holds(texts[at], form) for at in places_ for form in forms)
                for forms, places_ in wanted(question, persona)
            )
            for key in (question["category"], f"in {row['language']}", "all"):
                for at, value in enumerate((int(right), int(all(texts)), 1)):
                    counts[key][at] += value
            if arguments.lost and not right:
                print(f"{question['id']} {question['text']} -> {question['answer']}")
                for one, text in zip(question["evidence"], texts, strict=True):
                    said = persona.sessions[one["session"]].turns[one["turn"] - 1].text
                    print(f"    said: {said[:160]!r}\n    noted: {text[:200]!r}")
    for key in sorted(counts):
        held, cited, of = counts[key]
        print(f"{key:18} answer {held / of:.3f}  cited {cited / of:.3f}  n={of}")
    print(f"told by the user: {told_cited / told:.3f} cited, n={told}")
    print(f"{sessions} sessions, {notes / sessions:.2f} notes and {tokens / sessions:.1f} tokens a session")


if __name__ == "__main__":
    main()
