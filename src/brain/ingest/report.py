"""What an import did, file by file: what is new, what was left out and why, what is broken and where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from brain.ingest.raw import Skips
from brain.tree.sessions import SessionRow


class Outcome(StrEnum):
    NEW = "new"
    GROWN = "grown"
    UNCHANGED = "unchanged"
    DELETED = "deleted"  # was deleted here, so it is not imported again


@dataclass(slots=True)
class FileReport:
    """One file. `asked` = the user named it, so not recognising it is a failure. `problem` says what to do about it."""

    path: Path
    source: str | None = None
    asked: bool = False
    outcomes: dict[str, Outcome] = field(default_factory=dict)  # by session id
    empty: int = 0
    turns: int = 0
    skips: Skips = field(default_factory=Skips)
    problem: str | None = None

    def note(self, session: str, outcome: Outcome, turns: int = 0) -> None:
        """What became of a session; of several notes about one (it may come up twice) the one that did more stands."""
        self.turns += turns
        before = self.outcomes.get(session)
        if before in (None, Outcome.UNCHANGED):
            self.outcomes[session] = outcome

    @property
    def new(self) -> int:
        return self._count(Outcome.NEW)

    @property
    def grown(self) -> int:
        return self._count(Outcome.GROWN)

    @property
    def unchanged(self) -> int:
        return self._count(Outcome.UNCHANGED)

    @property
    def deleted(self) -> int:
        return self._count(Outcome.DELETED)

    def _count(self, outcome: Outcome) -> int:
        return sum(one is outcome for one in self.outcomes.values())

    @property
    def failed(self) -> bool:
        return bool(self.skips.broken) or (self.problem is not None and self.asked)


@dataclass(slots=True)
class ImportReport:
    """The whole import. `rows` are the new and changed session rows; `notes` are things to know that are no failure."""

    files: list[FileReport] = field(default_factory=list)
    rows: list[SessionRow] = field(default_factory=list)
    redacted: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    dry_run: bool = False
    formats: tuple[str, ...] = ()

    def count(self, what: str) -> int:
        return sum(int(getattr(file, what)) for file in self.files)

    @property
    def new(self) -> int:
        return self.count("new")

    @property
    def grown(self) -> int:
        return self.count("grown")

    @property
    def unchanged(self) -> int:
        return self.count("unchanged")

    @property
    def turns(self) -> int:
        """Turns that were added."""
        return self.count("turns")

    @property
    def skips(self) -> Skips:
        total = Skips()
        for file in self.files:
            total.add(file.skips)
        return total

    @property
    def problems(self) -> list[str]:
        """What went wrong, each with its file, place and way out."""
        found = []
        for file in self.files:
            if file.problem and file.asked:
                found.append(f"{file.path}: {file.problem}")
            found += [f"{file.path}: {example}" for example in file.skips.examples]
            shown = len(file.skips.examples)
            if (total := sum(file.skips.broken.values())) > shown:
                found.append(f"{file.path}: {total - shown} more like these")
        if not self.files:
            found.append("nothing to import: the folder holds no files")
        elif not self.new + self.grown + self.unchanged and not found:
            found.append(f"no session found in any file; formats that are read: {', '.join(self.formats)}")
        return found

    @property
    def exit_code(self) -> int:
        """0 only when sessions were found and nothing was broken."""
        if any(file.failed for file in self.files):
            return 1
        return 0 if self.new + self.grown + self.unchanged else 1

    def table(self) -> list[tuple[str, int, int, int, int, int, int, int]]:
        """A row a source: source, files, new, grown, unchanged sessions, turns added, left out, broken."""
        rows = []
        for source in sorted({file.source or "" for file in self.files}):
            mine = [file for file in self.files if (file.source or "") == source]
            rows.append(
                (
                    source or "(not a transcript)",
                    len(mine),
                    sum(file.new for file in mine),
                    sum(file.grown for file in mine),
                    sum(file.unchanged for file in mine),
                    sum(file.turns for file in mine),
                    sum(sum(file.skips.left_out.values()) for file in mine),
                    sum(sum(file.skips.broken.values()) for file in mine),
                )
            )
        return rows

    def left_out(self) -> dict[str, Counter[str]]:
        """What was left out of each source and why; files that are no transcripts are only counted in the table."""
        found: dict[str, Counter[str]] = {}
        for file in self.files:
            if file.source and file.skips.left_out:
                found.setdefault(file.source, Counter()).update(file.skips.left_out)
        return dict(sorted(found.items()))

    def json(self) -> dict[str, object]:
        """The report for programs. Files that are not transcripts are only counted."""
        skips = self.skips
        return {
            "exit_code": self.exit_code,
            "dry_run": self.dry_run,
            "new": self.new,
            "grown": self.grown,
            "unchanged": self.unchanged,
            "empty": self.count("empty"),
            "deleted": self.count("deleted"),
            "turns": self.turns,
            "left_out": dict(sorted(skips.left_out.items())),
            "broken": dict(sorted(skips.broken.items())),
            "redacted": dict(sorted(self.redacted.items())),
            "problems": self.problems,
            "notes": self.notes,
            "unrecognised": sum(file.source is None for file in self.files),
            "seconds": round(self.seconds, 3),
            "sessions": [row.id for row in self.rows],
            "files": [
                {
                    "path": str(file.path),
                    "source": file.source,
                    "new": file.new,
                    "grown": file.grown,
                    "unchanged": file.unchanged,
                    "turns": file.turns,
                    "left_out": dict(sorted(file.skips.left_out.items())),
                    "broken": dict(sorted(file.skips.broken.items())),
                }
                for file in self.files
                if file.source is not None
            ],
        }
