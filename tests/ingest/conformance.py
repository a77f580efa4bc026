"""The fixtures of every transcript format, read by its parser: what comes of each, in figures for docs/formats.md.

    tests/fixtures/formats/<format>/<case>/…

Files that end in `.sql` are the text of a database, which is made from it where the case is laid out.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.ingest.choose import choose
from brain.ingest.raw import RawSession, RawTurn, Skips

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "formats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One fixture of a format."""

    format: str
    name: str

    @property
    def folder(self) -> Path:
        return FIXTURES / self.format / self.name

    def __str__(self) -> str:
        return f"{self.format}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Come:
    """What came of a case. `passed` counts files beside the transcripts that are none."""

    sessions: int
    turns: Counter[str]
    skips: Skips
    passed: int
    sources: frozenset[str]


def cases() -> list[Case]:
    return [
        Case(format=form.name, name=one.name)
        for form in sorted(FIXTURES.iterdir())
        for one in sorted(form.iterdir())
        if one.is_dir()
    ]


def lay_out(case: Case, to: Path) -> Path:
    """A copy of a case's files, with its databases made."""
    shutil.copytree(case.folder, to, dirs_exist_ok=True)
    for text in sorted(to.rglob("*.sql")):
        with closing(sqlite3.connect(text.with_suffix(""))) as db:
            db.executescript(text.read_text("utf-8"))
        text.unlink()
    return to


def read(folder: Path, skips: Skips) -> list[tuple[RawSession, list[RawTurn]]]:
    """Every session of the files in a folder, with its turns, those without any left out."""
    choices, _ = choose([folder], inside=folder / "none")
    found = [(raw, list(raw.turns)) for choice in choices for raw in choice.format.read(choice.path, skips)]
    return [(raw, turns) for raw, turns in found if turns]


def come_of(case: Case) -> Come:
    with tempfile.TemporaryDirectory() as place:
        folder = lay_out(case, Path(place).resolve() / "from")
        choices, passed = choose([folder], inside=folder / "none")
        skips = Skips()
        found = read(folder, skips)
    turns = Counter(turn.role.value for _, spoken in found for turn in spoken)
    return Come(
        sessions=len({raw.external_id for raw, _ in found}),
        turns=turns,
        skips=skips,
        passed=len(passed),
        sources=frozenset(choice.format.name for choice in choices),
    )


Heard = dict[str, list[tuple[str, str]]]
"""What was heard in each session: (role, text) in order."""


def heard(folder: Path, skips: Skips | None = None) -> Heard:
    """What the parsers make of a folder, before anything is stored."""
    found: Heard = {}
    for raw, turns in read(folder, skips if skips is not None else Skips()):
        found.setdefault(raw.external_id, []).extend((turn.role.value, turn.text) for turn in turns)
    return found


def texts(one: Heard) -> list[str]:
    return sorted(text for turns in one.values() for _, text in turns)


def transcripts(folder: Path) -> list[Path]:
    """The files that hold sessions."""
    return [choice.path for choice in choose([folder], inside=folder / "none")[0]]


def edit(folder: Path, change: Callable[[Any], Any]) -> int:
    """Change every JSON document or line of the transcripts in a folder; how many there were."""
    count = 0
    for path in transcripts(folder):
        text = path.read_text("utf-8") if path.suffix not in (".db", ".vscdb") else ""
        if path.suffix == ".jsonl":
            items = [change(json.loads(line)) for line in text.splitlines()]
            path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
            count += len(items)
        elif text.lstrip().startswith(("{", "[")):
            path.write_text(json.dumps(change(json.loads(text))), "utf-8")
            count += 1
    return count
