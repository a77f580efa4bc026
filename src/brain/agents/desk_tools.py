"""What the author of a run may ask beside reading: a check of the proposal, and a session's way out of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from brain.agents.tools import Reading, Tool
from brain.dream.engine import Desk
from brain.dream.report import NAME, parse
from brain.errors import NotFound
from brain.sync.plain import plain
from brain.text import one_line

_SESSION = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Tools over a run's proposal. What they touch lies beside the tree, out of the sandbox's reach."""

    desk: Desk
    reading: Reading

    def tools(self) -> list[Tool]:
        return [self.check, self.report, self.nothing, self.leave]

    def check(self) -> str:
        """Check the proposed tree now: what would be refused and why, and turns of the task that nothing cites yet."""

        def look() -> str:
            found = plain(self.desk.folder / "tree") if self.desk.folder else []
            return "\n".join([*found, *self.desk.check().lines()])

        return self.reading.answer(look)

    def report(self, line: str) -> str:
        """Write one line into report.md: why a claim went, a page that goes, or what changed on a page.

        Args:
            line: As in `3fa91c02 stale: the grant was paid out`, `merge entities/wei into entities/wei-zhang: the same
                person`, or `projects/harbour-survey: deadline moved to July`.
        """

        def note() -> str:
            told = f"- {one_line(line).removeprefix('- ')}"
            if problems := parse(told).problems:
                return f"error: {problems[0].message} (write: {problems[0].fix})"
            self._write(told)
            return f"noted: {told}"

        return self.reading.answer(note)

    def nothing(self, session: str, why: str) -> str:
        """Say that a session holds nothing that a page should know; its notes and summary are kept.

        Args:
            session: The first eight digits of the session's id.
            why: The reason, in a few words.
        """

        def note() -> str:
            id = self._session(session)
            self._write(f"- {id[:8]} nothing: {one_line(why) or 'nothing new'}")
            return f"{id[:8]} counts as taken in"

        return self.reading.answer(note)

    def leave(self, session: str, why: str) -> str:
        """Give a session back to the next run, when it cannot be taken in now.

        Args:
            session: The first eight digits of the session's id.
            why: The reason, in a few words.
        """

        def give_back() -> str:
            id = self._session(session)
            self.desk.leave(id, one_line(why) or "left for the next run")
            return f"{id[:8]} stays for the next run"

        return self.reading.answer(give_back)

    def _write(self, line: str) -> None:
        """Add a line to the report, which commands of the sandbox write too."""
        if self.desk.folder:
            place = self.desk.folder / NAME
            text = place.read_text("utf-8", errors="replace") if place.exists() else ""
            with place.open("a", encoding="utf-8") as file:
                file.write(("" if not text or text.endswith("\n") else "\n") + line + "\n")

    def _session(self, name: str) -> str:
        """The id of one of the run's sessions. Raises NotFound."""
        found = _SESSION.search(name.removeprefix("session://"))
        ids = [work.row.id for work in self.desk.orientation.work]
        known = [id for id in ids if found and id.startswith(found[0])]
        if len(known) != 1:
            raise NotFound(f"no session {name!r} in this run", hint="sessions: " + ", ".join(id[:8] for id in ids[:20]))
        return known[0]
