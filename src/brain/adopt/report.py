"""What adopting pages did, or would do: what came in, what was there already, and everything that could not be kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from brain.adopt.parcel import Loss, named
from brain.text import counted

SHOWN = 5  # places of one kind of loss that are named, before the rest is only counted


class Outcome(StrEnum):
    NEW = "new"
    GROWN = "grown"  # lines were added to a page of an earlier import
    UNCHANGED = "unchanged"
    KEPT = "kept"  # memory has another page of that name, which stays
    REFUSED = "refused"  # the rules left nothing of it


@dataclass(slots=True, kw_only=True)
class AdoptReport:
    """`pages` by id; `losses` in the order they were met; `problem` when nothing could be published at all."""

    pages: dict[str, Outcome] = field(default_factory=dict)
    notes: int = 0
    sessions: int = 0
    files: int = 0
    losses: list[Loss] = field(default_factory=list)
    commit: str | None = None
    problem: str | None = None
    dry_run: bool = False

    def count(self, outcome: Outcome) -> int:
        return sum(one is outcome for one in self.pages.values())

    @property
    def exit_code(self) -> int:
        """1 when something could not be kept, or there was nothing to adopt."""
        found = self.pages or self.notes or self.sessions
        return 1 if self.losses or self.problem or not found else 0

    def lines(self) -> list[str]:
        verb = "would adopt" if self.dry_run else "adopted"
        parts = [f"{counted(self.count(Outcome.NEW), 'page')}"]
        parts += [f"{counted(self.count(Outcome.GROWN), 'page')} grown"] if self.count(Outcome.GROWN) else []
        parts += [f"{counted(self.notes, 'line')} of notes"] if self.notes else []
        parts += [f"{counted(self.sessions, 'session')}"] if self.sessions else []
        parts += [f"{counted(self.files, 'file')}"] if self.files else []
        same = self.count(Outcome.UNCHANGED)
        said = [f"{verb} {', '.join(parts)}" + (f"; already here: {counted(same, 'page')}" if same else "")]
        if self.problem:
            said.append(f"nothing was adopted: {self.problem}")
        found = named(self.losses)
        if found:
            said.append("cannot be kept:" if self.dry_run else "could not be kept:")
        for what, losses in found.items():
            places = list(dict.fromkeys(one.place for one in losses))
            more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
            said.append(f"  {sum(one.count for one in losses)} {what}: {', '.join(places[:SHOWN])}{more}")
        if self.count(Outcome.REFUSED):
            said.append("mend the lines that are named, in the files they come from, and import them again")
        return said

    def json(self) -> dict[str, object]:
        return {
            "pages": {id: outcome.value for id, outcome in self.pages.items()}, "notes": self.notes,
            "sessions": self.sessions, "files": self.files, "commit": self.commit, "problem": self.problem,
            "lost": [{"what": one.what, "place": one.place, "count": one.count} for one in self.losses],
            "dry_run": self.dry_run, "exit_code": self.exit_code,
        }  # fmt: skip
