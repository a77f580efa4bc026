"""What an agent may ask of approved outside sources: which there are, what they hold, one record to cite."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from brain.agents.tools import Reading, Tool
from brain.connectors import Connectors, Entry
from brain.text import clip, one_line
from brain.tree.snapshot import readable

MOST = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Read-only tools over the connectors of the config; nothing that is not named there can be reached."""

    connectors: Connectors
    reading: Reading

    def tools(self) -> list[Tool]:
        return [self.sources, self.look_up, self.fetch_record]

    def sources(self) -> str:
        """Outside sources that may be asked to verify a fact: name, kind, what each holds or why it cannot be read."""
        return self.reading.answer(
            lambda: "\n".join(self.connectors.check(name).line() for name in self.connectors.names) or "none"
        )

    def look_up(self, source: str, query: str = "") -> str:
        """Entries of an outside source that speak of a query, or its newest ones.

        Args:
            source: The source's name, as `sources` gives it.
            query: Words to look for; empty for the newest entries.
        """

        def look() -> str:
            found = self.connectors.search(source, query, MOST) if query.strip() else self.connectors.list(source)
            return "\n".join(_entry(one) for one in islice(found, MOST)) or "nothing found"

        return self.reading.answer(look)

    def fetch_record(self, source: str, id: str) -> str:
        """One record in full, kept as it is now, with the source to cite for what it says.

        A claim that rests on it alone carries ^[external], unless the tool says that the source is the owner's own.

        Args:
            source: The source's name.
            id: The record's id, as `look_up` gives it.
        """

        def fetch() -> str:
            pinned = self.connectors.fetch(source, id)
            own = " (the owner's own book: no ^[external] needed)" if source in self._authoritative else ""
            return f"cite as [cite:{pinned.uri}]{own}\n\n{readable(pinned.record)}"

        return self.reading.answer(fetch)

    @property
    def _authoritative(self) -> tuple[str, ...]:
        return self.reading.config.authoritative


def _entry(entry: Entry) -> str:
    day = f"{entry.day} · " if entry.day else ""
    return f"- {entry.id} · {day}{entry.kind} · {clip(one_line(entry.title), 160)}"
