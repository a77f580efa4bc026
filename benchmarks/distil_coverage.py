"""How much of what questions ask for do the notes of the extractive distiller cite, and how many notes does that take?

    python benchmarks/distil_coverage.py --data /path/to/locomo_dev6.json

A gold evidence turn counts as covered when at least one note cites it. Understands the files of LoCoMo
(`locomo*.json`), LongMemEval (`*oracle*.json`, turns with `has_answer`) and RealMem (a persona's dialogues with
`extracted_memory`), which users fetch themselves. Prints one line a category and one for all; with `--verify` also how
many of the notes the rules hold for supported by the turns they cite.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.distil import DistilContext, facts
from brain.rules.verify import verify
from brain.types import Role, Transcript, Turn

_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")


@dataclass(slots=True)
class Case:
    """One transcript, and for each gold turn number the categories of the questions that need it."""

    transcript: Transcript
    context: DistilContext
    gold: list[tuple[int, str]] = field(default_factory=list)


def locomo(data: Any) -> Iterator[Case]:
    """One case a session; categories 1, 2 and 4 (multi-hop, temporal, single-hop)."""
    for sample in data:
        talk = sample["conversation"]
        cases: dict[int, Case] = {}
        for key, said in talk.items():
            found = re.fullmatch(r"session_(\d+)", key)
            if found and said:
                when = datetime.strptime(talk[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
                turns = [_turn(i + 1, Role.USER, _words(t), when, t["speaker"]) for i, t in enumerate(said)]
                cases[int(found[1])] = Case(_transcript(f"{sample['sample_id']}-{found[1]}", turns), DistilContext())
        for question in sample["qa"]:
            if question["category"] in (1, 2, 4):
                for session, number in _EVIDENCE.findall(" ".join(question["evidence"])):
                    if int(session) in cases and 1 <= int(number) <= len(cases[int(session)].transcript.turns):
                        cases[int(session)].gold.append((int(number), f"category {question['category']}"))
        yield from cases.values()


def _words(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']}\n[image: {caption}]" if caption else str(turn["text"])


def longmemeval(data: Any) -> Iterator[Case]:
    """One case a haystack session; gold are the turns flagged `has_answer`."""
    for item in data:
        for day, said in zip(item["haystack_dates"], item["haystack_sessions"], strict=True):
            when = datetime.strptime(re.sub(r" \(\w+\)", "", day), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
            turns = [_turn(i + 1, Role(t["role"]), t["content"], when) for i, t in enumerate(said)]
            gold = [(i + 1, f"{t['role']} turn") for i, t in enumerate(said) if t.get("has_answer")]
            yield Case(_transcript(item["question_id"], turns), DistilContext(owners=("Sam",)), gold)


def realmem(data: Any) -> Iterator[Case]:
    """One case a session; gold are the source turns of the user's memories."""
    owner = data["_metadata"]["person_name"].replace("_", " ")
    for item in data["dialogues"]:
        when = datetime.strptime(item["current_time"][:10], "%Y-%m-%d").replace(hour=12, tzinfo=UTC)
        turns = [
            _turn(i + 1, Role.USER if t["speaker"] == "User" else Role.ASSISTANT, t["content"], when)
            for i, t in enumerate(item["dialogue_turns"])
        ]
        gold = [
            (m["source_turn"], f"{m['source_role_snapshot'].lower()} memory")
            for m in item["extracted_memory"]
            if 1 <= (m.get("source_turn") or 0) <= len(turns)
        ]
        yield Case(_transcript(item["session_uuid"], turns), DistilContext(owners=(owner,)), gold)


def _turn(number: int, role: Role, text: str, when: datetime, name: str | None = None) -> Turn:
    return Turn(number=number, role=role, text=text, time=when, name=name)


def _transcript(name: str, turns: list[Turn]) -> Transcript:
    return Transcript(id=name, source="benchmark", external_id=name, title="", turns=tuple(turns))


def cases(path: Path) -> Iterator[Case]:
    data = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(data, dict):
        return realmem(data)
    return locomo(data) if "conversation" in data[0] else longmemeval(data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, nargs="+", help="data files")
    parser.add_argument("--verify", action="store_true", help="verify each note against the turns it cites")
    arguments = parser.parse_args()
    verdicts: Counter[str] = Counter()
    turns = notes = 0
    seconds = 0.0
    hit: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path in arguments.data:
        for case in cases(path):
            start = time.process_time()
            found = facts(case.transcript, context=case.context)
            seconds += time.process_time() - start
            turns += len(case.transcript.turns)
            notes += len(found)
            for fact in found if arguments.verify else ():
                said = case.transcript.turns[fact.first_turn - 1 : fact.last_turn]
                names = [s.name for s in fact.about]
                owners = case.context.owners
                verdicts[verify(fact.text, said, qualifier=fact.qualifier, owners=owners, subjects=names).support] += 1
            cited = {n for f in found for n in range(f.first_turn, f.last_turn + 1)}
            for number, category in case.gold:
                for row in (hit[category], hit["all"]):
                    row[0] += number in cited
                    row[1] += 1
    print(f"{turns} turns, {notes} notes, {notes / turns:.3f} notes a turn, {turns / seconds:.0f} turns/s")
    if verdicts:
        print(", ".join(f"{verdicts[v] / notes:.3f} {v}" for v in sorted(verdicts)))
    for category in sorted(hit):
        covered, of = hit[category]
        print(f"{category:18} coverage {covered / of:.3f}  n={of}")


if __name__ == "__main__":
    main()
