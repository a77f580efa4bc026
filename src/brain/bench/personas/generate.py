"""Writing a folder of personas: sessions as hosts leave them, connectors, the ledger, the questions.

OUT/personas.json                      {version, seed, personas: [{id, sha256, …}], questions}
OUT/p01/sessions/<host>/…              what an import reads
OUT/p01/connectors/{calendar.ics,mail.mbox}
OUT/p01/ledger.json                    what is true, when it was said, where it stands
OUT/p01/questions.jsonl                one question a line, with the turns or records that hold its answer
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.bench.personas import outside
from brain.bench.personas.chance import Chance
from brain.bench.personas.choosing import PERSONAS, chosen
from brain.bench.personas.history import History, history
from brain.bench.personas.ledger import Fact
from brain.bench.personas.questions import Question
from brain.bench.personas.writing import HOSTS
from brain.errors import UsageError
from brain.tree.files import write_atomic

VERSION = 1
"""Goes up whenever the same seed gives other bytes, so that results of two versions are not compared unawares."""

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """What was written. `short` counts questions of a category for which a life gave no sound one."""

    out: Path
    personas: int
    questions: int
    sessions: int
    turns: int
    short: dict[str, int]


def generate(
    out: Path, *, seed: int, personas: int = PERSONAS, dry_run: bool = False, progress: Progress | None = None
) -> Generated:
    """Write so many personas. Raises UsageError when the folder holds anything but personas."""
    if out.exists() and any(out.iterdir()) and not (out / "personas.json").is_file():
        raise UsageError(f"{str(out)!r} is not empty", hint="name a new folder, or one of generated personas")
    if not dry_run:
        _clear(out)
    rows: list[dict[str, Any]] = []
    short: dict[str, int] = {}
    sessions = turns = 0
    for number in range(1, personas + 1):
        if progress:
            progress(number - 1, personas, f"persona {number}")
        life = history(seed, number)
        questions, missing = chosen(life, number, Chance(seed, life.persona.id, "questions"))
        folder = out / life.persona.id
        if not dry_run:
            _write(folder, life, questions, Chance(seed, life.persona.id, "hosts"))
        for category, count in missing.items():
            short[category] = short.get(category, 0) + count
        sessions += len(life.sessions)
        turns += sum(len(session.turns) for session in life.sessions)
        rows.append(_row(life, folder, len(questions), dry_run))
    if progress:
        progress(personas, personas, "")
    total = sum(row["questions"] for row in rows)
    whole = {"version": VERSION, "seed": seed, "personas": rows, "questions": total}
    if not dry_run:
        write_atomic(out / "personas.json", (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode())
    return Generated(out=out, personas=personas, questions=total, sessions=sessions, turns=turns, short=short)


def _row(life: History, folder: Path, questions: int, dry_run: bool) -> dict[str, Any]:
    persona = life.persona
    return {
        "id": persona.id,
        "sha256": "" if dry_run else digest(folder),
        "name": persona.name,
        "tz": persona.zone.key,
        "language": persona.tongue,
        "asked_at": _iso(life),
        "questions": questions,
    }


def _clear(out: Path) -> None:
    """The index goes first: a folder without it is one that was not written whole."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "personas.json").unlink(missing_ok=True)
    for old in out.glob("p[0-9][0-9]*"):
        shutil.rmtree(old)


def digest(folder: Path) -> str:
    """Of everything in a persona's folder: names and bytes."""
    whole = sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(f"{file.relative_to(folder).as_posix()}\0".encode())
        whole.update(sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def _iso(life: History) -> str:
    return f"{life.asked_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _write(folder: Path, life: History, questions: list[Question], chance: Chance) -> None:
    for host, write in HOSTS.items():
        mine = [session for session in life.sessions if session.host == host]
        if mine:
            write(folder / "sessions" / host, life.persona, mine, chance)
    (folder / "connectors").mkdir(parents=True)
    outside.write(folder / "connectors", life.persona, life.records)
    write_atomic(folder / "ledger.json", (json.dumps(_ledger(life), ensure_ascii=False, indent=1) + "\n").encode())
    lines = []
    for number, question in enumerate(questions, start=1):
        whole = {"id": f"{life.persona.id}-q{number:02d}", **asdict(question), "asked_at": _iso(life)}
        lines.append(json.dumps(whole, ensure_ascii=False) + "\n")
    write_atomic(folder / "questions.jsonl", "".join(lines).encode())


def _ledger(life: History) -> dict[str, Any]:
    persona = life.persona
    return {
        "id": persona.id,
        "name": persona.name,
        "work": persona.work.head.get("title", persona.work.name),
        "language": persona.tongue,
        "second_language": persona.second,
        "city": persona.city,
        "tz": persona.zone.key,
        "people": list(persona.people),
        "undertakings": [asdict(one) for one in persona.undertakings],
        "hosts": list(persona.hosts),
        "facts": [_fact(fact, life) for fact in life.facts],
        "sessions": [
            {
                "id": one.id, "host": one.host, "kind": one.kind, "start": one.start.isoformat(),
                "language": one.tongue, "turns": len(one.turns),
            }
            for one in life.sessions
        ],
        "records": [
            {"id": one.id, "connector": one.connector, "title": one.title, "day": one.day.isoformat()}
            for one in life.records
        ],
    }  # fmt: skip


def _fact(fact: Fact, life: History) -> dict[str, Any]:
    told = []
    for mention in fact.mentions:
        spot = life.spots.get(mention.id)
        where = {"session": spot.session, "turn": spot.turn, "text": spot.text} if spot else None
        told.append({"by": mention.by, "says": mention.text, "where": where})
    return {
        "id": fact.id,
        "kind": fact.kind,
        "row": fact.row,
        "values": [value.answer for value in fact.values],
        "wrong": [value.answer for value in fact.wrong],
        "told": told,
        **({"record": fact.extra} if fact.kind in ("cal", "meet", "moved", "mail") else {}),
    }
