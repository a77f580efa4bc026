"""The fixtures of every transcript format, read by its parser: what comes of each, in figures for docs/formats.md.

    tests/fixtures/formats/<format>/<case>/…

Files that end in `.sql` are the text of a database, which is made from it where the case is laid out.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

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
