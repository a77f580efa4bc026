"""What an export wrote, or would: how many of each, where to, and what stayed here with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from brain.text import counted

SHOWN = 10  # names of what stayed here, before the rest is only counted


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """`left_out` by reason; `broken` are files of memory that do not read, so that they are missing from the export."""

    form: str
    to: Path
    pages: int = 0
    notes: int = 0
    sessions: int = 0
    turns: int = 0
    files: int = 0
    size: int = 0
    removed: int = 0
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    broken: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def exit_code(self) -> int:
        return 1 if self.broken else 0

    def lines(self) -> list[str]:
        verb = "would write" if self.dry_run else "wrote"
        what = (
            f"{counted(self.pages, 'page')}, {counted(self.notes, 'note file')}, "
            f"{counted(self.turns, 'turn')} of {counted(self.sessions, 'session')}"
        )
        said = [f"{verb} {self.to}: {what} ({counted(self.files, 'file')}, {_bytes(self.size)})"]
        if self.removed:
            said.append(
                f"{'would remove' if self.dry_run else 'removed'} {counted(self.removed, 'file')} of an earlier export"
            )
        for reason, names in self.left_out.items():
            said.append(f"left out: {len(names)} {reason}: {_named(names)}")
        said += [f"does not read and is missing: {path}" for path in self.broken]
        return said


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _bytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{max(1, round(size / 1000))} kB"
